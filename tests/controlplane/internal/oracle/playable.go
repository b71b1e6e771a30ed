package oracle

import (
	"encoding/json"

	core "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"kubectl-gpu/tests/controlplane/internal/stored"
)

// Playable leaves out other pods that wait: a real scheduler would take them up as well, in an
// order of its own.
func (m Made) Playable() Made {
	var kept []runtime.Object
	for _, object := range m.Objects {
		pod, is := object.(*core.Pod)
		if is && pod.Spec.NodeName == "" && pod.Name != m.Waiting.Name {
			continue
		}
		kept = append(kept, object)
	}
	m.Objects = kept
	return m
}

// Texts are the objects as the API server would answer them.
func (m Made) Texts() ([]json.RawMessage, error) {
	var all []json.RawMessage
	for _, object := range m.Objects {
		text, err := stored.JSON(object)
		if err != nil {
			return nil, err
		}
		all = append(all, text)
	}
	return all, nil
}
