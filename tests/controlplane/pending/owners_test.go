package pending

import (
	"context"
	"errors"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"kubectl-gpu/tests/controlplane/internal/cluster"
	"kubectl-gpu/tests/controlplane/internal/pending"
)

// owned is a pod that waits, made by an owner with something special.
type owned struct {
	name     string
	kind     string
	replicas int64
	// spec is more of the owner's.
	spec map[string]any
	// pod is more of the pod's spec; labels are its own.
	pod, labels, ask string
	others           []*unstructured.Unstructured
	// one is that there is room for one pod only.
	one bool
}

// edits are what lets the pod in, each by another part of its spec: what may be added to a pod that
// exists, and what may not.
func edits(t *testing.T) map[string]owned {
	t.Helper()
	return map[string]owned{
		"toleration": {others: []*unstructured.Unstructured{node(t, "gpu-a", tainted, `nvidia.com/gpu: "16"`, "")}},
		"selector": {pod: "nodeSelector: {nvidia.com/gpu.product: L4},",
			others: []*unstructured.Unstructured{node(t, "gpu-a", "", `nvidia.com/gpu: "16"`, ", nvidia.com/gpu.product: NVIDIA-L4")}},
		"request": {one: true, ask: `requests: {memory: 300Gi},`,
			others: []*unstructured.Unstructured{object(t, `{apiVersion: v1, kind: Node, metadata: {name: gpu-a, labels: {kubernetes.io/hostname: gpu-a}},
  status: {allocatable: {cpu: "64", memory: 256Gi, pods: "110", nvidia.com/gpu: "16"}, capacity: {cpu: "64", memory: 256Gi, pods: "110", nvidia.com/gpu: "16"},
  conditions: [{type: Ready, status: "True"}]}}`)}},
	}
}

func owners(t *testing.T) []owned {
	t.Helper()
	tolerant := "tolerations: [{key: slow, operator: Exists}],"
	quota := func(hard string) []*unstructured.Unstructured {
		return []*unstructured.Unstructured{object(t, `{apiVersion: v1, kind: ResourceQuota, metadata: {name: tight, namespace: ml}, spec: {hard: {`+hard+`}}}`)}
	}
	list := []owned{
		{name: "bare pod"},
		{name: "Deployment", kind: "Deployment", replicas: 3},
		{name: "Deployment that recreates", kind: "Deployment", replicas: 2, spec: map[string]any{"strategy": map[string]any{"type": "Recreate"}}},
		{name: "ReplicaSet", kind: "ReplicaSet"},
		{name: "ReplicationController", kind: "ReplicationController"},
		{name: "StatefulSet of 3", kind: "StatefulSet", replicas: 3, pod: tolerant},
		{name: "StatefulSet whose updates wait for deletion", kind: "StatefulSet", spec: map[string]any{"updateStrategy": map[string]any{"type": "OnDelete"}}},
		{name: "Job", kind: "Job", pod: tolerant},
		{name: "Job of several pods", kind: "Job", spec: map[string]any{"completions": int64(3), "parallelism": int64(2), "completionMode": "Indexed"}},
		{name: "Job that selects by itself", kind: "Job", labels: ", my: job",
			spec: map[string]any{"manualSelector": true, "selector": map[string]any{"matchLabels": map[string]any{"my": "job"}}}},
		{name: "Job of a CronJob", kind: "CronJob"},
		{name: "bare pod, quota used up", others: quota(`pods: "1", requests.nvidia.com/gpu: "4"`)},
		{name: "Deployment, quota used up", kind: "Deployment", replicas: 1, others: quota(`pods: "1"`)},
		{name: "Deployment of 2, quota used up", kind: "Deployment", replicas: 2, others: quota(`requests.nvidia.com/gpu: "8"`)},
		{name: "StatefulSet, quota used up", kind: "StatefulSet", others: quota(`pods: "1"`)},
		{name: "ReplicaSet, quota used up", kind: "ReplicaSet", others: quota(`pods: "1"`)},
		{name: "Job, quota used up", kind: "Job", others: quota(`pods: "1", count/jobs.batch: "1"`)},
		{name: "bare pod, keys of a spread rule merged", labels: ", app: asked, v: one",
			pod: "topologySpreadConstraints: [{topologyKey: kubernetes.io/hostname, maxSkew: 1, whenUnsatisfiable: DoNotSchedule, labelSelector: {matchLabels: {app: asked}}, matchLabelKeys: [v]}],"},
		{name: "bare pod with limits of the namespace", others: []*unstructured.Unstructured{object(t,
			`{apiVersion: v1, kind: LimitRange, metadata: {name: usual, namespace: ml}, spec: {limits: [{type: Container, default: {cpu: "1"}, defaultRequest: {cpu: 500m}}]}}`)}},
	}
	return list
}

