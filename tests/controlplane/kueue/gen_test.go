package kueue

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	core "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"kubectl-gpu/tests/controlplane/internal/cluster"
	"kubectl-gpu/tests/controlplane/internal/queueing"
)

// made are the objects of a kind that gen prints, fitted to this cluster, and what it says on stderr.
func made(t *testing.T, kind string, words ...string) ([]*unstructured.Unstructured, string) {
	t.Helper()
	out, said, code := gpu(t, append([]string{"gen", kind, "-n", team}, words...)...)
	if code != 0 {
		t.Fatalf("gen %s %s: exit %d: %s", kind, strings.Join(words, " "), code, said)
	}
	objects, err := documents(out)
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return objects, said
}

// makeQueue has Kueue take what `gen queue` prints, and waits until both queues are active.
func makeQueue(ctx context.Context, t *testing.T, flavors int, words ...string) {
	t.Helper()
	objects, _ := made(t, "queue", words...)
	if len(objects) != flavors+2 {
		t.Errorf("gen queue printed %d objects, wanted are %d", len(objects), flavors+2)
	}
	t.Cleanup(func() { remove(t, objects...) })
	if err := create(ctx, client, objects...); err != nil {
		t.Fatal(err)
	}
	for _, each := range objects[flavors:] {
		api, err := queueing.API(client, each)
		if err != nil {
			t.Fatal(err)
		}
		err = cluster.Poll(ctx, 30*time.Second, each.GetKind()+" is active", func(ctx context.Context) (bool, error) {
			seen, err := api.Get(ctx, each.GetName(), v1.GetOptions{})
			if err != nil {
				return false, err
			}
			active := conditionOf(seen, "Active")
			if active.Status != "True" {
				return false, fmt.Errorf("it is %+v", active)
			}
			return true, nil
		})
		if err != nil {
			t.Error(err)
		}
	}
}

// remove deletes objects, with all that is theirs.
func remove(t *testing.T, objects ...*unstructured.Unstructured) {
	t.Helper()
	background := v1.DeletePropagationBackground
	for _, each := range objects {
		api, err := queueing.API(client, each)
		if err == nil {
			err = api.Delete(context.Background(), each.GetName(), v1.DeleteOptions{PropagationPolicy: &background})
		}
		if err != nil {
			t.Error(err)
		}
	}
}

// generated is what shall come of a Job that gen prints with --queue.
type generated struct {
	name  string
	words string
	pods  int
	pool  string // where they shall be
	waits string // what gen and Kueue both say of it; it is not admitted then
}

var generatedJobs = []generated{
	{name: "gen-one", words: "--queue gen-b200 --gpus 4", pods: 1, pool: "b200"},
	{name: "gen-nodes", words: "--queue gen-b200 --gpus 2 --nodes 2", pods: 2, pool: "b200"},
	{name: "gen-waits", words: "--queue gen-b200 --gpus 4", waits: "insufficient unused quota for "},
	{name: "gen-huge", words: "--queue gen-b200 --gpus 16", waits: "insufficient quota for "},
	{name: "gen-second", words: "--queue gen-all --gpus 2 --gpu-model B300", pods: 1, pool: "b300"},
	{name: "gen-other", words: "--queue gen-b200 --gpus 1 --gpu-model B300", waits: "flavor gen-b200-b200-180g doesn't match node affinity"},
}

const image = "--image ghcr.io/acme/train:1.4 "

// TestGenerated: Kueue takes the queues that gen prints, admits the Jobs of which gen says that they
// would start, and holds those of which it says that they would wait.
func TestGenerated(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	makeQueue(ctx, t, 1, "gen-b200", "--gpu-model", "B200", "--gpus", "8")
	makeQueue(ctx, t, 2, "gen-all")
	for _, each := range generatedJobs {
		t.Run(each.name, func(t *testing.T) { each.check(ctx, t) })
	}
	t.Run("room", func(t *testing.T) { checkRoom(ctx, t) })
	for _, each := range generatedJobs {
		if each.name != "gen-one" {
			remove(t, asked{name: each.name}.object())
		}
	}
}

