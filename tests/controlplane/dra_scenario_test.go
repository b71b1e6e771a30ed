package controlplane

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	core "k8s.io/api/core/v1"

	"kubectl-gpu/tests/controlplane/internal/scenario"
)

// draNamespace is that of the pods that hold devices; draAdminNamespace may look at all of them.
const draNamespace, draAdminNamespace = "dra", "dra-admin"

// draNode is a node with devices, what pods hold of them, and what top must say: "allocated/free/
// unavailable of total" by resource.
type draNode struct {
	node   scenario.Node
	slices []scenario.Slice
	claims []scenario.Claim
	pods   []scenario.Pod
	want   map[string]string
	// again are the resources that are a second view of the same cards.
	again []string
	// gap is what a gap must name.
	gap string
}

func attributes(kind, uuid string, more ...string) map[string]string {
	all := map[string]string{"type": kind, "uuid": uuid, "productName": "NVIDIA H100 80GB HBM3"}
	for i := 0; i+1 < len(more); i += 2 {
		all[more[i]] = more[i+1]
	}
	return all
}

// cards are whole ones, gpu-0 and so on.
func cards(count int) scenario.Device {
	return scenario.Device{Name: "gpu", Count: count, Capacity: scenario.Resources{"memory": "80Gi"},
		Attributes: attributes("gpu", "GPU-#")}
}

func tainted(name string, taints ...string) scenario.Device {
	return scenario.Device{Name: name, Taints: taints, Capacity: scenario.Resources{"memory": "80Gi"},
		Attributes: attributes("gpu", "GPU-"+name)}
}

// mig is a slice of the card.
func mig(name, card, profile, memory string) scenario.Device {
	return scenario.Device{Name: name, Capacity: scenario.Resources{"memory": memory},
		Attributes: attributes("mig", "MIG-"+name, "parentUUID", "GPU-"+card, "profile", profile)}
}

// memorySlices are counters that NVIDIA's driver has: one for each memory slice of a card.
func memorySlices(first, count int) scenario.Resources {
	counters := scenario.Resources{}
	for i := first; i < first+count; i++ {
		counters[core.ResourceName(fmt.Sprintf("memory-slice-%d", i))] = "1"
	}
	return counters
}

// cuttable are cards that are cut when slices are asked for, as NVIDIA's driver publishes them.
func cuttable(node string, count int) []scenario.Slice {
	counters := scenario.Slice{Name: node + "-counters", Node: node, Slices: 2, Counters: map[string]scenario.Resources{}}
	devices := scenario.Slice{Name: node + "-devices", Node: node, Slices: 2}
	for i := range count {
		card := fmt.Sprintf("gpu-%d", i)
		set := card + "-counter-set"
		counters.Counters[set] = memorySlices(0, 8)
		add := func(device scenario.Device, first, size int) {
			device.Consumes = map[string]scenario.Resources{set: memorySlices(first, size)}
			devices.Devices = append(devices.Devices, device)
		}
		add(tainted(card), 0, 8)
		for first := range 7 {
			add(mig(fmt.Sprintf("%s-mig-19-%d-1", card, first), card, "1g.10gb", "9856Mi"), first, 1)
		}
		for first := 0; first < 6; first += 2 {
			add(mig(fmt.Sprintf("%s-mig-14-%d-2", card, first), card, "2g.20gb", "20096Mi"), first, 2)
		}
		for first := 0; first < 8; first += 4 {
			add(mig(fmt.Sprintf("%s-mig-9-%d-4", card, first), card, "3g.40gb", "40448Mi"), first, 4)
		}
	}
	return []scenario.Slice{counters, devices}
}

// published is the one slice of a node's pool.
func published(node string, devices ...scenario.Device) []scenario.Slice {
	return []scenario.Slice{{Name: node, Node: node, Devices: devices}}
}

// user is a pod with a claim of its own, made from a template of the scenario.
func user(node, template string, count int) scenario.Pod {
	return scenario.Pod{Name: node + "-" + template, Namespace: draNamespace, Count: count,
		NodeSelector: onNode(node), Templates: []string{template}}
}

func onNode(name string) map[string]string {
	return map[string]string{core.LabelHostname: name}
}

func migSelector(profile string) string {
	return fmt.Sprintf("device.attributes['gpu.nvidia.com'].profile == '%s'", profile)
}

