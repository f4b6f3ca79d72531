package faults

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// A call is a system call of a traced process on a file below the folder that is
// watched, or a write to its standard output or standard error.
type call struct {
	kind
	args       [6]uint64
	path       string // of the file
	to         string // of renameat and linkat, the new name
	data       []byte // of a write
	result     int64  // negative: an errno
	start, end int    // moments of the trace, which are in order; end is 0 if the process died in it
	unlike     *fault // what was done to it
}

// A kind of system call, and where its arguments are.
type kind struct {
	name string
	fd   int // index of the file descriptor; -1: none
	dir  int // index of a folder's descriptor, which a path follows; -1: none
}

// kinds are the calls that are watched, by their number.
var kinds = map[uint64]kind{
	unix.SYS_READ:       {"read", 0, -1},
	unix.SYS_PREAD64:    {"pread64", 0, -1},
	unix.SYS_WRITE:      {"write", 0, -1},
	unix.SYS_PWRITE64:   {"pwrite64", 0, -1},
	unix.SYS_CLOSE:      {"close", 0, -1},
	unix.SYS_FSTAT:      {"fstat", 0, -1},
	unix.SYS_FLOCK:      {"flock", 0, -1},
	unix.SYS_FSYNC:      {"fsync", 0, -1},
	unix.SYS_FDATASYNC:  {"fdatasync", 0, -1},
	unix.SYS_FTRUNCATE:  {"ftruncate", 0, -1},
	unix.SYS_FCHMOD:     {"fchmod", 0, -1},
	unix.SYS_GETDENTS64: {"getdents64", 0, -1},
	unix.SYS_MMAP:       {"mmap", 4, -1},
	unix.SYS_OPENAT:     {"openat", -1, 0},
	unix.SYS_NEWFSTATAT: {"newfstatat", -1, 0},
	unix.SYS_MKDIRAT:    {"mkdirat", -1, 0},
	unix.SYS_UNLINKAT:   {"unlinkat", -1, 0},
	unix.SYS_RENAMEAT:   {"renameat", -1, 0},
	unix.SYS_RENAMEAT2:  {"renameat", -1, 0},
	unix.SYS_LINKAT:     {"linkat", -1, 0},

	// What no one calls today. The recorder would have to learn them.
	unix.SYS_PWRITEV:         {"pwritev", 0, -1},
	unix.SYS_WRITEV:          {"writev", 0, -1},
	unix.SYS_FALLOCATE:       {"fallocate", 0, -1},
	unix.SYS_COPY_FILE_RANGE: {"copy_file_range", 2, -1},
	unix.SYS_SENDFILE:        {"sendfile", 0, -1},
	unix.SYS_SPLICE:          {"splice", 2, -1},
	unix.SYS_SYMLINKAT:       {"symlinkat", -1, 1},
	unix.SYS_SYNC_FILE_RANGE: {"sync_file_range", 0, -1},
}

// A fault is what happens to the n-th call of a name, and if onward to all after
// it too.
type fault struct {
	name   string
	n      int
	onward bool
	effect effect
	errno  syscall.Errno // of fails and torn
}

type effect int

const (
	fails    effect = iota // errno instead of the call
	torn                   // half is written, and then errno is returned
	short                  // half is written, and the call says so
	dies                   // the process is killed before the call
	diesTorn               // the process is killed when half is written
	diesDone               // the process is killed after the call
)

func (f fault) String() string {
	what := map[effect]string{
		fails: "fails", torn: "writes half and fails", short: "writes half", dies: "is where the process is killed",
		diesTorn: "writes half and the process is killed", diesDone: "is the last of the process",
	}[f.effect]
	if f.effect == fails || f.effect == torn {
		what += fmt.Sprintf(" with %v", f.errno)
	}
	if f.onward {
		what += ", and all after it"
	}
	return fmt.Sprintf("%s %d %s", f.name, f.n, what)
}

// A run is what a process did.
type run struct {
	calls  []*call
	counts map[string]int // calls by name, without those to the standard files
	faulty int            // calls that were interfered with
	status syscall.WaitStatus
}

// output returns what was written to the standard output or standard error.
func (r *run) output(fd uint64) string {
	var b bytes.Buffer
	for _, c := range r.calls {
		if c.path == "" && c.args[0] == fd {
			b.Write(c.data)
		}
	}
	return b.String()
}

// A tracer runs one process.
type tracer struct {
	root    string // the folder that is watched
	cwd     string
	fault   *fault
	moment  int
	run     run
	main    int
	threads map[int]*call // those that are known; the call that each is in
}

