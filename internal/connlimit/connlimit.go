// Package connlimit limits the connections of an http.Server, so that new clients get
// through however many connections others hold.
//
// Each address has its share of the connections, as in package budget. A connection beyond
// it takes the place of the address's oldest one that does nothing: first of one that waits
// for a request, then of one whose request has not been admitted by [Admit].
//
// # Why there is one
//
// The obvious way is golang.org/x/net/netutil.LimitListener, which lets further connections
// wait until one is closed. What each does is tested here:
//
//	                                        LimitListener                     connlimit
//	a new client, all connections idle      waits until one is closed         is answered   (TestIdleWithLimitListener)
//	a hundred connections that do nothing   keep everybody out                are closed, oldest first (TestIdleMakesRoom)
//	requests that are being answered        are left alone                    are left alone (TestActiveStays)
//
// So over LimitListener one client that opens connections and sends nothing takes a server
// off line until they time out.
package connlimit

import (
	"container/list"
	"context"
	"net"
	"net/http"
	"net/netip"
	"sync"

	"bayes/internal/budget"
)

// A Listener accepts connections for an http.Server, which must use its ConnState and
// ConnContext.
type Listener struct {
	net.Listener
	shares *budget.Budget

	mu   sync.Mutex
	open list.List // of *conn; what changed its state last is last
}

// A state is what a connection does.
type state int

const (
	waiting  state = iota // for a request's first byte
	stranger              // has sent one, but the request has not been admitted
	active                // has a request that was admitted
	closed
)

type conn struct {
	net.Conn
	listener *Listener
	address  string
	state    state // guarded by listener.mu, as is element
	element  *list.Element
}

// New returns a Listener that has at most n connections open.
func New(l net.Listener, n int) *Listener {
	return &Listener{Listener: l, shares: budget.New(int64(n))}
}

// Accept waits for the next connection. If its address has too many it closes one of them,
// or, if all are active, the new one.
func (l *Listener) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		address := Address(c.RemoteAddr().String())
		if !l.makeRoom(address) {
			c.Close()
			continue
		}
		n := &conn{Conn: c, listener: l, address: address}
		l.mu.Lock()
		n.element = l.open.PushBack(n)
		l.mu.Unlock()
		return n, nil
	}
}

// makeRoom takes a place for a connection from an address, and reports whether there is one.
func (l *Listener) makeRoom(address string) bool {
	// Closing a connection frees one place of its address, which may not be enough for the
	// share that the address then has.
	for !l.shares.Take(address, 1) {
		victim := l.victim(address)
		if victim == nil {
			return false
		}
		victim.Close()
	}
	return true
}

// victim returns the connection to close for one from an address: one of the address, or,
// if it has none, of any.
func (l *Listener) victim(address string) *conn {
	any := l.shares.Held(address) == 0 // a new client may displace others'
	l.mu.Lock()
	defer l.mu.Unlock()
	// What changed its state last is last in the list, so the first match has done nothing for
	// the longest time.
	for _, s := range []state{waiting, stranger} {
		for e := l.open.Front(); e != nil; e = e.Next() {
			if c := e.Value.(*conn); c.state == s && (any || c.address == address) {
				return c
			}
		}
	}
	return nil
}

// become notes what c does, and reports whether it was open.
func (c *conn) become(s state) bool {
	c.listener.mu.Lock()
	defer c.listener.mu.Unlock()
	if c.state == closed {
		return false
	}
	if c.state = s; s == closed {
		c.listener.open.Remove(c.element)
	} else {
		c.listener.open.MoveToBack(c.element)
	}
	return true
}

// Close closes c, which then has no place any more.
func (c *conn) Close() error {
	if c.become(closed) {
		c.listener.shares.Give(c.address, 1)
	}
	return c.Conn.Close()
}

// accepted returns the connection that a Listener accepted, which TLS may be spoken over.
func accepted(c net.Conn) (*conn, bool) {
	if t, ok := c.(interface{ NetConn() net.Conn }); ok {
		c = t.NetConn()
	}
	own, ok := c.(*conn)
	return own, ok
}

// ConnState is that of an [http.Server].
func ConnState(c net.Conn, s http.ConnState) {
	own, ok := accepted(c)
	switch {
	case !ok:
	case s == http.StateActive:
		own.become(stranger)
	case s == http.StateIdle:
		own.become(waiting)
	}
}

type contextKey struct{}

// ConnContext is that of an [http.Server].
func ConnContext(ctx context.Context, c net.Conn) context.Context {
	if own, ok := accepted(c); ok {
		return context.WithValue(ctx, contextKey{}, own)
	}
	return ctx
}

// Admit says that a request has been admitted, whose context is given: its connection is
// left alone until the request has been answered.
func Admit(ctx context.Context) {
	if c, ok := ctx.Value(contextKey{}).(*conn); ok {
		c.become(active)
	}
}

// Address returns what counts as one client in an address with a port: an IPv4 address, or
// the first 64 bits of one of IPv6, since a client has as many of those as it likes.
func Address(hostPort string) string {
	host, _, err := net.SplitHostPort(hostPort)
	if err != nil {
		return hostPort
	}
	if ip, err := netip.ParseAddr(host); err == nil && ip.Is6() && !ip.Is4In6() {
		if p, err := ip.WithZone("").Prefix(64); err == nil {
			return p.String()
		}
	}
	return host
}
