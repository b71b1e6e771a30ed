package controlplane

import (
	"testing"

	"kubectl-gpu/tests/controlplane/internal/cluster"
)

// The file's name puts this test last, so that it judges what all other tests made our program do.
func TestReadOnly(t *testing.T) {
	load(t, "inventory.yaml")
	top(t, shared.Kubeconfig(cluster.Ordinary))
	if err := shared.OnlyReads(t.Context(), "kubectl-gpu"); err != nil {
		t.Error(err)
	}
}
