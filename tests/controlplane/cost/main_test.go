// Package cost holds what `kubectl gpu cost` says against a real control plane: the times of real Jobs'
// pods, the list prices of instance types, and the sum that every node's price has to be.
package cost

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"k8s.io/client-go/kubernetes"

	"kubectl-gpu/tests/controlplane/internal/cluster"
	"kubectl-gpu/tests/controlplane/internal/scenario"
)

var (
	shared  *cluster.Cluster
	kubectl string
	client  *kubernetes.Clientset
)

func TestMain(m *testing.M) {
	os.Exit(cluster.Main("cost-", start, func() error { return cluster.StopIfStarted(shared) }, m.Run))
}

func start(ctx context.Context, parent string) error {
	binaries, err := cluster.Built(ctx, "../build")
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, 5*time.Minute)
	defer cancel()
	kubectl = filepath.Join(binaries, "kubectl")
	shared, err = cluster.Start(ctx, cluster.Options{
		Dir: filepath.Join(parent, "cluster"), Binaries: binaries, Tied: true})
	if err != nil {
		return err
	}
	if client, err = shared.Client(cluster.Admin); err != nil {
		return err
	}
	return (&scenario.Scenario{Nodes: nodes()}).Create(ctx, client)
}

// poolLabel keeps what a test makes on its own nodes.
const poolLabel = "kubectl-gpu.test/pool"

// nodes are GPU nodes of a cloud, of which one is spot, one has no spot price, and one no price at all.
func nodes() []scenario.Node {
	many := node("jobs", "8", "p5.48xlarge", "NVIDIA-H100-80GB-HBM3", nil)
	many.Count = 4
	return []scenario.Node{
		many,
		node("paid-h100", "8", "p5.48xlarge", "NVIDIA-H100-80GB-HBM3", nil),
		node("paid-t4", "1", "g4dn.xlarge", "Tesla-T4", nil),
		node("paid-spot", "8", "p5.48xlarge", "NVIDIA-H100-80GB-HBM3", map[string]string{"karpenter.sh/capacity-type": "spot"}),
		node("paid-bound", "1", "g4dn.xlarge", "Tesla-T4", map[string]string{"eks.amazonaws.com/capacityType": "SPOT"}),
		node("paid-unknown", "2", "made-up.large", "Nobody-Made-This", nil),
	}
}

func node(name, gpus, instance, product string, more map[string]string) scenario.Node {
	labels := map[string]string{poolLabel: name, "node.kubernetes.io/instance-type": instance,
		"topology.kubernetes.io/region": "us-east-1", "topology.kubernetes.io/zone": "us-east-1a",
		"nvidia.com/gpu.product": product, "nvidia.com/gpu.count": gpus}
	for key, value := range more {
		labels[key] = value
	}
	return scenario.Node{Name: name, Labels: labels, Capacity: scenario.Resources{"nvidia.com/gpu": gpus}}
}
