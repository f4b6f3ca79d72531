package pipeline

import (
	"encoding/json"
	"reflect"

	"bayes/beam/part"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
)

// What is not counts travels as JSON. Beam knows a coder by the names of its
// functions, so that each type has functions of its own.
func init() {
	beam.RegisterCoder(reflect.TypeFor[batch](), encodeBatch, decodeBatch)
	beam.RegisterCoder(reflect.TypeFor[part.Chunk](), encodeChunk, decodeChunk)
	beam.RegisterCoder(reflect.TypeFor[part.Scan](), encodeScan, decodeScan)
	beam.RegisterCoder(reflect.TypeFor[part.Group](), encodeGroup, decodeGroup)
}

func encodeBatch(b batch) ([]byte, error)      { return json.Marshal(b) }
func decodeBatch(b []byte) (batch, error)      { return parse[batch](b) }
func encodeChunk(c part.Chunk) ([]byte, error) { return json.Marshal(c) }
func decodeChunk(b []byte) (part.Chunk, error) { return parse[part.Chunk](b) }
func encodeScan(s part.Scan) ([]byte, error)   { return json.Marshal(s) }
func decodeScan(b []byte) (part.Scan, error)   { return parse[part.Scan](b) }
func encodeGroup(g part.Group) ([]byte, error) { return json.Marshal(g) }
func decodeGroup(b []byte) (part.Group, error) { return parse[part.Group](b) }

func parse[T any](b []byte) (v T, err error) {
	err = json.Unmarshal(b, &v)
	return v, err
}
