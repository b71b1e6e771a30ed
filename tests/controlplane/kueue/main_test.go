// Package kueue asks why-pending about Workloads that Kueue's own controller made: it runs beside
// the real control plane, with its webhooks. What gen prints for a queue is admitted, or held as gen says.
package kueue

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"

	"kubectl-gpu/tests/controlplane/internal/cluster"
	"kubectl-gpu/tests/controlplane/internal/queueing"
	"kubectl-gpu/tests/controlplane/internal/scenario"
)

const team = "ml" // the namespace of all Jobs

var (
	shared *cluster.Cluster
	client dynamic.Interface
)

// operators have kinds that Kueue admits, and whose CRDs alone are here: nobody plays them.
var operators = []string{"jobset", "kubeflow-training-operator-v1", "kubeflow-mpi-operator-v2beta1", "kuberay"}

// frameworks are the kinds of work that Kueue admits here.
const frameworks = `batch/job, pod, deployment, jobset.x-k8s.io/jobset, kubeflow.org/pytorchjob, kubeflow.org/tfjob, kubeflow.org/mpijob,
    ray.io/raycluster, ray.io/rayjob`

func TestMain(m *testing.M) {
	os.Exit(cluster.Main("kueue-", start, func() error { return cluster.StopIfStarted(shared) }, m.Run))
}

func start(ctx context.Context, parent string) error {
	binaries, err := cluster.Built(ctx, "../build")
	if err != nil {
		return err
	}
	kueue, err := cluster.Built(ctx, "./build")
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, 4*time.Minute)
	defer cancel()
	started, err := cluster.Start(ctx, cluster.Options{Dir: filepath.Join(parent, "cluster"), Binaries: binaries, Tied: true})
	if err != nil {
		return err
	}
	shared = started
	config, err := shared.Config(cluster.Admin)
	if err != nil {
		return err
	}
	if client, err = dynamic.NewForConfig(config); err != nil {
		return err
	}
	typed, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	if err := queueing.Start(ctx, shared, client, queueing.Options{Dir: kueue, Work: parent, Frameworks: frameworks, Operators: operators}); err != nil {
		return err
	}
	for _, name := range []string{team, "other", "kueue-system"} {
		if err := scenario.CreateNamespace(ctx, typed, name); err != nil {
			return err
		}
	}
	return nodes().Create(ctx, typed)
}

// nodes are more than all quotas together, so that nothing waits for a node.
func nodes() *scenario.Scenario {
	made := &scenario.Scenario{}
	for _, pool := range []string{"b200", "b300"} {
		for i := range 4 {
			made.Nodes = append(made.Nodes, scenario.Node{Name: fmt.Sprintf("%s-%d", pool, i),
				Labels:   map[string]string{"pool": pool, "nvidia.com/gpu.product": "NVIDIA-" + strings.ToUpper(pool)},
				Capacity: scenario.Resources{"nvidia.com/gpu": "16", "cpu": "64", "memory": "256Gi", "pods": "110"}})
		}
	}
	return made
}
