//go:build operators

package operators

import (
	"context"

	"kubectl-gpu/tests/controlplane/internal/cluster"
)

// startMPIOperator makes the namespace of its lease. It has no webhooks, and no port that says when
// it works: the test waits for pods anyway.
func startMPIOperator(ctx context.Context, at site) error {
	if err := apply(ctx, object("v1", "Namespace", "", at.name)); err != nil {
		return err
	}
	return at.start(nil, "--kubeConfig="+shared.Kubeconfig(cluster.Admin), "--lock-namespace="+at.name)
}
