package offline

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/api/resource"

	"kubectl-gpu/tests/controlplane/internal/generate"
	"kubectl-gpu/tests/controlplane/internal/judge"
)

func nodeWith(name string, capacity, allocatable any) generate.Doc {
	node := emptyNode(name)
	status := node["status"].(generate.Doc)
	status["capacity"] = generate.Doc{"nvidia.com/gpu": capacity}
	status["allocatable"] = generate.Doc{"nvidia.com/gpu": allocatable, "pods": "110"}
	return node
}

// asUpstream reads a quantity as client-go does: from JSON, where blanks around it are nothing.
func asUpstream(text string) (resource.Quantity, error) {
	var quantity resource.Quantity
	encoded, err := json.Marshal(text)
	if err != nil {
		return quantity, err
	}
	err = json.Unmarshal(encoded, &quantity)
	return quantity, err
}

// value is the quantity in whole units. Upstream's Value() means nothing in two cases that the API
// server lets nobody store: beyond 2^63-1 it wraps around, where we cap, and it rounds a negative
// fraction down or loses bits of it, where we take the magnitude's.
func value(t *testing.T, text string) int64 {
	t.Helper()
	if magnitude, negative := strings.CutPrefix(text, "-"); negative {
		return -value(t, "+"+magnitude)
	}
	quantity, err := asUpstream(text)
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	if quantity.Cmp(*resource.NewQuantity(math.MaxInt64, resource.DecimalSI)) > 0 {
		return math.MaxInt64
	}
	return quantity.Value()
}

// TestGeneratedQuantities compares each amount as capacity, and the one before it as allocatable.
func TestGeneratedQuantities(t *testing.T) {
	objects := []generate.Doc{{"apiVersion": "v1", "kind": "Pod", "metadata": generate.Doc{"name": "p", "namespace": "d"}}}
	var texts []string
	var values []int64
	refused := 0
	for _, text := range generate.Quantities(1) {
		if _, err := asUpstream(text); err != nil {
			refused++
			continue
		}
		texts, values = append(texts, text), append(values, value(t, text))
	}
	before := func(i int) int { return (i + len(texts) - 1) % len(texts) }
	for i, text := range texts {
		objects = append(objects, nodeWith(fmt.Sprint("n", i), text, texts[before(i)]))
	}
	have := rowsOf(t, top(t, write(t, "quantities.json", generate.List(objects...))))
	for i, text := range texts {
		row, exists := have[judge.Key{Node: fmt.Sprint("n", i), Resource: "nvidia.com/gpu"}]
		// No API server takes an amount below 0; we show none.
		capacity, allocatable := max(0, values[i]), max(0, values[before(i)])
		if exists != (capacity != 0 || allocatable != 0) || row.Capacity != capacity || row.Allocatable != allocatable {
			t.Errorf("capacity %q is %d, allocatable %q is %d (row exists: %t); want %d, %d", text, row.Capacity,
				texts[before(i)], row.Allocatable, exists, capacity, allocatable)
		}
	}
	if len(texts) < 900 || refused < 20 {
		t.Errorf("only %d quantities and %d refused: the generator has dried up", len(texts), refused)
	}
	t.Logf("%d quantities compared, %d refused", len(texts), refused)
}

// TestBareQuantities: a number without quotes is an amount, too.
func TestBareQuantities(t *testing.T) {
	for _, text := range []string{"8", "0.5", "1e3", "1E3", "1.5e3", "1e-3", "9007199254740993", "2.0",
		"9223372036854775807", "9223372036854775808", "18446744073709551616", "99999999999999999999", "1e30", "0.1"} {
		bare := json.RawMessage(text)
		answer := top(t, write(t, "bare.json", generate.List(nodeWith("n", bare, bare))))
		if want := value(t, text); len(answer.Items) != 1 || answer.Items[0].Capacity != want || answer.Items[0].Allocatable != want {
			t.Errorf("%s: %+v, want %d", text, answer.Items, want)
		}
	}
}

// TestRefusedQuantities: what upstream cannot read makes the file unreadable for us, too.
func TestRefusedQuantities(t *testing.T) {
	refused := 0
	for _, text := range generate.Quantities(1) {
		if _, err := asUpstream(text); err == nil || refused >= 100 {
			continue
		}
		refused++
		path := write(t, "refused.json", generate.List(nodeWith("n", text, "1")))
		if stdout, stderr, code := run(t, "top", "--from", path); code != 2 || stdout != "" {
			t.Errorf("%q: exit code %d, want 2; stdout:\n%s\nstderr:\n%s", text, code, stdout, stderr)
		}
	}
	t.Logf("%d quantities refused", refused)
}
