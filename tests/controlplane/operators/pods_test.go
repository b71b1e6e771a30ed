//go:build operators

package operators

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	core "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"kubectl-gpu/tests/controlplane/internal/cluster"
	"kubectl-gpu/tests/controlplane/internal/scenario"
)

// wanted is what shall come of one manifest.
type wanted struct {
	line   string // the words behind `kubectl gpu gen`
	pods   int    // with GPUs
	gpus   int64  // of each of them
	others int    // pods without GPUs: heads, launchers
	shm    string // size of /dev/shm; empty: whatever the controller makes of it
	stays  bool   // pods that would succeed at once, and so end what shall be looked at, run on
	on     string // what names of their nodes start with; empty: h100-
	also   func(ctx context.Context, t *testing.T, namespace string)
}

const image = " --image ghcr.io/acme/train:1.4"

var table = map[string]wanted{
	"inferenceservice": {line: "inferenceservice llm --model hf://Qwen/Qwen2.5-7B-Instruct --gpus 2 --gpu-model H100", pods: 1, gpus: 2},
	"inferenceservice-replicas": {line: "inferenceservice net --preset triton --model gs://acme/net --replicas 3 --shm 2Gi",
		pods: 3, gpus: 1, shm: "2Gi"},
	"inferenceservice-scaled": {line: "inferenceservice net --preset tensorflow --model s3://acme/net --min-replicas 1 --max-replicas 4 --shm 1Gi",
		pods: 1, gpus: 1, shm: "1Gi"},
	"inferenceservice-custom": {line: "inferenceservice own --preset custom --image ghcr.io/acme/serve:2 --shm 4Gi -- serve --port 8080",
		pods: 1, gpus: 1, shm: "4Gi"},
	"job": {line: "job train" + image + " --gpus 4 --shm 16Gi -- train.py", pods: 1, gpus: 4, shm: "16Gi", also: jobCompletes},
	"job-nodes": {line: "job train" + image + " --nodes 2 --gpus 8 --shm 32Gi -- train.py", pods: 2, gpus: 8, shm: "32Gi",
		stays: true, also: ranksHaveNames},
	"deployment": {line: "deployment llm --model Qwen/Qwen2.5-7B-Instruct --gpus 2 --shm 8Gi", pods: 1, gpus: 2, shm: "8Gi"},
	"deployment-replicas": {line: "deployment llm --preset tgi --model Qwen/Qwen2.5-7B-Instruct --replicas 3 --shm 8Gi",
		pods: 3, gpus: 1, shm: "8Gi"},
	"jobset":     {line: "jobset train" + image + " --nodes 2 --gpus 8 --shm 32Gi -- torchrun train.py", pods: 2, gpus: 8, shm: "32Gi"},
	"jobset-one": {line: "jobset train" + image + " --gpus 4 --shm 16Gi -- train.py", pods: 1, gpus: 4, shm: "16Gi"},
	"leaderworkerset": {line: "leaderworkerset big --model deepseek-ai/DeepSeek-R1 --nodes 2 --gpus 8 --shm 32Gi",
		pods: 2, gpus: 8, shm: "32Gi"},
	"leaderworkerset-replicas": {line: "leaderworkerset big --model deepseek-ai/DeepSeek-R1 --nodes 2 --gpus 8 --replicas 2 --shm 32Gi",
		pods: 4, gpus: 8, shm: "32Gi"},
	"rayjob":     {line: "rayjob train --gpus 2 --shm 8Gi -- python train.py", pods: 1, gpus: 2, others: 1, shm: "8Gi"},
	"raycluster": {line: "raycluster work --nodes 2 --gpus 2 --shm 8Gi", pods: 2, gpus: 2, others: 1, shm: "8Gi"},
	"rayservice": {line: "rayservice llm --gpus 1 --shm 8Gi -- serve:app", pods: 1, gpus: 1, others: 1, shm: "8Gi"},
	// The launcher ends at once, and then its workers are removed.
	"mpijob": {line: "mpijob reduce" + image + " --nodes 2 --gpus 8 --shm 32Gi -- mpirun -np 16 python train.py",
		pods: 2, gpus: 8, others: 1, shm: "32Gi", stays: true},
	"pytorchjob":     {line: "pytorchjob train" + image + " --nodes 2 --gpus 8 --shm 32Gi -- torchrun train.py", pods: 2, gpus: 8, shm: "32Gi"},
	"pytorchjob-one": {line: "pytorchjob train" + image + " --gpus 2 --shm 8Gi -- train.py", pods: 1, gpus: 2, shm: "8Gi"},
	"tfjob":          {line: "tfjob train" + image + " --nodes 2 --gpus 4 --shm 16Gi -- python train.py", pods: 2, gpus: 4, shm: "16Gi"},
	"trainjob":       {line: "trainjob train" + image + " --nodes 2 --gpus 8 --shm 32Gi -- torchrun train.py", pods: 2, gpus: 8, shm: "32Gi"},
	"trainjob-one":   {line: "trainjob train" + image + " --gpus 1 --shm 4Gi -- train.py", pods: 1, gpus: 1, shm: "4Gi"},
}

