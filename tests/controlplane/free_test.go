package controlplane

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	core "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"kubectl-gpu/tests/controlplane/internal/cluster"
	"kubectl-gpu/tests/controlplane/internal/judge"
)

const startableNamespace = "startable"

// `free` means that so many pods could start there now: the real scheduler is asked.
func TestFreeIsStartable(t *testing.T) {
	load(t, "startable.yaml")
	free := map[judge.Key]int64{}
	for key, each := range top(t, shared.Kubeconfig(cluster.Admin)).byKey(t) {
		if each.Free == nil {
			t.Errorf("%v: free is null, though the administrator sees all pods", key)
			continue
		}
		free[key] = *each.Free
	}
	checkStartable(t, free)
}

// The judge of all other tests is itself held against the scheduler.
func TestJudgedFreeIsStartable(t *testing.T) {
	load(t, "startable.yaml")
	free := map[judge.Key]int64{}
	for key, row := range judged(t) {
		free[key] = row.Free
	}
	checkStartable(t, free)
}

func checkStartable(t *testing.T, free map[judge.Key]int64) {
	api := client(t)
	checked := 0
	for _, key := range sortedKeys(free) {
		if !strings.HasPrefix(key.Node, "start-") {
			continue
		}
		checked++
		t.Run(strings.ReplaceAll(key.Node+" "+key.Resource, "/", "_"), func(t *testing.T) {
			pods := startPods(t, api, key, free[key]+1)
			bound := countBound(t, api, pods)
			if bound != free[key] {
				t.Errorf("free is %d, the scheduler started %d of %d pods", free[key], bound, len(pods))
			}
		})
	}
	if checked < 14 {
		t.Errorf("only %d pools checked", checked)
	}
}

// startPods creates pods of one device each that fit nowhere but on the node, and removes them
// when the test ends.
func startPods(t *testing.T, api kubernetes.Interface, key judge.Key, count int64) []string {
	t.Helper()
	node, err := api.CoreV1().Nodes().Get(t.Context(), key.Node, v1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	spec := core.PodSpec{
		NodeSelector: map[string]string{core.LabelHostname: key.Node},
		Containers: []core.Container{{Name: "main", Image: "none", Resources: core.ResourceRequirements{
			Limits: core.ResourceList{core.ResourceName(key.Resource): resource.MustParse("1")}}}}}
	for _, taint := range node.Spec.Taints {
		if !judge.IsLifecycle(taint.Key) {
			spec.Tolerations = append(spec.Tolerations, core.Toleration{Key: taint.Key, Operator: core.TolerationOpExists})
		}
	}
	pods := api.CoreV1().Pods(startableNamespace)
	var names []string
	t.Cleanup(func() { removePods(t, api, names) })
	for i := range count {
		pod := &core.Pod{ObjectMeta: v1.ObjectMeta{Name: fmt.Sprintf("try-%s-%d", key.Node, i)}, Spec: spec}
		if _, err := pods.Create(t.Context(), pod, v1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
		names = append(names, pod.Name)
	}
	return names
}

// countBound waits for the scheduler's verdict on every pod, and counts those it bound.
func countBound(t *testing.T, api kubernetes.Interface, names []string) int64 {
	t.Helper()
	var bound int64
	err := cluster.Poll(t.Context(), 30*time.Second, "verdict on every pod", func(ctx context.Context) (bool, error) {
		bound = 0
		for _, name := range names {
			pod, err := api.CoreV1().Pods(startableNamespace).Get(ctx, name, v1.GetOptions{})
			if err != nil {
				return false, err
			}
			if pod.Spec.NodeName != "" {
				bound++
			} else if !rejected(pod) {
				return false, fmt.Errorf("%s: no verdict yet", name)
			}
		}
		return true, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return bound
}

func rejected(pod *core.Pod) bool {
	for _, condition := range pod.Status.Conditions {
		if condition.Type == core.PodScheduled && condition.Status == core.ConditionFalse {
			return condition.Reason == core.PodReasonUnschedulable
		}
	}
	return false
}

// removePods returns when the pods are gone, so that the node is as it was.
func removePods(t *testing.T, api kubernetes.Interface, names []string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	now := int64(0)
	pods := api.CoreV1().Pods(startableNamespace)
	for _, name := range names {
		if err := pods.Delete(ctx, name, v1.DeleteOptions{GracePeriodSeconds: &now}); err != nil {
			t.Error(err)
		}
	}
	err := cluster.Poll(ctx, 30*time.Second, "pods gone", func(ctx context.Context) (bool, error) {
		list, err := pods.List(ctx, v1.ListOptions{})
		if err != nil {
			return false, err
		}
		for _, pod := range list.Items {
			if strings.HasPrefix(pod.Name, "try-") {
				return false, fmt.Errorf("%s is still there", pod.Name)
			}
		}
		return true, nil
	})
	if err != nil {
		t.Error(err)
	}
}
