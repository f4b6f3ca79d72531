// Package faults tests what is left on disk after system calls that fail and
// after power cuts. It has tests only, which run on Linux, amd64.
//
// They start a real process (a program that learns with a store, or the command)
// under ptrace, and
//
//   - make the n-th call of a kind fail, write half and then fail, or be the last:
//     openat, read, pwrite64, fsync, renameat, mmap, flock and more;
//   - or record all changes to files and all syncs, and then build the folders that
//     a power cut could have left at each moment: without any subset of the changes
//     that were not synced, or with half of a write.
//
// Then they open what is there, and want all that was acknowledged, nothing by
// halves, and counts equal to those of a training on what is left. Each test runs
// a sample; with BAYES_LONG=1 it runs all n.
package faults