// trace runs a command until its end. Its standard output and standard error are
// in the run's calls. Moments are counted from first on.
func trace(t testing.TB, root string, f *fault, first int, env []string, argv ...string) *run {
	t.Helper()
	runtime.LockOSThread() // since only the thread that starts a process traces it
	defer runtime.UnlockOSThread()
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	p, err := os.StartProcess(argv[0], argv, &os.ProcAttr{
		Dir: root, Env: append(os.Environ(), env...), Files: []*os.File{null, null, null}, Sys: &syscall.SysProcAttr{Ptrace: true, Setpgid: true},
	})
	if errors.Is(err, syscall.EPERM) {
		skip(t, "processes cannot be traced here (ptrace)")
	}
	if err != nil {
		t.Fatal(err)
	}
	defer p.Release()
	tr := &tracer{
		root: root, cwd: root, fault: f, moment: first, main: p.Pid, threads: make(map[int]*call),
		run: run{counts: make(map[string]int)},
	}
	if err := tr.follow(); err != nil {
		syscall.Kill(p.Pid, syscall.SIGKILL)
		t.Fatal(err)
	}
	return &tr.run
}

func skip(t testing.TB, why string) {
	t.Helper()
	if os.Getenv("CI") == "true" {
		t.Fatal(why)
	}
	t.Skip(why)
}

func (tr *tracer) follow() error {
	var status syscall.WaitStatus
	if _, err := syscall.Wait4(tr.main, &status, 0, nil); err != nil {
		return err
	}
	err := syscall.PtraceSetOptions(tr.main, unix.PTRACE_O_TRACESYSGOOD|unix.PTRACE_O_TRACECLONE|unix.PTRACE_O_TRACEFORK|unix.PTRACE_O_TRACEVFORK|unix.PTRACE_O_EXITKILL)
	if err != nil {
		return err
	}
	tr.threads[tr.main] = nil
	if err := syscall.PtraceSyscall(tr.main, 0); err != nil {
		return err
	}
	for {
		pid, err := syscall.Wait4(-tr.main, &status, unix.WALL|unix.WNOTHREAD, nil) // its group
		switch {
		case errors.Is(err, syscall.EINTR):
			continue
		case errors.Is(err, syscall.ECHILD):
			return nil
		case err != nil:
			return err
		}
		if !status.Stopped() {
			if pid == tr.main {
				tr.run.status = status
			}
			delete(tr.threads, pid)
			continue
		}
		signal := 0
		switch s := status.StopSignal(); {
		case s == syscall.SIGTRAP|0x80:
			err = tr.stopped(pid)
		case s == syscall.SIGTRAP: // a new thread, which is told of here or stops first
		case s == syscall.SIGSTOP && !tr.known(pid):
		default:
			signal = int(s)
		}
		if err == nil {
			err = syscall.PtraceSyscall(pid, signal)
		}
		if err != nil && !errors.Is(err, syscall.ESRCH) { // it was killed meanwhile
			return err
		}
	}
}

func (tr *tracer) known(pid int) bool {
	_, ok := tr.threads[pid]
	tr.threads[pid] = nil
	return ok
}

// syscallInfo is struct ptrace_syscall_info of the kernel.
type syscallInfo struct {
	op     uint8
	_      [3]uint8
	arch   uint32
	ip, sp uint64
	data   [8]uint64 // at the entry the number and six arguments; at the exit the result
}

// stopped handles a thread that enters or leaves a system call.
func (tr *tracer) stopped(pid int) error {
	var info syscallInfo
	_, _, errno := syscall.Syscall6(syscall.SYS_PTRACE, unix.PTRACE_GET_SYSCALL_INFO, uintptr(pid), unsafe.Sizeof(info), uintptr(unsafe.Pointer(&info)), 0, 0)
	if errno != 0 {
		return errno
	}
	const entry, exit = 1, 2
	switch info.op {
	case entry:
		c, err := tr.entered(pid, info.data)
		tr.threads[pid] = c
		return err
	case exit:
		c := tr.threads[pid]
		tr.threads[pid] = nil
		if c != nil {
			return tr.left(pid, c, int64(info.data[0]))
		}
	}
	return nil
}

