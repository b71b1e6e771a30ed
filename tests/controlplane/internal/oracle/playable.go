package oracle

import core "k8s.io/api/core/v1"

// Playable leaves out other pods that wait: a real scheduler would take them up as well, in an
// order of its own.
func (m Made) Playable() Made {
	kept := m
	kept.Objects, kept.Manifests = nil, nil
	for i, object := range m.Objects {
		pod, is := object.(*core.Pod)
		if is && pod.Spec.NodeName == "" && pod.Name != m.Waiting.Name {
			continue
		}
		kept.Objects, kept.Manifests = append(kept.Objects, object), append(kept.Manifests, m.Manifests[i])
	}
	return kept
}
