// Package kueue asks why-pending about Workloads that Kueue's own controller made: it runs beside
// the real control plane, with its webhooks. What gen prints for a queue is admitted, or held as gen says.
package kueue

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"

	"kubectl-gpu/tests/controlplane/internal/cluster"
	"kubectl-gpu/tests/controlplane/internal/scenario"
)

const team = "ml" // the namespace of all Jobs

var (
	shared *cluster.Cluster
	client dynamic.Interface
)

// operators have kinds that Kueue admits, and whose CRDs alone are here: nobody plays them.
var operators = []string{"jobset", "kubeflow-training-operator-v1", "kubeflow-mpi-operator-v2beta1", "kuberay"}

// configuration leaves out everything that the tests do not need.
const configuration = `apiVersion: config.kueue.x-k8s.io/v1beta2
kind: Configuration
namespace: kueue-system
health: {healthProbeBindAddress: "127.0.0.1:%[1]d"}
metrics: {bindAddress: "0"}
webhook: {host: 127.0.0.1, port: %[2]d, certDir: %[3]q}
leaderElection: {leaderElect: false}
internalCertManagement: {enable: false}
clientConnection: {qps: 500, burst: 1000}
integrations:
  frameworks: [batch/job, pod, deployment, jobset.x-k8s.io/jobset, kubeflow.org/pytorchjob, kubeflow.org/tfjob, kubeflow.org/mpijob,
    ray.io/raycluster, ray.io/rayjob]
`

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
	if err := startKueue(ctx, kueue, parent); err != nil {
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

func startKueue(ctx context.Context, dir, parent string) error {
	ports, err := cluster.FreePorts(2)
	if err != nil {
		return err
	}
	certificates := filepath.Join(parent, "certificates")
	if err := os.Mkdir(certificates, 0o700); err != nil {
		return err
	}
	authority, err := writeCertificate(certificates)
	if err != nil {
		return err
	}
	at := edge{url: fmt.Sprintf("https://127.0.0.1:%d", ports[1]), authority: authority}
	config := filepath.Join(parent, "kueue.yaml")
	text := fmt.Sprintf(configuration, ports[0], ports[1], certificates)
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		return err
	}
	kinds, err := cluster.UnpackKinds(ctx, parent)
	if err != nil {
		return err
	}
	folders := []string{filepath.Join(dir, "config/components/crd/bases")}
	for _, each := range operators {
		folders = append(folders, filepath.Join(kinds, each))
	}
	if err := installCRDs(ctx, client, folders, at); err != nil {
		return err
	}
	err = shared.StartBeside(&cluster.Process{Name: "kueue", Path: filepath.Join(dir, "kueue"),
		Args: []string{"--config=" + config, "--feature-gates=VisibilityOnDemand=false",
			"--kubeconfig=" + shared.Kubeconfig(cluster.Admin), "--zap-log-level=3"},
		Env: []string{"KUEUE_METRICS_CERTS=" + certificates}})
	if err != nil {
		return err
	}
	err = cluster.Poll(ctx, time.Minute, "Kueue's webhooks listen", func(ctx context.Context) (bool, error) {
		if err := shared.Alive("kueue"); err != nil {
			return false, err
		}
		connection, err := (&net.Dialer{}).DialContext(ctx, "tcp", fmt.Sprintf("127.0.0.1:%d", ports[1]))
		if err != nil {
			return false, err
		}
		return true, connection.Close()
	})
	if err != nil {
		return err
	}
	return installWebhooks(ctx, client, filepath.Join(dir, "config"), at)
}
