package quota

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strconv"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"kubectl-gpu/tests/controlplane/internal/queueing"
	"kubectl-gpu/tests/controlplane/internal/scenario"
)

const (
	card  = "nvidia.com/gpu"
	slice = "nvidia.com/mig-1g.10gb"
)

// world is one generated cluster: namespaces with ResourceQuotas and pods, trees of cohorts with queues, and
// Jobs in these. Several live beside each other on one API server; names tell them apart.
type world struct {
	prefix     string
	random     *rand.Rand
	namespaces []string
	queues     []string    // ClusterQueues
	locals     [][2]string // namespace and name of LocalQueues
	jobs       [][2]string
	made       int
}

func newWorld(seed uint64) *world {
	return &world{prefix: fmt.Sprintf("g%d", seed), random: rand.New(rand.NewPCG(seed, 9))}
}

func (w *world) maybe(of int) bool { return w.random.IntN(of) == 0 }

func pick[T any](w *world, from ...T) T { return from[w.random.IntN(len(from))] }

func object(apiVersion, kind, ns, name string, rest map[string]any) *unstructured.Unstructured {
	metadata := map[string]any{"name": name}
	if ns != "" {
		metadata["namespace"] = ns
	}
	made := map[string]any{"apiVersion": apiVersion, "kind": kind, "metadata": metadata}
	for key, value := range rest {
		made[key] = value
	}
	return &unstructured.Unstructured{Object: made}
}

func queueObject(kind, ns, name string, spec map[string]any) *unstructured.Unstructured {
	return object("kueue.x-k8s.io/v1beta2", kind, ns, name, map[string]any{"spec": spec})
}

// createCommon makes what all worlds share.
func createCommon(ctx context.Context) error {
	check := queueObject("AdmissionCheck", "", "budget", map[string]any{"controllerName": "example.com/budget"})
	err := queueing.Create(ctx, client, check,
		object("scheduling.k8s.io/v1", "PriorityClass", "", "high", map[string]any{"value": int64(1000)}),
		object("scheduling.k8s.io/v1", "PriorityClass", "", "low", map[string]any{"value": int64(10)}),
		object("kueue.x-k8s.io/v1beta2", "WorkloadPriorityClass", "", "urgent", map[string]any{"value": int64(1000)}))
	if err != nil {
		return err
	}
	// Nobody works on this check: what needs it keeps its quota, and is never admitted.
	return patch(ctx, "AdmissionCheck", "", "budget", "status", `{"status":{"conditions":[{"type":"Active",
		"status":"True","reason":"Active","message":"ready","lastTransitionTime":"2026-01-01T00:00:00Z"}]}}`)
}

func patch(ctx context.Context, kind, ns, name, part, text string) error {
	var parts []string
	if part != "" {
		parts = []string{part}
	}
	_, err := client.Resource(queueing.Kinds[kind]).Namespace(ns).
		Patch(ctx, name, types.MergePatchType, []byte(text), v1.PatchOptions{}, parts...)
	return err
}

func (w *world) name(part string) string {
	w.made++
	return fmt.Sprintf("%s-%s-%d", w.prefix, part, w.made)
}