const (
	wholeCards  = "gpu.nvidia.com"
	smallSlices = "gpu.nvidia.com/mig-1g.10gb"
	largeSlices = "gpu.nvidia.com/mig-3g.40gb"
)

// draNodes is one node for each rule of the inventory.
func draNodes() map[string]draNode {
	labels := func(count string) map[string]string {
		return map[string]string{"nvidia.com/gpu.present": "true", "nvidia.com/gpu.count": count, "nvidia.com/gpu.product": "NVIDIA-H100-80GB-HBM3"}
	}
	nodes := map[string]draNode{
		"dra-cards": {slices: published("dra-cards", cards(4)), node: scenario.Node{Labels: labels("4")},
			pods: []scenario.Pod{user("dra-cards", "one-card", 1)}, want: map[string]string{wholeCards: "1/3/0 of 4"}},
		"dra-mig": {slices: published("dra-mig", tainted("gpu-1"), mig("m0", "gpu-0", "1g.10gb", "9856Mi"),
			mig("m1", "gpu-0", "1g.10gb", "9856Mi"), mig("m2", "gpu-0", "1g.10gb", "9856Mi"), mig("m3", "gpu-0", "3g.40gb", "40448Mi")),
			pods: []scenario.Pod{user("dra-mig", "small", 1), user("dra-mig", "large", 1)},
			want: map[string]string{wholeCards: "0/1/0 of 1", smallSlices: "1/2/0 of 3", largeSlices: "1/0/0 of 1"}},
		// Nobody cut a card: slices are no second way to count what is free.
		"dra-whole": {slices: cuttable("dra-whole", 2), want: map[string]string{wholeCards: "0/2/0 of 2"}},
		// The scheduler cuts gpu-0: of 8 memory slices 0 is held, 4 to 7 make a large one, and then 2
		// and 3 a middle one and 1 a small one.
		"dra-cut": {slices: cuttable("dra-cut", 2), pods: []scenario.Pod{user("dra-cut", "small", 1)},
			want: map[string]string{wholeCards: "0/1/1 of 2", largeSlices: "0/1/0 of 1",
				"gpu.nvidia.com/mig-2g.20gb": "0/1/0 of 1", smallSlices: "1/1/0 of 2"}},
		"dra-held": {slices: cuttable("dra-held", 2), pods: []scenario.Pod{user("dra-held", "one-card", 2)},
			want: map[string]string{wholeCards: "2/0/0 of 2"}},
		"dra-tainted": {slices: published("dra-tainted", tainted("gpu-0", "gpu.nvidia.com/xid=79:NoSchedule"),
			tainted("gpu-1", "gpu.nvidia.com/gpu-lost=1:NoExecute"), tainted("gpu-2", "gpu.nvidia.com/unmonitored=1:None"), tainted("gpu-3")),
			pods: []scenario.Pod{user("dra-tainted", "one-card", 1)}, want: map[string]string{wholeCards: "1/1/2 of 4"}},
		"dra-incomplete": {slices: []scenario.Slice{{Name: "dra-incomplete", Node: "dra-incomplete", Slices: 2, Devices: []scenario.Device{cards(2)}}},
			want: map[string]string{wholeCards: "0/0/2 of 2"}, gap: "gpu.nvidia.com/dra-incomplete: 1 of 2 slices are published"},
		"dra-generations": {slices: []scenario.Slice{
			{Name: "dra-generations-1", Node: "dra-generations", Generation: 1, Devices: []scenario.Device{cards(8)}},
			{Name: "dra-generations-2", Node: "dra-generations", Generation: 2, Devices: []scenario.Device{cards(2)}}},
			pods: []scenario.Pod{user("dra-generations", "one-card", 1)}, want: map[string]string{wholeCards: "1/1/0 of 2"}},
		"dra-together": {slices: published("dra-together", cards(3)),
			claims: []scenario.Claim{{Name: "together", Namespace: draNamespace, Class: "dra-card", Count: 2}},
			pods:   []scenario.Pod{{Name: "together", Namespace: draNamespace, Count: 2, Claims: []string{"together"}, NodeSelector: onNode("dra-together")}},
			want:   map[string]string{wholeCards: "2/1/0 of 3"}},
		"dra-admin": {slices: published("dra-admin", cards(2)),
			claims: []scenario.Claim{{Name: "watcher", Namespace: draAdminNamespace, Class: "dra-card", All: true, Admin: true}},
			pods:   []scenario.Pod{{Name: "watcher", Namespace: draAdminNamespace, Claims: []string{"watcher"}, NodeSelector: onNode("dra-admin")}},
			want:   map[string]string{wholeCards: "0/2/0 of 2"}},
		// Eight claims of the default size fit into a card; one takes 10 GiB, one 25.
		"dra-capacity": {slices: published("dra-capacity", scenario.Device{Name: "gpu", Count: 2, Default: scenario.Resources{"memory": "10Gi"},
			Capacity: scenario.Resources{"memory": "80Gi"}, Attributes: attributes("gpu", "GPU-#")}),
			pods: []scenario.Pod{user("dra-capacity", "one-card", 1), user("dra-capacity", "part", 1)},
			want: map[string]string{wholeCards: "4/12/0 of 16"}},
		"dra-extended": {slices: published("dra-extended", cards(3)), pods: []scenario.Pod{{Name: "extended", Namespace: draNamespace,
			NodeSelector: onNode("dra-extended"), Requests: scenario.Resources{"nvidia.com/gpu": "2"}}},
			want: map[string]string{wholeCards: "2/1/0 of 3"}},
		"dra-both": {slices: published("dra-both", cards(4)), node: scenario.Node{Labels: labels("4"), Capacity: scenario.Resources{"nvidia.com/gpu": "4"}},
			pods: []scenario.Pod{user("dra-both", "one-card", 1), {Name: "plugin", Namespace: draNamespace, Node: "dra-both",
				Requests: scenario.Resources{"nvidia.com/gpu": "2"}}},
			want:  map[string]string{wholeCards: "1/3/0 of 4", "nvidia.com/gpu": "2/2/0 of 4"},
			again: []string{wholeCards}, gap: "node dra-both hands out the same 4 cards twice"},
		"dra-split": {slices: published("dra-split", cards(1)), node: scenario.Node{Labels: labels("3"), Capacity: scenario.Resources{"nvidia.com/gpu": "2"}},
			want: map[string]string{wholeCards: "0/1/0 of 1", "nvidia.com/gpu": "0/2/0 of 2"}},
		"dra-cordoned": {slices: published("dra-cordoned", cards(2)), node: scenario.Node{Unschedulable: true},
			want: map[string]string{wholeCards: "0/0/2 of 2"}},
	}
	for name, each := range nodes {
		each.node.Name = name
		nodes[name] = each
	}
	return nodes
}

