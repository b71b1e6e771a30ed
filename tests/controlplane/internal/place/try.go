package place

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	core "k8s.io/api/core/v1"
	quantity "k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"kubectl-gpu/tests/controlplane/internal/cluster"
	"kubectl-gpu/tests/controlplane/internal/judge"
)

// TryNamespace is where pods are put to see what the scheduler says.
const TryNamespace = "generated-try"

// Pool is a row of `top nodes` that pods can ask for.
type Pool struct {
	Key  judge.Key
	Free int64
	// Order is that in which the kinds of DRA devices are free beside each other; 0 for what a device
	// plugin advertises, which is asked for without a claim.
	Order int
}

// Trial is a pod that asks for devices of one node, and what the scheduler said.
type Trial struct {
	Node  *core.Node
	Asks  map[string]int64 // by resource, in units
	Pools []Pool

	name    string
	Bound   bool
	Message string
}

func (t *Trial) String() string {
	return fmt.Sprintf("%s asks %s for %v: bound %t %s", t.name, t.Node.Name, t.Asks, t.Bound, t.Message)
}

// Try creates the pods and waits for a verdict on each. If all shall be bound it waits for that, since
// the scheduler tries again what it could not bind.
func Try(ctx context.Context, api kubernetes.Interface, prefix string, trials []Trial, wait Wait) error {
	for i := range trials {
		trials[i].name = fmt.Sprintf("%s-%d", prefix, i)
	}
	err := each(ctx, trials, func(ctx context.Context, trial *Trial) error { return trial.create(ctx, api) })
	if err != nil {
		return err
	}
	named := map[string]*Trial{}
	for i := range trials {
		named[trials[i].name] = &trials[i]
	}
	var missing error
	_ = cluster.Poll(ctx, 45*time.Second, "verdicts", func(ctx context.Context) (bool, error) {
		var done bool
		done, missing = verdicts(ctx, api, named, wait)
		time.Sleep(150 * time.Millisecond)
		return done, missing
	})
	return missing
}

// Wait says when Try is done.
type Wait int

// Until all pods are bound, or until there is a verdict on each.
const (
	UntilBound Wait = iota
	UntilVerdict
)

// verdicts reads them all with one list. Pods that are not bound in the end are no error.
func verdicts(ctx context.Context, api kubernetes.Interface, named map[string]*Trial, wait Wait) (bool, error) {
	list, err := api.CoreV1().Pods(TryNamespace).List(ctx, v1.ListOptions{})
	if err != nil {
		return false, err
	}
	open, rejected := len(named), 0
	for i := range list.Items {
		pod := &list.Items[i]
		trial := named[pod.Name]
		if trial == nil {
			continue
		}
		trial.Bound = pod.Spec.NodeName != ""
		if trial.Bound {
			open--
			continue
		}
		for _, condition := range pod.Status.Conditions {
			if condition.Type == core.PodScheduled && condition.Reason == core.PodReasonUnschedulable {
				trial.Message = condition.Message
				open--
				rejected++
			}
		}
	}
	if open > 0 {
		return false, fmt.Errorf("%d pods of %d without a verdict", open, len(named))
	}
	return wait == UntilVerdict || rejected == 0, nil
}

// create makes a claim for each device of a DRA driver: one claim takes only one part of a device that
// several can have.
func (t *Trial) create(ctx context.Context, api kubernetes.Interface) error {
	pod := t.pod()
	for _, pool := range t.Pools {
		if pool.Order == 0 {
			continue
		}
		for range t.Asks[pool.Key.Resource] {
			local := fmt.Sprintf("devices-%d", len(pod.Spec.ResourceClaims))
			claim := judge.ClaimFor(pool.Key.Resource, "generated")
			claim.ObjectMeta = v1.ObjectMeta{Name: t.name + "-" + local, Namespace: TryNamespace}
			if _, err := api.ResourceV1().ResourceClaims(TryNamespace).Create(ctx, claim, v1.CreateOptions{}); err != nil {
				return err
			}
			pod.Spec.ResourceClaims = append(pod.Spec.ResourceClaims, core.PodResourceClaim{Name: local, ResourceClaimName: &claim.Name})
			resources := &pod.Spec.Containers[0].Resources
			resources.Claims = append(resources.Claims, core.ResourceClaim{Name: local})
		}
	}
	_, err := api.CoreV1().Pods(TryNamespace).Create(ctx, pod, v1.CreateOptions{})
	return err
}

