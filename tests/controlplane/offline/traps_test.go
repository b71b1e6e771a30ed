package offline

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"kubectl-gpu/tests/controlplane/internal/generate"
	"kubectl-gpu/tests/controlplane/internal/views"
)

type doc = generate.Doc

// unknown is null, where the tables of these tests hold numbers.
const unknown = -1

// wanted is a row of `top nodes` of the one node that a trap has.
type wanted struct {
	resource, unit, strategy string
	cards                    int64
	total, held, free        int64
	model                    string
}

// trap is a way in which numbers of GPUs have gone wrong in the field, and the right answer.
type trap struct {
	name                string
	labels, annotations map[string]string
	capacity            map[string]string
	// allocatable where it differs.
	allocatable map[string]string
	pods        []doc
	want        []wanted
}

// holder is a pod that runs on the node and asks for so much.
func holder(name string, amounts map[string]string, annotations ...string) doc {
	noted := doc{}
	for i := 0; i+1 < len(annotations); i += 2 {
		noted[annotations[i]] = annotations[i+1]
	}
	return doc{"apiVersion": "v1", "kind": "Pod", "metadata": doc{"name": name, "namespace": "d", "annotations": noted},
		"spec":   doc{"nodeName": "n", "containers": []doc{{"name": "main", "resources": doc{"limits": amounts, "requests": amounts}}}},
		"status": doc{"phase": "Running"}}
}

// ended is the same pod in another phase.
func ended(pod doc, phase string) doc {
	pod["status"] = doc{"phase": phase}
	return pod
}

func (c trap) node() doc {
	allocatable := maps.Clone(c.capacity)
	if allocatable == nil {
		allocatable = map[string]string{}
	}
	maps.Copy(allocatable, c.allocatable)
	allocatable["pods"] = "110"
	return doc{"apiVersion": "v1", "kind": "Node", "metadata": doc{"name": "n", "labels": c.labels, "annotations": c.annotations},
		"status": doc{"capacity": c.capacity, "allocatable": allocatable, "conditions": []doc{{"type": "Ready", "status": "True"}}}}
}

type resources = map[string]string

func gpu(amount string) resources { return resources{"nvidia.com/gpu": amount} }

