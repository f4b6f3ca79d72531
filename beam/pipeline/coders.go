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
	beam.RegisterCoder(reflect.TypeFor[part.File](), encodeFile, decodeFile)
	beam.RegisterCoder(reflect.TypeFor[part.Chunk](), encodeChunk, decodeChunk)
	beam.RegisterCoder(reflect.TypeFor[part.Scan](), encodeScan, decodeScan)
	beam.RegisterCoder(reflect.TypeFor[part.Part](), encodePart, decodePart)
}

func encodeFile(f part.File) ([]byte, error)   { return json.Marshal(f) }
func decodeFile(b []byte) (part.File, error)   { return parse[part.File](b) }
func encodeChunk(c part.Chunk) ([]byte, error) { return json.Marshal(c) }
func decodeChunk(b []byte) (part.Chunk, error) { return parse[part.Chunk](b) }
func encodeScan(s part.Scan) ([]byte, error)   { return json.Marshal(s) }
func decodeScan(b []byte) (part.Scan, error)   { return parse[part.Scan](b) }
func encodePart(p part.Part) ([]byte, error)   { return json.Marshal(p) }
func decodePart(b []byte) (part.Part, error)   { return parse[part.Part](b) }

func parse[T any](b []byte) (v T, err error) {
	err = json.Unmarshal(b, &v)
	return v, err
}