var draLoaded = sync.OnceValue(func() error {
	whole := scenario.Scenario{
		DeviceClasses: []scenario.DeviceClass{
			{Name: "dra-card", Selector: "device.driver == 'gpu.nvidia.com' && device.attributes['gpu.nvidia.com'].type == 'gpu'",
				ExtendedResource: "nvidia.com/gpu"},
			{Name: "dra-slice", Selector: "device.driver == 'gpu.nvidia.com' && device.attributes['gpu.nvidia.com'].type == 'mig'"},
		},
		ResourceClaims: []scenario.Claim{
			{Name: "one-card", Namespace: draNamespace, Template: true, Class: "dra-card"},
			{Name: "part", Namespace: draNamespace, Template: true, Class: "dra-card", Capacity: scenario.Resources{"memory": "25Gi"}},
			{Name: "small", Namespace: draNamespace, Template: true, Class: "dra-slice", Selector: migSelector("1g.10gb")},
			{Name: "large", Namespace: draNamespace, Template: true, Class: "dra-slice", Selector: migSelector("3g.40gb")},
		},
	}
	for _, each := range draNodes() {
		whole.Nodes = append(whole.Nodes, each.node)
		whole.ResourceSlices = append(whole.ResourceSlices, each.slices...)
		whole.ResourceClaims = append(whole.ResourceClaims, each.claims...)
		whole.Pods = append(whole.Pods, each.pods...)
	}
	api, err := shared.Client("admin")
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	defer cancel()
	return whole.Create(ctx, api)
})

// loadDRA makes the nodes once for the whole run; they stay.
func loadDRA(t *testing.T) {
	t.Helper()
	if err := draLoaded(); err != nil {
		t.Fatal(err)
	}
}