// traps follow spec/telemetry.md: A6 and A7 (MIG and sharing) and C, section by section.
var traps = []trap{
	{name: "A6 unconfigured slices do not appear", labels: resources{"nvidia.com/gpu.product": "NVIDIA-A100-SXM4-40GB", "nvidia.com/gpu.count": "1", "nvidia.com/mig.strategy": "mixed"},
		capacity: resources{"nvidia.com/mig-1g.5gb": "2"},
		want:     []wanted{{"nvidia.com/mig-1g.5gb", "mig", "none", 1, 2, 0, 2, "A100-1g.5gb"}}},
	{name: "A6 free slices have no pod", labels: resources{"nvidia.com/gpu.product": "NVIDIA-A100-SXM4-40GB"},
		capacity: resources{"nvidia.com/mig-1g.5gb": "7"}, pods: []doc{holder("a", resources{"nvidia.com/mig-1g.5gb": "1"})},
		want: []wanted{{"nvidia.com/mig-1g.5gb", "mig", "none", unknown, 7, 1, 6, "A100-1g.5gb"}}},
	{name: "A6 stale capacity of the whole card beside slices", labels: resources{"nvidia.com/gpu.product": "NVIDIA-A100-SXM4-40GB", "nvidia.com/mig.strategy": "mixed", "nvidia.com/gpu.count": "1"},
		capacity: resources{"nvidia.com/gpu": "1", "nvidia.com/mig-1g.5gb": "7"}, allocatable: gpu("0"),
		want: []wanted{{"nvidia.com/mig-1g.5gb", "mig", "none", 1, 7, 0, 7, "A100-1g.5gb"}}},
	{name: "A6 profile with a suffix", labels: resources{"nvidia.com/gpu.product": "NVIDIA-A100-SXM4-40GB"},
		capacity: resources{"nvidia.com/mig-1g.5gb.me": "1"},
		want:     []wanted{{"nvidia.com/mig-1g.5gb.me", "mig", "none", unknown, 1, 0, 1, "A100-1g.5gb.me"}}},
	{name: "A7 shares are no cards", labels: resources{"nvidia.com/gpu.product": "Tesla-T4-SHARED", "nvidia.com/gpu.count": "8", "nvidia.com/gpu.replicas": "10", "nvidia.com/gpu.sharing-strategy": "time-slicing"},
		capacity: gpu("80"), pods: []doc{holder("a", gpu("1"))},
		want: []wanted{{"nvidia.com/gpu", "share", "time-slicing", 8, 80, 1, 79, "T4-16G/10"}}},
	{name: "A7 renamed shares count", labels: resources{"nvidia.com/gpu.product": "Tesla-T4", "nvidia.com/gpu.count": "1", "nvidia.com/gpu.replicas": "4", "nvidia.com/gpu.sharing-strategy": "time-slicing"},
		capacity: resources{"nvidia.com/gpu.shared": "4"}, pods: []doc{holder("a", resources{"nvidia.com/gpu.shared": "1"})},
		want: []wanted{{"nvidia.com/gpu.shared", "share", "time-slicing", 1, 4, 1, 3, "T4-16G/4"}}},
	{name: "A7 MPS", labels: resources{"nvidia.com/gpu.product": "Tesla-T4-SHARED", "nvidia.com/gpu.count": "2", "nvidia.com/gpu.replicas": "4", "nvidia.com/gpu.sharing-strategy": "mps"},
		capacity: gpu("8"), want: []wanted{{"nvidia.com/gpu", "share", "mps", 2, 8, 0, 8, "T4-16G/4"}}},

	{name: "C1 partitions under a card's name", labels: resources{"amd.com/gpu.product-name": "AMD_Instinct_MI300X_OAM", "amd.com/gpu.compute-memory-partition": "cpx_nps4"},
		capacity: resources{"amd.com/gpu": "64"}, pods: []doc{holder("a", resources{"amd.com/gpu": "8"})},
		want: []wanted{{"amd.com/gpu", "partition", "none", 8, 64, 8, 56, ""}}},
	{name: "C1 whole cards under spx", labels: resources{"amd.com/gpu.product-name": "AMD_Instinct_MI300X_OAM", "amd.com/gpu.compute-memory-partition": "spx_nps1"},
		capacity: resources{"amd.com/gpu": "8"}, want: []wanted{{"amd.com/gpu", "gpu", "none", 8, 8, 0, 8, ""}}},
	{name: "C1 mixed naming", capacity: resources{"amd.com/cpx_nps4": "8", "amd.com/spx_nps1": "7"},
		want: []wanted{{"amd.com/cpx_nps4", "partition", "none", unknown, 8, 0, 8, "cpx_nps4"}, {"amd.com/spx_nps1", "", "none", 7, 7, 0, 7, ""}}},
	{name: "C1 virtual functions", capacity: resources{"amd.com/gpu_vf": "4"},
		want: []wanted{{"amd.com/gpu_vf", "partition", "none", unknown, 4, 0, 4, ""}}},
	{name: "C1 the amount stands in the label's name", labels: resources{"beta.amd.com/gpu.product-name.Radeon_Pro_W7900": "1", "beta.amd.com/gpu.vram.48G": "1"},
		capacity: resources{"amd.com/gpu": "2"}, want: []wanted{{"amd.com/gpu", "gpu", "none", 2, 2, 0, 2, ""}}},

	{name: "C2 monitoring is no GPU", capacity: resources{"gpu.intel.com/i915": "1", "gpu.intel.com/i915_monitoring": "1", "gpu.intel.com/monitoring": "1", "gpu.intel.com/xe_monitoring": "1"},
		pods: []doc{holder("watcher", resources{"gpu.intel.com/i915_monitoring": "1"})},
		want: []wanted{{"gpu.intel.com/i915", "gpu", "none", 1, 1, 0, 1, ""}}},
	{name: "C2 millicores, memory and tiles are amounts", capacity: resources{"gpu.intel.com/i915": "1", "gpu.intel.com/millicores": "1000", "gpu.intel.com/memory.max": "16G", "gpu.intel.com/tiles": "2"},
		want: []wanted{{"gpu.intel.com/i915", "gpu", "none", 1, 1, 0, 1, ""}}},
	{name: "C2 several pods may open a card", labels: resources{"gpu.intel.com/product": "Flex_170", "gpu.intel.com/device.count": "2"}, capacity: resources{"gpu.intel.com/i915": "20"},
		want: []wanted{{"gpu.intel.com/i915", "share", "shared", 2, 20, 0, 20, ""}}},
	{name: "C2 cards that the labels count and do not name", labels: resources{"gpu.intel.com/device.count": "2"}, capacity: resources{"gpu.intel.com/i915": "20"},
		want: []wanted{{"gpu.intel.com/i915", "share", "shared", 2, 20, 0, 20, ""}}},
	{name: "C2 Gaudi", capacity: resources{"habana.ai/gaudi": "8"}, want: []wanted{{"habana.ai/gaudi", "gpu", "none", 8, 8, 0, 8, ""}}},

	{name: "C4 HAMi advertises a card as several", annotations: resources{"hami.io/node-nvidia-register": "GPU-a,10,24576,100,NVIDIA-NVIDIA A10,0,true,0,hami-core:GPU-b,10,24576,100,NVIDIA-NVIDIA A10,0,true,1,hami-core:"},
		capacity: resources{"nvidia.com/gpu": "20", "nvidia.com/gpumem": "49152", "nvidia.com/gpumem-percentage": "200", "nvidia.com/gpucores": "200"},
		pods:     []doc{holder("a", resources{"nvidia.com/gpu": "1", "nvidia.com/gpumem": "8192"}, "hami.io/vgpu-devices-allocated", "GPU-a,NVIDIA,8192,30:;")},
		want:     []wanted{{"nvidia.com/gpu", "share", "hami", 2, 20, 1, 19, ""}}},
	{name: "C4 what a finished pod has written down is nobody's", annotations: resources{"hami.io/node-nvidia-register": "GPU-a,10,24576,100,NVIDIA-NVIDIA A10,0,true,0,hami-core:"},
		capacity: gpu("10"), pods: []doc{ended(holder("a", gpu("1"), "hami.io/vgpu-devices-allocated", "GPU-a,NVIDIA,8192,30:;"), "Succeeded")},
		want: []wanted{{"nvidia.com/gpu", "share", "hami", 1, 10, 0, 10, ""}}},
	{name: "C4 Volcano", annotations: resources{"volcano.sh/node-vgpu-register": "GPU-a,10,24576,NVIDIA-A10,true:"},
		capacity: resources{"volcano.sh/vgpu-number": "10", "volcano.sh/vgpu-memory": "24576", "volcano.sh/vgpu-cores": "100", "volcano.sh/vgpu-memory-percentage": "100"},
		pods:     []doc{holder("a", resources{"volcano.sh/vgpu-number": "1", "volcano.sh/vgpu-memory": "8192"})},
		want:     []wanted{{"volcano.sh/vgpu-number", "share", "volcano", 1, 10, 1, 9, ""}}},
	{name: "C4 gpushare counts memory", capacity: resources{"aliyun.com/gpu-mem": "30", "aliyun.com/gpu-count": "2"},
		pods: []doc{holder("a", resources{"aliyun.com/gpu-mem": "8"}, "ALIYUN_COM_GPU_MEM_IDX", "0")},
		want: []wanted{{"aliyun.com/gpu-mem", "gib", "gpushare", 2, 30, 8, 22, ""}}},

	{name: "C5 a fraction is held by its reservation", labels: resources{"nvidia.com/gpu.product": "NVIDIA-L4", "nvidia.com/gpu.count": "2"}, capacity: gpu("2"),
		pods: []doc{holder("fraction", nil, "gpu-fraction", "0.5"), holder("runai-reservation-gpu-x", gpu("1"))},
		want: []wanted{{"nvidia.com/gpu", "gpu", "none", 2, 2, 1, 1, "L4-24G"}}},

	{name: "C7 finished pods hold nothing", capacity: gpu("8"),
		pods: []doc{ended(holder("a", gpu("4")), "Succeeded"), ended(holder("b", gpu("4")), "Failed"), ended(holder("c", gpu("2")), "Pending")},
		want: []wanted{{"nvidia.com/gpu", "gpu", "none", 8, 8, 2, 6, ""}}},

	{name: "C8 TPU", labels: resources{"cloud.google.com/gke-tpu-accelerator": "tpu-v5-lite-podslice"}, capacity: resources{"google.com/tpu": "4"},
		want: []wanted{{"google.com/tpu", "tpu", "none", 4, 4, 0, 4, ""}}},
	{name: "C8 Neuron has three names for the same chips", capacity: resources{"aws.amazon.com/neuron": "6", "aws.amazon.com/neuroncore": "12", "aws.amazon.com/neurondevice": "6"},
		pods: []doc{holder("a", resources{"aws.amazon.com/neuroncore": "2"})},
		want: []wanted{{"aws.amazon.com/neuron", "neuron", "none", 6, 6, 0, 6, ""}, {"aws.amazon.com/neuroncore", "neuroncore", "none", unknown, 12, 2, 10, ""},
			{"aws.amazon.com/neurondevice", "neurondevice", "none", 6, 6, 0, 6, ""}}},

	{name: "C9 amounts alone are no GPU node", capacity: resources{"nvidia.com/gpumem": "100", "nvidia.com/gpumem-percentage": "100", "nvidia.com/gpucores": "100",
		"volcano.sh/vgpu-memory": "100", "volcano.sh/vgpu-memory-percentage": "100", "volcano.sh/vgpu-cores": "100"}},
	{name: "C9 a renamed card", labels: resources{"nvidia.com/gpu.product": "NVIDIA-A100-PCIE-40GB", "nvidia.com/gpu.count": "2"}, capacity: resources{"nvidia.com/a100": "2"},
		want: []wanted{{"nvidia.com/a100", "gpu", "none", 2, 2, 0, 2, "A100-40G"}}},
	{name: "C9 virtual GPUs", capacity: resources{"nvidia.com/GRID_T4-4Q": "4"}, want: []wanted{{"nvidia.com/GRID_T4-4Q", "vgpu", "none", unknown, 4, 0, 4, "GRID_T4-4Q"}}},
	{name: "C9 single strategy counts slices", labels: resources{"nvidia.com/gpu.product": "NVIDIA-A100-SXM4-40GB-MIG-1g.5gb", "nvidia.com/gpu.count": "14", "nvidia.com/mig.strategy": "single"}, capacity: gpu("14"),
		want: []wanted{{"nvidia.com/gpu", "mig", "none", 2, 14, 0, 14, "A100-1g.5gb"}}},
	{name: "C9 shared slices of single strategy", labels: resources{"nvidia.com/gpu.product": "NVIDIA-A100-SXM4-40GB-MIG-1g.5gb-SHARED", "nvidia.com/gpu.count": "7", "nvidia.com/gpu.replicas": "2",
		"nvidia.com/gpu.sharing-strategy": "time-slicing", "nvidia.com/mig.strategy": "single"}, capacity: gpu("14"),
		want: []wanted{{"nvidia.com/gpu", "mig-share", "time-slicing", 1, 14, 0, 14, "A100-1g.5gb/2"}}},
	// What labels promise and the plugin does not advertise is there, and unavailable.
	{name: "C9 labels count other than the plugin", labels: resources{"nvidia.com/gpu.product": "NVIDIA-L4", "nvidia.com/gpu.count": "8"}, capacity: gpu("4"),
		want: []wanted{{"nvidia.com/gpu", "gpu", "none", 8, 8, 0, 4, "L4-24G"}}},
	{name: "C9 shares that no replicas explain", labels: resources{"nvidia.com/gpu.product": "NVIDIA-L4-SHARED", "nvidia.com/gpu.count": "3", "nvidia.com/gpu.replicas": "4", "nvidia.com/gpu.sharing-strategy": "time-slicing"}, capacity: gpu("10"),
		want: []wanted{{"nvidia.com/gpu", "share", "time-slicing", unknown, 10, 0, 10, "L4-24G/?"}}},
	{name: "C9 GKE shares", labels: resources{"cloud.google.com/gke-accelerator": "nvidia-l4", "cloud.google.com/gke-accelerator-count": "1", "cloud.google.com/gke-gpu-sharing-strategy": "time-sharing",
		"cloud.google.com/gke-max-shared-clients-per-gpu": "8"}, capacity: gpu("8"),
		want: []wanted{{"nvidia.com/gpu", "share", "time-slicing", 1, 8, 0, 8, "L4-24G/8"}}},
	{name: "C9 the driver is not ready", labels: resources{"nvidia.com/gpu.present": "true", "nvidia.com/gpu.product": "NVIDIA-L4", "nvidia.com/gpu.count": "2"}, capacity: gpu("2"), allocatable: gpu("0"),
		want: []wanted{{"nvidia.com/gpu", "gpu", "none", 2, 2, 0, 0, "L4-24G"}}},
}

