package kueue

import (
	"context"
	_ "embed"
	"fmt"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"kubectl-gpu/tests/controlplane/internal/cluster"
)

//go:embed queues.yaml
var queues string

// asked is a Job, or with isPod a pod of its own, that asks a LocalQueue for GPUs.
type asked struct {
	name     string
	queue    string // no label without one
	pods     int    // 1 if 0
	gpus     int    // of each pod
	pool     string // node selector
	priority string // WorkloadPriorityClass
	isPod    bool
}

func (a asked) spec() map[string]any {
	amount := map[string]any{"nvidia.com/gpu": fmt.Sprint(a.gpus)}
	spec := map[string]any{"restartPolicy": "Never", "containers": []any{map[string]any{
		"name": "main", "image": "example.com/train:1", "resources": map[string]any{"requests": amount, "limits": amount}}}}
	if a.pool != "" {
		spec["nodeSelector"] = map[string]any{"pool": a.pool}
	}
	return spec
}

func (a asked) object() *unstructured.Unstructured {
	labels := map[string]any{}
	if a.queue != "" {
		labels["kueue.x-k8s.io/queue-name"] = a.queue
	}
	if a.priority != "" {
		labels["kueue.x-k8s.io/priority-class"] = a.priority
	}
	metadata := map[string]any{"name": a.name, "namespace": team, "labels": labels}
	if a.isPod {
		return &unstructured.Unstructured{Object: map[string]any{
			"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": a.spec()}}
	}
	count := int64(max(a.pods, 1))
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "batch/v1", "kind": "Job", "metadata": metadata,
		"spec": map[string]any{"parallelism": count, "completions": count, "suspend": true,
			"template": map[string]any{
				// KWOK would have its pods succeed at once.
				"metadata": map[string]any{"annotations": map[string]any{"kubectl-gpu.test/behaviour": "run"}},
				"spec":     a.spec()}}}}
}

func localQueue(name, clusterQueue string) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "LocalQueue",
		"metadata": map[string]any{"name": name, "namespace": team},
		"spec":     map[string]any{"clusterQueue": clusterQueue}}}
}

// createQueues makes queues.yaml, and a LocalQueue of the same name for each ClusterQueue.
func createQueues(ctx context.Context) error {
	objects, err := documents(queues)
	if err != nil {
		return err
	}
	for _, object := range objects {
		if object.GetKind() == "ClusterQueue" {
			objects = append(objects, localQueue(object.GetName(), object.GetName()))
		}
	}
	objects = append(objects, localQueue("orphan", "gone"), localQueue("paused", "open"))
	if err := create(ctx, client, objects...); err != nil {
		return err
	}
	if err := patch(ctx, "LocalQueue", team, "paused", "", `{"spec":{"stopPolicy":"Hold"}}`); err != nil {
		return err
	}
	// Nobody works on this check: it stays pending.
	return patch(ctx, "AdmissionCheck", "", "budget", "status", `{"status":{"conditions":[{"type":"Active",
		"status":"True","reason":"Active","message":"ready","lastTransitionTime":"2026-01-01T00:00:00Z"}]}}`)
}

func patch(ctx context.Context, kind, namespace, name, part, text string) error {
	var parts []string
	if part != "" {
		parts = []string{part}
	}
	_, err := client.Resource(kinds[kind]).Namespace(namespace).
		Patch(ctx, name, types.MergePatchType, []byte(text), v1.PatchOptions{}, parts...)
	return err
}

// condition is what the tests look at of one.
type condition struct {
	Status, Reason, Message string
}

func conditionOf(object *unstructured.Unstructured, kind string) condition {
	all, _, _ := unstructured.NestedSlice(object.Object, "status", "conditions")
	for _, each := range all {
		if found, _ := each.(map[string]any); found != nil && found["type"] == kind {
			text := func(key string) string { value, _ := found[key].(string); return value }
			return condition{text("status"), text("reason"), text("message")}
		}
	}
	return condition{}
}

// workloadOf is the Workload that Kueue made for a Job or a pod of the team, or for the pod of a
// Deployment; nil if there is none.
func workloadOf(ctx context.Context, name string) (*unstructured.Unstructured, error) {
	list, err := client.Resource(kinds["Workload"]).Namespace(team).List(ctx, v1.ListOptions{})
	if err != nil {
		return nil, err
	}
	for i := range list.Items {
		for _, owner := range list.Items[i].GetOwnerReferences() {
			if owner.Name == name || owner.Kind == "Pod" && strings.HasPrefix(owner.Name, name+"-") {
				return &list.Items[i], nil
			}
		}
	}
	return nil, nil
}

// waitFor returns the Workload of name once its condition is what Kueue shall come to.
func waitFor(ctx context.Context, name, kind, status string) (*unstructured.Unstructured, error) {
	var found *unstructured.Unstructured
	err := cluster.Poll(ctx, 40*time.Second, fmt.Sprintf("%s: %s=%s", name, kind, status), func(ctx context.Context) (bool, error) {
		if err := shared.Alive("kueue"); err != nil {
			return false, err
		}
		workload, err := workloadOf(ctx, name)
		if err != nil || workload == nil {
			return false, err
		}
		found = workload
		seen := conditionOf(workload, kind)
		if seen.Status != status {
			return false, fmt.Errorf("it is %+v", seen)
		}
		return true, nil
	})
	return found, err
}
