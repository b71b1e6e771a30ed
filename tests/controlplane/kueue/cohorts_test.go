package kueue

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"

	amounts "k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kubectl-gpu/tests/controlplane/internal/cluster"
)

// forest is random queues in trees of cohorts: some cohorts are only a name that queues share,
// others have quota, limits and a parent.
type forest struct {
	random *rand.Rand
	queues []string
	held   map[string]int // GPUs that are reserved, by ClusterQueue
}

func (f *forest) maybe(of int) bool { return f.random.IntN(of) == 0 }

// groups is spec.resourceGroups, of one flavor or both. Limits are only allowed below something.
func (f *forest) groups(most int, isBelow bool) []any {
	var flavors []any
	for _, name := range [][]string{{"tree-b200"}, {"tree-b300"}, {"tree-b200", "tree-b300"}}[f.random.IntN(3)] {
		quota := f.random.IntN(most + 1)
		each := map[string]any{"name": "nvidia.com/gpu", "nominalQuota": strconv.Itoa(quota)}
		if isBelow && f.maybe(2) {
			each["borrowingLimit"] = strconv.Itoa(f.random.IntN(6))
		}
		if isBelow && f.maybe(2) {
			each["lendingLimit"] = strconv.Itoa(f.random.IntN(quota + 1))
		}
		flavors = append(flavors, map[string]any{"name": name, "resources": []any{each}})
	}
	return []any{map[string]any{"coveredResources": []any{"nvidia.com/gpu"}, "flavors": flavors}}
}

func (f *forest) object(kind, name string, spec map[string]any) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": kind,
		"metadata": map[string]any{"name": name}, "spec": spec}}
}

func (f *forest) create(ctx context.Context) error {
	// "leaf-b" is only a name, below nothing.
	parents := map[string]string{"root": "", "branch": "root", "leaf-a": "branch"}
	for _, name := range []string{"root", "branch", "leaf-a"} {
		spec := map[string]any{}
		if parents[name] != "" {
			spec["parentName"] = parents[name]
		}
		if f.maybe(2) {
			spec["resourceGroups"] = f.groups(4, parents[name] != "")
		}
		if err := create(ctx, client, f.object("Cohort", name, spec)); err != nil {
			return err
		}
	}
	cohorts := []string{"", "root", "branch", "branch", "leaf-a", "leaf-a", "leaf-b", "leaf-b"}
	for i, cohort := range cohorts {
		name := fmt.Sprintf("tree-%d", i)
		f.queues = append(f.queues, name)
		spec := map[string]any{"namespaceSelector": map[string]any{}, "resourceGroups": f.groups(8, cohort != "")}
		if cohort != "" {
			spec["cohortName"] = cohort
		}
		if f.maybe(2) {
			spec["flavorFungibility"] = map[string]any{"whenCanBorrow": "TryNextFlavor"}
		}
		if err := create(ctx, client, f.object("ClusterQueue", name, spec), localQueue(name, name)); err != nil {
			return err
		}
	}
	return nil
}