func TestTraps(t *testing.T) {
	for _, c := range traps {
		t.Run(c.name, func(t *testing.T) {
			path := write(t, "trap.json", generate.List(append([]doc{c.node(), holder("idle", nil)}, c.pods...)...))
			all := allViews(t, path)
			for _, sentence := range all.Disagreements() {
				t.Error(sentence)
			}
			var have []wanted
			for i, row := range all.Nodes.Items {
				have = append(have, asWanted(row))
				// Where the table does not say, any answer will do.
				if i < len(c.want) && c.want[i].model == "" {
					have[i].model = ""
				}
				if i < len(c.want) && c.want[i].unit == "" {
					have[i].unit = ""
				}
			}
			if !slices.Equal(have, c.want) {
				t.Errorf("\nhave %+v\nwant %+v", have, c.want)
			}
		})
	}
}

func asWanted(row views.Node) wanted {
	amount := func(value *int64) int64 {
		if value == nil {
			return unknown
		}
		return *value
	}
	made := wanted{row.Resource, row.Unit, row.Sharing.Strategy, amount(row.Cards), unknown, amount(row.Allocated), amount(row.Free), ""}
	if row.Allocated != nil && row.Free != nil && row.Unavailable != nil {
		made.total = *row.Allocated + *row.Free + *row.Unavailable
	}
	if row.Model != nil {
		made.model = *row.Model
	}
	return made
}

// TestNoCardIsInvented: where only numbers are known, no view names a card.
func TestNoCardIsInvented(t *testing.T) {
	c := trap{capacity: gpu("8"), pods: []doc{holder("a", gpu("3"))}}
	all := allViews(t, write(t, "numbers.json", generate.List(append(c.pods, c.node())...)))
	units := map[string]int64{}
	for _, device := range all.GPUs.Items {
		units[fmt.Sprint(device.State, " ", device.OwnerEvidence)] += device.Units
		if device.UUID != nil || device.Device != nil {
			t.Errorf("a card that nobody named: %+v", device)
		}
	}
	if units["held request"] != 3 || units["free none"] != 5 || len(units) != 2 {
		t.Errorf("units %v, want 3 held by request, 5 free", units)
	}
}
