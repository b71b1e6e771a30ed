//go:build operators

package operators

import "context"

func startLeaderWorkerSet(ctx context.Context, at site) error {
	return startManaged(ctx, at, "config/webhook/manifests.yaml")
}
