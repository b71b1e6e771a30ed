package kueue

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kubectl-gpu/tests/controlplane/internal/cluster"
)

// generatedKind is a kind that gen prints with --queue, beside Job.
type generatedKind struct {
	kind    string
	words   string
	suspend string // the field by which Kueue holds it; empty: it holds the pods, by a gate
}

var generatedKinds = []generatedKind{
	{"Pod", "", ""},
	{"Deployment", "--model Qwen/Qwen2.5-7B-Instruct", ""},
	{"JobSet", image + "--nodes 2 -- torchrun train.py", "spec.suspend"},
	{"PyTorchJob", image + "--nodes 2 -- torchrun train.py", "spec.runPolicy.suspend"},
	{"TFJob", image + "--nodes 2 -- python train.py", "spec.runPolicy.suspend"},
	{"MPIJob", image + "--nodes 2 -- mpirun -np 2 python train.py", "spec.runPolicy.suspend"},
	{"RayCluster", "--nodes 2", "spec.suspend"},
	{"RayJob", "-- python train.py", "spec.suspend"},
}

// volumes has room for what a Deployment keeps its models in.
const volumes = `
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: made, annotations: {storageclass.kubernetes.io/is-default-class: "true"}}
provisioner: kubernetes.io/no-provisioner
volumeBindingMode: WaitForFirstConsumer
---
apiVersion: v1
kind: PersistentVolume
metadata: {name: made}
spec: {storageClassName: made, capacity: {storage: 1Ti}, accessModes: [ReadWriteOnce, ReadWriteMany], hostPath: {path: /tmp/made}}
`

// TestGeneratedKinds: Kueue admits each kind where the queue has enough, and holds it where it has not.
func TestGeneratedKinds(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	objects, err := documents(volumes)
	if err != nil {
		t.Fatal(err)
	}
	defer remove(t, objects...)
	if err := create(ctx, client, objects...); err != nil {
		t.Fatal(err)
	}
	makeQueue(ctx, t, 1, "gen-wide", "--gpu-model", "B200", "--gpus", "32")
	// Kueue says of any resource that there is not enough, so that the others are.
	makeQueue(ctx, t, 1, "gen-narrow", "--gpu-model", "B200", "--gpus", "1", "--cpu", "64", "--memory", "256Gi")
	for _, each := range generatedKinds {
		t.Run(each.kind, func(t *testing.T) {
			each.check(ctx, t, "gen-wide", 1, "True", "")
			each.check(ctx, t, "gen-narrow", 2, "False", "insufficient quota for nvidia.com/gpu in flavor gen-narrow-b200-180g")
		})
	}
}

// check makes one that asks the queue for GPUs. Its Workload's condition QuotaReserved shall become
// what is wanted, and gen and Kueue shall say so.
func (g generatedKind) check(ctx context.Context, t *testing.T, queue string, gpus int, wanted, waits string) {
	t.Helper()
	word := strings.ToLower(g.kind)
	name := queue + "-" + word
	flags, command, _ := strings.Cut(g.words, "-- ")
	words := append(strings.Fields(fmt.Sprintf("%s --queue %s --gpus %d", flags, queue, gpus)), "--")
	objects, said := made(t, word, append(append([]string{name}, words...), strings.Fields(command)...)...)
	if !strings.Contains(said, waits) || strings.Contains(said, "would wait") != (waits != "") {
		t.Errorf("gen says:\n%s", said)
	}
	defer remove(t, objects...)
	if err := create(ctx, client, objects...); err != nil {
		t.Fatal(err)
	}
	workload, err := waitFor(ctx, name, "QuotaReserved", wanted)
	if err != nil {
		t.Fatal(err)
	}
	if kueue := conditionOf(workload, "QuotaReserved").Message; !strings.Contains(kueue, waits) {
		t.Errorf("Kueue says %q, not %q", kueue, waits)
	}
	if err := g.waitHeld(ctx, t, name, wanted == "False"); err != nil {
		t.Error(err)
	}
}

// waitHeld waits until Kueue holds it, or has let it go.
func (g generatedKind) waitHeld(ctx context.Context, t *testing.T, name string, wanted bool) error {
	return cluster.Poll(ctx, 30*time.Second, fmt.Sprintf("%s is held: %t", name, wanted), func(ctx context.Context) (bool, error) {
		if g.suspend == "" {
			pods := podsOf(ctx, t, "app.kubernetes.io/name="+name)
			return len(pods) == 1 && (pods[0].Spec.NodeName == "") == wanted, nil
		}
		object, err := client.Resource(kinds[g.kind]).Namespace(team).Get(ctx, name, v1.GetOptions{})
		if err != nil {
			return false, err
		}
		is, _, err := unstructured.NestedBool(object.Object, strings.Split(g.suspend, ".")...)
		return is == wanted, err
	})
}
