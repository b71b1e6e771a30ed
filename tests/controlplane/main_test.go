// Package controlplane tests kubectl-gpu against a real control plane, with upstream's own code as
// the judge. One cluster serves the whole run.
package controlplane

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"k8s.io/client-go/kubernetes"

	"kubectl-gpu/tests/controlplane/internal/cluster"
	"kubectl-gpu/tests/controlplane/internal/scenario"
)

// shared is the cluster of this run.
var shared *cluster.Cluster

func TestMain(m *testing.M) {
	os.Exit(withCluster(m.Run))
}

func withCluster(run func() int) int {
	binaries, err := build()
	if err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		return 1
	}
	parent, err := os.MkdirTemp("", "controlplane-")
	if err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		return 1
	}
	shared, err = cluster.Start(context.Background(), cluster.Options{
		Dir: filepath.Join(parent, "cluster"), Binaries: binaries, Tied: true})
	if err != nil {
		fmt.Fprintf(os.Stderr, "error: %v\nlogs: %s\n", err, parent)
		return 1
	}
	code := run()
	if err := shared.Stop(); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		code = max(code, 1)
	}
	if code != 0 {
		fmt.Fprintln(os.Stderr, "logs, audit log and kubeconfigs:", shared.Dir)
		return code
	}
	_ = os.RemoveAll(parent)
	return code
}

// build runs the script of the same name, which costs nothing the second time.
func build() (string, error) {
	command := exec.Command("./build")
	command.Stderr = os.Stderr
	out, err := command.Output()
	if err != nil {
		return "", fmt.Errorf("./build: %w", err)
	}
	return strings.TrimSpace(string(out)), nil
}

func client(t *testing.T) *kubernetes.Clientset {
	t.Helper()
	client, err := shared.Client(cluster.Admin)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

var loaded struct {
	sync.Mutex
	files map[string]error
}

// load creates a file of scenarios/ in the shared cluster, once for the whole run.
func load(t *testing.T, name string) {
	t.Helper()
	loaded.Lock()
	defer loaded.Unlock()
	err, known := loaded.files[name]
	if !known {
		ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
		defer cancel()
		err = scenario.CreateFrom(ctx, client(t), filepath.Join("scenarios", name))
		if loaded.files == nil {
			loaded.files = map[string]error{}
		}
		loaded.files[name] = err
	}
	if err != nil {
		t.Fatalf("scenario %s: %v", name, err)
	}
}
