//go:build operators

package operators

import (
	"context"
	"fmt"
)

// startKubeRay needs no webhooks: it says what it refuses in events.
func startKubeRay(ctx context.Context, at site) error {
	err := at.start(nil, fmt.Sprintf("--metrics-addr=127.0.0.1:%d", at.metrics),
		fmt.Sprintf("--health-probe-bind-address=127.0.0.1:%d", at.health), "--enable-leader-election=false")
	if err != nil {
		return err
	}
	return at.listens(ctx, at.health)
}
