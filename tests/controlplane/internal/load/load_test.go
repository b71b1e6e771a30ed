package load

import (
	"crypto/sha256"
	"testing"

	core "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"
)

var small = Plan{Nodes: 20, GPUNodes: 5, Pods: 400, PodBytes: 10_000, Seed: 7}

func digest(t *testing.T, plan Plan) (sum [32]byte) {
	t.Helper()
	hash := sha256.New()
	err := each(newMaker(plan), func(key string, object runtime.Object, kind string) error {
		value, err := stored(object, kind)
		hash.Write([]byte(key + value))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	copy(sum[:], hash.Sum(nil))
	return sum
}

func TestSamePlanSameBytes(t *testing.T) {
	first := digest(t, small)
	if again := digest(t, small); again != first {
		t.Error("the same plan made other bytes")
	}
	other := small
	other.Seed++
	if digest(t, other) == first {
		t.Error("the seed changes nothing")
	}
}

func TestPodsAreAsPlanned(t *testing.T) {
	m, held, phases := newMaker(small), map[string]int64{}, map[core.PodPhase]int{}
	for i := range small.Pods {
		pod := m.pod(i)
		if size := pod.Size(); size < 9_900 || size > 10_100 {
			t.Fatalf("pod %d has %d bytes, want about %d", i, size, small.PodBytes)
		}
		gpus := pod.Spec.Containers[0].Resources.Limits[gpuResource]
		if pod.Spec.NodeName != "" {
			held[pod.Spec.NodeName] += gpus.Value()
		}
		phases[pod.Status.Phase]++
	}
	if len(held) < small.GPUNodes || held[nodeName(0)] == 0 {
		t.Errorf("pods hold GPUs on %v", held)
	}
	for node, gpus := range held {
		if gpus > gpusPerNode {
			t.Errorf("%s: pods hold %d GPUs of %d", node, gpus, gpusPerNode)
		}
	}
	for _, phase := range []core.PodPhase{core.PodRunning, core.PodPending, core.PodSucceeded} {
		if phases[phase] == 0 {
			t.Errorf("no pod is %s: %v", phase, phases)
		}
	}
}

func TestStoredFormIsReadable(t *testing.T) {
	value, err := stored(newMaker(small).pod(3), "Pod")
	if err != nil {
		t.Fatal(err)
	}
	object, kind, err := scheme.Codecs.UniversalDeserializer().Decode([]byte(value), nil, nil)
	if err != nil || kind.Kind != "Pod" || object.(*core.Pod).Spec.NodeName == "" {
		t.Errorf("decoded %v, error %v", kind, err)
	}
}
