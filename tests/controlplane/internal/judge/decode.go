package judge

import (
	"encoding/json"
	"fmt"

	core "k8s.io/api/core/v1"
	resource "k8s.io/api/resource/v1"
	defaults "k8s.io/kubernetes/pkg/apis/core/v1"
)

// Decode reads a List as `kubectl get -o json` prints it, with the API server's defaults for pods.
func Decode(text []byte) (*World, error) {
	var list struct{ Items []json.RawMessage }
	if err := json.Unmarshal(text, &list); err != nil {
		return nil, err
	}
	world := &World{}
	for _, item := range list.Items {
		if err := world.add(item); err != nil {
			return nil, err
		}
	}
	return world, nil
}

func (w *World) add(item json.RawMessage) error {
	var object struct{ Kind string }
	if err := json.Unmarshal(item, &object); err != nil {
		return err
	}
	switch object.Kind {
	case "Node":
		return appendTo(&w.Nodes, item)
	case "Pod":
		pod := core.Pod{}
		if err := json.Unmarshal(item, &pod); err != nil {
			return err
		}
		defaults.SetObjectDefaults_Pod(&pod)
		w.Pods = append(w.Pods, pod)
		return nil
	case "ResourceSlice":
		return appendTo(&w.Slices, item)
	case "ResourceClaim":
		return appendTo[resource.ResourceClaim](&w.Claims, item)
	case "DeviceClass":
		return appendTo(&w.Classes, item)
	}
	return fmt.Errorf("kind %s", object.Kind)
}

func appendTo[T any](list *[]T, item json.RawMessage) error {
	var object T
	if err := json.Unmarshal(item, &object); err != nil {
		return err
	}
	*list = append(*list, object)
	return nil
}
