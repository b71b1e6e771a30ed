//go:build operators

package operators

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"
	storage "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"kubectl-gpu/tests/controlplane/internal/cluster"
	"kubectl-gpu/tests/controlplane/internal/scenario"
)

var (
	shared  *cluster.Cluster
	kubectl string
	client  *kubernetes.Clientset
	secrets certificates
)

// operator is a controller of kinds that gen prints.
type operator struct {
	name  string
	crds  string // a folder of its module, or a pattern of folders
	start func(context.Context, site) error
}

var operators = []operator{
	{"kserve", "config/crd/full", startKServe},
	{"jobset", "config/components/crd/bases", startJobSet},
	{"lws", "config/crd/bases", startLeaderWorkerSet},
	{"kuberay", "config/crd/bases", startKubeRay},
	{"mpi-operator", "manifests/base", startMPIOperator},
	{"training-operator", "manifests/base/crds", startTrainingOperator},
	{"trainer", "manifests/base/crds", startTrainer},
	{"karpenter", "*/apis/crds", startKarpenter},
}

func TestMain(m *testing.M) {
	os.Exit(cluster.Main("operators-", start, func() error { return cluster.StopIfStarted(shared) }, m.Run))
}

func start(ctx context.Context, parent string) error {
	binaries, err := cluster.Built(ctx, "../build")
	if err != nil {
		return err
	}
	built, err := cluster.Built(ctx, "./build")
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, 5*time.Minute)
	defer cancel()
	kubectl = filepath.Join(binaries, "kubectl")
	if secrets, err = makeCertificates(); err != nil {
		return err
	}
	shared, err = cluster.Start(ctx, cluster.Options{Dir: filepath.Join(parent, "cluster"), Binaries: binaries, Tied: true})
	if err != nil {
		return err
	}
	if client, err = shared.Client(cluster.Admin); err != nil {
		return err
	}
	if err := nodes().Create(ctx, client); err != nil {
		return err
	}
	if err := createStorageClass(ctx); err != nil {
		return err
	}
	return startOperators(ctx, built, parent)
}

// createStorageClass makes the default of every claim: a driver that nobody plays, see bindClaims.
func createStorageClass(ctx context.Context) error {
	waits := storage.VolumeBindingWaitForFirstConsumer
	_, err := client.StorageV1().StorageClasses().Create(ctx, &storage.StorageClass{
		ObjectMeta:  v1.ObjectMeta{Name: "made", Annotations: map[string]string{"storageclass.kubernetes.io/is-default-class": "true"}},
		Provisioner: "example.com/made", VolumeBindingMode: &waits}, v1.CreateOptions{})
	return err
}

// nodes are four with GPUs, as the GPU Operator labels them and clouds taint them, and two without.
func nodes() *scenario.Scenario {
	return &scenario.Scenario{Nodes: []scenario.Node{
		{Name: "h100", Count: 4, Labels: map[string]string{"nvidia.com/gpu.product": "NVIDIA-H100-80GB-HBM3"},
			Capacity: scenario.Resources{"nvidia.com/gpu": "8", "cpu": "128", "memory": "1Ti", "pods": "110"},
			Taints:   []string{"nvidia.com/gpu:NoSchedule"}},
		{Name: "plain", Count: 2},
	}}
}

// startOperators serves all kinds before any controller starts: one that finds a kind missing looks
// again only after 10 seconds.
func startOperators(ctx context.Context, built, parent string) error {
	for _, each := range operators {
		if err := installCRDs(ctx, each.name, filepath.Join(built, each.name, each.crds)); err != nil {
			return err
		}
	}
	if _, err := run(ctx, nil, "wait", "--for=condition=Established", "--timeout=60s", "crd", "--all"); err != nil {
		return err
	}
	ports, err := cluster.FreePorts(3 * len(operators))
	if err != nil {
		return err
	}
	group, ctx := errgroup.WithContext(ctx)
	for i, each := range operators {
		at := site{name: each.name, files: filepath.Join(built, each.name), temp: filepath.Join(parent, each.name),
			webhook: ports[3*i], health: ports[3*i+1], metrics: ports[3*i+2]}
		if err := secrets.write(at.certificates()); err != nil {
			return err
		}
		group.Go(func() error {
			if err := each.start(ctx, at); err != nil {
				return fmt.Errorf("%s: %w", each.name, err)
			}
			return nil
		})
	}
	return group.Wait()
}

// run calls kubectl as the administrator; the error holds what it said.
func run(ctx context.Context, in []byte, words ...string) (string, error) {
	command := exec.CommandContext(ctx, kubectl, words...)
	command.Env = append(os.Environ(), "KUBECONFIG="+shared.Kubeconfig(cluster.Admin))
	command.Stdin = bytes.NewReader(in)
	out, err := command.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("kubectl %s: %w: %s", strings.Join(words, " "), err, out)
	}
	return string(out), nil
}
