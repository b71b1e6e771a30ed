package quota

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	apps "k8s.io/api/apps/v1"
	batch "k8s.io/api/batch/v1"
	core "k8s.io/api/core/v1"
	amounts "k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/apis/meta/v1"

	"kubectl-gpu/tests/controlplane/internal/cluster"
	"kubectl-gpu/tests/controlplane/internal/scenario"
)

const refusedNamespace = "refused"

// template is of pods that request so many cards, and run until they are deleted.
func template(app, cards string) core.PodTemplateSpec {
	list := core.ResourceList{card: amounts.MustParse(cards)}
	return core.PodTemplateSpec{
		ObjectMeta: v1.ObjectMeta{Labels: map[string]string{"app": app}, Annotations: map[string]string{"kubectl-gpu.test/behaviour": "run"}},
		Spec: core.PodSpec{RestartPolicy: core.RestartPolicyAlways, Containers: []core.Container{{Name: "main", Image: "registry.local/x:1",
			Resources: core.ResourceRequirements{Requests: list, Limits: list}}}}}
}

// waitFor polls `quota` until it says so of the quota, or the time is over.
func waitFor(ctx context.Context, t *testing.T, what string, pods, units float64) {
	t.Helper()
	said := "nothing"
	err := cluster.Poll(ctx, time.Minute, what, func(ctx context.Context) (bool, error) {
		for _, each := range ask(ctx, t, refusedNamespace).Items {
			if each.Kind == "ResourceQuota" && each.WaitingWorkloads != nil {
				said = fmt.Sprintf("%v pods for %v", *each.WaitingWorkloads, *each.WaitingUnits)
				if *each.WaitingWorkloads == pods && *each.WaitingUnits == units {
					return true, nil
				}
			}
		}
		return false, fmt.Errorf("%s", said)
	})
	if err != nil {
		t.Errorf("%s: want %v pods for %v: %v", what, pods, units, err)
	}
}

// checkSnapshot asks a snapshot of now the same question.
func checkSnapshot(ctx context.Context, t *testing.T, pods, units float64) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "cluster.json")
	if out, complaints, code := gpu(ctx, t, cluster.Admin, "snapshot", file); code != 0 {
		t.Fatalf("snapshot: exit %d: %s%s", code, out, complaints)
	}
	for _, each := range ask(ctx, t, refusedNamespace, "--from", file).Items {
		if each.Kind != "ResourceQuota" {
			continue
		}
		if each.WaitingWorkloads == nil || *each.WaitingWorkloads != pods || *each.WaitingUnits != units {
			t.Errorf("a snapshot: %s pods for %s, want %v for %v", show(each.WaitingWorkloads), show(each.WaitingUnits), pods, units)
		}
	}
}

// A full quota refuses each pod that an owner lacks; what is deleted is refused nothing any more.
func TestRefusedPods(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	if err := scenario.CreateNamespace(ctx, typed, refusedNamespace); err != nil {
		t.Fatal(err)
	}
	quota := &core.ResourceQuota{ObjectMeta: v1.ObjectMeta{Name: "gpus"},
		Spec: core.ResourceQuotaSpec{Hard: core.ResourceList{"requests." + card: amounts.MustParse("3")}}}
	if _, err := typed.CoreV1().ResourceQuotas(refusedNamespace).Create(ctx, quota, v1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	err := cluster.Poll(ctx, 30*time.Second, "a status of the quota", func(ctx context.Context) (bool, error) {
		quota, err := typed.CoreV1().ResourceQuotas(refusedNamespace).Get(ctx, "gpus", v1.GetOptions{})
		return err == nil && len(quota.Status.Used) > 0, err
	})
	if err != nil {
		t.Fatal(err)
	}
	replicas := int32(5)
	set := &apps.ReplicaSet{ObjectMeta: v1.ObjectMeta{Name: "serve"}, Spec: apps.ReplicaSetSpec{Replicas: &replicas,
		Selector: &v1.LabelSelector{MatchLabels: map[string]string{"app": "serve"}}, Template: template("serve", "1")}}
	if _, err := typed.AppsV1().ReplicaSets(refusedNamespace).Create(ctx, set, v1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	waitFor(ctx, t, "a ReplicaSet that lacks 2 of 5", 2, 2)
	parallelism := int32(3)
	job := &batch.Job{ObjectMeta: v1.ObjectMeta{Name: "train"}, Spec: batch.JobSpec{Parallelism: &parallelism, Completions: &parallelism, Template: template("train", "2")}}
	job.Spec.Template.Spec.RestartPolicy = core.RestartPolicyNever
	if _, err := typed.BatchV1().Jobs(refusedNamespace).Create(ctx, job, v1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	waitFor(ctx, t, "a Job that lacks all 3, too", 5, 8)
	checkSnapshot(ctx, t, 5, 8)
	policy := v1.DeletePropagationBackground
	if err := typed.BatchV1().Jobs(refusedNamespace).Delete(ctx, "train", v1.DeleteOptions{PropagationPolicy: &policy}); err != nil {
		t.Fatal(err)
	}
	waitFor(ctx, t, "the Job is gone", 2, 2)
	checkSnapshot(ctx, t, 2, 2)
	if err := typed.AppsV1().ReplicaSets(refusedNamespace).Delete(ctx, "serve", v1.DeleteOptions{PropagationPolicy: &policy}); err != nil {
		t.Fatal(err)
	}
	waitFor(ctx, t, "all are gone", 0, 0)
	if err := typed.CoreV1().ResourceQuotas(refusedNamespace).Delete(ctx, "gpus", v1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
}
