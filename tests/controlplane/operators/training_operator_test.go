//go:build operators

package operators

import (
	"context"
	"encoding/base64"
	"fmt"
)

// startTrainingOperator gives it the certificate that it would make itself: it cannot be told not
// to, and its own is not for 127.0.0.1. For the same reason its webhooks come first, under the name
// that it knows.
func startTrainingOperator(ctx context.Context, at site) error {
	data := map[string]any{}
	for name, text := range secrets {
		data[name] = base64.StdEncoding.EncodeToString(text)
	}
	secret := object("v1", "Secret", "kubeflow", "training-operator-webhook-cert")
	secret.Object["data"] = data
	if err := apply(ctx, object("v1", "Namespace", "", "kubeflow"), secret); err != nil {
		return err
	}
	if err := at.installWebhooks(ctx, "manifests/base/webhook/manifests.yaml", "validator.training-operator.kubeflow.org"); err != nil {
		return err
	}
	// MPIJob is the MPI operator's: both have one CRD.
	err := at.start(nil, "--enable-scheme=tfjob", "--enable-scheme=pytorchjob", "--enable-scheme=jaxjob",
		fmt.Sprintf("--webhook-server-port=%d", at.webhook), "--metrics-bind-address=0",
		fmt.Sprintf("--health-probe-bind-address=127.0.0.1:%d", at.health))
	if err != nil {
		return err
	}
	return at.listens(ctx, at.webhook)
}
