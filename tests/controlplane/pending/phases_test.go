package pending

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kubectl-gpu/tests/controlplane/internal/cluster"
)

// afterBinding is a pod that has a node and does not do its work there.
type afterBinding struct {
	name, behaviour, reason, words string
	code                           string
	// says is part of the first advice.
	says string
	// waits is that it holds no GPU, and waits for one.
	waits bool
}

const cliWords = "failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: " +
	"unable to start container process: error during container init: error running prestart hook #0: exit status 1, stdout: , stderr: " +
	"nvidia-container-cli: initialization error: nvml error: driver not loaded"

func allAfterBinding() []afterBinding {
	return []afterBinding{
		{name: "no-program", behaviour: "run-error", reason: "RunContainerError", code: "start-error",
			words: `failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: error during container init: exec: "/bin/train": stat /bin/train: no such file or directory`},
		{name: "no-program-once", behaviour: "start-error", reason: "StartError", code: "start-error", waits: true,
			words: `failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: error during container init: exec: "/bin/train": stat /bin/train: no such file or directory`},
		{name: "no-driver", behaviour: "run-error", reason: "RunContainerError", code: "runtime-missing", says: "driver", words: cliWords},
		{name: "no-driver-once", behaviour: "start-error", reason: "StartError", code: "runtime-missing", says: "driver", words: cliWords, waits: true},
		{name: "no-cdi", behaviour: "create-error", reason: "CreateContainerError", code: "runtime-missing", says: "CDI",
			words: "CDI device injection failed: unresolvable CDI devices k8s.device-plugin.nvidia.com/gpu=GPU-1"},
		{name: "crash", behaviour: "crash", code: "crash-loop"},
		{name: "image", behaviour: "image-pull", code: "image-pull"},
		{name: "unregistered", behaviour: "refused", reason: "UnexpectedAdmissionError", code: "kubelet-rejected", waits: true, says: "delete",
			words: "Pod was rejected: Allocate failed due to cannot allocate unregistered device nvidia.com/gpu, which is unexpected"},
		{name: "lost", behaviour: "refused", reason: "UnexpectedAdmissionError", code: "kubelet-rejected", waits: true,
			words: "Pod was rejected: Allocate failed due to no healthy devices present; cannot allocate unhealthy devices nvidia.com/gpu, which is unexpected"},
		{name: "memory", behaviour: "refused", reason: "OutOfmemory", code: "kubelet-rejected", waits: true,
			words: "Pod was rejected: Node didn't have enough resource: memory, requested: 8589934592, used: 0, capacity: 4294967296"},
		{name: "numa", behaviour: "refused", reason: "TopologyAffinityError", code: "kubelet-rejected", waits: true, says: "NUMA",
			words: "Pod was rejected: Resources cannot be allocated with Topology locality"},
	}
}

func steered(t *testing.T, kind, head, annotations string) *unstructured.Unstructured {
	t.Helper()
	return object(t, `{apiVersion: v1, kind: `+kind+`, metadata: {`+head+`, annotations: {`+annotations+`}},
  spec: {restartPolicy: Never, nodeName: gpu-a, containers: [{name: main, image: none, resources: {limits: {nvidia.com/gpu: "1"}}}]}}`)
}

func annotationsOf(each afterBinding) string {
	return fmt.Sprintf("kubectl-gpu.test/behaviour: %s, kubectl-gpu.test/reason: %q, kubectl-gpu.test/words: %s", each.behaviour, each.reason, strconv.Quote(each.words))
}

func kubectl(ctx context.Context, t *testing.T, objects []*unstructured.Unstructured, args ...string) string {
	t.Helper()
	command := exec.CommandContext(ctx, filepath.Join(shared.binaries, "kubectl"), args...)
	command.Env = []string{"KUBECONFIG=" + shared.cluster.Kubeconfig(cluster.Admin), "HOME=/nonexistent"}
	list := &unstructured.UnstructuredList{Object: map[string]any{"apiVersion": "v1", "kind": "List"}}
	for _, each := range objects {
		list.Items = append(list.Items, *each)
	}
	manifest, err := list.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	command.Stdin = bytes.NewReader(manifest)
	output, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("kubectl %v: %v: %s", args, err, output)
	}
	return string(output)
}

// waitingInTop is what `top` says of pods that wait.
func waitingInTop(ctx context.Context, t *testing.T) (pods, gpus int) {
	t.Helper()
	output, err := program(t, cluster.Admin).Run(ctx, "top", "-o", "json")
	if err != nil || output.Code != 0 {
		t.Fatalf("top: %v, exit code %d: %s", err, output.Code, output.Stderr)
	}
	var answer struct {
		Summary struct{ Waiting struct{ Pods, Gpus int } }
	}
	if err := json.Unmarshal([]byte(output.Stdout), &answer); err != nil {
		t.Fatal(err)
	}
	return answer.Summary.Waiting.Pods, answer.Summary.Waiting.Gpus
}

