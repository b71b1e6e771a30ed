package scenario

import (
	"os"
	"path/filepath"
	"testing"

	core "k8s.io/api/core/v1"
)

const printed = `
apiVersion: v1
kind: List
items:
- {apiVersion: v1, kind: Node, metadata: {name: up, uid: a}, status: {capacity: {nvidia.com/gpu: "4"}, conditions: [{type: Ready, status: "True"}]}}
- {apiVersion: v1, kind: Node, metadata: {name: down}, status: {conditions: [{type: Ready, status: "False"}]}}
- apiVersion: v1
  kind: Pod
  metadata: {name: p, namespace: ml, resourceVersion: "9", ownerReferences: [{apiVersion: batch/v1, kind: Job, name: j, uid: b}]}
  spec: {nodeName: up, priority: 5, containers: [{name: c}]}
  status: {phase: Failed}
- {apiVersion: v1, kind: Pod, metadata: {name: q, namespace: ml, deletionTimestamp: "2026-01-01T00:00:00Z"}, status: {phase: Pending}}
- {apiVersion: kueue.x-k8s.io/v1beta1, kind: Workload, metadata: {name: w}}
- {apiVersion: batch/v1, kind: Job, metadata: {name: j, namespace: ml}}
`

func TestReadRecording(t *testing.T) {
	if isScenario([]byte(printed)) || !isScenario([]byte("nodes: []")) {
		t.Error("a scenario is taken for an API object, or the other way round")
	}
	var recorded recording
	if err := recorded.read([]byte(printed)); err != nil {
		t.Fatal(err)
	}
	if len(recorded.nodes) != 2 || len(recorded.pods) != 2 {
		t.Fatalf("%d nodes and %d pods, want 2 and 2", len(recorded.nodes), len(recorded.pods))
	}
	up, down := freshNode(recorded.nodes[0]), freshNode(recorded.nodes[1])
	if gpus := up.Status.Capacity["nvidia.com/gpu"]; gpus.Value() != 4 || up.UID != "" {
		t.Errorf("node up: %s GPUs, want 4; uid %q, want none", &gpus, up.UID)
	}
	if _, kept := down.Annotations[unmanagedAnnotation]; !kept || len(up.Annotations) != 0 {
		t.Errorf("annotations of the node that is down %v, of the other %v", down.Annotations, up.Annotations)
	}
	failed, leaving := freshPod(recorded.pods[0]), freshPod(recorded.pods[1])
	if failed.Annotations[behaviourAnnotation] != "fail" || failed.OwnerReferences != nil || failed.Spec.Priority != nil || failed.ResourceVersion != "" {
		t.Errorf("failed pod: %+v", failed)
	}
	if len(leaving.Finalizers) != 1 || leaving.DeletionTimestamp != nil {
		t.Errorf("pod that is leaving: %+v", leaving.ObjectMeta)
	}
}

func TestFilesOf(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"nodes.json", "pods.yaml", "node-1.prom"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	files, err := filesOf(dir)
	if err != nil || len(files) != 2 {
		t.Errorf("%v, error %v; want the JSON and the YAML file", files, err)
	}
	if _, err := filesOf(filepath.Join(dir, "absent")); err == nil {
		t.Error("no error for a path that does not exist")
	}
}

func TestEveryPhaseComesBack(t *testing.T) {
	for _, phase := range []core.PodPhase{core.PodPending, core.PodRunning, core.PodSucceeded, core.PodFailed} {
		pod := &core.Pod{Spec: core.PodSpec{NodeName: "n"}, Status: core.PodStatus{Phase: phase}}
		if behaviour := freshPod(pod).Annotations[behaviourAnnotation]; behaviour == "" || phases[behaviour] != phase {
			t.Errorf("%s: behaviour %q leads to %s", phase, behaviour, phases[behaviour])
		}
	}
}
