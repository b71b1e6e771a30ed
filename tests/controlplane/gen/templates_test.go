package gen

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"
)

// withPods are the kinds whose objects hold pod templates. An InferenceService has none.
var withPods = []string{"deployment", "job", "jobset", "leaderworkerset", "mpijob", "notebook", "pytorchjob", "raycluster", "rayjob",
	"rayservice", "tfjob", "trainjob"}

// createNamed makes what the cases name and a pod may not lack.
func createNamed(t *testing.T) {
	t.Helper()
	var text strings.Builder
	for _, name := range []string{"high", "gpu-training", "gpu-inference", "gpu-batch"} {
		fmt.Fprintf(&text, "{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: %s}, value: 1000}\n---\n", name)
	}
	for _, name := range []string{"prep", "server", "trainer"} {
		fmt.Fprintf(&text, "{apiVersion: v1, kind: ServiceAccount, metadata: {name: %s}}\n---\n", name)
	}
	text.WriteString("{apiVersion: node.k8s.io/v1, kind: RuntimeClass, metadata: {name: nvidia}, handler: nvidia}\n")
	if _, err := run(t.Context(), []byte(text.String()), "apply", "--server-side", "-f", "-"); err != nil {
		t.Fatal(err)
	}
}

// TestPodTemplates: a CRD takes nearly any pod template. As pods, all of them are taken too, without
// a warning.
func TestPodTemplates(t *testing.T) {
	createNamespaces(t)
	createNamed(t)
	for word, lines := range cases(t) {
		t.Run(word, func(t *testing.T) {
			for _, line := range lines {
				t.Run(line, func(t *testing.T) {
					t.Parallel()
					checkTemplates(t, line, slices.Contains(withPods, word))
				})
			}
		})
	}
}

func checkTemplates(t *testing.T, line string, hasPods bool) {
	manifest, _ := generated(t, "--offline", line)
	pods := podsOf(t, manifest)
	if (len(pods) > 0) != hasPods {
		t.Errorf("%d pod templates are found:\n%s", len(pods), manifest)
	}
	if len(pods) == 0 {
		return
	}
	all := bytes.Join(pods, []byte("---\n"))
	said, err := run(t.Context(), all, "apply", "--server-side", "--dry-run=server", "--validate=strict", "-f", "-")
	if err != nil || strings.Contains(said, "Warning") {
		t.Errorf("%v\n%s\n%s", err, said, all)
	}
}

// podsOf makes a pod of each pod template in the objects of a manifest.
func podsOf(t *testing.T, manifest []byte) (pods [][]byte) {
	t.Helper()
	for _, text := range bytes.Split(manifest, []byte("\n---\n")) {
		var object map[string]any
		if err := yaml.Unmarshal(text, &object); err != nil {
			t.Fatal(err)
		}
		namespace, _, _ := unstructured.NestedString(object, "metadata", "namespace")
		for _, each := range templatesIn(object) {
			pod := &unstructured.Unstructured{Object: maps.Clone(each)}
			if object["kind"] == "TrainJob" {
				addImages(pod)
			}
			pod.SetAPIVersion("v1")
			pod.SetKind("Pod")
			pod.SetName(fmt.Sprintf("pod-%d", len(pods)))
			pod.SetNamespace(namespace)
			text, err := yaml.Marshal(pod.Object)
			if err != nil {
				t.Fatal(err)
			}
			pods = append(pods, text)
		}
	}
	return pods
}

// addImages: a TrainJob patches the pods of its runtime, whose images these are.
func addImages(pod *unstructured.Unstructured) {
	containers, _, _ := unstructured.NestedSlice(pod.Object, "spec", "containers")
	for _, each := range containers {
		each.(map[string]any)["image"] = "ghcr.io/acme/runtime:1"
	}
	_ = unstructured.SetNestedSlice(pod.Object, containers, "spec", "containers")
}

// templatesIn finds whatever has containers and is called a template: "template", "workerTemplate".
func templatesIn(node any) (found []map[string]any) {
	switch value := node.(type) {
	case []any:
		for _, each := range value {
			found = append(found, templatesIn(each)...)
		}
	case map[string]any:
		for key, each := range value {
			template, _ := each.(map[string]any)
			if _, has, _ := unstructured.NestedSlice(template, "spec", "containers"); has && strings.HasSuffix(strings.ToLower(key), "template") {
				found = append(found, template)
			} else {
				found = append(found, templatesIn(each)...)
			}
		}
	}
	return found
}
