package controlplane

import (
	"strings"
	"testing"

	"kubectl-gpu/tests/controlplane/internal/cluster"
	"kubectl-gpu/tests/controlplane/internal/judge"
)

// Who may list nodes but no pods sees capacity; what pods hold is unknown, which is not 0.
func TestTopWithoutPods(t *testing.T) {
	load(t, "inventory.yaml")
	checkPartial(t, cluster.NodesOnly, func(t *testing.T, each item, _ judge.Row) {
		if each.Allocated != nil {
			t.Errorf("%v: allocated %d, want null", each.key(), *each.Allocated)
		}
	})
}

// Who may list the pods of one namespace sees a part of what is held, which is at most all of it.
func TestTopOfOneNamespace(t *testing.T) {
	load(t, "inventory.yaml")
	checkPartial(t, cluster.OneNamespace, func(t *testing.T, each item, truth judge.Row) {
		if each.Allocated != nil && *each.Allocated > truth.Allocated {
			t.Errorf("%v: allocated %d, though only %d are", each.key(), *each.Allocated, truth.Allocated)
		}
	})
}

// checkPartial looks at every row whose node could start a pod: for the others "none is free" is
// known without any pod.
func checkPartial(t *testing.T, user string, check func(*testing.T, item, judge.Row)) {
	t.Helper()
	var answer usage
	truth := whileQuiet(t, func() { answer = top(t, shared.Kubeconfig(user)) })
	checked := 0
	for _, each := range answer.Items {
		row, known := truth[each.key()]
		if !known || row.Capacity == 0 {
			continue
		}
		checked++
		check(t, each, row)
		if each.Free != nil && (*each.Free != 0 || row.Free != 0 || each.Name == "pods-exhausted") {
			t.Errorf("%v: free %d, want null", each.key(), *each.Free)
		}
	}
	if checked < 30 {
		t.Errorf("only %d rows checked", checked)
	}
	for _, gap := range answer.Gaps {
		if strings.Contains(gap.What+" "+gap.Why, "pods") {
			return
		}
	}
	t.Errorf("no gap names pods: %+v", answer.Gaps)
}

func TestTopForbidden(t *testing.T) {
	for _, user := range []string{cluster.PodsOneNamespaceNoNodes, cluster.Nobody} {
		stdout, stderr, code := runGPU(t, shared.Kubeconfig(user), "top")
		if code != 2 || stdout != "" {
			t.Errorf("%s: exit code %d, want 2; stdout %q, want none", user, code, stdout)
		}
		if !strings.Contains(stderr, "Error from server (Forbidden)") {
			t.Errorf("%s: stderr does not say `Error from server (Forbidden)`:\n%s", user, stderr)
		}
	}
}
