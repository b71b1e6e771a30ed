// Package quota holds `quota` against what the API server's quota controller and Kueue's own controller wrote
// down, in generated clusters: every figure that is used, borrowed or waits.
package quota

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"

	"kubectl-gpu/tests/controlplane/internal/cluster"
	"kubectl-gpu/tests/controlplane/internal/queueing"
	"kubectl-gpu/tests/controlplane/internal/scenario"
)

var (
	shared *cluster.Cluster
	client dynamic.Interface
	typed  kubernetes.Interface
)

func TestMain(m *testing.M) {
	os.Exit(cluster.Main("quota-", start, func() error { return cluster.StopIfStarted(shared) }, m.Run))
}

func start(ctx context.Context, parent string) error {
	binaries, err := cluster.Built(ctx, "../build")
	if err != nil {
		return err
	}
	kueue, err := cluster.Built(ctx, "../kueue/build")
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, 4*time.Minute)
	defer cancel()
	if shared, err = cluster.Start(ctx, cluster.Options{Dir: filepath.Join(parent, "cluster"), Binaries: binaries, Tied: true}); err != nil {
		return err
	}
	config, err := shared.Config(cluster.Admin)
	if err != nil {
		return err
	}
	config.QPS, config.Burst = 500, 1000
	if client, err = dynamic.NewForConfig(config); err != nil {
		return err
	}
	if typed, err = kubernetes.NewForConfig(config); err != nil {
		return err
	}
	if err := queueing.Start(ctx, shared, client, queueing.Options{Dir: kueue, Work: parent, Frameworks: "batch/job"}); err != nil {
		return err
	}
	if err := scenario.CreateNamespace(ctx, typed, "kueue-system"); err != nil {
		return err
	}
	if err := createCommon(ctx); err != nil {
		return err
	}
	return nodes().Create(ctx, typed)
}

// nodes have whole cards and MIG slices. Nobody waits for them: what does is counted all the same.
func nodes() *scenario.Scenario {
	made := &scenario.Scenario{}
	for _, pool := range []string{"b200", "b300"} {
		for i := range 4 {
			made.Nodes = append(made.Nodes, scenario.Node{Name: fmt.Sprintf("%s-%d", pool, i),
				Labels:   map[string]string{"pool": pool},
				Capacity: scenario.Resources{"nvidia.com/gpu": "64", "nvidia.com/mig-1g.10gb": "64", "cpu": "512", "memory": "2Ti", "pods": "500"}})
		}
	}
	return made
}
