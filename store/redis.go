package store

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"
)

var _ Log = (*redisLog)(nil)

// A redisLog is a log in a stream of Redis. Event n is the entry 0-n, which
// Redis numbers, and has one field, e.
//
// There is a hash too, STREAM:replicas, which holds for each replica the number of
// the last event of its snapshot. The stream is trimmed to what comes after the
// least of them, and that event itself. A string, STREAM:appends:WORD, holds for a
// day the number of a process's last request to append.
type redisLog struct {
	opts     *redis.Options
	client   *redis.Client
	stream   string
	replicas string
	appends  string // a key of this log's own

	appending sync.Mutex // held by Append
	attempt   uint64     // how many calls of it have begun

	mu   sync.Mutex
	last anchor
}

// An anchor is an event that was read.
type anchor struct {
	seq   uint64
	event string
}

// OpenRedis returns the log that any number of replicas share as a stream of a
// Redis server, version 7 or later:
//
//	redis://USER:PASSWORD@HOST:PORT/DB?stream=NAME
//	rediss://…                                      with TLS
//	unix://USER:PASSWORD@/PATH/OF/SOCKET?db=DB&stream=NAME
//
// The stream is "bayes" if not named. There is no connection before it is needed.
// Where nothing acknowledged may be lost when the server's machine loses power,
// the server's configuration must say "appendonly yes" and "appendfsync always".
//
// A replica that is gone for good keeps the stream from being trimmed, until its
// field is deleted from the hash NAME:replicas.
func OpenRedis(address string) (Log, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	stream := "bayes"
	q := u.Query()
	if q.Has("stream") {
		stream = q.Get("stream")
		q.Del("stream")
		u.RawQuery = q.Encode()
	}
	opts, err := redis.ParseURL(u.String())
	if err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	quiet()
	opts.MaxRetries = -1 // or an event could be appended twice
	opts.DialerRetries = 1
	opts.DialTimeout, opts.ReadTimeout, opts.WriteTimeout = 2*time.Second, 2*time.Second, 2*time.Second
	opts.ContextTimeoutEnabled = true
	opts.DisableIdentity = true
	opts.MaintNotificationsConfig = &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
	return &redisLog{
		opts: opts, client: redis.NewClient(opts), stream: stream, replicas: stream + ":replicas", appends: stream + ":appends:" + rand.Text(),
	}, nil
}

// quiet keeps go-redis from writing to the standard error what it returns too.
var quiet = sync.OnceFunc(func() { redis.SetLogger(silence{}) })

type silence struct{}

func (silence) Printf(context.Context, string, ...any) {}

// The first argument is the time of the events in milliseconds. One that is more
// than a day ahead of the server's clock is refused: the window of every replica
// would follow it.
//
// The second argument numbers the attempts of one log. A request can arrive long
// after the client has given it up, from a socket that the network or the server
// was slow to read. It is refused if a later one has been carried out, or else a
// document that was unlearned meanwhile would come back.
var appendScript = redis.NewScript(`
if tonumber(ARGV[2]) <= tonumber(redis.call('GET', KEYS[2]) or '0') then
	return redis.error_reply('LATE a later request has been carried out')
end
local now = redis.call('TIME')
local ahead = tonumber(ARGV[1]) - 1000 * tonumber(now[1])
if ahead > 24 * 60 * 60 * 1000 then
	return redis.error_reply(string.format('CLOCK %.0f', ahead / 3600000))
end
local id
for i = 3, #ARGV do
	id = redis.call('XADD', KEYS[1], '0-*', 'e', ARGV[i])
end
redis.call('SET', KEYS[2], ARGV[2], 'EX', 86400)
return id`)

func (l *redisLog) Append(ctx context.Context, events []Event) (last uint64, err error) {
	entries := make([]any, 2+len(events))
	var latest int64
	for i, e := range events {
		if entries[2+i], err = e.MarshalBinary(); err != nil {
			return 0, err
		}
		latest = max(latest, e.Time.UnixMilli())
	}
	l.appending.Lock()
	defer l.appending.Unlock()
	l.attempt++
	entries[0], entries[1] = latest, l.attempt
	id, err := appendScript.Run(ctx, l.client, []string{l.stream, l.appends}, entries...).Text()
	if err != nil {
		return 0, classifyRedis(err)
	}
	return parseID(id)
}

// parseID returns the number of the event that is the entry called id.
func parseID(id string) (uint64, error) {
	if n, ok := strings.CutPrefix(id, "0-"); ok {
		if seq, err := strconv.ParseUint(n, 10, 64); err == nil {
			return seq, nil
		}
	}
	return 0, fmt.Errorf("%w: the stream has an entry %s, which is no event (docs/store.md says how to take it out)", ErrCorrupt, id)
}

func entryID(seq uint64) string { return "0-" + strconv.FormatUint(seq, 10) }

