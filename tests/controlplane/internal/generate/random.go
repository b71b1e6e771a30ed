// Package generate makes up pods and clusters from a seed, as documents rather than as typed
// objects: what an amount looks like in a file ("1e0", "1000m", 1) must reach the program as it is.
package generate

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
)

// Doc is a JSON object.
type Doc = map[string]any

// List is what `kubectl get -o json` prints of these objects.
func List(objects ...Doc) []byte {
	objects = withSystemPod(objects)
	if objects == nil {
		objects = []Doc{}
	}
	return encode(Doc{"apiVersion": "v1", "kind": "List", "items": objects})
}

// withSystemPod adds to pods one of kube-system, as every cluster has: without any, a file is taken for
// that of one namespace.
func withSystemPod(objects []Doc) []Doc {
	for _, object := range objects {
		if object["kind"] == "Pod" {
			system := Doc{"apiVersion": "v1", "kind": "Pod", "metadata": Doc{"name": "coredns", "namespace": "kube-system"},
				"spec": Doc{"nodeName": "not-in-this-list", "containers": []Doc{{"name": "coredns"}}}, "status": Doc{"phase": "Running"}}
			return append(slices.Clone(objects), system)
		}
	}
	return objects
}

// KindPlace says where a list names its kind.
type KindPlace string

const (
	KindFirst KindPlace = "kind first" // as the API server does
	KindLast  KindPlace = "kind last"  // in order of keys
)

// KindList is what the API server answers for one kind: items that do not say what they are.
func KindList(kind string, place KindPlace, objects []Doc) []byte {
	objects = withSystemPod(objects)
	bare := make([]Doc, len(objects))
	for i, object := range objects {
		bare[i] = maps.Clone(object)
		delete(bare[i], "kind")
		delete(bare[i], "apiVersion")
	}
	items := `"items":` + string(encode(bare))
	if place == KindLast {
		return fmt.Appendf(nil, `{"apiVersion":"v1",%s,"kind":"%sList"}`, items, kind)
	}
	return fmt.Appendf(nil, `{"kind":"%sList","apiVersion":"v1",%s}`, kind, items)
}

func encode(value any) []byte {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err) // nothing in a Doc can fail to encode
	}
	return text
}

// random is a source that gives the same objects for the same seed on every machine.
type random struct{ *rand.Rand }

func newRandom(seed uint64, stream uint64) random {
	return random{rand.New(rand.NewPCG(seed, stream))}
}

// chance is true in percent of all cases.
func (r random) chance(percent int) bool { return r.IntN(100) < percent }

// between is from low to high, both included.
func (r random) between(low, high int) int { return low + r.IntN(high-low+1) }

func pick[T any](r random, choices ...T) T { return choices[r.IntN(len(choices))] }

// some keeps each of the names in percent of all cases.
func some(r random, percent int, names []string) []string {
	var kept []string
	for _, name := range names {
		if r.chance(percent) {
			kept = append(kept, name)
		}
	}
	return kept
}

// whole writes a whole number in one of the ways that mean the same.
func (r random) whole(number int) any {
	switch r.IntN(14) {
	case 0:
		return fmt.Sprintf("%d000m", number)
	case 1:
		return fmt.Sprintf("%de0", number)
	case 2:
		return fmt.Sprintf("%d.0", number)
	case 3:
		return fmt.Sprintf("%d000000u", number)
	case 4:
		return fmt.Sprintf("%d000000000n", number)
	case 5:
		return fmt.Sprintf("0.%02de2", number%100)
	case 6:
		return fmt.Sprintf("0%d", number)
	case 7:
		return fmt.Sprintf("%d0E-1", number)
	case 8:
		return number
	case 9:
		return pick(r, "1e3", "1k", "1Ki", "2Gi", "0.5k", "1000000m", "0.5Ki", "1e+2")
	default:
		return fmt.Sprint(number)
	}
}

// odd is any amount, as a file may hold it; none is finer than a thousandth, to which upstream
// rounds whatever it stores.
func (r random) odd() any {
	if r.chance(40) {
		return r.whole(r.IntN(9))
	}
	return pick(r, "0.1", "100m", "1500m", "1e-3", "1m", "999m", "1001m", "2.5", "0.25", ".5", "3.",
		"0", "0m", "0.0", "1.5k", "1.001Ki", "12e-1", "1E", "3M", "2Mi", "+2", "7", "0.999", "1e1")
}

// sortedKeys gives a map an order, which the same seed needs.
func sortedKeys[V any](values map[string]V) []string { return slices.Sorted(maps.Keys(values)) }
