//go:build operators

package operators

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// startKServe runs it without Knative and Istio.
func startKServe(ctx context.Context, at site) error {
	settings, err := kserveSettings(at)
	if err != nil {
		return err
	}
	if err := apply(ctx, object("v1", "Namespace", "", "kserve"), settings); err != nil {
		return err
	}
	err = at.start([]string{"POD_NAMESPACE=kserve"}, fmt.Sprintf("--webhook-port=%d", at.webhook),
		"--metrics-addr=0", fmt.Sprintf("--health-probe-addr=127.0.0.1:%d", at.health))
	if err != nil {
		return err
	}
	if err := at.listens(ctx, at.webhook); err != nil {
		return err
	}
	if err := at.installWebhooks(ctx, "config/webhook/manifests.yaml"); err != nil {
		return err
	}
	runtimes, err := folder(filepath.Join(at.files, "config/runtimes"))
	if err != nil {
		return err
	}
	containers, err := documents(filepath.Join(at.files, "config/storagecontainers/default.yaml"))
	if err != nil {
		return err
	}
	return apply(ctx, append(runtimes, containers...)...)
}

// kserveSettings is the release's ConfigMap, without an ingress.
func kserveSettings(at site) (*unstructured.Unstructured, error) {
	settings, err := documents(filepath.Join(at.files, "config/configmap/inferenceservice.yaml"))
	if err != nil {
		return nil, err
	}
	data, _, err := unstructured.NestedStringMap(settings[0].Object, "data")
	if err != nil {
		return nil, err
	}
	delete(data, "_example")
	ingress := map[string]any{}
	if err := json.Unmarshal([]byte(data["ingress"]), &ingress); err != nil {
		return nil, fmt.Errorf("ingress: %w", err)
	}
	ingress["disableIstioVirtualHost"], ingress["disableIngressCreation"] = true, true
	text, err := json.Marshal(ingress)
	if err != nil {
		return nil, err
	}
	data["ingress"] = string(text)
	data["deploy"] = `{"defaultDeploymentMode": "RawDeployment"}`
	settings[0].SetNamespace("kserve")
	return settings[0], unstructured.SetNestedStringMap(settings[0].Object, data, "data")
}
