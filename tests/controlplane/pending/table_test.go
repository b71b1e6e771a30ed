package pending

import (
	"context"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"kubectl-gpu/tests/controlplane/internal/cluster"
	"kubectl-gpu/tests/controlplane/internal/pending"
)

// object is one that a manifest says.
func object(t *testing.T, manifest string) *unstructured.Unstructured {
	t.Helper()
	made := &unstructured.Unstructured{}
	if err := yaml.Unmarshal([]byte(manifest), &made.Object); err != nil {
		t.Fatalf("%v in:\n%s", err, manifest)
	}
	return made
}

// node has 8 GPUs, or what more says.
func node(t *testing.T, name, spec, resources, labels string) *unstructured.Unstructured {
	t.Helper()
	return object(t, `{apiVersion: v1, kind: Node, metadata: {name: `+name+`, labels: {kubernetes.io/hostname: `+name+labels+`}},
  spec: {`+spec+`}, status: {allocatable: {cpu: "32", memory: 256Gi, pods: "110", `+resources+`},
  capacity: {cpu: "32", memory: 256Gi, pods: "110", `+resources+`}, conditions: [{type: Ready, status: "True"}]}}`)
}

func pod(t *testing.T, namespace, name, requests, more string) *unstructured.Unstructured {
	t.Helper()
	return object(t, `{apiVersion: v1, kind: Pod, metadata: {name: `+name+`, namespace: `+namespace+`},
  spec: {`+more+` containers: [{name: main, image: none, resources: {requests: {`+requests+`}, limits: {`+requests+`}}}]}}`)
}

const (
	eight   = `nvidia.com/gpu: "8"`
	tainted = `taints: [{key: dedicated, value: ml, effect: NoSchedule}]`
	cordon  = `unschedulable: true, taints: [{key: node.kubernetes.io/unschedulable, effect: NoSchedule}]`
)

// example is a scene made by hand.
type example struct {
	name      string
	ownerKind string
	others    []*unstructured.Unstructured
	pod       *unstructured.Unstructured
	code      string
	// command is what the first fix's must hold, each text.
	command []string
}

func examples(t *testing.T) []example {
	t.Helper()
	asks := func(more string) *unstructured.Unstructured {
		return pod(t, "ml", "asked", `nvidia.com/gpu: "4"`, more)
	}
	all := []example{
		{name: "uncordon", others: []*unstructured.Unstructured{node(t, "gpu-a", cordon, eight, "")}, pod: asks(""),
			code: "cordoned", command: []string{"kubectl uncordon gpu-a"}},
		{name: "selector typo", others: []*unstructured.Unstructured{node(t, "gpu-a", "", eight, ", nvidia.com/gpu.product: NVIDIA-L4")},
			pod: asks("nodeSelector: {nvidia.com/gpu.product: L4},"), code: "node-selector-mismatch", command: []string{"kubectl patch", "--patch-file"}},
		{name: "resource renamed", others: []*unstructured.Unstructured{node(t, "gpu-a", "", `nvidia.com/gpu.shared: "8"`,
			", nvidia.com/gpu.present: \"true\", nvidia.com/gpu.count: \"2\", nvidia.com/gpu.replicas: \"4\", nvidia.com/gpu.sharing-strategy: time-slicing, nvidia.com/gpu.product: NVIDIA-L4-SHARED")},
			pod: pod(t, "ml", "asked", `nvidia.com/gpu: "1"`, ""), code: "resource-renamed", command: []string{"--patch-file"}},
		{name: "cpu too large", others: []*unstructured.Unstructured{node(t, "gpu-a", "", eight, "")},
			pod: pod(t, "ml", "asked", `nvidia.com/gpu: "4", cpu: "40"`, ""), code: "insufficient-cpu", command: []string{"--patch-file"}},
		{name: "end a pod", others: []*unstructured.Unstructured{node(t, "gpu-a", "", eight, ""),
			pod(t, "research", "holder", `nvidia.com/gpu: "6"`, "nodeName: gpu-a,")},
			pod: asks(""), code: "insufficient-gpus", command: []string{"kubectl delete pod -n research holder"}},
		{name: "two steps on one node", others: []*unstructured.Unstructured{node(t, "gpu-a",
			`unschedulable: true, taints: [{key: node.kubernetes.io/unschedulable, effect: NoSchedule}, {key: dedicated, value: ml, effect: NoSchedule}]`, eight, "")},
			pod: asks(""), code: "cordoned", command: []string{"kubectl uncordon gpu-a", "kubectl patch pod asked"}},
	}
	all = append(all, traps(t)...)
	for _, kind := range []string{"", "Deployment", "StatefulSet", "Job", "CronJob"} {
		all = append(all, example{name: "toleration of " + strings.ToLower(kind+"Pod"), ownerKind: kind,
			others: []*unstructured.Unstructured{node(t, "gpu-a", tainted, eight, "")}, pod: asks(""),
			code: "untolerated-taint", command: []string{"--patch-file"}})
	}
	for _, kind := range []string{"Deployment", "StatefulSet", "Job"} {
		all = append(all, example{name: "selector typo of " + kind, ownerKind: kind,
			others: []*unstructured.Unstructured{node(t, "gpu-a", "", eight, ", nvidia.com/gpu.product: NVIDIA-L4")},
			pod:    asks("nodeSelector: {nvidia.com/gpu.product: L4},"), code: "node-selector-mismatch", command: []string{"--patch-file"}})
	}
	return all
}

