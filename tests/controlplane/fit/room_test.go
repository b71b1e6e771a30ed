package fit

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	apps "k8s.io/api/apps/v1"
	batch "k8s.io/api/batch/v1"
	core "k8s.io/api/core/v1"
	policy "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"

	"kubectl-gpu/tests/controlplane/internal/cluster"
)

// roomStep is one step of a plan.
type roomStep struct {
	Action, Node, Command string
	Namespace, Pod        *string
	To                    []string
}

// roomPlan is what `fit --make-room -o json` prints.
type roomPlan struct {
	Items   []roomStep
	Summary struct {
		Node    *string
		FreeNow []string
		Moves   int
		Rivals  []string
		Staying []struct {
			Reason string
			Pods   int
		}
	}
}

// owned is an object that creates its pods again, or a pod of its own, and how many GPUs they ask for.
func (d dice) owned(t *testing.T, number int) int {
	t.Helper()
	name := fmt.Sprintf("held-%d", number)
	namespace := d.word(teams...)
	template := core.PodTemplateSpec{ObjectMeta: meta.ObjectMeta{
		Labels: map[string]string{"app": d.word("a", "b", "c"), mark: name}, Annotations: map[string]string{"kubectl-gpu.test/behaviour": "run"}}}
	template.Spec.Containers = []core.Container{d.small(d.between(1, 2))}
	template.Spec.Tolerations = []core.Toleration{{Key: gpu, Operator: core.TolerationOpExists}}
	if d.chance(25) {
		d.addPodAffinity(&template.Spec, "app")
	}
	if d.chance(25) {
		template.Spec.Volumes = []core.Volume{{Name: "scratch", VolumeSource: core.VolumeSource{EmptyDir: &core.EmptyDirVolumeSource{}}}}
	}
	if d.chance(15) {
		template.Spec.Affinity = &core.Affinity{PodAntiAffinity: &core.PodAntiAffinity{RequiredDuringSchedulingIgnoredDuringExecution: []core.PodAffinityTerm{
			{TopologyKey: hostname, LabelSelector: &meta.LabelSelector{MatchLabels: map[string]string{mark: name}}}}}}
	}
	count := int32(d.between(1, 2))
	object := meta.ObjectMeta{Name: name, Namespace: namespace}
	selector := &meta.LabelSelector{MatchLabels: map[string]string{mark: name}}
	var err error
	switch d.word("Deployment", "Deployment", "StatefulSet", "Job", "Pod") {
	case "Deployment":
		_, err = client.AppsV1().Deployments(namespace).Create(t.Context(), &apps.Deployment{ObjectMeta: object,
			Spec: apps.DeploymentSpec{Replicas: &count, Selector: selector, Template: template}}, meta.CreateOptions{})
	case "StatefulSet":
		_, err = client.AppsV1().StatefulSets(namespace).Create(t.Context(), &apps.StatefulSet{ObjectMeta: object,
			Spec: apps.StatefulSetSpec{Replicas: &count, Selector: selector, Template: template, PodManagementPolicy: apps.ParallelPodManagement}}, meta.CreateOptions{})
	case "Job":
		template.Spec.RestartPolicy = core.RestartPolicyNever
		retries := int32(d.between(0, 4))
		_, err = client.BatchV1().Jobs(namespace).Create(t.Context(), &batch.Job{ObjectMeta: object,
			Spec: batch.JobSpec{Parallelism: &count, Completions: &count, BackoffLimit: &retries, Template: template}}, meta.CreateOptions{})
	case "Pod":
		count = 1
		object.Labels, object.Annotations = template.Labels, template.Annotations
		_, err = client.CoreV1().Pods(namespace).Create(t.Context(), &core.Pod{ObjectMeta: object, Spec: template.Spec}, meta.CreateOptions{})
	}
	if err == nil && d.chance(20) {
		most := intstr.FromInt32(int32(d.between(0, 1)))
		_, err = client.PolicyV1().PodDisruptionBudgets(namespace).Create(t.Context(), &policy.PodDisruptionBudget{ObjectMeta: object,
			Spec: policy.PodDisruptionBudgetSpec{MaxUnavailable: &most, Selector: selector}}, meta.CreateOptions{})
	}
	if err != nil {
		t.Fatal(err)
	}
	judged(t, int(count), func(pod *core.Pod) bool { return pod.Labels[mark] == name })
	gpus := template.Spec.Containers[0].Resources.Requests[gpu]
	return int(count) * int(gpus.Value())
}

// small asks for GPUs, and little else: GPUs are what is scarce.
func (d dice) small(gpus int) core.Container {
	asks := core.ResourceList{core.ResourceCPU: *resource.NewMilliQuantity(int64(d.between(1, 8))*250, resource.DecimalSI)}
	limits := core.ResourceList{gpu: *resource.NewQuantity(int64(gpus), resource.DecimalSI)}
	asks[gpu] = limits[gpu]
	return core.Container{Name: "main", Image: d.word(images...), Resources: core.ResourceRequirements{Requests: asks, Limits: limits}}
}

