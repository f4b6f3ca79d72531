// Package atomicfile replaces files whole or not at all.
//
// There are two obvious ways. os.Create writes over the old file; os.CreateTemp and os.Rename
// write a new one, which takes its name. What each of them keeps (TestObviousWays,
// TestSyncErrors, TestWriteIf, TestAbandon):
//
//	                                         os.Create   temp, rename   Write
//	the old file, when writing fails         no          yes            yes
//	the permissions of the old file          yes         no             yes
//	a symbolic link to the old file          yes         no             yes
//	the new file, after a power cut          no          no             yes, synced with its folder
//	a file that another process made since   no          no             yes, if permit says so (WriteIf)
//	no temporary file, after an interrupt    yes         no             yes (Abandon)
package atomicfile

import (
	"io"
	"os"
	"path/filepath"
	"syscall"
)

// Write makes the file called name hold what write writes. The bytes go to a
// temporary file in the same folder, are synced to disk and take the name by a
// rename, so that after an error, a full disk or a power cut the old file is
// still there. A symbolic link stays, and the file that it leads to is replaced.
// A device or a pipe is written to as it is.
func Write(name string, write func(w io.Writer) error) error {
	return WriteIf(name, nil, write)
}

// WriteIf is Write with a last question: once all is written, permit is told of
// the file that is about to be replaced, nil if there is none, and an error of it
// leaves that file as it is. A file that appears meanwhile is not replaced unless
// permit was told of it. A nil permit permits everything. permit is not asked
// about a device or a pipe.
func WriteIf(name string, permit func(old os.FileInfo) error, write func(w io.Writer) error) error {
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		return &os.PathError{Op: "write", Path: name, Err: syscall.EISDIR}
	} else if err == nil && !info.Mode().IsRegular() {
		return writeTo(name, write)
	}
	target, err := Target(name)
	if err != nil {
		return err
	}
	// The new file is written beside the old one, so that the rename stays in one file system.
	f, err := createTemp(target)
	if err != nil {
		return err
	}
	defer f.discard() // removes nothing once the file has its name
	if err := write(f); err != nil {
		return err
	}
	if err := f.Chmod(mode(target)); err != nil {
		return err
	}
	// The bytes must be on disk before the name is, or else a power cut leaves an empty file.
	if err := f.Sync(); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return f.place(target, permit)
}

// Try reports whether a file called name can be written, as far as that can be
// known beforehand: the error is that of making a temporary file in its folder.
func Try(name string) error {
	target, err := Target(name)
	if err != nil {
		return err
	}
	f, err := createTemp(target)
	if err == nil {
		f.discard()
	}
	return err
}

// Target returns the name of the file that name leads to: name itself, or the
// end of a chain of symbolic links, which need not exist.
func Target(name string) (string, error) {
	const most = 40 // links in a chain, as in Linux
	for range most {
		link, err := os.Readlink(name)
		if err != nil {
			return name, nil // not a link, or no file yet
		}
		if !filepath.IsAbs(link) {
			// Not filepath.Join: it would drop "link/..", which is not where it began.
			dir, _ := filepath.Split(name)
			link = dir + link
		}
		name = link
	}
	return "", &os.PathError{Op: "open", Path: name, Err: syscall.ELOOP}
}

// writeTo writes to what is called name and is no file.
func writeTo(name string, write func(w io.Writer) error) error {
	f, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	if err := write(f); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

// mode returns the permissions of the file called name, or those of a new one.
func mode(name string) os.FileMode {
	if info, err := os.Stat(name); err == nil {
		return info.Mode().Perm()
	}
	return 0o644
}