// traps are examples of which the obvious fix fails.
func traps(t *testing.T) []example {
	t.Helper()
	four := `nvidia.com/gpu: "4"`
	taint := func(text string) []*unstructured.Unstructured {
		return []*unstructured.Unstructured{node(t, "gpu-a", "taints: [{"+text+"}]", eight, "")}
	}
	holders := func(each string, names ...string) []*unstructured.Unstructured {
		made := []*unstructured.Unstructured{node(t, "gpu-a", "", eight, "")}
		for _, name := range names {
			made = append(made, pod(t, "research", name, each, "nodeName: gpu-a,"))
		}
		return made
	}
	return []example{
		{name: "value that YAML takes for a truth", others: taint(`key: dedicated, value: "true", effect: NoSchedule`), pod: pod(t, "ml", "asked", four, ""),
			code: "untolerated-taint", command: []string{"--patch-file"}},
		{name: "value that YAML takes for a number", ownerKind: "Deployment", others: taint(`key: rank, value: "1e3", effect: NoExecute`), pod: pod(t, "ml", "asked", four, ""),
			code: "untolerated-taint", command: []string{"--patch-file"}},
		{name: "taint without a value", ownerKind: "Job", others: taint(`key: nvidia.com/gpu, effect: NoSchedule`), pod: pod(t, "ml", "asked", four, ""),
			code: "untolerated-taint", command: []string{"--patch-file"}},
		{name: "tolerations that are there already", ownerKind: "Deployment",
			others: taint(`key: dedicated, value: ml, effect: NoSchedule}, {key: nvidia.com/gpu, effect: NoSchedule`),
			pod:    pod(t, "ml", "asked", four, "tolerations: [{key: nvidia.com/gpu, operator: Exists, effect: NoSchedule}, {key: slow, operator: Exists, effect: NoExecute, tolerationSeconds: 60}],"),
			code:   "untolerated-taint", command: []string{"--patch-file"}},
		{name: "label that YAML takes for a truth", others: []*unstructured.Unstructured{node(t, "gpu-a", "", eight, `, nvidia.com/gpu.present: "true"`)},
			pod: pod(t, "ml", "asked", four, `nodeSelector: {nvidia.com/gpu.present: "True"},`), code: "node-selector-mismatch", command: []string{"--patch-file"}},
		{name: "memory too large", ownerKind: "StatefulSet", others: holders(four), pod: pod(t, "ml", "asked", four+", memory: 300Gi", ""),
			code: "insufficient-memory", command: []string{"--patch-file"}},
		{name: "cpu too large for a Job", ownerKind: "Job", others: holders(four), pod: pod(t, "ml", "asked", four+`, cpu: "40"`, ""),
			code: "insufficient-cpu", command: []string{"--patch-file"}},
		{name: "two pods in the way", others: holders(four, "holder-0", "holder-1"), pod: pod(t, "ml", "asked", `nvidia.com/gpu: "8"`, ""),
			code: "insufficient-gpus", command: []string{"kubectl delete pod -n research holder-0", "kubectl delete pod -n research holder-1"}},
		{name: "uncordon for a StatefulSet", ownerKind: "StatefulSet", others: []*unstructured.Unstructured{node(t, "gpu-a", cordon, eight, "")},
			pod: pod(t, "ml", "asked", four, ""), code: "cordoned", command: []string{"kubectl uncordon gpu-a"}},
		{name: "a pod in the way of a DaemonSet", ownerKind: "DaemonSet", others: holders(four, "holder"), pod: pod(t, "ml", "asked", `nvidia.com/gpu: "8"`, ""),
			code: "insufficient-gpus", command: []string{"kubectl delete pod -n research holder"}},
	}
}

