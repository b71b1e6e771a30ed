package offline

import (
	"encoding/json"
	"fmt"
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

// TestGeneratedQuantities compares each amount as capacity, and the one before it as allocatable.
func TestGeneratedQuantities(t *testing.T) {
	objects := []generate.Doc{{"apiVersion": "v1", "kind": "Pod", "metadata": generate.Doc{"name": "p", "namespace": "d"}}}
	var texts []string
	var values []int64
	refused := 0
	for _, text := range generate.Quantities(1) {
		quantity, err := asUpstream(text)
		if err != nil {
			refused++
			continue
		}
		texts, values = append(texts, text), append(values, quantity.Value())
	}
	before := func(i int) int { return (i + len(texts) - 1) % len(texts) }
	for i, text := range texts {
		objects = append(objects, nodeWith(fmt.Sprint("n", i), text, texts[before(i)]))
	}
	have := rowsOf(t, top(t, write(t, "quantities.json", generate.List(objects...))))
	for i, text := range texts {
		row, exists := have[judge.Key{Node: fmt.Sprint("n", i), Resource: "nvidia.com/gpu"}]
		capacity, allocatable := values[i], values[before(i)]
		if exists != (capacity != 0 || allocatable != 0) || row.Capacity != capacity || row.Allocatable != allocatable {
			t.Errorf("capacity %q is %d, allocatable %q is %d (row exists: %t); want %d, %d", text, row.Capacity,
				texts[before(i)], row.Allocatable, exists, capacity, allocatable)
		}
	}
	if len(texts) < 900 || refused < 20 {
		t.Errorf("only %d quantities and %d refused: the generator has dried up", len(texts), refused)
	}
	t.Logf("%d quantities compared", len(texts))
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
