package quota

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kubectl-gpu/tests/controlplane/internal/queueing"
)

// change does to a world what people and time do: work ends, queues are stopped, quotas are changed.
func (w *world) change(ctx context.Context) error {
	for range 4 {
		step := pick(w, w.deleteJob, w.deletePod, w.stopQueue, w.stopLocalQueue, w.changeQuota, w.changeNominal,
			w.endOnePod, w.endOnePod, w.switchOff, w.createJob, w.createPod)
		if err := step(ctx); err != nil && !apierrors.IsNotFound(err) && !apierrors.IsConflict(err) {
			return err
		}
	}
	return nil
}

func (w *world) deleteJob(ctx context.Context) error {
	job := pick(w, w.jobs...)
	policy := v1.DeletePropagationBackground
	return client.Resource(queueing.Kinds["Job"]).Namespace(job[0]).Delete(ctx, job[1], v1.DeleteOptions{PropagationPolicy: &policy})
}

// some returns one of the objects of a kind in a namespace; nil if there is none.
func (w *world) some(ctx context.Context, kind, ns string) (*unstructured.Unstructured, error) {
	list, err := client.Resource(queueing.Kinds[kind]).Namespace(ns).List(ctx, v1.ListOptions{})
	if err != nil || len(list.Items) == 0 {
		return nil, err
	}
	return &list.Items[w.random.IntN(len(list.Items))], nil
}

func (w *world) deletePod(ctx context.Context) error {
	pod, err := w.some(ctx, "Pod", pick(w, w.namespaces...))
	if err != nil || pod == nil {
		return err
	}
	return client.Resource(queueing.Kinds["Pod"]).Namespace(pod.GetNamespace()).Delete(ctx, pod.GetName(), v1.DeleteOptions{})
}

func (w *world) stopQueue(ctx context.Context) error {
	return patch(ctx, "ClusterQueue", "", pick(w, w.queues...), "", fmt.Sprintf(`{"spec":{"stopPolicy":%q}}`, pick(w, "Hold", "HoldAndDrain", "None")))
}

func (w *world) stopLocalQueue(ctx context.Context) error {
	local := pick(w, w.locals...)
	return patch(ctx, "LocalQueue", local[0], local[1], "", fmt.Sprintf(`{"spec":{"stopPolicy":%q}}`, pick(w, "Hold", "HoldAndDrain", "None")))
}

// changeQuota may leave a namespace over its quota.
func (w *world) changeQuota(ctx context.Context) error {
	quota, err := w.some(ctx, "ResourceQuota", pick(w, w.namespaces...))
	if err != nil || quota == nil {
		return err
	}
	return patch(ctx, "ResourceQuota", quota.GetNamespace(), quota.GetName(), "",
		fmt.Sprintf(`{"spec":{"hard":{%q:%q}}}`, "requests."+pick(w, card, slice), strconv.Itoa(w.random.IntN(16))))
}

// changeNominal takes quota from a queue whose workloads keep it, or gives it more.
func (w *world) changeNominal(ctx context.Context) error {
	api := client.Resource(queueing.Kinds["ClusterQueue"])
	queue, err := api.Get(ctx, pick(w, w.queues...), v1.GetOptions{})
	if err != nil {
		return err
	}
	groups, _, _ := unstructured.NestedSlice(queue.Object, "spec", "resourceGroups")
	for _, group := range groups {
		flavors, _, _ := unstructured.NestedSlice(group.(map[string]any), "flavors")
		for _, flavor := range flavors {
			resources, _, _ := unstructured.NestedSlice(flavor.(map[string]any), "resources")
			for _, resource := range resources {
				resource.(map[string]any)["nominalQuota"] = strconv.Itoa(8 + w.random.IntN(6))
				if w.maybe(3) && resource.(map[string]any)["lendingLimit"] == nil {
					resource.(map[string]any)["nominalQuota"] = "1"
				}
			}
			flavor.(map[string]any)["resources"] = resources
		}
		group.(map[string]any)["flavors"] = flavors
	}
	if err := unstructured.SetNestedSlice(queue.Object, groups, "spec", "resourceGroups"); err != nil {
		return err
	}
	_, err = api.Update(ctx, queue, v1.UpdateOptions{})
	return err
}

