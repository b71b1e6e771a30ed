package fit

import (
	"context"
	"encoding/json"
	"slices"
	"testing"
	"time"

	core "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"golang.org/x/sync/errgroup"

	"kubectl-gpu/tests/controlplane/internal/cluster"
)

const patience = 60 * time.Second

var teams = []string{"fit-a", "fit-b"}

func makeNamespaces(ctx context.Context) error {
	for _, name := range teams {
		made := &core.Namespace{ObjectMeta: meta.ObjectMeta{Name: name, Labels: map[string]string{"team": name}}}
		if _, err := client.CoreV1().Namespaces().Create(ctx, made, meta.CreateOptions{}); err != nil {
			return err
		}
		err := cluster.Poll(ctx, patience, "service account of "+name, func(ctx context.Context) (bool, error) {
			_, err := client.CoreV1().ServiceAccounts(name).Get(ctx, "default", meta.GetOptions{})
			return err == nil, err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// patched merges a change into a node, or into its status.
func patched(ctx context.Context, name string, change map[string]any, of ...string) error {
	text, err := json.Marshal(change)
	if err != nil {
		return err
	}
	_, err = client.CoreV1().Nodes().Patch(ctx, name, types.MergePatchType, text, meta.PatchOptions{}, of...)
	return err
}

// lay creates nodes, and the pods that are bound to them already.
func lay(t *testing.T, nodes []*core.Node, pods []*core.Pod) {
	t.Helper()
	group, ctx := errgroup.WithContext(t.Context())
	group.SetLimit(16)
	for _, node := range nodes {
		group.Go(func() error {
			if _, err := client.CoreV1().Nodes().Create(ctx, node.DeepCopy(), meta.CreateOptions{}); err != nil {
				return err
			}
			if err := patched(ctx, node.Name, map[string]any{"status": node.Status}, "status"); err != nil {
				return err
			}
			// Admission gave it a taint, which it has no longer once it is ready.
			taints := slices.Clone(node.Spec.Taints)
			if node.Spec.Unschedulable {
				taints = append(taints, core.Taint{Key: core.TaintNodeUnschedulable, Effect: core.TaintEffectNoSchedule})
			}
			return patched(ctx, node.Name, map[string]any{"spec": map[string]any{"taints": taints}})
		})
	}
	if err := group.Wait(); err != nil {
		t.Fatal(err)
	}
	group, ctx = errgroup.WithContext(t.Context())
	group.SetLimit(16)
	for _, pod := range pods {
		group.Go(func() error {
			_, err := client.CoreV1().Pods(pod.Namespace).Create(ctx, pod.DeepCopy(), meta.CreateOptions{})
			return err
		})
	}
	if err := group.Wait(); err != nil {
		t.Fatal(err)
	}
	settle(t)
}

func podsThere(ctx context.Context) ([]core.Pod, error) {
	pods, err := client.CoreV1().Pods("").List(ctx, meta.ListOptions{})
	if err != nil {
		return nil, err
	}
	return pods.Items, nil
}

// settle waits until every pod with a node runs, none is being deleted, and nothing changes.
func settle(t *testing.T) {
	t.Helper()
	last, same := "", 0
	err := cluster.Poll(t.Context(), patience, "pods at rest", func(ctx context.Context) (bool, error) {
		pods, err := podsThere(ctx)
		if err != nil {
			return false, err
		}
		nodes, err := client.CoreV1().Nodes().List(ctx, meta.ListOptions{})
		if err != nil {
			return false, err
		}
		now := ""
		for i := range nodes.Items {
			now += nodes.Items[i].Name + nodes.Items[i].ResourceVersion + " "
		}
		for i := range pods {
			pod := &pods[i]
			if pod.DeletionTimestamp != nil || pod.Spec.NodeName != "" && pod.Status.Phase == core.PodPending {
				return false, nil
			}
			now += pod.Name + pod.ResourceVersion + " "
		}
		if now != last {
			last, same = now, 0
			return false, nil
		}
		same++
		return same >= 3, nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// isJudged is whether the scheduler has bound a pod, or said why it does not.
func isJudged(pod *core.Pod) bool {
	if pod.Spec.NodeName != "" {
		return true
	}
	return slices.ContainsFunc(pod.Status.Conditions, func(condition core.PodCondition) bool {
		return condition.Type == core.PodScheduled && condition.Status == core.ConditionFalse
	})
}

// judged waits until so many pods that match exist, and the scheduler has judged each of them.
func judged(t *testing.T, count int, matches func(*core.Pod) bool) []core.Pod {
	t.Helper()
	var found []core.Pod
	err := cluster.Poll(t.Context(), patience, "the scheduler's word on all pods", func(ctx context.Context) (bool, error) {
		pods, err := podsThere(ctx)
		if err != nil {
			return false, err
		}
		found = found[:0]
		for i := range pods {
			if pods[i].DeletionTimestamp == nil && matches(&pods[i]) {
				found = append(found, pods[i])
			}
		}
		return len(found) == count && !slices.ContainsFunc(found, func(pod core.Pod) bool { return !isJudged(&pod) }), nil
	})
	if err != nil {
		t.Fatalf("%v: there are %d of %d", err, len(found), count)
	}
	return found
}

// clearAll takes everything away.
func clearAll(t *testing.T) {
	t.Helper()
	ctx := context.Background()
	now, background := int64(0), meta.DeletePropagationBackground
	gone := meta.DeleteOptions{GracePeriodSeconds: &now, PropagationPolicy: &background}
	for _, team := range teams {
		for _, err := range []error{
			client.AppsV1().Deployments(team).DeleteCollection(ctx, gone, meta.ListOptions{}),
			client.AppsV1().StatefulSets(team).DeleteCollection(ctx, gone, meta.ListOptions{}),
			client.AppsV1().ReplicaSets(team).DeleteCollection(ctx, gone, meta.ListOptions{}),
			client.BatchV1().Jobs(team).DeleteCollection(ctx, gone, meta.ListOptions{}),
			client.PolicyV1().PodDisruptionBudgets(team).DeleteCollection(ctx, gone, meta.ListOptions{}),
		} {
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	err := cluster.Poll(ctx, patience, "an empty cluster", func(ctx context.Context) (bool, error) {
		pods, err := podsThere(ctx)
		if err != nil {
			return false, err
		}
		for i := range pods {
			pod := &pods[i]
			err := client.CoreV1().Pods(pod.Namespace).Delete(ctx, pod.Name, gone)
			if err == nil && len(pod.Finalizers) > 0 {
				_, err = client.CoreV1().Pods(pod.Namespace).Patch(ctx, pod.Name, types.MergePatchType, []byte(`{"metadata":{"finalizers":null}}`), meta.PatchOptions{})
			}
			if err != nil && !apierrors.IsNotFound(err) {
				return false, err
			}
		}
		sets, err := client.AppsV1().ReplicaSets("").List(ctx, meta.ListOptions{})
		return len(pods) == 0 && err == nil && len(sets.Items) == 0, err
	})
	if err == nil {
		err = client.CoreV1().Nodes().DeleteCollection(ctx, gone, meta.ListOptions{})
	}
	if err != nil {
		t.Fatal(err)
	}
}
