package controlplane

import (
	"reflect"
	"testing"

	"kubectl-gpu/tests/controlplane/internal/cluster"
)

func TestProtobufAndJSONAgree(t *testing.T) {
	agree(t, "--wire=protobuf", "--wire=json")
}

func TestByNodeAndOneListAgree(t *testing.T) {
	agree(t, "--pod-lists=by-node", "--pod-lists=one")
}

// agree runs top with either flag: what comes over the wire differs, the answer must not.
func agree(t *testing.T, one, other string) {
	t.Helper()
	load(t, "inventory.yaml")
	var first, second usage
	whileQuiet(t, func() {
		first = top(t, shared.Kubeconfig(cluster.Ordinary), one)
		second = top(t, shared.Kubeconfig(cluster.Ordinary), other)
	})
	if len(first.Items) < 40 {
		t.Fatalf("%s: only %d items", one, len(first.Items))
	}
	if !reflect.DeepEqual(first.Summary, second.Summary) {
		t.Errorf("summary:\n%s: %v\n%s: %v", one, first.Summary, other, second.Summary)
	}
	if !reflect.DeepEqual(first.Gaps, second.Gaps) {
		t.Errorf("gaps:\n%s: %v\n%s: %v", one, first.Gaps, other, second.Gaps)
	}
	secondItems := second.byKey(t)
	for key, each := range first.byKey(t) {
		if match, exists := secondItems[key]; !exists || !reflect.DeepEqual(each, match) {
			t.Errorf("%v:\n%s: %+v\n%s: %+v", key, one, figures(each), other, figures(match))
		}
	}
	if len(first.Items) != len(second.Items) {
		t.Errorf("%s: %d items; %s: %d", one, len(first.Items), other, len(second.Items))
	}
}
