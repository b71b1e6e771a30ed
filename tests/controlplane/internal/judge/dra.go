package judge

import (
	"context"
	"fmt"
	"slices"

	core "k8s.io/api/core/v1"
	resource "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1"
)

// gpuDrivers are DRA drivers whose devices are accelerators.
var gpuDrivers = []string{"gpu.nvidia.com", "gpu.amd.com", "gpu.intel.com", "gaudi.intel.com", "tpu.google.com", "neuron.aws.com"}

// deviceAt says where a device is, what it is, and what holds it.
type deviceAt struct {
	key    Key
	device *resource.Device
	// shares is how many parts of the default size it has; 0 for one that only one claim can have.
	shares int64
	parts  int64 // held by claims
	held   bool
}

// deviceKey is how claims name a device.
type deviceKey struct{ driver, pool, device string }

// DeviceResource is the resource under which top shows a device: its driver, for a MIG slice or
// another part of a card with the profile.
func DeviceResource(driver string, device *resource.Device) string {
	profile := attribute(device, "profile")
	switch {
	case profile != "" && driver == "gpu.nvidia.com":
		return driver + "/mig-" + profile
	case profile != "":
		return driver + "/" + profile
	}
	return driver
}

// attribute is a device's string attribute in the driver's own domain, or nothing.
func attribute(device *resource.Device, name string) string {
	if value := device.Attributes[resource.QualifiedName(name)].StringValue; value != nil {
		return *value
	}
	return ""
}

// newest are the slices of the highest generation of each pool.
func newest(all []resource.ResourceSlice) []*resource.ResourceSlice {
	type pool struct{ driver, name string }
	highest := map[pool]int64{}
	for i := range all {
		id := pool{all[i].Spec.Driver, all[i].Spec.Pool.Name}
		highest[id] = max(highest[id], all[i].Spec.Pool.Generation)
	}
	var kept []*resource.ResourceSlice
	for i := range all {
		if spec := &all[i].Spec; spec.Pool.Generation == highest[pool{spec.Driver, spec.Pool.Name}] {
			kept = append(kept, &all[i])
		}
	}
	return kept
}

// devices are all that drivers of accelerators publish for single nodes, with what claims hold.
func (w *World) devices() map[deviceKey]*deviceAt {
	found := map[deviceKey]*deviceAt{}
	for _, slice := range newest(w.Slices) {
		if !slices.Contains(gpuDrivers, slice.Spec.Driver) {
			continue
		}
		for i := range slice.Spec.Devices {
			device := &slice.Spec.Devices[i]
			node := slice.Spec.NodeName
			if node == nil {
				node = device.NodeName
			}
			if node != nil {
				found[deviceKey{slice.Spec.Driver, slice.Spec.Pool.Name, device.Name}] = &deviceAt{
					key: Key{*node, DeviceResource(slice.Spec.Driver, device)}, device: device, shares: shares(device)}
			}
		}
	}
	for _, claim := range w.Claims {
		for _, result := range results(claim) {
			if at := found[deviceKey{result.Driver, result.Pool, result.Device}]; at != nil {
				at.held = true
				at.parts++
			}
		}
	}
	return found
}

// publishedFor tells of which nodes a DRA driver publishes accelerators.
func (w *World) publishedFor() map[string]bool {
	nodes := map[string]bool{}
	for _, at := range w.devices() {
		nodes[at.key.Node] = true
	}
	return nodes
}

// results are the devices that a claim holds, without those that it only looks at.
func results(claim resource.ResourceClaim) []resource.DeviceRequestAllocationResult {
	if claim.Status.Allocation == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(claim.Status.Allocation.Devices.Results), takesNothing)
}

// shares is how many claims of the default size fit into a device that several can have.
func shares(device *resource.Device) int64 {
	if device.AllowMultipleAllocations == nil || !*device.AllowMultipleAllocations {
		return 0
	}
	least := int64(0)
	for _, capacity := range device.Capacity {
		count := int64(1)
		if capacity.RequestPolicy != nil && capacity.RequestPolicy.Default != nil {
			count = capacity.Value.Value() / max(1, capacity.RequestPolicy.Default.Value())
		}
		if least == 0 || count < least {
			least = count
		}
	}
	return max(1, least)
}

// addDevices adds a row for each kind of DRA device of a node. Free are as many as kube-scheduler's
// allocator hands out, one by one.
func (w *World) addDevices(rows map[Key]Row, closed map[string]bool) {
	for _, at := range w.devices() {
		row := rows[at.key]
		row.Source, row.Capacity = "dra", row.Capacity+max(1, at.shares)
		if at.held {
			row.Allocated += max(1, at.parts)
		}
		rows[at.key] = row
	}
	for key, row := range rows {
		if row.Source != "dra" {
			continue
		}
		if !closed[key.Node] {
			row.Free = w.startable(key, row.Capacity)
		}
		row.Allocatable = row.Capacity
		rest := max(row.Capacity, row.Allocated+row.Free) - row.Allocated - row.Free
		row.Unavailable = &rest
		rows[key] = row
	}
}

// AnyDevice is a device class without a condition, which the judge's claims name.
const AnyDevice = "any-device.judge"

// Classes are those of the world, and AnyDevice.
func (w *World) classes() []resource.DeviceClass {
	return append(slices.Clone(w.Classes), resource.DeviceClass{ObjectMeta: v1.ObjectMeta{Name: AnyDevice}})
}

// startable is how many claims for one device of the kind can be allocated on the node.
func (w *World) startable(key Key, limit int64) int64 {
	var node *core.Node
	for i := range w.Nodes {
		if w.Nodes[i].Name == key.Node {
			node = &w.Nodes[i]
		}
	}
	allocator := NewAllocator(w.Slices, w.classes(), w.Claims)
	claim := ClaimFor(key.Resource, AnyDevice)
	for count := int64(0); ; count++ {
		result, err := allocator.Allocate(context.Background(), node, claim)
		if err != nil {
			panic(fmt.Sprintf("%v: %v", key, err))
		}
		if result == nil || count == limit {
			return count
		}
	}
}

// ClaimFor asks for one device of those that top shows as resource.
func ClaimFor(name, class string) *resource.ResourceClaim {
	return &resource.ResourceClaim{ObjectMeta: v1.ObjectMeta{Name: "one", Namespace: "judge", UID: "one"},
		Spec: resource.ResourceClaimSpec{Devices: resource.DeviceClaim{Requests: []resource.DeviceRequest{{Name: "device",
			Exactly: &resource.ExactDeviceRequest{DeviceClassName: class, Count: 1,
				AllocationMode: resource.DeviceAllocationModeExactCount, Selectors: []resource.DeviceSelector{{
					CEL: &resource.CELDeviceSelector{Expression: Selector(name)}}}}}}}}}
}

// Selector is the CEL expression for the devices that top shows as resource.
func Selector(name string) string {
	driver, profile := splitResource(name)
	if profile == "" {
		return fmt.Sprintf("device.driver == %q && !('profile' in device.attributes[%q])", driver, driver)
	}
	return fmt.Sprintf("device.driver == %q && 'profile' in device.attributes[%q] && device.attributes[%q].profile == %q",
		driver, driver, driver, profile)
}