// knownWarnings are events that say nothing against a manifest.
var knownWarnings = []*regexp.Regexp{
	// The pod is a moment older than the binding of its claim to the volume.
	regexp.MustCompile(`^FailedScheduling: .*unbound immediate PersistentVolumeClaims`),
	regexp.MustCompile(`^FailedScheduling: .*didn't find available persistent volumes to bind`),
	// Here the test plays the driver, and may bind a claim while the scheduler looks at it; it tries again.
	regexp.MustCompile(`^FailedScheduling: running Reserve plugin "VolumeBinding": .* is out of sync`),
	// LeaderWorkerSet says so once and tries again; the pods stand two seconds later.
	regexp.MustCompile(`^FailedCreate: Failed to create worker statefulset for leader pod`),
	// No metrics server runs here.
	regexp.MustCompile(`^(FailedGetResourceMetric|FailedComputeMetricsReplicas): `),
	// The controller read an object a moment before it was written; it tries again.
	regexp.MustCompile(`the object has been modified; please apply your changes to the latest version`),
}

func TestPods(t *testing.T) {
	for name, want := range table {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 4*time.Minute)
			defer cancel()
			if err := scenario.CreateNamespace(ctx, client, name); err != nil {
				t.Fatal(err)
			}
			defer remove(t, name)
			manifest, said := generated(t, want.line+" ", name)
			// Of several pods that share a claim which is not bound yet, only the first is judged.
			if !regexp.MustCompile(`(?m)^note: (it|both pods|all \d+ pods|.* the first of \d+ pods) would start`).MatchString(said) {
				t.Errorf("gen does not say that it would start:\n%s", said)
			}
			if want.stays {
				manifest = staying(t, manifest)
			}
			began := time.Now()
			if out, err := run(ctx, manifest, "apply", "--server-side", "-f", "-"); err != nil {
				t.Fatalf("%v\n%s", err, manifest)
			} else if strings.Contains(out, "Warning") {
				t.Error(out)
			}
			bindClaims(ctx, t, name)
			want.stand(ctx, t, name, manifest)
			want.checkCost(ctx, t, name)
			t.Logf("%d pods with GPUs and %d without after %.1f s", want.pods, want.others, time.Since(began).Seconds())
			if want.also != nil {
				want.also(ctx, t, name)
			}
			checkEvents(ctx, t, name)
		})
	}
}

// program is the one under test.
func program(t *testing.T) string {
	t.Helper()
	path, ok := os.LookupEnv("KUBECTL_GPU_BIN")
	if !ok {
		t.Fatal("KUBECTL_GPU_BIN is not set")
	}
	return path
}

// whyPending is what `why-pending` answers about one pod.
func whyPending(ctx context.Context, t *testing.T, namespace, pod string) string {
	t.Helper()
	out, err := exec.CommandContext(ctx, program(t), "why-pending", pod, "-n", namespace, "-o", "json",
		"--kubeconfig", shared.Kubeconfig(cluster.Admin)).Output()
	// It ends with 1 where something is wrong.
	if exit := (*exec.ExitError)(nil); err != nil && !(errors.As(err, &exit) && exit.ExitCode() == 1) {
		t.Fatal(err)
	}
	return string(out)
}

