// Package overload attacks a real server, the program that people run, in a cgroup of 2 GiB,
// by everything that its documented limits allow. Whatever is asked of it the process must
// live, its health check and another client's predictions must be answered all the while,
// and what is refused must be refused with 413, 429, 503 or 507.
//
//	BAYES_OVERLOAD=1 go test ./server/overload
//
// takes about two minutes. BAYES_OVERLOAD_SOAK says how long everything goes on at once in
// the end, such as 1h; it is 15s otherwise. BAYES_OVERLOAD_BINARY names a program to attack
// that has been built already.
package overload_test
