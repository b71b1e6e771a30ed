package quota

import (
	"context"
	"testing"
	"time"

	"kubectl-gpu/tests/controlplane/internal/cluster"
)

// The file's name puts this test last, so that it judges what all other tests made our program do.
func TestReadOnly(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	for _, user := range cluster.Users() {
		gpu(ctx, t, user, "quota")
	}
	if err := shared.OnlyReads(t.Context(), "kubectl-gpu"); err != nil {
		t.Error(err)
	}
}
