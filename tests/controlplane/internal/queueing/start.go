package queueing

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"time"

	"k8s.io/client-go/dynamic"

	"kubectl-gpu/tests/controlplane/internal/cluster"
)

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
  frameworks: [%[4]s]
`

// Options say what of Kueue is started.
type Options struct {
	Dir        string   // as kueue/build printed it
	Work       string   // an existing folder for certificates, configuration and CRDs
	Frameworks string   // of Kueue's configuration
	Operators  []string // whose CRDs are installed, too: folders of the kinds
}

// Start installs Kueue's CRDs, starts its controller beside the cluster, and registers its webhooks.
func Start(ctx context.Context, shared *cluster.Cluster, client dynamic.Interface, options Options) error {
	dir, parent := options.Dir, options.Work
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
	text := fmt.Sprintf(configuration, ports[0], ports[1], certificates, options.Frameworks)
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		return err
	}
	kinds, err := cluster.UnpackKinds(ctx, parent)
	if err != nil {
		return err
	}
	folders := []string{filepath.Join(dir, "config/components/crd/bases")}
	for _, each := range options.Operators {
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