// entered returns the call that a thread enters, nil if it is not watched.
func (tr *tracer) entered(pid int, data [8]uint64) (*call, error) {
	k, ok := kinds[data[0]]
	if !ok {
		return nil, nil
	}
	c := &call{kind: k}
	copy(c.args[:], data[1:7])
	standard := false
	if k.fd >= 0 {
		fd := int32(c.args[k.fd])
		standard = k.name == "write" && (fd == 1 || fd == 2)
		if !standard {
			c.path = link(pid, fd)
		}
	} else {
		c.path = tr.resolve(pid, c.args[k.dir], c.args[k.dir+1])
		if k.name == "renameat" || k.name == "linkat" {
			c.to = tr.resolve(pid, c.args[2], c.args[3])
		}
	}
	if !standard && !within(c.path, tr.root) {
		return nil, nil
	}
	if k.name == "write" || k.name == "pwrite64" {
		c.data = make([]byte, c.args[2])
		n, err := readMemory(pid, c.args[1], c.data)
		if errors.Is(err, syscall.ESRCH) {
			return nil, err // the process was killed meanwhile: the call is not made
		}
		if n != len(c.data) {
			return nil, fmt.Errorf("%d of %d bytes that %s writes can be read: %w", n, len(c.data), k.name, err)
		}
	}
	tr.moment++
	c.start = tr.moment
	tr.run.calls = append(tr.run.calls, c)
	if standard {
		return c, nil
	}
	tr.run.counts[k.name]++
	f := tr.fault
	if f == nil || f.name != k.name || tr.run.counts[k.name] < f.n || tr.run.counts[k.name] > f.n && !f.onward {
		return c, nil
	}
	tr.run.faulty++
	c.unlike = f
	return c, tr.interfere(pid, c)
}

// interfere does at the entry what the fault says.
func (tr *tracer) interfere(pid int, c *call) error {
	var regs syscall.PtraceRegs
	switch c.unlike.effect {
	case fails:
		return setRegs(pid, &regs, func() { regs.Orig_rax = ^uint64(0) }) // no such call
	case torn, short, diesTorn:
		return setRegs(pid, &regs, func() { regs.Rdx /= 2 })
	case dies:
		return syscall.Kill(tr.main, syscall.SIGKILL)
	}
	return nil
}

// left handles the end of a call.
func (tr *tracer) left(pid int, c *call, result int64) error {
	tr.moment++
	c.end, c.result = tr.moment, result
	if result >= 0 && c.data != nil {
		c.data = c.data[:result]
	}
	if c.unlike == nil {
		return nil
	}
	switch c.unlike.effect {
	case fails, torn:
		var regs syscall.PtraceRegs
		c.result = -int64(c.unlike.errno)
		return setRegs(pid, &regs, func() { regs.Rax = uint64(c.result) })
	case diesTorn, diesDone:
		return syscall.Kill(tr.main, syscall.SIGKILL)
	}
	return nil
}

func setRegs(pid int, regs *syscall.PtraceRegs, f func()) error {
	if err := syscall.PtraceGetRegs(pid, regs); err != nil {
		return err
	}
	f()
	return syscall.PtraceSetRegs(pid, regs)
}

// link returns what a file descriptor of a process is open on.
func link(pid int, fd int32) string {
	name, _ := os.Readlink("/proc/" + strconv.Itoa(pid) + "/fd/" + strconv.Itoa(int(fd)))
	return strings.TrimSuffix(name, " (deleted)")
}

// resolve returns the path that follows a folder's descriptor.
func (tr *tracer) resolve(pid int, dir, address uint64) string {
	name := readString(pid, address)
	switch {
	case filepath.IsAbs(name):
	case int32(dir) == unix.AT_FDCWD:
		name = filepath.Join(tr.cwd, name)
	default:
		name = filepath.Join(link(pid, int32(dir)), name)
	}
	return filepath.Clean(name)
}

func within(path, root string) bool { return path == root || strings.HasPrefix(path, root+"/") }

func readMemory(pid int, address uint64, b []byte) (n int, err error) {
	if len(b) == 0 {
		return 0, nil
	}
	local := []unix.Iovec{{Base: &b[0], Len: uint64(len(b))}}
	n, err = unix.ProcessVMReadv(pid, local, []unix.RemoteIovec{{Base: uintptr(address), Len: len(b)}}, 0)
	return max(n, 0), err
}

// readString reads a string that ends with a zero, page by page.
func readString(pid int, address uint64) string {
	const page = 4096
	var all []byte
	for len(all) < 2*page {
		b := make([]byte, page-address%page)
		n, _ := readMemory(pid, address, b)
		b = b[:n]
		if i := bytes.IndexByte(b, 0); i >= 0 || len(b) == 0 {
			return string(append(all, b[:max(i, 0)]...))
		}
		all = append(all, b...)
		address += uint64(len(b))
	}
	return string(all)
}
