package cli

import (
	"net"
	"strconv"
)

// IsLoopback reports whether an address is only this machine's.
func IsLoopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return false
	}
	return host == "localhost" || net.ParseIP(host).IsLoopback()
}

// reachable returns where other machines reach a listener. One that listens at all addresses is named by the first that is not only
// this machine's, or the local link's, if there is one.
func reachable(a net.Addr) string {
	tcp, ok := a.(*net.TCPAddr)
	if !ok || !tcp.IP.IsUnspecified() {
		return a.String()
	}
	host := "127.0.0.1"
	addresses, err := net.InterfaceAddrs()
	if err != nil {
		addresses = nil
	}
	for _, one := range addresses {
		if n, ok := one.(*net.IPNet); ok && n.IP.IsGlobalUnicast() && (n.IP.To4() != nil || tcp.IP.To4() == nil) {
			host = n.IP.String()
			break
		}
	}
	return net.JoinHostPort(host, strconv.Itoa(tcp.Port))
}
