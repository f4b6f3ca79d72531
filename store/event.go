package store

import (
	"encoding/binary"
	"fmt"
	"time"

	"bayes"
	"bayes/internal/wire"
)

// An Op is what an event does.
type Op byte

// The operations. Their values are what a log keeps.
const (
	OpLearn   Op = 'L' // count Example; if ID is known, in place of the document it names
	OpUnlearn Op = 'U' // take out the document called ID
	OpRelabel Op = 'R' // move the document called ID to the class Example.Label
	opBegin   Op = 'B' // the first event of a log; ID says what it is to be added to
)

// String returns the name of the operation.
func (op Op) String() string {
	switch op {
	case OpLearn:
		return "learn"
	case OpUnlearn:
		return "unlearn"
	case OpRelabel:
		return "relabel"
	case opBegin:
		return "begin"
	}
	return fmt.Sprintf("operation %#02x", byte(op))
}

// An Event is one entry of a [Log]: a change that a client asked for. Whether it
// changes anything is found out when it is applied, by the same rules
// everywhere, so that all who apply the same log come to the same counts.
type Event struct {
	Op      Op
	Time    time.Time // when it was accepted, to the millisecond
	ID      string    // of the document; empty for one that has none
	Example bayes.Example
}

// A Record is an Event and its place in a log.
type Record struct {
	Seq uint64 // from 1
	Event
}

// AppendBinary appends e as a log keeps it: the operation, a byte; the time in
// milliseconds since 1970, an integer; the length of the ID, a uvarint, and the
// ID; the example, unless the operation needs none; and the CRC-32C of all that,
// little-endian. It implements [encoding.BinaryAppender].
func (e Event) AppendBinary(b []byte) ([]byte, error) {
	start := len(b)
	b = append(b, byte(e.Op))
	b = wire.AppendUvarint(b, wire.Zigzag(e.Time.UnixMilli()))
	b = wire.AppendUvarint(b, uint64(len(e.ID)))
	b = append(b, e.ID...)
	if e.hasExample() {
		b, _ = e.Example.AppendBinary(b) // it has no error
	}
	return seal(b, start), nil
}

// MarshalBinary implements [encoding.BinaryMarshaler].
func (e Event) MarshalBinary() ([]byte, error) { return e.AppendBinary(nil) }

// UnmarshalBinary replaces e by the event that [Event.AppendBinary] wrote. The
// error is [ErrCorrupt]; e is then unchanged. It implements
// [encoding.BinaryUnmarshaler].
func (e *Event) UnmarshalBinary(data []byte) error {
	data, err := unseal(data)
	if err != nil {
		return err
	}
	d := wire.NewDecoder(data, 0)
	op := d.Bytes(1)
	read := Event{Time: time.UnixMilli(wire.Unzigzag(d.Uvarint())), ID: string(d.Bytes(d.Uvarint()))}
	if err := d.Err(); err != nil {
		return fmt.Errorf("%w: event: %w", ErrCorrupt, err)
	}
	read.Op = Op(op[0])
	if read.hasExample() {
		if err := read.Example.UnmarshalBinary(d.Bytes(uint64(d.Len()))); err != nil {
			return fmt.Errorf("%w: %w", ErrCorrupt, err)
		}
	}
	*e = read
	return nil
}

func (e *Event) hasExample() bool { return e.Op == OpLearn || e.Op == OpRelabel }

// seal appends the checksum of b[start:] to b.
func seal(b []byte, start int) []byte {
	return binary.LittleEndian.AppendUint32(b, wire.Checksum(b[start:]))
}

// unseal checks and cuts off what seal appended.
func unseal(b []byte) ([]byte, error) {
	n := len(b) - 4
	if n < 0 || wire.Checksum(b[:n]) != binary.LittleEndian.Uint32(b[n:]) {
		return nil, fmt.Errorf("%w: checksum does not match", ErrCorrupt)
	}
	return b[:n], nil
}

// An Entry is an example and the name of its document, which is empty if the
// document can never be unlearned or relabelled.
type Entry struct {
	ID      string
	Example bayes.Example
}

// A Receipt says that events are in the log, and what came of them.
type Receipt struct {
	Seq     uint64 // the number of the last
	Changed []bool // of each, whether it changed the counts
}