// daemons get pods on nodes that they tolerate and select only: something else has to be wrong.
func daemons() []owned {
	return []owned{
		{name: "DaemonSet", kind: "DaemonSet"},
		{name: "DaemonSet whose updates wait for deletion", kind: "DaemonSet", spec: map[string]any{"updateStrategy": map[string]any{"type": "OnDelete"}}},
	}
}

// TestOwners takes the file from `-o patch` and runs the printed command, for every kind of owner.
// KUBECTL_GPU_OWNERS=all says that all kinds of edits are taken, not only one.
func TestOwners(t *testing.T) {
	all := edits(t)
	for _, edit := range slices.Sorted(maps.Keys(all)) {
		if edit != "selector" && os.Getenv("KUBECTL_GPU_OWNERS") != "all" {
			continue
		}
		opening, makers := all[edit], owners(t)
		if edit == "request" {
			makers = append(makers, daemons()...)
		}
		for _, each := range makers {
			t.Run(edit+" of "+each.name, func(t *testing.T) { proveOwner(t, each, opening) })
		}
	}
}

func proveOwner(t *testing.T, each, opening owned) {
	t.Helper()
	defer clearStage(t)
	ctx := context.Background()
	asked := object(t, `{apiVersion: v1, kind: Pod, metadata: {name: asked, namespace: ml, labels: {of: test`+each.labels+`}},
  spec: {`+each.pod+opening.pod+` containers: [{name: main, image: none, resources: {`+opening.ask+` limits: {nvidia.com/gpu: "4"}}}]}}`)
	scene := example{pod: asked, ownerKind: each.kind, others: append(each.others, opening.others...)}.scene(t)
	scene.Replicas, scene.OwnerSpec = each.replicas, each.spec
	waiting, answer := askAdmin(ctx, t, scene)
	if len(answer.Fixes) == 0 {
		t.Fatalf("no fix: %s", answer.Summary)
	}
	fix := answer.Fixes[0]
	printed, err := program(t, cluster.Admin).Run(ctx, "why-pending", waiting.Namespace+"/"+waiting.Name, "-o", "patch")
	if err != nil {
		t.Fatal(err)
	}
	fix.Patch, _, _ = strings.Cut(printed.Stdout, "\n---\n")
	applies(ctx, t, fix, func() error {
		if err := shared.stage.Bound(ctx, scene); err != nil || each.replicas == 0 || opening.one {
			return err
		}
		return shared.stage.AllBound(ctx, scene)
	})
}

// TestPartlyRunning asks for owners of which one pod has the only place that is open.
func TestPartlyRunning(t *testing.T) {
	for _, each := range []owned{
		{name: "StatefulSet of 3", kind: "StatefulSet", replicas: 3},
		{name: "StatefulSet of 3 at once", kind: "StatefulSet", replicas: 3, spec: map[string]any{"podManagementPolicy": "Parallel"}},
		{name: "Deployment of 2", kind: "Deployment", replicas: 2},
		{name: "ReplicaSet of 2", kind: "ReplicaSet", replicas: 2},
		{name: "DaemonSet", kind: "DaemonSet"},
		{name: "Job of 2", kind: "Job", replicas: 2, spec: map[string]any{"parallelism": int64(2), "completions": int64(2)}},
	} {
		t.Run(each.name, func(t *testing.T) {
			defer clearStage(t)
			ctx := context.Background()
			asked := object(t, `{apiVersion: v1, kind: Pod, metadata: {name: asked, namespace: ml, annotations: {kubectl-gpu.test/behaviour: run}},
  spec: {containers: [{name: main, image: none, resources: {limits: {nvidia.com/gpu: "4"}}}]}}`)
			others := []*unstructured.Unstructured{node(t, "gpu-a", "", `nvidia.com/gpu: "4"`, ""), node(t, "gpu-b", tainted, `nvidia.com/gpu: "16"`, "")}
			if each.kind == "DaemonSet" { // of it pods wait on nodes that they tolerate
				others = []*unstructured.Unstructured{node(t, "gpu-a", "", `nvidia.com/gpu: "4"`, ""), node(t, "gpu-b", "", eight, ""),
					pod(t, "research", "holder", `nvidia.com/gpu: "6"`, "nodeName: gpu-b,")}
			}
			scene := example{pod: asked, ownerKind: each.kind, others: others}.scene(t)
			scene.Replicas, scene.OwnerSpec = each.replicas, each.spec
			_, answer := askAdmin(ctx, t, scene)
			before := boundNow(t, scene)
			if len(answer.Fixes) == 0 || len(before) != 1 {
				t.Fatalf("%d pods run; no fix: %s", len(before), answer.Summary)
			}
			fix := answer.Fixes[0]
			applies(ctx, t, fix, func() error {
				if err := shared.stage.Bound(ctx, scene, before...); err != nil || each.replicas == 0 {
					return err
				}
				return shared.stage.AllBound(ctx, scene)
			})
		})
	}
}

