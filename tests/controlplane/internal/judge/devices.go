package judge

import (
	"slices"
	"strings"
)

// devices are the resource names of known device plugins whose units are devices.
var devices = []string{
	"nvidia.com/gpu", "nvidia.com/gpu.shared", "nvidia.com/a100",
	"amd.com/gpu", "amd.com/gpu_vf", "amd.com/gpu_pf",
	"gpu.intel.com/i915", "gpu.intel.com/xe",
	"habana.ai/gaudi", "google.com/tpu",
	"volcano.sh/vgpu-number", "volcano.sh/gpu-number", "aliyun.com/gpu-mem", "aliyun.com/gpu",
	"aws.amazon.com/neuron", "aws.amazon.com/neuroncore", "aws.amazon.com/neurondevice",
}

// IsDevice tells whether a resource counts devices. It lists what does, so that an amount, a
// monitoring handle or a network card that is new to it can only be missed, not counted.
func IsDevice(resource string) bool {
	if slices.Contains(devices, resource) {
		return true
	}
	for _, prefix := range []string{"nvidia.com/mig-", "nvidia.com/GRID_"} {
		if strings.HasPrefix(resource, prefix) {
			return true
		}
	}
	// AMD's mixed naming: compute partition, then memory partition.
	return strings.HasPrefix(resource, "amd.com/") && strings.Contains(resource, "_nps")
}

// replacesCards tells a resource in which NVIDIA's cards stand that were whole before.
func replacesCards(resource string) bool {
	if !IsDevice(resource) {
		return false
	}
	for _, prefix := range []string{"nvidia.com/mig-", "volcano.sh/", "aliyun.com/"} {
		if strings.HasPrefix(resource, prefix) {
			return true
		}
	}
	return resource == "nvidia.com/gpu.shared"
}
