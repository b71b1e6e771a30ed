package fit

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	apps "k8s.io/api/apps/v1"
	batch "k8s.io/api/batch/v1"
	core "k8s.io/api/core/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"

	"sigs.k8s.io/yaml"

	"kubectl-gpu/tests/controlplane/internal/cluster"
)

// fitList is what `fit -o json` prints.
type fitList struct {
	Items []struct {
		Namespace, Kind, Name string
		Pods                  int
		StartsMin, StartsMax  *int
		IsCertain             bool
		Places                []struct {
			Node string
			Pods int
		}
		Code, Summary *string
		MoreMin       *int
	}
	Summary struct {
		Pods                 int
		StartsMin, StartsMax *int
		AllStart             bool
		Runs                 int
	}
}

// asking is one object that is to be created, and how many pods it makes.
type asking struct {
	kind, name string
	pods       int
	object     any
	create     func(t *testing.T)
}

const mark = "kubectl-gpu.test/asked"

// asking is an object of a kind that makes so many pods of a template.
func (d dice) asking(number int, alike bool) asking {
	template := d.asked()
	if alike {
		even(&template.Spec)
	}
	made := asking{kind: d.word("Pod", "Job", "Deployment", "StatefulSet", "Job"), name: fmt.Sprintf("asked-%d", number), pods: d.between(1, 7)}
	if made.kind == "Pod" {
		made.pods = 1
	}
	template.Labels[mark] = made.name
	namespace := d.word(teams...)
	object := meta.ObjectMeta{Name: made.name, Namespace: namespace}
	selector := &meta.LabelSelector{MatchLabels: map[string]string{mark: made.name}}
	count := int32(made.pods)
	failed := func(t *testing.T, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	switch made.kind {
	case "Pod":
		pod := &core.Pod{TypeMeta: meta.TypeMeta{APIVersion: "v1", Kind: "Pod"}, ObjectMeta: object, Spec: template.Spec}
		pod.Labels, pod.Annotations = template.Labels, template.Annotations
		made.object = pod
		made.create = func(t *testing.T) {
			_, err := client.CoreV1().Pods(namespace).Create(t.Context(), pod, meta.CreateOptions{})
			failed(t, err)
		}
	case "Job":
		template.Spec.RestartPolicy = core.RestartPolicyNever
		job := &batch.Job{TypeMeta: meta.TypeMeta{APIVersion: "batch/v1", Kind: "Job"}, ObjectMeta: object,
			Spec: batch.JobSpec{Parallelism: &count, Completions: &count, Template: template}}
		made.object = job
		made.create = func(t *testing.T) {
			_, err := client.BatchV1().Jobs(namespace).Create(t.Context(), job, meta.CreateOptions{})
			failed(t, err)
		}
	case "Deployment":
		deployment := &apps.Deployment{TypeMeta: meta.TypeMeta{APIVersion: "apps/v1", Kind: "Deployment"}, ObjectMeta: object,
			Spec: apps.DeploymentSpec{Replicas: &count, Selector: selector, Template: template}}
		made.object = deployment
		made.create = func(t *testing.T) {
			_, err := client.AppsV1().Deployments(namespace).Create(t.Context(), deployment, meta.CreateOptions{})
			failed(t, err)
		}
	case "StatefulSet":
		set := &apps.StatefulSet{TypeMeta: meta.TypeMeta{APIVersion: "apps/v1", Kind: "StatefulSet"}, ObjectMeta: object,
			Spec: apps.StatefulSetSpec{Replicas: &count, Selector: selector, Template: template, PodManagementPolicy: apps.ParallelPodManagement}}
		made.object = set
		made.create = func(t *testing.T) {
			_, err := client.AppsV1().StatefulSets(namespace).Create(t.Context(), set, meta.CreateOptions{})
			failed(t, err)
		}
	}
	return made
}

func manifestOf(t *testing.T, all []asking) string {
	t.Helper()
	text := ""
	for _, each := range all {
		one, err := yaml.Marshal(each.object)
		if err != nil {
			t.Fatal(err)
		}
		text += "---\n" + string(one)
	}
	path := filepath.Join(t.TempDir(), "asked.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// tally is what became of all scenes.
type tally struct{ scenes, certain, chance, ranges, pods, started int }

// TestStarts has the real scheduler bind what fit said would start: as many pods, and on the same
// nodes where fit said that nothing is left to chance. KUBECTL_GPU_FIT_STARTS says how many scenes,
// KUBECTL_GPU_FIT_FROM from which seed on.
func TestStarts(t *testing.T) {
	count, from := number(t, "KUBECTL_GPU_FIT_STARTS", 20), number(t, "KUBECTL_GPU_FIT_FROM", 0)
	var sum tally
	for seed := from; seed < from+count; seed++ {
		t.Run(fmt.Sprintf("seed-%d", seed), func(t *testing.T) { playStart(t, seed, &sum) })
	}
	t.Logf("%d scenes: %d objects on the nodes that were certain, %d left to chance, %d with a range; %d of %d pods started", sum.scenes, sum.certain, sum.chance, sum.ranges, sum.started, sum.pods)
	if sum.scenes >= 20 && (sum.certain == 0 || sum.started == 0 || sum.started == sum.pods) {
		t.Errorf("the scenes prove too little: %+v", sum)
	}
}

func playStart(t *testing.T, seed int, sum *tally) {
	d := diceOf(seed)
	nodes := d.nodes()
	t.Cleanup(func() { clearAll(t) })
	alike := nodes[0].Status.Allocatable.Cpu().Value() == 4000
	held := d.held(nodes)
	if alike && d.chance(70) {
		held = nil
	}
	lay(t, nodes, held)
	var all []asking
	for i := range d.between(1, 2) {
		all = append(all, d.asking(i, alike))
	}
	file := manifestOf(t, all)
	out, code := run(t, cluster.Admin, "fit", "-f", file, "-o", "json")
	var said fitList
	if err := json.Unmarshal(out, &said); err != nil {
		t.Fatalf("%v in %s", err, out)
	}
	if len(said.Items) != len(all) {
		t.Fatalf("%d answers for %d objects", len(said.Items), len(all))
	}
	bound := 0
	if seed%10 == 0 {
		sameFromSnapshot(t, file, out)
	}
	for _, each := range all {
		each.create(t)
		judged(t, each.pods, func(pod *core.Pod) bool { return pod.Labels[mark] == each.name })
	}
	settle(t)
	for i, each := range all {
		pods := judged(t, each.pods, func(pod *core.Pod) bool { return pod.Labels[mark] == each.name })
		bound += compare(t, each, said, i, pods, sum)
	}
	sum.scenes++
	sum.started += bound
	if (code == 0) != said.Summary.AllStart {
		t.Errorf("exit code %d, all start: %v", code, said.Summary.AllStart)
	}
	if t.Failed() {
		text, _ := os.ReadFile(file)
		t.Logf("%s\n%s", text, out)
	}
}

// sameFromSnapshot holds the answer against that from a snapshot of the same cluster.
func sameFromSnapshot(t *testing.T, manifest string, live []byte) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "cluster.json")
	run(t, cluster.Admin, "snapshot", file)
	out, _ := run(t, cluster.Admin, "fit", "-f", manifest, "-o", "json", "--from", file)
	var one, other fitList
	if err := errors.Join(json.Unmarshal(live, &one), json.Unmarshal(out, &other)); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(one.Items, other.Items) {
		t.Errorf("live:\n%s\nfrom a snapshot:\n%s", live, out)
	}
}

func compare(t *testing.T, each asking, said fitList, at int, pods []core.Pod, sum *tally) int {
	t.Helper()
	item := said.Items[at]
	on := map[string]int{}
	bound := 0
	for i := range pods {
		if pods[i].Spec.NodeName != "" {
			on[pods[i].Spec.NodeName]++
			bound++
		}
	}
	sum.pods += each.pods
	if item.Name != each.name || item.Pods != each.pods || item.StartsMin == nil || item.StartsMax == nil {
		t.Errorf("%s/%s: unexpected answer %+v", each.kind, each.name, item)
		return bound
	}
	if bound < *item.StartsMin || bound > *item.StartsMax {
		t.Errorf("%s/%s: %d pods have a node, fit said %d to %d of %d", each.kind, each.name, bound, *item.StartsMin, *item.StartsMax, each.pods)
	}
	if *item.StartsMin != *item.StartsMax {
		sum.ranges++
	}
	if !item.IsCertain {
		sum.chance++
		return bound
	}
	if bound > 0 {
		sum.certain++
	}
	want := map[string]int{}
	for _, place := range item.Places {
		want[place.Node] = place.Pods
	}
	if !maps.Equal(on, want) {
		t.Errorf("%s/%s: pods are on %v, fit said %v for certain", each.kind, each.name, on, want)
	}
	return bound
}
