package server

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"bayes/store"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Metrics are what /metrics tells.
type metrics struct {
	registry  *prometheus.Registry
	requests  *prometheus.CounterVec
	latency   *prometheus.HistogramVec
	predicted *prometheus.CounterVec
	events    *prometheus.CounterVec
	panics    prometheus.Counter
	routes    sync.Map // of routeKey to *routeMeters
	models    sync.Map // of string to *meters
}

func newMetrics(catalog *Catalog) *metrics {
	counter := func(name, help string) prometheus.CounterOpts {
		return prometheus.CounterOpts{Namespace: "bayes", Name: name, Help: help}
	}
	m := &metrics{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewCounterVec(counter("requests_total", "Requests, by route and status."), []string{"route", "status"}),
		latency: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Namespace: "bayes", Name: "request_seconds", Help: "Time from a request's header to the end of its answer, by route.",
			Buckets: []float64{.0001, .00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10},
		}, []string{"route"}),
		predicted: prometheus.NewCounterVec(counter("predictions_total", "Documents predicted, by model and class."), []string{"model", "class"}),
		events:    prometheus.NewCounterVec(counter("events_total", "Learning events acknowledged, by model, operation and whether they changed the counts."), []string{"model", "operation", "changed"}),
		panics:    prometheus.NewCounter(counter("panics_total", "Requests that a handler panicked at: faults of the program.")),
	}
	m.registry.MustRegister(m.requests, m.latency, m.predicted, m.events, m.panics, newModelCollector(catalog),
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

type routeKey struct {
	route  string
	status int
}

type routeMeters struct {
	requests prometheus.Counter
	latency  prometheus.Observer
}

// observe counts a request that has been answered.
func (m *metrics) observe(r *http.Request, status int, took time.Duration) {
	if status == 0 {
		status = http.StatusOK
	}
	route := r.Pattern
	if route == "" {
		route = "none"
	}
	// The counters of a route and status are looked up by strings once.
	key := routeKey{route, status}
	v, ok := m.routes.Load(key)
	if !ok {
		v, _ = m.routes.LoadOrStore(key, &routeMeters{m.requests.WithLabelValues(route, strconv.Itoa(status)), m.latency.WithLabelValues(route)})
	}
	meters := v.(*routeMeters)
	meters.requests.Inc()
	meters.latency.Observe(took.Seconds())
}

// handler serves the metrics.
func (m *metrics) handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{})
}

// Meters are the counters of one model, so that counting looks nothing up by
// strings.
type meters struct {
	metrics *metrics
	model   string
	classes sync.Map // of string to prometheus.Counter
}

// of returns the meters of a model.
func (m *metrics) of(name string) *meters {
	v, ok := m.models.Load(name)
	if !ok {
		v, _ = m.models.LoadOrStore(name, &meters{metrics: m, model: name})
	}
	return v.(*meters)
}

// predicted counts a prediction.
func (t *meters) predicted(class string) {
	v, ok := t.classes.Load(class)
	if !ok {
		v, _ = t.classes.LoadOrStore(class, t.metrics.predicted.WithLabelValues(t.model, labelValue(class)))
	}
	v.(prometheus.Counter).Inc()
}

// learned counts events that were acknowledged.
func (t *meters) learned(events []store.Event, changed []bool) {
	for i := range events {
		t.metrics.events.WithLabelValues(t.model, events[i].Op.String(), strconv.FormatBool(changed[i])).Inc()
	}
}

// A modelCollector asks the models how they are when it is asked.
type modelCollector struct {
	catalog                                                   *Catalog
	documents, terms, applied, visible, snapshot, erased, lag *prometheus.Desc
	up, fitUp, logUp, waits                                   *prometheus.Desc
}

func newModelCollector(catalog *Catalog) *modelCollector {
	desc := func(name, help string, labels ...string) *prometheus.Desc {
		return prometheus.NewDesc("bayes_model_"+name, help, append([]string{"model"}, labels...), nil)
	}
	return &modelCollector{
		catalog:   catalog,
		documents: desc("documents", "Examples that the model has learned, by class.", "class"),
		terms:     desc("terms", "Features that the model knows: the size of its vocabulary."),
		applied:   desc("applied_sequence", "Number of the last event in the counts."),
		visible:   desc("visible_sequence", "Number of the last event in the model that predicts."),
		snapshot:  desc("snapshot_sequence", "Number of the last event in the snapshot on disk."),
		erased:    desc("erased_sequence", "Number of the last event up to which nothing that was unlearned or replaced is still readable on disk."),
		lag:       desc("log_lag", "Events of the log that have not been applied yet."),
		up:        desc("up", "Whether the model can be used: 1, or 0 if it is broken."),
		fitUp:     desc("fit_up", "Whether the model that predicts is made of the latest counts: 1, or 0 if they cannot be fitted."),
		waits:     desc("visible_seconds", "Time from when events can be acknowledged to when they are in the model that predicts."),
		logUp:     desc("log_up", "Whether events are being applied: 1, or 0 if the log cannot be reached or is damaged."),
	}
}

// Describe implements [prometheus.Collector].
func (c *modelCollector) Describe(ch chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{c.documents, c.terms, c.applied, c.visible, c.snapshot, c.erased, c.lag, c.up, c.fitUp, c.logUp, c.waits} {
		ch <- d
	}
}

// Collect implements [prometheus.Collector].
func (c *modelCollector) Collect(ch chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	gauge := func(d *prometheus.Desc, v float64, labels ...string) {
		ch <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, v, labels...)
	}
	for name, e := range *c.catalog.entries.Load() {
		gauge(c.up, oneIf(e.broken == nil), name)
		if e.broken != nil {
			continue
		}
		st := e.live.Load().store
		status := st.Status()
		gauge(c.applied, float64(status.Applied), name)
		gauge(c.visible, float64(status.Visible), name)
		gauge(c.snapshot, float64(status.Snapshot), name)
		gauge(c.erased, float64(status.Erased), name)
		if lag, err := st.Lag(ctx); err == nil {
			gauge(c.lag, float64(lag), name)
		}
		gauge(c.fitUp, oneIf(status.Fit == nil), name)
		gauge(c.logUp, oneIf(status.Log == nil), name)
		waits := st.Waits()
		counts := make(map[float64]uint64, len(waits.AtMost))
		for i, most := range waits.AtMost {
			counts[most.Seconds()] = waits.Counts[i]
		}
		ch <- prometheus.MustNewConstHistogram(c.waits, waits.Count, waits.Sum.Seconds(), counts, name)
		if m := st.Model(); m != nil {
			gauge(c.terms, float64(m.Len()), name)
			for _, class := range e.live.Load().classes(m) {
				gauge(c.documents, float64(class.Examples), name, labelValue(class.Label))
			}
		}
	}
}

func oneIf(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// labelValue returns how a class is called in the metrics, which must be UTF-8.
// A class that is not keeps its other characters, and has each wrong byte as \xNN and
// each backslash as two. So has one that has such a \x of its own, and so no two
// classes are called the same.
func labelValue(class string) string {
	if utf8.ValidString(class) && !strings.Contains(class, `\x`) {
		return class
	}
	var b strings.Builder
	for len(class) > 0 {
		r, n := utf8.DecodeRuneInString(class)
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02x`, class[0])
		case r == '\\':
			b.WriteString(`\\`)
		default:
			b.WriteString(class[:n])
		}
		class = class[n:]
	}
	return b.String()
}
