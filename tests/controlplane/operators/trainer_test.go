//go:build operators

package operators

import (
	"context"
	"fmt"
	"path/filepath"
)

// trainer's leader election is checked even if it is off.
const trainer = `apiVersion: config.trainer.kubeflow.org/v1alpha1
kind: Configuration
metrics: {bindAddress: "0"}
health: {healthProbeBindAddress: "127.0.0.1:%d"}
webhook: {host: 127.0.0.1, port: %d}
leaderElection: {leaderElect: false, leaseDuration: 15s, renewDeadline: 10s, retryPeriod: 2s}
certManagement: {enable: false}
`

// startTrainer needs JobSet for what it creates, but not for its start. Its webhook checks runtimes,
// so they come last.
func startTrainer(ctx context.Context, at site) error {
	config, err := at.configured(fmt.Sprintf(trainer, at.health, at.webhook))
	if err != nil {
		return err
	}
	if err := at.start(nil, "--config="+config); err != nil {
		return err
	}
	if err := at.listens(ctx, at.webhook); err != nil {
		return err
	}
	if err := at.installWebhooks(ctx, "manifests/base/webhook/manifests.yaml"); err != nil {
		return err
	}
	runtimes, err := folder(filepath.Join(at.files, "manifests/base/runtimes"))
	if err != nil {
		return err
	}
	return apply(ctx, runtimes...)
}