// generated is what gen prints, fitted to this cluster, and what it says on stderr.
func generated(t *testing.T, line, namespace string) (manifest []byte, said string) {
	t.Helper()
	script := filepath.Join(t.TempDir(), "train.py")
	if err := os.WriteFile(script, []byte("print('on')\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	// Flags come before "--", behind which the command stands.
	words, command, _ := strings.Cut(line, "-- ")
	if strings.HasPrefix(command, "-") || strings.HasSuffix(words, "  ") {
		t.Fatalf("the case is not understood: %s", line)
	}
	flags := fmt.Sprintf("--kubeconfig %q -n %s", shared.Kubeconfig(cluster.Admin), namespace)
	ran := exec.Command("sh", "-c", fmt.Sprintf("exec %q gen %s %s", program(t), words, flags))
	if command != "" {
		ran.Args[2] += " -- " + command
	}
	ran.Env = append(os.Environ(), "SCRIPT="+script)
	var stderr strings.Builder
	ran.Stderr = &stderr
	out, err := ran.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s", ran.Args[2], err, stderr.String())
	}
	return out, stderr.String()
}

// staying annotates every pod template for KWOK.
func staying(t *testing.T, manifest []byte) []byte {
	t.Helper()
	var all []string
	for _, each := range strings.Split(string(manifest), "\n---\n") {
		var object map[string]any
		if err := yaml.Unmarshal([]byte(each), &object); err != nil {
			t.Fatal(err)
		}
		annotateTemplates(object)
		text, err := yaml.Marshal(object)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, string(text))
	}
	return []byte(strings.Join(all, "---\n"))
}

func annotateTemplates(node any) {
	switch value := node.(type) {
	case []any:
		for _, each := range value {
			annotateTemplates(each)
		}
	case map[string]any:
		if _, has, _ := unstructured.NestedSlice(value, "spec", "containers"); has {
			_ = unstructured.SetNestedField(value, "run", "metadata", "annotations", "kubectl-gpu.test/behaviour")
		}
		for _, each := range value {
			annotateTemplates(each)
		}
	}
}