// Follow has connections of its own, so that it can be stopped while it waits.
func (l *redisLog) Follow(ctx context.Context, after uint64, visit func([]Record) error) error {
	client := redis.NewClient(l.opts)
	defer client.Close()
	defer context.AfterFunc(ctx, func() { client.Close() })()
	if err := l.checkAnchor(ctx, after); err != nil {
		return err
	}
	for {
		streams, err := l.wait(ctx, client, after)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, redis.Nil): // nothing new
			if _, last, err := l.Bounds(ctx); err != nil {
				return err
			} else if last < after {
				return lost(last, after)
			}
			continue
		case err != nil:
			return classifyRedis(err)
		}
		records, err := l.decode(streams[0].Messages)
		if err != nil {
			return err
		}
		if err := visit(records); err != nil {
			return err
		}
		after = records[len(records)-1].Seq
	}
}

// wait returns the entries after number after, or redis.Nil if there are none for
// a second. A connection that the network has silently cut is given up as soon as
// any other, and not ten seconds later, as go-redis would by itself.
func (l *redisLog) wait(ctx context.Context, client *redis.Client, after uint64) ([]redis.XStream, error) {
	const block = time.Second
	ctx, cancel := context.WithTimeout(ctx, block+l.opts.ReadTimeout)
	defer cancel()
	return client.XRead(ctx, &redis.XReadArgs{Streams: []string{l.stream, entryID(after)}, Count: 500, Block: block}).Result()
}

func lost(last, after uint64) error {
	return fmt.Errorf("%w: the log ends at event %d, but had an event %d", ErrLost, last, after)
}

// decode reads entries, and keeps the last one in mind.
func (l *redisLog) decode(entries []redis.XMessage) ([]Record, error) {
	records := make([]Record, len(entries))
	for i, entry := range entries {
		seq, err := parseID(entry.ID)
		if err != nil {
			return nil, err
		}
		data, _ := entry.Values["e"].(string)
		records[i].Seq = seq
		if err := records[i].UnmarshalBinary([]byte(data)); err != nil {
			return nil, fmt.Errorf("event %d: %w", seq, err)
		}
		if i == len(entries)-1 {
			l.mu.Lock()
			l.last = anchor{seq, data}
			l.mu.Unlock()
		}
	}
	return records, nil
}

// checkAnchor checks that the event that was read last is still the one that was
// read. A server that lost its latest events may have numbered others like them.
func (l *redisLog) checkAnchor(ctx context.Context, after uint64) error {
	l.mu.Lock()
	want := l.last
	l.mu.Unlock()
	if want.seq == 0 || want.seq != after {
		return nil
	}
	entries, err := l.client.XRange(ctx, l.stream, entryID(after), entryID(after)).Result()
	if err != nil {
		return classifyRedis(err)
	}
	if len(entries) == 0 { // trimmed, or lost
		first, last, err := l.Bounds(ctx)
		if err == nil && first <= after {
			err = lost(last, after)
		}
		return err
	}
	if event, _ := entries[0].Values["e"].(string); event != want.event {
		return fmt.Errorf("%w: the log has another event %d than it had", ErrLost, after)
	}
	return nil
}

func (l *redisLog) Bounds(ctx context.Context) (first, last uint64, err error) {
	var front, back *redis.XMessageSliceCmd
	_, err = l.client.Pipelined(ctx, func(p redis.Pipeliner) error {
		back = p.XRevRangeN(ctx, l.stream, "+", "-", 1)
		front = p.XRangeN(ctx, l.stream, "-", "+", 1) // after it, so that the stream does not begin in between
		return nil
	})
	if err != nil {
		return 0, 0, classifyRedis(err)
	}
	if len(front.Val()) == 0 || len(back.Val()) == 0 {
		return 1, 0, nil
	}
	if first, err = parseID(front.Val()[0].ID); err == nil {
		last, err = parseID(back.Val()[0].ID)
	}
	return first, last, err
}

var compactScript = redis.NewScript(`
redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
local least
for _, through in ipairs(redis.call('HVALS', KEYS[2])) do
	through = tonumber(through)
	if not least or through < least then least = through end
end
return redis.call('XTRIM', KEYS[1], 'MINID', string.format('0-%.0f', least))`)

func (l *redisLog) Compact(ctx context.Context, name string, through uint64) error {
	return classifyRedis(compactScript.Run(ctx, l.client, []string{l.stream, l.replicas}, name, through).Err())
}

func (l *redisLog) Close() error { return l.client.Close() }

// classifyRedis makes an error of Redis, or of reaching it, one of ours.
func classifyRedis(err error) error {
	switch {
	case err == nil, errors.Is(err, context.Canceled):
		return err
	case redis.IsOOMError(err), redis.HasErrorPrefix(err, "MISCONF"): // its memory, or its disk, is full
		return fmt.Errorf("%w: %w", ErrFull, err)
	case redis.HasErrorPrefix(err, "CLOCK"):
		hours := strings.TrimPrefix(err.Error(), "CLOCK ")
		return fmt.Errorf("%w: this machine's is %s hours ahead of that of the Redis server: set whichever is wrong", ErrClock, hours)
	case strings.Contains(err.Error(), "ID specified in XADD is equal or smaller"):
		return fmt.Errorf("%w: the stream ends with an entry that is no event: %w", ErrCorrupt, err)
	case redis.IsReadOnlyError(err):
		return fmt.Errorf("%w: %w", ErrReadOnly, err)
	}
	return fmt.Errorf("%w: %w", ErrUnavailable, err)
}
