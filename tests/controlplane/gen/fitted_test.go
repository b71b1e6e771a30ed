package gen

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	core "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"kubectl-gpu/tests/controlplane/internal/cluster"
	"kubectl-gpu/tests/controlplane/internal/generate"
	"kubectl-gpu/tests/controlplane/internal/place"
)

// Of so many generated clusters, each asked for so many jobs.
const (
	fittedClusters  = 50
	jobsOfOneFitted = 3
)

// TestFittedJobs: on generated clusters of every kind of GPU, the real scheduler binds the pod of each
// job of which `gen` says that it would start, and refuses that of each of which it says that it would
// wait.
func TestFittedJobs(t *testing.T) {
	api, err := shared.Client(cluster.Admin)
	if err != nil {
		t.Fatal(err)
	}
	var counts outcomes
	for seed := range uint64(fittedClusters) {
		t.Run(fmt.Sprintf("seed-%d", seed), func(t *testing.T) { counts.add(fittedTo(t, api, seed)) })
	}
	t.Logf("%d started, %d waited, %d were refused by gen", counts.started, counts.waited, counts.refused)
	if counts.started < fittedClusters/4 || counts.waited < fittedClusters/4 {
		t.Error("too few of one sort: the generator has dried up")
	}
}

type outcomes struct{ started, waited, refused int }

func (o *outcomes) add(more outcomes) {
	o.started, o.waited, o.refused = o.started+more.started, o.waited+more.waited, o.refused+more.refused
}

func fittedTo(t *testing.T, api kubernetes.Interface, seed uint64) (counts outcomes) {
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	made := generate.RandomKinds(seed, fmt.Sprintf("f%d", seed))
	if err := made.Allocate(); err != nil {
		t.Fatal(err)
	}
	clusters := []*generate.Kinds{made}
	defer func() {
		cleaning, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		if err := place.Remove(cleaning, api, clusters); err != nil {
			t.Fatal(err)
		}
	}()
	if err := place.Create(ctx, api, clusters); err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(seed, 7))
	for i := range jobsOfOneFitted {
		tryJob(ctx, t, api, fmt.Sprintf("fit-%d-%d", seed, i), wishes(random), &counts)
	}
	return counts
}

// wishes are what a person may ask for; none of the clusters has all of it.
func wishes(random *rand.Rand) []string {
	models := []string{"H100", "L4", "A100", "T4", "A10", "L40S", "H100,L4"}
	words := []string{"--image", "ghcr.io/acme/train:1.4"}
	switch random.IntN(6) {
	case 0:
		words = append(words, "--mig", []string{"1g.10gb", "3g.40gb", "1g.5gb"}[random.IntN(3)])
	case 1:
		words = append(words, "--shared")
	case 2, 3:
		words = append(words, "--gpu-model", models[random.IntN(len(models))])
		fallthrough
	default:
		words = append(words, "--gpus", fmt.Sprint(1+random.IntN(4)))
	}
	if random.IntN(2) == 0 {
		words = append(words, "--cpu", "1", "--memory", "1Gi")
	}
	return words
}

func tryJob(ctx context.Context, t *testing.T, api kubernetes.Interface, name string, words []string, counts *outcomes) {
	t.Helper()
	command := exec.CommandContext(ctx, os.Getenv("KUBECTL_GPU_BIN"), append([]string{"gen", "job", name, "-n", place.TryNamespace}, words...)...)
	command.Env = append(os.Environ(), "KUBECONFIG="+shared.Kubeconfig(cluster.Admin))
	var said strings.Builder
	command.Stderr = &said
	manifest, err := command.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 2 && strings.HasPrefix(said.String(), "error: ") {
		counts.refused++
		return
	} else if err != nil {
		t.Fatalf("gen job %s: %v\n%s", strings.Join(words, " "), err, said.String())
	}
	starts, waits := strings.Contains(said.String(), "note: it would start"), strings.Contains(said.String(), "warning: it would wait today")
	if starts == waits {
		t.Errorf("gen job %s says neither that it starts nor that it waits:\n%s", strings.Join(words, " "), said.String())
		return
	}
	if _, err := run(ctx, manifest, "apply", "--server-side", "-f", "-"); err != nil {
		t.Fatal(err)
	}
	pod, err := verdictOn(ctx, api, name)
	if err != nil {
		t.Fatal(err)
	}
	if bound := pod.Spec.NodeName != ""; bound != starts {
		t.Errorf("gen job %s said\n%s\nand the pod is on node %q: %v\n%s", strings.Join(words, " "), said.String(),
			pod.Spec.NodeName, pod.Status.Conditions, manifest)
	} else if bound {
		counts.started++
	} else {
		counts.waited++
	}
	if _, err := run(ctx, nil, "delete", "job", name, "-n", place.TryNamespace, "--cascade=foreground", "--wait=true"); err != nil {
		t.Fatal(err)
	}
}

// verdictOn waits until the scheduler has bound the job's pod, or said why not.
func verdictOn(ctx context.Context, api kubernetes.Interface, job string) (found *core.Pod, err error) {
	err = cluster.Poll(ctx, 30*time.Second, "a verdict on "+job, func(ctx context.Context) (bool, error) {
		pods, err := api.CoreV1().Pods(place.TryNamespace).List(ctx, v1.ListOptions{LabelSelector: "batch.kubernetes.io/job-name=" + job})
		if err != nil || len(pods.Items) == 0 {
			return false, err
		}
		found = &pods.Items[0]
		for _, condition := range found.Status.Conditions {
			if condition.Type == core.PodScheduled && condition.Status == core.ConditionFalse && condition.Reason == core.PodReasonUnschedulable {
				return true, nil
			}
		}
		return found.Spec.NodeName != "", nil
	})
	return found, err
}
