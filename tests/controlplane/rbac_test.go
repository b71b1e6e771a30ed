package controlplane

import (
	"strings"
	"testing"

	"kubectl-gpu/tests/controlplane/internal/cluster"
)

// The rights in examples/rbac.yaml are enough for an answer without gaps, asked for by impersonation,
// and without them nothing is answered.
func TestExampleRBAC(t *testing.T) {
	load(t, "inventory.yaml")
	load(t, "kinds.yaml")
	kubeconfig := shared.Kubeconfig(cluster.Admin)
	asReader := []string{"top", "--as=ana", "--as-group=gpu-readers", "--as-group=system:authenticated"}
	if stdout, _, code := runGPU(t, kubeconfig, asReader...); code != 2 || stdout != "" {
		t.Fatalf("before: exit code %d, want 2", code)
	}
	kubectl(t, "apply", "-f", "../../examples/rbac.yaml")
	defer kubectl(t, "delete", "-f", "../../examples/rbac.yaml")

	if answer := top(t, kubeconfig, asReader[1:]...); len(answer.Items) < 30 || len(answer.Gaps) != 0 {
		t.Errorf("%d rows, gaps %+v; want 30 or more, and none", len(answer.Items), answer.Gaps)
	}
	stdout, stderr, code := runGPU(t, kubeconfig, append([]string{"top", "pods", "-A", "-o", "json"}, asReader[1:]...)...)
	if code != 0 || !strings.Contains(stdout, `"kind": "StatefulSet"`) || !strings.Contains(stdout, `"kind": "Deployment"`) {
		t.Errorf("exit code %d, without owners; stderr:\n%s", code, stderr)
	}
}