// crowded are nodes with GPUs, and owners whose pods the scheduler has spread over them: about half of
// the GPUs are held.
func (d dice) crowded(t *testing.T) {
	t.Helper()
	var nodes []*core.Node
	each := d.word("4", "4", "8")
	for len(nodes) < d.between(2, 4) {
		node := d.node(len(nodes))
		node.Status.Allocatable[gpu] = resource.MustParse(each)
		node.Name = fmt.Sprintf("gpu-%d", len(nodes))
		node.Labels[hostname], node.Labels[product] = node.Name, "NVIDIA-L4"
		node.Spec.Unschedulable = false
		nodes = append(nodes, node)
	}
	lay(t, nodes, nil)
	whole := len(nodes) * int(nodes[0].Status.Allocatable.Name(gpu, resource.DecimalSI).Value())
	for number, held := 0, 0; held*100 < whole*d.between(35, 55); number++ {
		held += d.owned(t, number)
	}
	settle(t)
}

// mostFree is the most GPUs that one node has free.
func mostFree(t *testing.T) int {
	t.Helper()
	free := map[string]int64{}
	nodes, err := client.CoreV1().Nodes().List(t.Context(), meta.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range nodes.Items {
		gpus := nodes.Items[i].Status.Allocatable[gpu]
		free[nodes.Items[i].Name] = gpus.Value()
	}
	pods, err := podsThere(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	most := int64(0)
	for i := range pods {
		gpus := pods[i].Spec.Containers[0].Resources.Requests[gpu]
		free[pods[i].Spec.NodeName] -= gpus.Value()
	}
	for name, left := range free {
		if name != "" {
			most = max(most, left)
		}
	}
	return int(most)
}

// TestMakeRoom carries out what fit --make-room says, command by command, and then creates the pod
// that the room is for. KUBECTL_GPU_FIT_ROOMS says how many plans are carried out.
func TestMakeRoom(t *testing.T) {
	wanted, from := number(t, "KUBECTL_GPU_FIT_ROOMS", 5), number(t, "KUBECTL_GPU_FIT_FROM", 0)
	plans, none, moves := 0, 0, 0
	for seed := from; plans < wanted && seed < from+20*max(wanted, 1); seed++ {
		t.Run(fmt.Sprintf("seed-%d", seed), func(t *testing.T) {
			moved := playRoom(t, seed)
			moves += moved
			if moved > 0 {
				plans++
			} else {
				none++
			}
		})
	}
	t.Logf("%d plans with %d moves carried out, %d scenes without a plan", plans, moves, none)
	if plans < wanted {
		t.Errorf("only %d of %d plans", plans, wanted)
	}
}

func playRoom(t *testing.T, seed int) int {
	d := diceOf(seed + 1_000_000)
	t.Cleanup(func() { clearAll(t) })
	d.crowded(t)
	gpus := mostFree(t) + d.between(1, 2)
	out, _ := run(t, cluster.Admin, "fit", "--make-room", fmt.Sprint(gpus), "--cpu", "1", "--memory", "1Gi", "-n", teams[0], "-o", "json")
	var plan roomPlan
	if err := json.Unmarshal(out, &plan); err != nil {
		t.Fatalf("%v in %s", err, out)
	}
	if plan.Summary.Node == nil {
		return 0
	}
	for _, step := range plan.Items {
		if step.Action == "uncordon" {
			create(t, gpus)
		}
		before, err := podsThere(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		shell(t, step.Command)
		if step.Action == "move" {
			arrived(t, before, *step.Namespace, *step.Pod, step.To)
		}
	}
	if !slices.ContainsFunc(plan.Items, func(step roomStep) bool { return step.Action == "uncordon" }) {
		create(t, gpus)
	}
	pods := judged(t, 1, func(pod *core.Pod) bool { return pod.Name == "room" && pod.Spec.NodeName != "" })
	if pods[0].Spec.NodeName != *plan.Summary.Node {
		t.Errorf("the pod is on %s, the plan was for %s", pods[0].Spec.NodeName, *plan.Summary.Node)
	}
	if t.Failed() {
		t.Logf("%s", out)
	}
	return plan.Summary.Moves
}

// create makes the pod that the room is for.
func create(t *testing.T, gpus int) {
	t.Helper()
	pod := &core.Pod{ObjectMeta: meta.ObjectMeta{Name: "room", Namespace: teams[0]}}
	limits := core.ResourceList{gpu: *resource.NewQuantity(int64(gpus), resource.DecimalSI),
		core.ResourceCPU: resource.MustParse("1"), core.ResourceMemory: resource.MustParse("1Gi")}
	pod.Spec.Containers = []core.Container{{Name: "main", Image: "registry.example/room:1", Resources: core.ResourceRequirements{Requests: limits, Limits: limits}}}
	pod.Spec.Tolerations = []core.Toleration{{Key: gpu, Operator: core.TolerationOpExists, Effect: core.TaintEffectNoSchedule}}
	if _, err := client.CoreV1().Pods(pod.Namespace).Create(t.Context(), pod, meta.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
}

// arrived waits until all is at rest, and sees that the pod that came in place of the moved one is on
// one of the nodes that the plan names.
func arrived(t *testing.T, before []core.Pod, namespace, moved string, to []string) {
	t.Helper()
	owner := ""
	known := map[types.UID]bool{}
	for i := range before {
		known[before[i].UID] = true
		if before[i].Namespace == namespace && before[i].Name == moved {
			owner = before[i].Labels[mark]
		}
	}
	news := func(pod *core.Pod) bool { return pod.Labels[mark] == owner && !known[pod.UID] }
	came := judged(t, 1, news)
	settle(t)
	came = judged(t, 1, news)
	if !slices.Contains(to, came[0].Spec.NodeName) {
		t.Errorf("%s came in place of %s, to %q and not to one of %v", came[0].Name, moved, came[0].Spec.NodeName, to)
	}
}