// bindClaims gives every claim a volume, as a storage driver would.
func bindClaims(ctx context.Context, t *testing.T, namespace string) {
	t.Helper()
	claims, err := client.CoreV1().PersistentVolumeClaims(namespace).List(ctx, v1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, claim := range claims.Items {
		volume := &core.PersistentVolume{ObjectMeta: v1.ObjectMeta{Name: namespace + "-" + claim.Name},
			Spec: core.PersistentVolumeSpec{
				Capacity:         core.ResourceList{core.ResourceStorage: claim.Spec.Resources.Requests[core.ResourceStorage]},
				AccessModes:      claim.Spec.AccessModes,
				StorageClassName: textOf(claim.Spec.StorageClassName),
				ClaimRef:         &core.ObjectReference{Kind: "PersistentVolumeClaim", Namespace: namespace, Name: claim.Name},
				PersistentVolumeSource: core.PersistentVolumeSource{
					HostPath: &core.HostPathVolumeSource{Path: "/tmp/" + claim.Name}}}}
		if _, err := client.CoreV1().PersistentVolumes().Create(ctx, volume, v1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
	}
}

// textOf is the text behind a pointer; empty where there is none.
func textOf(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}

// stand waits until exactly the pods that are wanted run or have succeeded, and looks at each.
func (w wanted) stand(ctx context.Context, t *testing.T, namespace string, manifest []byte) {
	t.Helper()
	var seen []core.Pod
	err := cluster.Poll(ctx, time.Minute, "the pods", func(ctx context.Context) (bool, error) {
		list, err := client.CoreV1().Pods(namespace).List(ctx, v1.ListOptions{})
		if err != nil {
			return false, err
		}
		seen = list.Items
		holding, others := 0, 0
		for _, pod := range seen {
			stands := pod.Spec.NodeName != "" && (pod.Status.Phase == core.PodRunning || pod.Status.Phase == core.PodSucceeded)
			switch {
			case stands && gpusOf(&pod) > 0:
				holding++
			case stands:
				others++
			}
		}
		if holding != w.pods || others < w.others {
			return false, fmt.Errorf("%d pods with GPUs stand, and %d without; wanted are %d and %d", holding, others, w.pods, w.others)
		}
		return true, nil
	})
	if err != nil {
		said, _ := run(context.WithoutCancel(ctx), nil, "get", "pods,events", "-n", namespace, "-o", "wide")
		t.Fatalf("%v\n%s\n%s", err, said, manifest)
	}
	for i := range seen {
		if gpusOf(&seen[i]) > 0 {
			w.checkPod(t, &seen[i])
		}
	}
}

func gpusOf(pod *core.Pod) int64 {
	sum := int64(0)
	for _, container := range pod.Spec.Containers {
		amount := container.Resources.Limits["nvidia.com/gpu"]
		sum += amount.Value()
	}
	return sum
}

func (w wanted) checkPod(t *testing.T, pod *core.Pod) {
	t.Helper()
	t.Logf("%s %s on %s", pod.Name, pod.Status.Phase, pod.Spec.NodeName)
	if !strings.HasPrefix(pod.Spec.NodeName, cmp.Or(w.on, "h100-")) {
		t.Errorf("%s stands on %s", pod.Name, pod.Spec.NodeName)
	}
	if has := gpusOf(pod); has != w.gpus {
		t.Errorf("%s has %d GPUs, wanted are %d", pod.Name, has, w.gpus)
	}
	tolerates := false
	for _, each := range pod.Spec.Tolerations {
		tolerates = tolerates || each.Key == "nvidia.com/gpu"
	}
	if !tolerates {
		t.Errorf("%s does not tolerate nvidia.com/gpu: %+v", pod.Name, pod.Spec.Tolerations)
	}
	if is := shmOf(pod); w.shm != "" && (is == nil || is.Cmp(resource.MustParse(w.shm)) != 0) {
		t.Errorf("%s has a /dev/shm of %v, wanted is %s", pod.Name, is, w.shm)
	}
}

// shmOf is the size of the memory that is mounted at /dev/shm of a container with GPUs.
func shmOf(pod *core.Pod) *resource.Quantity {
	for _, container := range pod.Spec.Containers {
		if _, has := container.Resources.Limits["nvidia.com/gpu"]; !has {
			continue
		}
		for _, mount := range container.VolumeMounts {
			if mount.MountPath != "/dev/shm" {
				continue
			}
			for _, volume := range pod.Spec.Volumes {
				if volume.Name == mount.Name && volume.EmptyDir != nil && volume.EmptyDir.Medium == core.StorageMediumMemory {
					return volume.EmptyDir.SizeLimit
				}
			}
		}
	}
	return nil
}

func checkEvents(ctx context.Context, t *testing.T, namespace string) {
	t.Helper()
	events, err := client.CoreV1().Events(namespace).List(ctx, v1.ListOptions{FieldSelector: "type=Warning"})
	if err != nil {
		t.Fatal(err)
	}
	for _, event := range events.Items {
		text := event.Reason + ": " + event.Message
		known := false
		for _, each := range knownWarnings {
			known = known || each.MatchString(text)
		}
		if !known {
			t.Errorf("%s %s: %s", event.InvolvedObject.Kind, event.InvolvedObject.Name, text)
		}
	}
}

// jobCompletes: pods of a Job succeed at once here.
func jobCompletes(ctx context.Context, t *testing.T, namespace string) {
	t.Helper()
	if _, err := run(ctx, nil, "wait", "--for=condition=Complete", "--timeout=30s", "-n", namespace, "job", "--all"); err != nil {
		t.Error(err)
	}
}

// ranksHaveNames: a pod has a name in DNS if an EndpointSlice of the Service carries it.
func ranksHaveNames(ctx context.Context, t *testing.T, namespace string) {
	t.Helper()
	err := cluster.Poll(ctx, 30*time.Second, "a name for every rank", func(ctx context.Context) (bool, error) {
		slices, err := client.DiscoveryV1().EndpointSlices(namespace).List(ctx, v1.ListOptions{
			LabelSelector: "kubernetes.io/service-name=train-nodes"})
		if err != nil {
			return false, err
		}
		names := map[string]bool{}
		for _, slice := range slices.Items {
			for _, endpoint := range slice.Endpoints {
				if endpoint.Hostname != nil {
					names[*endpoint.Hostname] = true
				}
			}
		}
		if !names["train-0"] || !names["train-1"] || len(names) != 2 {
			return false, fmt.Errorf("there are %v", names)
		}
		return true, nil
	})
	if err != nil {
		t.Error(err)
	}
}

// remove deletes the namespace and waits until its pods hold no GPU that the next test needs.
func remove(t *testing.T, namespace string) {
	ctx, cancel := context.WithTimeout(context.Background(), 90*time.Second)
	defer cancel()
	if _, err := run(ctx, nil, "delete", "jobs.batch", "--all", "-n", namespace, "--wait=false"); err != nil {
		t.Error(err)
	}
	if _, err := run(ctx, nil, "delete", "namespace", namespace, "--wait=false"); err != nil {
		t.Error(err)
	}
	// Their grace is minutes, as gen writes it for a checkpoint.
	if _, err := run(ctx, nil, "delete", "pods", "--all", "-n", namespace, "--grace-period=0", "--force"); err != nil {
		t.Error(err)
	}
	err := cluster.Poll(ctx, 80*time.Second, "an empty namespace", func(ctx context.Context) (bool, error) {
		list, err := client.CoreV1().Pods(namespace).List(ctx, v1.ListOptions{})
		return err == nil && len(list.Items) == 0, err
	})
	if err != nil {
		t.Error(err)
	}
}
