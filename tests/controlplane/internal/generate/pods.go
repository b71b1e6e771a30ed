package generate

import (
	"fmt"
	"slices"
)

// Devices are resource names that count devices, of all vendors.
var Devices = []string{
	"nvidia.com/gpu", "nvidia.com/gpu.shared", "nvidia.com/a100", "nvidia.com/mig-1g.10gb",
	"nvidia.com/mig-3g.40gb", "nvidia.com/mig-1g.5gb.shared", "nvidia.com/GRID_T4-4Q",
	"amd.com/gpu", "amd.com/gpu_vf", "amd.com/cpx_nps4", "gpu.intel.com/i915", "gpu.intel.com/xe",
	"habana.ai/gaudi", "google.com/tpu", "aws.amazon.com/neuron", "aws.amazon.com/neuroncore",
	"aws.amazon.com/neurondevice",
}

// Amounts are extended resources of GPU vendors that count no devices.
var Amounts = []string{
	"nvidia.com/gpumem", "nvidia.com/gpucores", "gpu.intel.com/i915_monitoring",
	"gpu.intel.com/millicores", "nvidia.com/rdma_shared_device_a", "vpc.amazonaws.com/efa",
}

// podMaker holds what the parts of one pod have in common.
type podMaker struct {
	random
	// accepted: only what the API server takes on creation.
	accepted bool
	devices  []string
}

// Pod is the pod of this seed, bound to node unless that is empty. An accepted one is as the API
// server would take it; any other may hold whatever a file can.
func Pod(seed uint64, node string, accepted bool) Doc {
	maker := podMaker{random: newRandom(seed, 1), accepted: accepted}
	for range maker.between(1, 3) {
		if name := pick(maker.random, Devices...); !slices.Contains(maker.devices, name) {
			maker.devices = append(maker.devices, name)
		}
	}
	return maker.pod(fmt.Sprintf("pod-%d", seed), node)
}

func (m podMaker) pod(name, node string) Doc {
	metadata := Doc{"name": name, "namespace": pick(m.random, "default", "team-a", "team-b"), "uid": name}
	if m.chance(8) {
		metadata["deletionTimestamp"] = "2026-01-02T03:04:05Z"
		metadata["deletionGracePeriodSeconds"] = 30
	}
	var containers, starters []Doc
	for i := range m.between(1, 4) {
		containers = append(containers, m.container(fmt.Sprintf("c%d", i)))
	}
	for i := range max(0, m.between(-2, 4)) {
		starter := m.container(fmt.Sprintf("i%d", i))
		if m.chance(50) {
			starter["restartPolicy"] = "Always"
		}
		starters = append(starters, starter)
	}
	spec := Doc{"containers": containers}
	if node != "" {
		spec["nodeName"] = node
	}
	if starters != nil || m.chance(10) {
		spec["initContainers"] = starters
	}
	if m.chance(20) {
		spec["overhead"] = m.overhead()
	}
	if m.chance(30) {
		spec["resources"] = m.podLevel()
	}
	return Doc{"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec,
		"status": m.status(containers, starters)}
}

func (m podMaker) container(name string) Doc {
	container := Doc{"name": name, "image": "example.test/image"}
	if m.chance(92) {
		container["resources"] = m.resources()
	}
	return container
}

// resources of a container. Devices cannot be overcommitted, so that the API server takes them as
// limits, with or without the same requests.
func (m podMaker) resources() Doc {
	limits, requests := Doc{}, Doc{}
	for _, name := range some(m.random, 65, m.devices) {
		if m.accepted {
			amount := m.whole(m.IntN(9))
			limits[name] = amount
			if m.chance(50) {
				requests[name] = amount
			}
			continue
		}
		if m.chance(70) {
			limits[name] = m.odd()
		}
		if m.chance(60) {
			requests[name] = m.odd()
		}
	}
	for _, name := range some(m.random, 10, Amounts) {
		limits[name] = m.whole(m.IntN(9))
	}
	if m.chance(50) {
		requests["cpu"] = pick(m.random, "100m", "0.1", "1", "1e-3", "1500m")
		requests["memory"] = pick(m.random, "64Mi", "1e6", "0.5Gi", "128974848")
	}
	if m.chance(30) {
		limits["cpu"] = "2"
	}
	return m.requirements(requests, limits)
}

func (m podMaker) requirements(requests, limits Doc) Doc {
	requirements := Doc{}
	if len(requests) > 0 || m.chance(15) {
		requirements["requests"] = requests
	}
	if len(limits) > 0 || m.chance(15) {
		requirements["limits"] = limits
	}
	return requirements
}

