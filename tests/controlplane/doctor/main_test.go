// Package doctor rebuilds faults of GPU stacks on a real control plane, one after the other, and asks
// `kubectl gpu doctor` what is wrong. DaemonSets are the controller manager's work, pods that crash KWOK's.
package doctor

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"k8s.io/client-go/dynamic"

	"kubectl-gpu/tests/controlplane/internal/cluster"
)

var (
	shared *cluster.Cluster
	api    dynamic.Interface
)

func TestMain(m *testing.M) {
	os.Exit(cluster.Main("doctor-", start, func() error { return cluster.StopIfStarted(shared) }, m.Run))
}

func start(ctx context.Context, parent string) error {
	binaries, err := cluster.Built(ctx, "../build")
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, 5*time.Minute)
	defer cancel()
	shared, err = cluster.Start(ctx, cluster.Options{
		Dir: filepath.Join(parent, "cluster"), Binaries: binaries, Tied: true})
	if err != nil {
		return err
	}
	config, err := shared.Config(cluster.Admin)
	if err != nil {
		return err
	}
	config.QPS = -1 // as fast as can be
	if api, err = dynamic.NewForConfig(config); err != nil {
		return err
	}
	if err := create(ctx, policyKind); err != nil {
		return err
	}
	return create(ctx, healthy)
}