func (g generated) check(ctx context.Context, t *testing.T) {
	words := append([]string{g.name}, strings.Fields(image+g.words)...)
	// KWOK would have its pods succeed at once.
	if g.waits != "" {
		counted(ctx, t, "gen-b200", "8")
	}
	objects, said := made(t, "job", append(words, "--set", `Job/spec.template.metadata.annotations["kubectl-gpu.test/behaviour"]=run`,
		"--", "python", "train.py")...)
	wanted := "note: "
	if g.waits != "" {
		wanted = "warning: it would wait today: "
	}
	if !strings.Contains(said, wanted) || !strings.Contains(said, g.waits) || strings.Contains(said, "would wait") != (g.waits != "") {
		t.Errorf("gen says:\n%s", said)
	}
	if err := create(ctx, client, objects...); err != nil {
		t.Fatal(err)
	}
	if g.waits != "" {
		workload, err := waitFor(ctx, g.name, "QuotaReserved", "False")
		if err != nil {
			t.Fatal(err)
		}
		if kueue := conditionOf(workload, "QuotaReserved").Message; !strings.Contains(kueue, g.waits) {
			t.Errorf("Kueue says %q, not %q", kueue, g.waits)
		}
		checkSuspended(ctx, t, g.name)
		return
	}
	began := time.Now()
	if _, err := waitFor(ctx, g.name, "Admitted", "True"); err != nil {
		t.Fatal(err)
	}
	g.checkPods(ctx, t)
	t.Logf("%d pods after %.1f s", g.pods, time.Since(began).Seconds())
}

func checkSuspended(ctx context.Context, t *testing.T, name string) {
	t.Helper()
	job, err := client.Resource(kinds["Job"]).Namespace(team).Get(ctx, name, v1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if suspended, _, _ := unstructured.NestedBool(job.Object, "spec", "suspend"); !suspended {
		t.Error("the Job is not suspended")
	}
	if pods := podsOf(ctx, t, "batch.kubernetes.io/job-name="+name); len(pods) != 0 {
		t.Errorf("it has %d pods", len(pods))
	}
}

func podsOf(ctx context.Context, t *testing.T, selector string) []core.Pod {
	t.Helper()
	list, err := client.Resource(kinds["Pod"]).Namespace(team).List(ctx, v1.ListOptions{LabelSelector: selector})
	if err != nil {
		t.Fatal(err)
	}
	pods := &core.PodList{}
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(list.UnstructuredContent(), pods); err != nil {
		t.Fatal(err)
	}
	return pods.Items
}

// checkPods waits until all pods are bound, to nodes of the flavor.
func (g generated) checkPods(ctx context.Context, t *testing.T) {
	t.Helper()
	err := cluster.Poll(ctx, 30*time.Second, "pods of "+g.name, func(ctx context.Context) (bool, error) {
		bound := 0
		for _, pod := range podsOf(ctx, t, "batch.kubernetes.io/job-name="+g.name) {
			if strings.HasPrefix(pod.Spec.NodeName, g.pool+"-") {
				bound++
			} else if pod.Spec.NodeName != "" {
				t.Errorf("%s is on %s", pod.Name, pod.Spec.NodeName)
			}
		}
		if bound != g.pods {
			return false, fmt.Errorf("%d are bound, wanted are %d", bound, g.pods)
		}
		return true, nil
	})
	if err != nil {
		t.Error(err)
	}
}

// checkRoom ends a Job, and the one that waited for its quota starts.
func checkRoom(ctx context.Context, t *testing.T) {
	remove(t, asked{name: "gen-one"}.object())
	if _, err := waitFor(ctx, "gen-waits", "Admitted", "True"); err != nil {
		t.Fatal(err)
	}
	generated{name: "gen-waits", pods: 1, pool: "b200"}.checkPods(ctx, t)
}