// TestPhasesAfterBinding has a pod in each state in which a kubelet leaves one that does not do its
// work: each is found, whatever its phase, and those that hold no GPU count as waiting.
func TestPhasesAfterBinding(t *testing.T) {
	defer clearStage(t)
	ctx := context.Background()
	e := example{pod: pod(t, "ml", "asked", `nvidia.com/gpu: "1"`, "nodeSelector: {none: none},"), others: []*unstructured.Unstructured{
		node(t, "gpu-a", "", `nvidia.com/gpu: "32"`, "")}}
	waiting := 1 // asked
	var pods []*unstructured.Unstructured
	for _, each := range allAfterBinding() {
		pods = append(pods, steered(t, "Pod", "name: "+each.name+", namespace: ml", annotationsOf(each)))
		if each.waits {
			waiting++
		}
	}
	if _, err := shared.stage.Lay(ctx, e.scene(t)); err != nil {
		t.Fatal(err)
	}
	kubectl(ctx, t, pods, "create", "-f", "-")
	admin := program(t, cluster.Admin)
	codes := map[string]string{}
	err := cluster.Poll(ctx, 30*time.Second, "all pods in their states", func(ctx context.Context) (bool, error) {
		list, err := admin.Ask(ctx, "-A")
		clear(codes)
		for _, item := range list.Items {
			codes[item.Name] = item.Code
		}
		for _, each := range allAfterBinding() {
			if codes[each.name] != each.code {
				return false, err
			}
		}
		return true, err
	})
	if err != nil {
		t.Errorf("%v; codes: %v", err, codes)
	}
	for _, each := range allAfterBinding() {
		answer, err := admin.AskOne(ctx, "ml/"+each.name)
		if err != nil {
			t.Errorf("%s: %v", each.name, err)
			continue
		}
		if answer.Code != each.code || !answer.Blocked || len(answer.Advice)+len(answer.Fixes) == 0 {
			t.Errorf("%s: %+v", each.name, answer)
		}
		if said := fmt.Sprint(answer.Advice, answer.Fixes); !strings.Contains(said, each.says) {
			t.Errorf("%s: no %q in %s", each.name, each.says, said)
		}
	}
	if pods, gpus := waitingInTop(ctx, t); pods != waiting || gpus != waiting {
		t.Errorf("top: %d pods wait for %d GPUs, want %d", pods, gpus, waiting)
	}
}

// TestRefusedReplicas has a ReplicaSet of 2 whose pods a kubelet refuses one after the other, until
// no more may be created: they are 2 pods that wait, however many have failed.
func TestRefusedReplicas(t *testing.T) {
	defer clearStage(t)
	ctx := context.Background()
	refused := allAfterBinding()[7]
	set := object(t, `{apiVersion: apps/v1, kind: ReplicaSet, metadata: {name: serve, namespace: research},
  spec: {replicas: 2, selector: {matchLabels: {app: serve}}, template: {metadata: {labels: {app: serve}, annotations: {`+annotationsOf(refused)+`}},
  spec: {containers: [{name: main, image: none, resources: {limits: {nvidia.com/gpu: "1"}}}]}}}}`)
	e := example{pod: pod(t, "ml", "asked", `nvidia.com/gpu: "1"`, "nodeSelector: {none: none},"), others: []*unstructured.Unstructured{
		node(t, "gpu-a", "", eight, "")}}
	if _, err := shared.stage.Lay(ctx, e.scene(t)); err != nil {
		t.Fatal(err)
	}
	admin := program(t, cluster.Admin)
	kubectl(ctx, t, []*unstructured.Unstructured{set}, "create", "-f", "-")
	failed := func() int {
		return strings.Count(kubectl(ctx, t, nil, "get", "pods", "-n", "research", "--field-selector=status.phase=Failed", "-o", "name"), "pod/")
	}
	if err := cluster.Poll(ctx, 60*time.Second, "6 refused pods", func(context.Context) (bool, error) { return failed() >= 6, nil }); err != nil {
		t.Fatal(err)
	}
	kubectl(ctx, t, nil, "create", "quota", "none", "-n", "research", "--hard=pods=0")
	rows := 0
	err := cluster.Poll(ctx, 30*time.Second, "two rows", func(ctx context.Context) (bool, error) {
		list, err := admin.Ask(ctx, "-A")
		rows = 0
		for _, item := range list.Items {
			if item.Code == "kubelet-rejected" {
				rows++
			}
		}
		pods, gpus := waitingInTop(ctx, t)
		return rows == 2 && pods == 3 && gpus == 3, err
	})
	if err != nil {
		pods, gpus := waitingInTop(ctx, t)
		t.Errorf("%v; %d rows; top: %d pods wait for %d GPUs", err, rows, pods, gpus)
	}
	t.Logf("%d refused pods", failed())
}