// scene is the example as one to play.
func (e example) scene(t *testing.T) *pending.Scene {
	t.Helper()
	made := &pending.Scene{Namespace: "ml", Name: "asked", OwnerKind: e.ownerKind, Pod: e.pod}
	for _, name := range []string{"ml", "research"} {
		made.Others = append(made.Others, object(t, "{apiVersion: v1, kind: Namespace, metadata: {name: "+name+"}}"))
	}
	made.Others = append(made.Others, e.others...)
	return made
}

// TestExamples knows what is to be said, and proves that the fix works.
func TestExamples(t *testing.T) {
	for _, each := range examples(t) {
		t.Run(each.name, func(t *testing.T) {
			defer clearStage(t)
			ctx, scene := context.Background(), each.scene(t)
			waiting, answer := askAdmin(ctx, t, scene)
			if answer.Code != each.code {
				t.Errorf("code %s, want %s", answer.Code, each.code)
			}
			if said := pending.Refusal(waiting); answer.PredictedMessage != said {
				t.Errorf("we say: %s\nit says: %s", answer.PredictedMessage, said)
			}
			if answer.Scheduler == nil || answer.Scheduler.Agrees == nil || !*answer.Scheduler.Agrees {
				t.Errorf("scheduler %+v", answer.Scheduler)
			}
			if len(answer.Fixes) == 0 {
				t.Fatalf("no fix: %s; advice %+v", answer.Summary, answer.Advice)
			}
			fix := answer.Fixes[0]
			for _, text := range each.command {
				if !strings.Contains(fix.Command, text) {
					t.Errorf("no %q in the command of the first fix: %s", text, fix.Command)
				}
			}
			printed, err := program(t, cluster.Admin).Run(ctx, "why-pending", waiting.Namespace+"/"+waiting.Name, "-o", "patch")
			if err != nil || !strings.Contains(printed.Stdout, fix.Patch) {
				t.Errorf("-o patch: exit code %d, error %v, no patch of the first fix in:\n%s%s", printed.Code, err, printed.Stdout, printed.Stderr)
			}
			applies(ctx, t, fix, func() error { return shared.stage.Bound(ctx, scene) })
		})
	}
}

// TestHoldersOfDeployments ends a pod that is made anew at once, by an owner of the same priority or
// of a higher one: whatever is called a fix has to leave the place to the pod that was asked for.
func TestHoldersOfDeployments(t *testing.T) {
	for name, class := range map[string]string{"same priority": "", "higher priority": "priorityClassName: important,", "lower priority": "priorityClassName: never,"} {
		t.Run(name, func(t *testing.T) {
			defer clearStage(t)
			ctx := context.Background()
			e := example{pod: pod(t, "ml", "asked", `nvidia.com/gpu: "4"`, "priorityClassName: polite,"), others: []*unstructured.Unstructured{
				node(t, "gpu-a", "", eight, ""),
				object(t, "{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: polite}, value: 0, preemptionPolicy: Never}"),
				object(t, "{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: important}, value: 1000}"),
				object(t, "{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: never}, value: -10}"),
				object(t, `{apiVersion: apps/v1, kind: Deployment, metadata: {name: holder, namespace: research}, spec: {replicas: 1,
  selector: {matchLabels: {app: holder}}, template: {metadata: {labels: {app: holder}}, spec: {`+class+`
  containers: [{name: main, image: none, resources: {limits: {nvidia.com/gpu: "6"}}}]}}}}`)}}
			scene := e.scene(t)
			_, answer := askAdmin(ctx, t, scene)
			if answer.Code != "insufficient-gpus" {
				t.Errorf("code %s, want insufficient-gpus", answer.Code)
			}
			if len(answer.Fixes) == 0 {
				t.Logf("no fix: advice %+v", answer.Advice)
				return
			}
			fix := answer.Fixes[0]
			applies(ctx, t, fix, func() error { return shared.stage.Bound(ctx, scene) })
		})
	}
}

// TestNoNodes asks in a cluster without any node.
func TestNoNodes(t *testing.T) {
	defer clearStage(t)
	ctx := context.Background()
	e := example{pod: pod(t, "ml", "asked", eight, "")}
	waiting, answer := askAdmin(ctx, t, e.scene(t))
	if said := pending.Refusal(waiting); answer.PredictedMessage != said || answer.Code == "not-modelled" || len(answer.Fixes) > 0 {
		t.Errorf("code %s, fixes %+v\n  we say: %s\n it says: %s", answer.Code, answer.Fixes, answer.PredictedMessage, said)
	}
}