// written waits until Kueue has written down all that is reserved of a queue.
func (f *forest) written(ctx context.Context, t *testing.T, queue string) {
	t.Helper()
	err := cluster.Poll(ctx, 40*time.Second, "what is reserved of "+queue, func(ctx context.Context) (bool, error) {
		object, err := client.Resource(kinds["ClusterQueue"]).Get(ctx, queue, v1.GetOptions{})
		if err != nil {
			return false, err
		}
		flavors, _, _ := unstructured.NestedSlice(object.Object, "status", "flavorsReservation")
		sum, is := int64(0), conditionOf(object, "Active").Status == "True" && len(flavors) > 0
		for _, flavor := range flavors {
			listed, _, _ := unstructured.NestedSlice(flavor.(map[string]any), "resources")
			for _, amount := range listed {
				total, err := amounts.ParseQuantity(fmt.Sprint(amount.(map[string]any)["total"]))
				if err != nil {
					return false, err
				}
				sum += total.Value()
			}
		}
		return is && sum == int64(f.held[queue]), nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// place asks what would become of a Job, makes it, and compares with what Kueue does.
func (f *forest) place(ctx context.Context, t *testing.T, number int) (isAdmitted bool) {
	queue := f.queues[f.random.IntN(len(f.queues))]
	job := asked{name: fmt.Sprintf("in-tree-%d", number), queue: queue, pods: 1 + f.random.IntN(2), gpus: 1 + f.random.IntN(4)}
	if f.maybe(4) {
		job.pool = []string{"b200", "b300"}[f.random.IntN(2)]
	}
	planned := askFile(t, job)
	if err := create(ctx, client, job.object()); err != nil {
		t.Fatal(err)
	}
	said := f.word(ctx, t, job.name)
	isHeld := planned.Code == "held-by-queue"
	if isHeld == (said.Status == "True") {
		t.Errorf("%+v: we say %s: %s\nKueue says %s: %s", job, planned.Code, planned.Summary, said.Status, said.Message)
	}
	for _, what := range planned.NotChecked {
		if strings.HasPrefix(what, "of ClusterQueue") && !strings.Contains(what, "preempt") {
			t.Errorf("%+v: not checked: %s", job, what)
		}
	}
	if said.Status == "True" {
		f.held[queue] += job.pods * job.gpus
		f.written(ctx, t, queue)
		return true
	}
	why := strings.TrimPrefix(planned.Summary, "Kueue would hold it back: ")
	if isHeld && !strings.Contains(said.Message, why) {
		t.Errorf("%+v: we say %q\nKueue says %q", job, why, said.Message)
	}
	policy := v1.DeletePropagationBackground
	if err := client.Resource(kinds["Job"]).Namespace(team).Delete(ctx, job.name, v1.DeleteOptions{PropagationPolicy: &policy}); err != nil {
		t.Fatal(err)
	}
	return false
}

// word is what Kueue says of a Job's quota, whatever it is.
func (f *forest) word(ctx context.Context, t *testing.T, name string) (said condition) {
	t.Helper()
	err := cluster.Poll(ctx, 40*time.Second, "Kueue's word on "+name, func(ctx context.Context) (bool, error) {
		workload, err := workloadOf(ctx, name)
		if err != nil || workload == nil {
			return false, err
		}
		said = conditionOf(workload, "QuotaReserved")
		return said.Status != "", nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return said
}

// Kueue's arithmetic of cohorts, limits and flavors is told before anything is made.
func TestGeneratedCohorts(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 6*time.Minute)
	defer cancel()
	for _, pool := range []string{"b200", "b300"} {
		spec := map[string]any{"nodeLabels": map[string]any{"pool": pool}}
		if err := create(ctx, client, (&forest{}).object("ResourceFlavor", "tree-"+pool, spec)); err != nil {
			t.Fatal(err)
		}
	}
	for seed := range uint64(4) {
		t.Run(fmt.Sprintf("seed-%d", seed), func(t *testing.T) {
			grown := &forest{random: rand.New(rand.NewPCG(seed, 1)), held: map[string]int{}}
			if err := grown.create(ctx); err != nil {
				t.Fatal(err)
			}
			defer grown.fell(t)
			for _, queue := range grown.queues {
				grown.written(ctx, t, queue)
			}
			admitted := 0
			for number := range 20 {
				if grown.place(ctx, t, int(seed)*100+number) {
					admitted++
				}
			}
			t.Logf("%d of 20 were admitted", admitted)
			if admitted == 0 || admitted == 20 {
				t.Errorf("%d of 20 were admitted: this tests nothing", admitted)
			}
		})
	}
}

// fell deletes everything, so that the next forest grows on bare ground.
func (f *forest) fell(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	policy := v1.DeletePropagationBackground
	gone := v1.DeleteOptions{PropagationPolicy: &policy}
	jobs, err := client.Resource(kinds["Job"]).Namespace(team).List(ctx, v1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, job := range jobs.Items {
		if strings.HasPrefix(job.GetName(), "in-tree-") {
			_ = client.Resource(kinds["Job"]).Namespace(team).Delete(ctx, job.GetName(), gone)
		}
	}
	for _, queue := range f.queues {
		_ = client.Resource(kinds["LocalQueue"]).Namespace(team).Delete(ctx, queue, gone)
		_ = client.Resource(kinds["ClusterQueue"]).Delete(ctx, queue, gone)
	}
	for _, cohort := range []string{"root", "branch", "leaf-a"} {
		_ = client.Resource(kinds["Cohort"]).Delete(ctx, cohort, gone)
	}
	err = cluster.Poll(ctx, 90*time.Second, "an empty forest", func(ctx context.Context) (bool, error) {
		for _, kind := range []string{"ClusterQueue", "Cohort"} {
			list, err := client.Resource(kinds[kind]).List(ctx, v1.ListOptions{})
			if err != nil {
				return false, err
			}
			for _, each := range list.Items {
				if kind == "Cohort" || strings.HasPrefix(each.GetName(), "tree-") {
					return false, nil
				}
			}
		}
		return true, nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