func (m podMaker) overhead() Doc {
	overhead := Doc{"cpu": "250m", "memory": "120Mi"}
	for _, name := range some(m.random, 50, m.devices) {
		overhead[name] = m.whole(m.IntN(4))
	}
	return overhead
}

// podLevel names some or all of the resources that can be given for a pod as a whole. Devices
// cannot, and what a file says of them there counts for nothing.
func (m podMaker) podLevel() Doc {
	requests, limits := Doc{}, Doc{}
	for _, name := range some(m.random, 50, []string{"cpu", "memory"}) {
		requests[name] = map[string]any{"cpu": "64", "memory": "1Ti"}[name]
	}
	for _, name := range some(m.random, 40, []string{"cpu", "memory"}) {
		limits[name] = map[string]any{"cpu": "64", "memory": "1Ti"}[name]
	}
	if !m.accepted {
		for _, list := range []Doc{requests, limits} {
			for _, name := range some(m.random, 40, append(slices.Clone(m.devices), "hugepages-2Mi")) {
				list[name] = m.odd()
			}
		}
	}
	return m.requirements(requests, limits)
}

func (m podMaker) status(containers, starters []Doc) Doc {
	phase := pick(m.random, "Running", "Running", "Running", "Running", "Pending", "Unknown", "", "Succeeded", "Failed")
	status := Doc{"phase": phase, "startTime": "2026-01-02T03:00:00Z"}
	if conditions := m.conditions(); conditions != nil || m.chance(20) {
		status["conditions"] = conditions
	}
	// Infeasible stands in the condition, or with 1.32 and before in status.resize; the cases below
	// know the second.
	if m.chance(20) {
		status["resize"] = pick(m.random, "", "Proposed", "InProgress", "Deferred")
	}
	if m.chance(60) {
		status["containerStatuses"] = m.containerStatuses(containers)
	}
	if m.chance(50) {
		status["initContainerStatuses"] = m.containerStatuses(starters)
	}
	if m.chance(15) {
		status["resources"] = Doc{"requests": Doc{"cpu": "2", m.devices[0]: m.odd()}}
		status["allocatedResources"] = Doc{"cpu": "3", m.devices[0]: m.odd()}
	}
	return status
}

func (m podMaker) conditions() []Doc {
	var conditions []Doc
	if m.chance(50) {
		conditions = append(conditions, Doc{"type": "Ready", "status": "True"})
	}
	for m.chance(40) {
		conditions = append(conditions, Doc{"type": "PodResizePending",
			"status": pick(m.random, "True", "True", "False"), "message": "of a test",
			"reason": pick(m.random, "Infeasible", "Infeasible", "Deferred", "")})
	}
	if m.chance(15) {
		conditions = append(conditions, Doc{"type": "PodResizeInProgress", "status": "True",
			"reason": pick(m.random, "", "Error", "Infeasible")})
	}
	m.Shuffle(len(conditions), func(a, b int) { conditions[a], conditions[b] = conditions[b], conditions[a] })
	return conditions
}

// containerStatuses are of some of the containers, in any order.
func (m podMaker) containerStatuses(containers []Doc) []Doc {
	statuses := []Doc{}
	for _, container := range containers {
		if m.chance(15) {
			continue
		}
		status := Doc{"name": container["name"], "ready": true, "restartCount": 0, "image": "", "imageID": ""}
		if m.chance(50) {
			status["allocatedResources"] = m.amounts()
		}
		switch m.IntN(6) {
		case 0:
			status["resources"] = Doc{}
		case 1:
			status["resources"] = nil
		case 2:
			status["resources"] = Doc{"limits": m.amounts()}
		case 3, 4:
			status["resources"] = Doc{"requests": m.amounts(), "limits": m.amounts()}
		}
		statuses = append(statuses, status)
	}
	if m.chance(5) {
		statuses = append(statuses, Doc{"name": "of-nobody", "resources": Doc{"requests": m.amounts()}})
	}
	m.Shuffle(len(statuses), func(a, b int) { statuses[a], statuses[b] = statuses[b], statuses[a] })
	return statuses
}

func (m podMaker) amounts() Doc {
	amounts := Doc{}
	for _, name := range some(m.random, 70, m.devices) {
		if m.accepted {
			amounts[name] = m.whole(m.IntN(9))
		} else {
			amounts[name] = m.odd()
		}
	}
	return amounts
}
