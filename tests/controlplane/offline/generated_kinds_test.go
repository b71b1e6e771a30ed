package offline

import (
	"fmt"
	"os"
	"sync/atomic"
	"testing"

	"kubectl-gpu/tests/controlplane/internal/generate"
	"kubectl-gpu/tests/controlplane/internal/judge"
	"kubectl-gpu/tests/controlplane/internal/views"
)

const kindsClusters = 500

// allocated is the cluster of this seed as kube-scheduler would have left it, and the file of it.
func allocated(t *testing.T, seed uint64) (world *judge.World, path string) {
	t.Helper()
	cluster := generate.RandomKinds(seed, "c")
	if err := cluster.Allocate(); err != nil {
		t.Fatal(err)
	}
	// Without a pod, a List does not say that there are none.
	idle := generate.Doc{"apiVersion": "v1", "kind": "Pod", "metadata": generate.Doc{"name": "idle", "namespace": "generated-a"},
		"spec": generate.Doc{"containers": []generate.Doc{{"name": "c"}}, "schedulingGates": []generate.Doc{{"name": "example.com/gate"}}}}
	list := generate.List(append(cluster.Objects(), idle)...)
	world, err := judge.Decode(list)
	if err != nil {
		t.Fatal(err)
	}
	return world, write(t, "cluster.json", list)
}

// allViews asks for every view of a file.
func allViews(t *testing.T, path string) *views.Views {
	t.Helper()
	read, err := views.Read(func(view string) ([]byte, error) {
		stdout, stderr, code := run(t, "top", view, "--from", path, "-o", "json")
		if code != 0 {
			return nil, fmt.Errorf("exit code %d: %s", code, stderr)
		}
		return []byte(stdout), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return read
}

// TestGeneratedKinds: what one view says is the sum of what another says, and all of it is what the
// judge says, on clusters with every kind of GPU.
func TestGeneratedKinds(t *testing.T) {
	step := stride(t)
	var rows, devices, claims atomic.Int64
	t.Run("all", func(t *testing.T) {
		for seed := uint64(0); seed < kindsClusters; seed += step {
			t.Run(fmt.Sprint("seed-", seed), func(t *testing.T) {
				t.Parallel()
				world, path := allocated(t, seed)
				all := allViews(t, path)
				wrong := append(all.Disagreements(), all.Against(world)...)
				for _, sentence := range wrong {
					t.Error(sentence)
				}
				keep(t, path, len(wrong) > 0)
				rows.Add(int64(len(all.Nodes.Items)))
				devices.Add(int64(len(all.GPUs.Items)))
				for _, pod := range all.Pods.Items {
					if pod.Claim != nil {
						claims.Add(1)
					}
				}
			})
		}
	})
	if rows.Load() < 1500/int64(step) || devices.Load() < 3000/int64(step) || claims.Load() < 400/int64(step) {
		t.Errorf("only %d rows, %d devices, %d claims: the generator has dried up", rows.Load(), devices.Load(), claims.Load())
	}
	t.Logf("%d rows, %d devices, %d claims of pods", rows.Load(), devices.Load(), claims.Load())
}

// keep leaves the file of a failure where KUBECTL_GPU_KEEP says, to be looked at.
func keep(t *testing.T, path string, wrong bool) {
	t.Helper()
	dir := os.Getenv("KUBECTL_GPU_KEEP")
	if dir == "" || !wrong {
		return
	}
	text, err := os.ReadFile(path)
	if err == nil {
		err = os.WriteFile(fmt.Sprintf("%s/%s.json", dir, slug(t.Name())), text, 0o600)
	}
	if err != nil {
		t.Error(err)
	}
}
