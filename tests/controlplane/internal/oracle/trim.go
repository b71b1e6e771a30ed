package oracle

import (
	"encoding/json"
	"slices"
)

// noise are fields that say nothing about where a pod can run.
var noise = []string{"terminationMessagePath", "terminationMessagePolicy", "imagePullPolicy", "dnsPolicy", "securityContext",
	"enableServiceLinks", "terminationGracePeriodSeconds", "observedGeneration", "imageID", "qosClass", "resourceVersion", "nodeInfo",
	"daemonEndpoints", "persistentVolumeReclaimPolicy", "reclaimPolicy", "lastHeartbeatTime", "lastTransitionTime", "restartCount"}

// trimmed is the object without noise and empty values; nothing for a kind that no filter reads.
func trimmed(text json.RawMessage) (json.RawMessage, error) {
	var object map[string]any
	if err := json.Unmarshal(text, &object); err != nil {
		return nil, err
	}
	if kind := object["kind"]; kind == "PriorityClass" || kind == "RuntimeClass" {
		return nil, nil
	}
	trimObject(object)
	return json.Marshal(object)
}

func trimObject(object map[string]any) {
	for key, value := range object {
		// Of a container; that of rbd is a name of a disk.
		isImage := key == "image" && object["monitors"] == nil
		if value == nil || isImage || slices.Contains(noise, key) {
			delete(object, key)
			continue
		}
		trimValue(value)
	}
}

func trimValue(value any) {
	switch typed := value.(type) {
	case map[string]any:
		trimObject(typed)
	case []any:
		for _, entry := range typed {
			trimValue(entry)
		}
	}
}
