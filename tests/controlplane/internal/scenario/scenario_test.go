package scenario

import (
	"path/filepath"
	"strings"
	"testing"

	core "k8s.io/api/core/v1"
)

func TestFilesAreValid(t *testing.T) {
	files, err := filepath.Glob("../../scenarios/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scenario files: %v", err)
	}
	for _, file := range files {
		s, err := Read(file)
		if err != nil {
			t.Error(err)
			continue
		}
		for _, entry := range s.Nodes {
			if _, err := nodeObjects(entry); err != nil {
				t.Errorf("%s: %v", file, err)
			}
		}
		for _, entry := range s.Pods {
			if _, err := podObjects(entry); err != nil {
				t.Errorf("%s: %v", file, err)
			}
		}
	}
}

func TestMistakesAreErrors(t *testing.T) {
	for text, want := range map[string]string{
		"nodes: [{name: a, capcity: {cpu: 1}}]":    "capcity",
		"nodes: [{name: a, name: b}]":              "name",
		"podz: []":                                 "podz",
		"nodes: [{name: a, capacity: {gpu: [1]}}]": "",
	} {
		if _, err := Parse([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want one about %q", text, err, want)
		}
	}
	for _, entry := range []Node{
		{Name: "taint", Taints: []string{"key:Never"}},
		{Name: "quantity", Capacity: Resources{"cpu": "many"}},
		{Name: "condition", Ready: "False", Conditions: []string{"DiskPressure"}},
		{Name: "lost condition", Conditions: []string{"DiskPressure=True"}},
	} {
		if _, err := nodeObjects(entry); err == nil {
			t.Errorf("node %s: no error", entry.Name)
		}
	}
	for _, entry := range []Pod{
		{Name: "behaviour", Behaviour: "explode"},
		{Name: "both", Requests: Resources{"cpu": "1"}, Containers: []Container{{}}},
		{Name: "sidecar", Containers: []Container{{Sidecar: true}}},
	} {
		if _, err := podObjects(entry); err == nil {
			t.Errorf("pod %s: no error", entry.Name)
		}
	}
}

func TestNodeObject(t *testing.T) {
	nodes, err := nodeObjects(Node{Name: "g", Count: 2, Capacity: Resources{"nvidia.com/gpu": "8", "cpu": "8"},
		Allocatable: Resources{"nvidia.com/gpu": "none"}, Taints: []string{"a=b:NoSchedule"}})
	if err != nil || len(nodes) != 2 || nodes[1].Name != "g-2" {
		t.Fatalf("%v, error %v", nodes, err)
	}
	status := nodes[0].Status
	if cpu := status.Allocatable[core.ResourceCPU]; cpu.Value() != 8 {
		t.Errorf("allocatable cpu %s, want the 8 of capacity", &cpu)
	}
	if _, exists := status.Allocatable["nvidia.com/gpu"]; exists {
		t.Error("allocatable still has nvidia.com/gpu, which is `none`")
	}
	if want := (core.Taint{Key: "a", Value: "b", Effect: core.TaintEffectNoSchedule}); nodes[0].Spec.Taints[0] != want {
		t.Errorf("taint %v, want %v", nodes[0].Spec.Taints[0], want)
	}
}

func TestTolerations(t *testing.T) {
	for text, want := range map[string]core.Toleration{
		"*":            {Operator: core.TolerationOpExists},
		"k":            {Key: "k", Operator: core.TolerationOpExists},
		"k=v":          {Key: "k", Value: "v", Operator: core.TolerationOpEqual},
		"k:NoSchedule": {Key: "k", Operator: core.TolerationOpExists, Effect: core.TaintEffectNoSchedule},
	} {
		if have := parseToleration(text); have != want {
			t.Errorf("%s: %+v, want %+v", text, have, want)
		}
	}
}