// pod fits nowhere but on the node, and tolerates what says what the node is for.
func (t *Trial) pod() *core.Pod {
	limits := core.ResourceList{}
	for _, pool := range t.Pools {
		if pool.Order == 0 {
			limits[core.ResourceName(pool.Key.Resource)] = *quantity.NewQuantity(t.Asks[pool.Key.Resource], quantity.DecimalSI)
		}
	}
	field := core.NodeSelectorRequirement{Key: "metadata.name", Operator: core.NodeSelectorOpIn, Values: []string{t.Node.Name}}
	spec := core.PodSpec{
		Affinity: &core.Affinity{NodeAffinity: &core.NodeAffinity{RequiredDuringSchedulingIgnoredDuringExecution: &core.NodeSelector{
			NodeSelectorTerms: []core.NodeSelectorTerm{{MatchFields: []core.NodeSelectorRequirement{field}}}}}},
		Containers: []core.Container{{Name: "main", Image: "none", Resources: core.ResourceRequirements{Limits: limits}}}}
	for _, taint := range t.Node.Spec.Taints {
		if !judge.IsLifecycle(taint.Key) {
			spec.Tolerations = append(spec.Tolerations, core.Toleration{Key: taint.Key, Operator: core.TolerationOpExists})
		}
	}
	return &core.Pod{ObjectMeta: v1.ObjectMeta{Name: t.name, Namespace: TryNamespace,
		Annotations: map[string]string{"kubectl-gpu.test/behaviour": "hang"}}, Spec: spec}
}

// Plan says which pods take all that is free on a node, in rounds of which one must be bound before the
// next, and which pods ask for one more of each pool then.
func Plan(node *core.Node, pools []Pool, slots int64) (rounds [][]Trial, more []Trial) {
	slices.SortStableFunc(pools, func(a, b Pool) int { return cmp.Compare(a.Order, b.Order) })
	var units int64
	for _, pool := range pools {
		units += pool.Free
		more = append(more, Trial{Node: node, Pools: []Pool{pool}, Asks: map[string]int64{pool.Key.Resource: 1}})
	}
	if units == 0 {
		return nil, more
	}
	// One pod for all of it where there are too few slots for a pod each, and one to spare.
	if units >= slots {
		return [][]Trial{together(node, pools, slots)}, more
	}
	for _, pool := range pools {
		var round []Trial
		for range pool.Free {
			round = append(round, Trial{Node: node, Pools: []Pool{pool}, Asks: map[string]int64{pool.Key.Resource: 1}})
		}
		if pool.Order == 0 && len(rounds) > 0 {
			rounds[0] = append(rounds[0], round...) // nothing else wants these
		} else {
			rounds = append(rounds, round)
		}
	}
	return rounds, more
}

// together asks for all that is free with a pod for what plugins have and one for DRA's devices: kube-scheduler
// 1.36.1 comes to no end with one that asks for both where a device class maps the plugin's resource.
func together(node *core.Node, pools []Pool, slots int64) []Trial {
	var trials []Trial
	for _, dra := range []bool{false, true} {
		asks := map[string]int64{}
		kept := slices.DeleteFunc(slices.Clone(pools), func(pool Pool) bool { return pool.Free == 0 || (pool.Order > 0) != dra })
		for _, pool := range kept {
			asks[pool.Key.Resource] = pool.Free
		}
		if len(kept) > 0 && int64(len(trials)) < slots {
			trials = append(trials, Trial{Node: node, Pools: kept, Asks: asks})
		}
	}
	return trials
}

// Seed is that of the generated cluster to which a node belongs.
func Seed(node string) string {
	seed, _, _ := strings.Cut(strings.TrimPrefix(node, "g"), "-")
	return seed
}
