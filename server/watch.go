package server

import (
	"context"
	"time"
)

// watch logs what goes wrong with models while no request asks about it, and what
// works again, until ctx is done.
func (s *Server) watch(ctx context.Context) {
	every := time.NewTicker(time.Second)
	defer every.Stop()
	wrong := make(map[trouble]string)
	for {
		s.look(wrong)
		select {
		case <-every.C:
		case <-ctx.Done():
			return
		}
	}
}

// A trouble is a part of a model's store that can fail by itself.
type trouble struct{ model, part string }

// look logs how the stores' errors differ from those in wrong, which it brings up
// to date.
func (s *Server) look(wrong map[trouble]string) {
	for name, e := range *s.catalog.entries.Load() {
		if e.broken != nil {
			continue
		}
		status := e.live.Load().store.Status()
		for part, err := range map[string]error{"log": status.Log, "fit": status.Fit, "snapshot": status.Save} {
			about, text := trouble{name, part}, ""
			if err != nil {
				text = err.Error()
			}
			switch {
			case text == wrong[about]:
			case text == "":
				s.log.Info(part+" works again", "model", name)
			default:
				s.log.Error(part+" failed", "model", name, "err", err)
			}
			wrong[about] = text
		}
	}
}
