package scenario

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	core "k8s.io/api/core/v1"
	resource "k8s.io/api/resource/v1"
)

// deviceObjects makes the API's devices of one entry.
func deviceObjects(entry Device) ([]resource.Device, error) {
	var devices []resource.Device
	for i := range max(1, entry.Count) {
		name := entry.Name
		if entry.Count > 0 {
			name = fmt.Sprintf("%s-%d", entry.Name, i)
		}
		device, err := deviceObject(entry, name, fmt.Sprint(i))
		if err != nil {
			return nil, err
		}
		devices = append(devices, device)
	}
	return devices, nil
}

func deviceObject(entry Device, name, number string) (resource.Device, error) {
	device := resource.Device{Name: name}
	for attribute, value := range entry.Attributes {
		if device.Attributes == nil {
			device.Attributes = map[resource.QualifiedName]resource.DeviceAttribute{}
		}
		text := strings.ReplaceAll(value, "#", number)
		device.Attributes[resource.QualifiedName(attribute)] = resource.DeviceAttribute{StringValue: &text}
	}
	if err := addCapacity(&device, entry); err != nil {
		return device, err
	}
	for _, set := range slices.Sorted(maps.Keys(entry.Consumes)) {
		counters, err := counterList(entry.Consumes[set])
		if err != nil {
			return device, err
		}
		device.ConsumesCounters = append(device.ConsumesCounters, resource.DeviceCounterConsumption{
			CounterSet: strings.ReplaceAll(set, "#", number), Counters: counters})
	}
	for _, text := range entry.Taints {
		// A device may have a taint that only informs; a node may not.
		informs := strings.HasSuffix(text, ":None")
		taint, err := parseTaint(strings.Replace(text, ":None", ":NoSchedule", 1))
		if err != nil {
			return device, err
		}
		if informs {
			taint.Effect = core.TaintEffect(resource.DeviceTaintEffectNone)
		}
		device.Taints = append(device.Taints, resource.DeviceTaint{Key: taint.Key, Value: taint.Value,
			Effect: resource.DeviceTaintEffect(taint.Effect)})
	}
	return device, nil
}

// addCapacity adds the capacity; one with a default can be had in parts.
func addCapacity(device *resource.Device, entry Device) error {
	amounts, err := qualified(entry.Capacity)
	if err != nil || len(amounts) == 0 {
		return err
	}
	parts, err := qualified(entry.Default)
	if err != nil {
		return err
	}
	device.Capacity = map[resource.QualifiedName]resource.DeviceCapacity{}
	for name, amount := range amounts {
		capacity := resource.DeviceCapacity{Value: amount}
		if part, exists := parts[name]; exists {
			shared := true
			device.AllowMultipleAllocations = &shared
			capacity.RequestPolicy = &resource.CapacityRequestPolicy{Default: &part,
				ValidRange: &resource.CapacityRequestPolicyRange{Min: &part}}
		}
		device.Capacity[name] = capacity
	}
	return nil
}
