// Package oracle holds kube-scheduler's code, run in this process, against itself in a real control
// plane, and our own verdicts against both.
package oracle

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	core "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"

	"github.com/go-logr/logr"

	"kubectl-gpu/tests/controlplane/internal/cluster"
	"kubectl-gpu/tests/controlplane/internal/enact"
	"kubectl-gpu/tests/controlplane/internal/oracle"
	"kubectl-gpu/tests/controlplane/internal/scheduler"
)

// number is that of the environment, or the usual one.
func number(t *testing.T, name string, usual uint64) uint64 {
	t.Helper()
	text := os.Getenv(name)
	if text == "" {
		return usual
	}
	value, err := strconv.ParseUint(text, 10, 63)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return value
}

// stage starts a control plane in which only the scheduler does anything.
func stage(t *testing.T) *enact.Stage {
	t.Helper()
	command := exec.Command("../build")
	command.Stderr = os.Stderr
	binaries, err := command.Output()
	if err != nil {
		t.Fatalf("../build: %v", err)
	}
	started, err := cluster.Start(context.Background(), cluster.Options{
		Dir: filepath.Join(t.TempDir(), "cluster"), Binaries: strings.TrimSpace(string(binaries)), Tied: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := started.Stop(); err != nil {
			t.Error(err)
		}
	})
	if err := started.OnlyScheduler(); err != nil {
		t.Fatal(err)
	}
	config, err := started.Config(cluster.Admin)
	if err != nil {
		t.Fatal(err)
	}
	config.WarningHandler = rest.NoWarnings{}
	api, err := dynamic.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	return enact.NewStage(api)
}

// patience is how long a real scheduler may take until it says what it is expected to say; a
// verdict from before its caches were full it takes back after a second or two.
const patience = 20 * time.Second

// TestRealSchedulerAgrees plays scenarios to a real scheduler. KUBECTL_GPU_ORACLE_PLAYED says how
// many, KUBECTL_GPU_ORACLE_FROM from which seed on.
func TestRealSchedulerAgrees(t *testing.T) {
	count, from := number(t, "KUBECTL_GPU_ORACLE_PLAYED", 40), number(t, "KUBECTL_GPU_ORACLE_FROM", 0)
	klog.SetLogger(logr.Discard())
	where := stage(t)
	played := uint64(0)
	for seed := from; played < count; seed++ {
		made, err := oracle.Make(seed)
		if refused := (oracle.Refused{}); errors.As(err, &refused) {
			continue
		}
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if play(t, where, made.Playable()) {
			played++
		}
	}
	t.Logf("%d scenarios played, seeds %d and on", played, from)
}

// play is false for a pod that never leaves the queue: there is nothing to wait for.
func play(t *testing.T, where *enact.Stage, made oracle.Made) bool {
	t.Helper()
	ctx, waiting := context.Background(), made.Waiting
	expected, err := scheduler.Judge(ctx, made.Objects, waiting.Namespace, waiting.Name)
	if err != nil {
		t.Errorf("seed %d: %v", waiting.Seed, err)
		return true
	}
	if expected.Queue != "" {
		return false
	}
	said, err := where.Play(ctx, made.Manifests, waiting.Namespace, waiting.Name, expected, patience)
	if err != nil {
		t.Errorf("seed %d: %v", waiting.Seed, err)
	} else if len(said) == 0 || !enact.Agrees(expected, said[len(said)-1]) && !isErrorOfANode(t, made, said[len(said)-1]) {
		t.Errorf("seed %d: in process %+v, in a real cluster %+v", waiting.Seed, expected, said)
	}
	if err := where.Clear(ctx); err != nil {
		t.Fatalf("after seed %d: %v", waiting.Seed, err)
	}
	return true
}

// isErrorOfANode is whether the cycle ended with an error that some node alone would have ended it
// with: nodes are filtered in parallel, and the first error of any of them is told.
func isErrorOfANode(t *testing.T, made oracle.Made, said scheduler.Answer) bool {
	t.Helper()
	if said.Reason != core.PodReasonSchedulerError {
		return false
	}
	for _, alone := range made.Objects {
		if _, is := alone.(*core.Node); !is {
			continue
		}
		objects := slices.DeleteFunc(slices.Clone(made.Objects), func(object runtime.Object) bool {
			_, is := object.(*core.Node)
			return is && object != alone
		})
		answer, err := scheduler.Judge(context.Background(), objects, made.Waiting.Namespace, made.Waiting.Name)
		if err != nil {
			t.Errorf("seed %d: %v", made.Waiting.Seed, err)
			return false
		}
		if enact.Agrees(answer, said) {
			return true
		}
	}
	return false
}
