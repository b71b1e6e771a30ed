package gen

import (
	"strings"
	"testing"

	"kubectl-gpu/tests/controlplane/internal/cluster"
)

// What the manifests of this test name, and Kueue's configuration without its controller.
const namedObjects = `
apiVersion: v1
kind: Namespace
metadata: {name: kueue-system}
---
apiVersion: v1
kind: Secret
metadata: {name: hf-token, namespace: ml}
stringData: {token: a-value-that-nobody-reads}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: {name: team, namespace: ml}
spec: {clusterQueue: team}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: kueue-manager-config, namespace: kueue-system}
data:
  controller_manager_config.yaml: |
    managedJobsNamespaceSelector: {matchLabels: {team: vision}}
`

// TestNamedObjects: a Secret is missed by the list of a real API server, which gives metadata alone, and
// a queue where Kueue's own configuration leaves its namespace out.
func TestNamedObjects(t *testing.T) {
	createNamespaces(t)
	if _, err := run(t.Context(), []byte(namedObjects), "apply", "-f", "-"); err != nil {
		t.Fatal(err)
	}
	flags := "--no-check -v=8 --kubeconfig " + shared.Kubeconfig(cluster.Admin)
	said := func(words string) string {
		_, said := generated(t, flags, "job train -n ml --image a/b:1 "+words)
		if strings.Contains(said, "a-value-that-nobody-reads") {
			t.Error("a Secret was shown")
		}
		return said
	}
	const missing, unmanaged = "there is no Secret `hf-tokn` in the namespace ml", "Kueue does not manage the namespace ml"
	if got := said("--env-from-secret A=hf-tokn/token"); !strings.Contains(got, missing) ||
		!strings.Contains(got, "a similar one is `hf-token`") {
		t.Error(got)
	}
	if got := said("--env-from-secret A=hf-token/token"); strings.Contains(got, "there is no Secret") {
		t.Error(got)
	}
	if got := said("--queue team"); !strings.Contains(got, unmanaged) || strings.Contains(got, "/secrets") {
		t.Error(got)
	}
	if _, err := run(t.Context(), nil, "label", "namespace", "ml", "team=vision"); err != nil {
		t.Fatal(err)
	}
	if got := said("--queue team"); strings.Contains(got, unmanaged) {
		t.Error(got)
	}
}
