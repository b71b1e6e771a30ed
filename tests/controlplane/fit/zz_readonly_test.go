package fit

import (
	"testing"

	"kubectl-gpu/tests/controlplane/internal/cluster"
)

// The file's name puts this test last, so that it judges what all other tests made our program do.
func TestReadOnly(t *testing.T) {
	t.Cleanup(func() { clearAll(t) })
	lay(t, diceOf(1).nodes(), nil)
	run(t, cluster.Ordinary, "fit", "--gpus", "1")
	if err := shared.OnlyReads(t.Context(), "kubectl-gpu"); err != nil {
		t.Error(err)
	}
}
