//go:build operators

package operators

import (
	"context"
	"fmt"
)

// managed is what JobSet and LeaderWorkerSet are both configured with.
const managed = `apiVersion: config.%s.x-k8s.io/v1alpha1
kind: Configuration
metrics: {bindAddress: "0"}
health: {healthProbeBindAddress: "127.0.0.1:%d"}
webhook: {host: 127.0.0.1, port: %d, certDir: %q}
leaderElection: {leaderElect: false}
internalCertManagement: {enable: false}
`

func startManaged(ctx context.Context, at site, webhooks string) error {
	config, err := at.configured(fmt.Sprintf(managed, at.name, at.health, at.webhook, at.certificates()))
	if err != nil {
		return err
	}
	if err := at.start(nil, "--config="+config); err != nil {
		return err
	}
	if err := at.listens(ctx, at.webhook); err != nil {
		return err
	}
	return at.installWebhooks(ctx, webhooks)
}

func startJobSet(ctx context.Context, at site) error {
	return startManaged(ctx, at, "config/components/webhook/manifests.yaml")
}