// endOnePod has one of a Job's pods succeed: Kueue takes back what it will not need again.
func (w *world) endOnePod(ctx context.Context) error {
	list, err := client.Resource(queueing.Kinds["Pod"]).Namespace(pick(w, w.namespaces...)).List(ctx, v1.ListOptions{})
	if err != nil {
		return err
	}
	for _, pod := range list.Items {
		phase, _, _ := unstructured.NestedString(pod.Object, "status", "phase")
		owner := v1.GetControllerOf(&pod)
		if owner == nil || owner.Kind != "Job" || phase != "Running" {
			continue
		}
		return patch(ctx, "Pod", pod.GetNamespace(), pod.GetName(), "status", `{"status":{"phase":"Succeeded"}}`)
	}
	return nil
}

// switchOff is what people do to a workload that shall not run now.
func (w *world) switchOff(ctx context.Context) error {
	workload, err := w.some(ctx, "Workload", pick(w, w.namespaces...))
	if err != nil || workload == nil {
		return err
	}
	return patch(ctx, "Workload", workload.GetNamespace(), workload.GetName(), "", `{"spec":{"active":false}}`)
}

var recounts int

// recount has the controllers count some objects ("KIND NAMESPACE/NAME") anew: the quota controller by a key that counts nothing here, Kueue by any
// change of a queue. A pod that was made in the same moment as a quota is counted minutes later, else; and of
// a LocalQueue Kueue may leave pendingWorkloads as it was before the last event.
func recount(ctx context.Context, which map[string]bool) error {
	recounts++
	now, err := read(ctx)
	if err != nil {
		return err
	}
	is := func(each unstructured.Unstructured) bool {
		return which[each.GetKind()+" "+each.GetNamespace()+"/"+each.GetName()]
	}
	for _, each := range now.quotas {
		if !is(each) {
			continue
		}
		text := fmt.Sprintf(`{"spec":{"hard":{"count/secrets":"%d"}}}`, 1000+recounts)
		if err := patch(ctx, "ResourceQuota", each.GetNamespace(), each.GetName(), "", text); err != nil && !apierrors.IsInvalid(err) {
			return err
		}
	}
	for _, each := range slices.Concat(now.queues, now.locals) {
		if !is(each) {
			continue
		}
		text := fmt.Sprintf(`{"metadata":{"annotations":{"kubectl-gpu.test/recount":"%d"}}}`, recounts)
		if err := patch(ctx, each.GetKind(), each.GetNamespace(), each.GetName(), "", text); err != nil {
			return err
		}
	}
	return nil
}

// end deletes what a world is made of, but for its namespaces.
func (w *world) end(ctx context.Context) error {
	policy := v1.DeletePropagationBackground
	options := v1.DeleteOptions{PropagationPolicy: &policy}
	for _, kind := range []string{"Job", "Pod", "ResourceQuota", "LocalQueue"} {
		for _, ns := range w.namespaces {
			if err := client.Resource(queueing.Kinds[kind]).Namespace(ns).DeleteCollection(ctx, options, v1.ListOptions{}); err != nil {
				return err
			}
		}
	}
	// Refusals stay for an hour, and the program reads the owners of some tens of namespaces only.
	for _, ns := range w.namespaces {
		if err := client.Resource(events).Namespace(ns).DeleteCollection(ctx, options, v1.ListOptions{}); err != nil {
			return err
		}
	}
	for _, name := range w.queues {
		if err := client.Resource(queueing.Kinds["ClusterQueue"]).Delete(ctx, name, options); err != nil {
			return err
		}
	}
	for _, part := range []string{"root", "branch"} {
		if err := client.Resource(queueing.Kinds["Cohort"]).Delete(ctx, w.prefix+"-"+part, options); err != nil {
			return err
		}
	}
	return nil
}