// boundNow are the pods of the scene's owner that have nodes.
func boundNow(t *testing.T, scene *pending.Scene) []types.UID {
	t.Helper()
	pods, err := shared.stage.Asked(context.Background(), scene)
	if err != nil {
		t.Fatal(err)
	}
	var bound []types.UID
	for i := range pods {
		if pods[i].Spec.NodeName != "" {
			bound = append(bound, pods[i].UID)
		}
	}
	return bound
}

// TestSuspendedJob asks for a Job that makes no pods: what is said about it must not break it.
func TestSuspendedJob(t *testing.T) {
	defer clearStage(t)
	ctx := context.Background()
	job := object(t, `{apiVersion: batch/v1, kind: Job, metadata: {name: later, namespace: ml}, spec: {suspend: true, template: {metadata: {labels: {kubectl-gpu.test/asked: "yes"}},
  spec: {restartPolicy: Never, nodeSelector: {nvidia.com/gpu.product: L4}, containers: [{name: main, image: none, resources: {limits: {nvidia.com/gpu: "4"}}}]}}}}`)
	e := example{pod: pod(t, "ml", "asked", `nvidia.com/gpu: "16"`, ""), others: []*unstructured.Unstructured{
		node(t, "gpu-a", "", eight, ", nvidia.com/gpu.product: NVIDIA-L4"), job}}
	scene := e.scene(t)
	if _, err := shared.stage.Lay(ctx, scene); err != nil {
		t.Fatal(err)
	}
	admin := program(t, cluster.Admin)
	answer, err := admin.AskOne(ctx, "job/later", "-n", "ml")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(answer.Summary, "suspend") {
		t.Errorf("%s: %s", answer.Code, answer.Summary)
	}
	t.Logf("%s: %s; fixes %+v, advice %+v", answer.Code, answer.Summary, answer.Fixes, answer.Advice)
	for _, fix := range answer.Fixes {
		if err := admin.Apply(ctx, fix); err != nil {
			t.Errorf("%s: %v", fix.Summary, err)
		}
	}
}

// TestRollout carries out what is advised for a new pod of a Deployment that waits for the old one.
func TestRollout(t *testing.T) {
	defer clearStage(t)
	ctx := context.Background()
	scene := example{pod: pod(t, "ml", "asked", eight, ""), ownerKind: "Deployment",
		others: []*unstructured.Unstructured{node(t, "gpu-a", "", eight, "")}}.scene(t)
	if _, err := shared.stage.Lay(ctx, scene); !errors.Is(err, pending.ErrDidNotWait) {
		t.Fatalf("the first pod: %v", err)
	}
	before := boundNow(t, scene)
	admin := program(t, cluster.Admin)
	change := pending.Fix{Command: `kubectl set env deployment/asked -n ml ROUND=2`}
	if err := admin.Apply(ctx, change); err != nil {
		t.Fatal(err)
	}
	poll(t, "the new pod", func(ctx context.Context) (bool, error) {
		pods, err := shared.stage.Asked(ctx, scene)
		return len(pods) > len(before), err
	})
	waiting, err := shared.stage.Waiting(ctx, scene)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := admin.AskOne(ctx, waiting.Namespace+"/"+waiting.Name)
	if err != nil {
		t.Fatal(err)
	}
	if answer.Code != "rollout-surge" || len(answer.Advice) == 0 {
		t.Fatalf("%s: %s; advice %+v", answer.Code, answer.Summary, answer.Advice)
	}
	if err = admin.Apply(ctx, pending.Fix{Command: answer.Advice[0].Command}); err == nil {
		err = shared.stage.Bound(ctx, scene, before...)
	}
	if err != nil {
		t.Errorf("%s\n%s: %v", answer.Advice[0].Summary, answer.Advice[0].Command, err)
	}
}

// TestNothingIsLost asks for a pod that the API server would not take back: no command may delete it.
func TestNothingIsLost(t *testing.T) {
	defer clearStage(t)
	ctx := context.Background()
	e := example{pod: object(t, `{apiVersion: v1, kind: Pod, metadata: {name: asked, namespace: ml, labels: {v: one}}, spec: {nodeSelector: {nvidia.com/gpu.product: L4},
  affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: kubernetes.io/hostname, labelSelector: {matchLabels: {app: other}}, matchLabelKeys: [v]}]}},
  containers: [{name: main, image: none, resources: {limits: {nvidia.com/gpu: "4"}}}]}}`),
		others: []*unstructured.Unstructured{node(t, "gpu-a", "", eight, ", nvidia.com/gpu.product: NVIDIA-L4")}}
	_, answer := askAdmin(ctx, t, e.scene(t))
	if len(answer.Fixes) != 1 || answer.Fixes[0].Command != "" || !strings.Contains(answer.Fixes[0].Patch, "NVIDIA-L4") {
		t.Errorf("fixes %+v", answer.Fixes)
	}
}