func (w *world) create(ctx context.Context) error {
	for range 2 + w.random.IntN(2) {
		w.namespaces = append(w.namespaces, w.name("ns"))
		if err := scenario.CreateNamespace(ctx, typed, w.namespaces[len(w.namespaces)-1]); err != nil {
			return err
		}
	}
	var steps []func(context.Context) error
	for range 4 {
		steps = append(steps, w.createQuota)
	}
	for range 10 {
		steps = append(steps, w.createPod)
	}
	// Quotas come before, between and after the pods that they count.
	w.random.Shuffle(len(steps), func(i, j int) { steps[i], steps[j] = steps[j], steps[i] })
	if err := w.createQueues(ctx); err != nil {
		return err
	}
	for range 6 + w.random.IntN(6) {
		steps = append(steps, w.createJob)
	}
	for _, step := range steps {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// scope of a ResourceQuota; mostly none.
func (w *world) scope(spec map[string]any) {
	switch w.random.IntN(12) {
	case 0:
		spec["scopes"] = []any{"Terminating"}
	case 1:
		spec["scopes"] = []any{"NotTerminating"}
	case 2:
		spec["scopes"] = []any{pick(w, "BestEffort", "NotBestEffort")}
	case 3, 4:
		op := pick(w, "In", "NotIn", "Exists", "DoesNotExist")
		match := map[string]any{"scopeName": "PriorityClass", "operator": op}
		if op == "In" || op == "NotIn" {
			match["values"] = []any{"high"}
		}
		spec["scopeSelector"] = map[string]any{"matchExpressions": []any{match}}
	}
}

func (w *world) createQuota(ctx context.Context) error {
	hard := map[string]any{}
	for _, key := range []string{"requests." + card, "requests." + slice, "limits." + card, card, "requests.nvidia.com/gpus", "pods", "requests.amd.com/gpu"} {
		likely := map[string]int{"requests." + card: 1, "requests." + slice: 2}[key]
		if likely == 0 {
			likely = 6
		}
		if w.maybe(likely) {
			hard[key] = strconv.Itoa(w.random.IntN(16))
		}
	}
	if _, has := hard["pods"]; has {
		hard["pods"] = "40"
	}
	spec := map[string]any{"hard": hard}
	w.scope(spec)
	if spec["scopes"] != nil && spec["scopes"].([]any)[0] == "BestEffort" {
		delete(hard, "requests.cpu")
	}
	return queueing.Create(ctx, client, object("v1", "ResourceQuota", pick(w, w.namespaces...), w.name("quota"), map[string]any{"spec": spec}))
}

func (w *world) container(name, resource string, most int) map[string]any {
	amounts := map[string]any{}
	if units := w.random.IntN(most + 1); units > 0 {
		amounts[resource] = strconv.Itoa(units)
	}
	if w.maybe(2) {
		amounts["cpu"] = "1"
	}
	made := map[string]any{"name": name, "image": "example.com/train:1"}
	if len(amounts) > 0 {
		made["resources"] = map[string]any{"requests": amounts, "limits": amounts}
	}
	return made
}

// createPod makes a pod of its own; a quota that refuses it has done its work.
func (w *world) createPod(ctx context.Context) error {
	spec := map[string]any{"restartPolicy": "Never"}
	containers := []any{w.container("main", pick(w, card, card, slice), 4)}
	if w.maybe(3) {
		containers = append(containers, w.container("second", pick(w, card, slice), 2))
	}
	spec["containers"] = containers
	if w.maybe(4) {
		first := w.container("init", card, 6)
		if w.maybe(2) {
			first["restartPolicy"] = "Always"
		}
		spec["initContainers"] = []any{first}
	}
	if w.maybe(3) {
		spec["priorityClassName"] = pick(w, "high", "low")
	}
	if w.maybe(3) {
		spec["activeDeadlineSeconds"] = int64(100000)
	}
	if w.maybe(5) {
		spec["nodeSelector"] = map[string]any{"pool": "nowhere"}
	}
	pod := object("v1", "Pod", pick(w, w.namespaces...), w.name("pod"), map[string]any{"spec": spec})
	pod.SetAnnotations(map[string]string{"kubectl-gpu.test/behaviour": pick(w, "run", "run", "run", "succeed", "fail")})
	_, err := client.Resource(queueing.Kinds["Pod"]).Namespace(pod.GetNamespace()).Create(ctx, pod, v1.CreateOptions{})
	if apierrors.IsForbidden(err) {
		return nil
	}
	return err
}

// groups is spec.resourceGroups. Limits are only allowed below something.
func (w *world) groups(most int, isBelow bool) []any {
	resources := pick(w, []string{card}, []string{card}, []string{card, slice})
	var covered, flavors []any
	for _, name := range resources {
		covered = append(covered, name)
	}
	for _, flavor := range pick(w, []string{"b200"}, []string{"b300"}, []string{"b200", "b300"}, []string{"b200", "gone"}) {
		var quotas []any
		for _, name := range resources {
			nominal := w.random.IntN(most + 1)
			quota := map[string]any{"name": name, "nominalQuota": strconv.Itoa(nominal)}
			if isBelow && w.maybe(3) {
				quota["borrowingLimit"] = strconv.Itoa(w.random.IntN(6))
			}
			if isBelow && w.maybe(3) {
				quota["lendingLimit"] = strconv.Itoa(w.random.IntN(nominal + 1))
			}
			quotas = append(quotas, quota)
		}
		flavors = append(flavors, map[string]any{"name": w.prefix + "-" + flavor, "resources": quotas})
	}
	return []any{map[string]any{"coveredResources": covered, "flavors": flavors}}
}

func (w *world) createQueues(ctx context.Context) error {
	for _, pool := range []string{"b200", "b300", "gone"} {
		labels := map[string]any{"pool": pool}
		if err := queueing.Create(ctx, client, queueObject("ResourceFlavor", "", w.prefix+"-"+pool, map[string]any{"nodeLabels": labels})); err != nil {
			return err
		}
	}
	root, branch, loose := w.prefix+"-root", w.prefix+"-branch", w.prefix+"-loose"
	for _, pair := range [][2]string{{root, ""}, {branch, root}} {
		name, parent, spec := pair[0], pair[1], map[string]any{}
		if parent != "" {
			spec["parentName"] = parent
		}
		if w.maybe(3) {
			spec["resourceGroups"] = w.groups(4, parent != "")
		}
		if err := queueing.Create(ctx, client, queueObject("Cohort", "", name, spec)); err != nil {
			return err
		}
	}
	for range 3 + w.random.IntN(4) {
		name := w.name("queue")
		w.queues = append(w.queues, name)
		cohort := pick(w, "", root, branch, branch, loose, loose)
		spec := map[string]any{"namespaceSelector": map[string]any{}, "resourceGroups": w.groups(8, cohort != "")}
		if cohort != "" {
			spec["cohortName"] = cohort
		}
		if w.maybe(4) {
			spec["queueingStrategy"] = "StrictFIFO"
		}
		if w.maybe(6) {
			spec["admissionChecksStrategy"] = map[string]any{"admissionChecks": []any{map[string]any{"name": "budget"}}}
		}
		if w.maybe(3) {
			spec["preemption"] = map[string]any{"withinClusterQueue": "LowerPriority"}
		}
		if err := queueing.Create(ctx, client, queueObject("ClusterQueue", "", name, spec)); err != nil {
			return err
		}
		for range 1 + w.random.IntN(2) {
			if err := w.createLocalQueue(ctx, name); err != nil {
				return err
			}
		}
	}
	if w.maybe(3) {
		return w.createLocalQueue(ctx, "nowhere")
	}
	return nil
}

func (w *world) createLocalQueue(ctx context.Context, queue string) error {
	local := [2]string{pick(w, w.namespaces...), w.name("local")}
	w.locals = append(w.locals, local)
	return queueing.Create(ctx, client, queueObject("LocalQueue", local[0], local[1], map[string]any{"clusterQueue": queue}))
}

func (w *world) createJob(ctx context.Context) error {
	local := pick(w, w.locals...)
	queue := local[1]
	if w.maybe(12) {
		queue = "nowhere"
	}
	count := int64(1 + w.random.IntN(3))
	amounts := map[string]any{pick(w, card, card, card, slice): strconv.Itoa(1 + w.random.IntN(4))}
	behaviour := map[string]any{"kubectl-gpu.test/behaviour": "run"}
	if w.maybe(6) {
		behaviour = map[string]any{} // KWOK has its pods succeed at once
	}
	job := object("batch/v1", "Job", local[0], w.name("job"), map[string]any{"spec": map[string]any{
		"parallelism": count, "completions": count, "suspend": true,
		"template": map[string]any{
			"metadata": map[string]any{"annotations": behaviour},
			"spec": map[string]any{"restartPolicy": "Never", "containers": []any{map[string]any{
				"name": "main", "image": "example.com/train:1", "resources": map[string]any{"requests": amounts, "limits": amounts}}}}}}})
	labels := map[string]string{"kueue.x-k8s.io/queue-name": queue}
	if w.maybe(4) {
		labels["kueue.x-k8s.io/priority-class"] = "urgent"
	}
	job.SetLabels(labels)
	w.jobs = append(w.jobs, [2]string{local[0], job.GetName()})
	return queueing.Create(ctx, client, job)
}
