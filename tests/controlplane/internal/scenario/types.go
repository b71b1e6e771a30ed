// Package scenario reads the compact files in scenarios/ and creates what they describe. The
// format is documented in scenarios/README.md.
package scenario

import (
	"fmt"
	"os"

	core "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"
)

// Annotations and a finalizer that steer KWOK; see internal/cluster/stages.yaml.
const (
	unmanagedAnnotation = "kubectl-gpu.test/unmanaged"
	behaviourAnnotation = "kubectl-gpu.test/behaviour"
	keepFinalizer       = "kubectl-gpu.test/keep"
)

// Scenario is one file.
type Scenario struct {
	RuntimeClasses []RuntimeClass `json:"runtimeClasses,omitempty"`
	Nodes          []Node         `json:"nodes,omitempty"`
	Pods           []Pod          `json:"pods,omitempty"`
	Jobs           []Workload     `json:"jobs,omitempty"`
	Deployments    []Workload     `json:"deployments,omitempty"`
	StatefulSets   []Workload     `json:"statefulSets,omitempty"`
	DeviceClasses  []DeviceClass  `json:"deviceClasses,omitempty"`
	ResourceSlices []Slice        `json:"resourceSlices,omitempty"`
	// ResourceClaims stand alone: they are pods' own claims, or templates of them.
	ResourceClaims []Claim `json:"resourceClaims,omitempty"`
}

// Resources are quantities by resource name.
type Resources map[core.ResourceName]string

// RuntimeClass adds its overhead to every pod that names it.
type RuntimeClass struct {
	Name     string    `json:"name"`
	Overhead Resources `json:"overhead,omitempty"`
}

// Node is one node, or Count nodes alike, named NAME-1 to NAME-COUNT.
type Node struct {
	Name  string `json:"name"`
	Count int    `json:"count,omitempty"`
	// Capacity is added to 64 CPUs, 512Gi and 110 pods; allocatable is the same, but for what
	// Allocatable says. "none" in Allocatable takes the resource away.
	Capacity      Resources         `json:"capacity,omitempty"`
	Allocatable   Resources         `json:"allocatable,omitempty"`
	Labels        map[string]string `json:"labels,omitempty"`
	Annotations   map[string]string `json:"annotations,omitempty"`
	Taints        []string          `json:"taints,omitempty"`
	Unschedulable bool              `json:"unschedulable,omitempty"`
	// Ready is the status of the Ready condition, "False" or "Unknown"; such a node has no kubelet.
	Ready string `json:"ready,omitempty"`
	// Conditions are more conditions of a node that is not ready, as TYPE=STATUS.
	Conditions []string `json:"conditions,omitempty"`
}

// Pod is one pod, or Count pods alike, named NAME-1 to NAME-COUNT.
type Pod struct {
	Name         string            `json:"name"`
	Namespace    string            `json:"namespace,omitempty"`
	Count        int               `json:"count,omitempty"`
	Labels       map[string]string `json:"labels,omitempty"`
	Annotations  map[string]string `json:"annotations,omitempty"`
	Node         string            `json:"node,omitempty"`
	NodeSelector map[string]string `json:"nodeSelector,omitempty"`
	// Tolerations are written as taints are, KEY[=VALUE][:EFFECT]; "*" tolerates everything.
	Tolerations []string `json:"tolerations,omitempty"`
	// Requests is short for one container with these requests, and as limits too.
	Requests       Resources   `json:"requests,omitempty"`
	Containers     []Container `json:"containers,omitempty"`
	InitContainers []Container `json:"initContainers,omitempty"`
	// PodRequests are the pod's own (pod-level) requests.
	PodRequests  Resources `json:"podRequests,omitempty"`
	RuntimeClass string    `json:"runtimeClass,omitempty"`
	Gates        []string  `json:"gates,omitempty"`
	Scheduler    string    `json:"scheduler,omitempty"`
	// Nominated is the node that preemption has promised to the pod.
	Nominated string `json:"nominated,omitempty"`
	// Behaviour is run (the default), succeed, fail, crash, image-pull or hang.
	Behaviour string `json:"behaviour,omitempty"`
	// Claims are names of ResourceClaims, and Templates of those that are templates: each pod gets a
	// claim of its own. The scheduler allocates, so that such a pod names no node.
	Claims    []string `json:"claims,omitempty"`
	Templates []string `json:"templates,omitempty"`
	// Terminating pods have been deleted, and a finalizer holds them.
	Terminating bool `json:"terminating,omitempty"`
}

// Container is one container of a pod. A sidecar is an init container that keeps running.
type Container struct {
	Name     string    `json:"name,omitempty"`
	Requests Resources `json:"requests,omitempty"`
	Limits   Resources `json:"limits,omitempty"`
	Sidecar  bool      `json:"sidecar,omitempty"`
}

// Workload is a Job, a Deployment or a StatefulSet with Replicas pods (at once, for a Job). The pod's own name,
// namespace and count are not used.
type Workload struct {
	Name      string `json:"name"`
	Namespace string `json:"namespace,omitempty"`
	Replicas  int32  `json:"replicas,omitempty"`
	Pod       Pod    `json:"pod"`
}

// Read decodes one file strictly: a field that does not exist, or stands twice, is an error.
func Read(path string) (*Scenario, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	read, err := Parse(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return read, nil
}

// Parse is Read for text in memory.
func Parse(text []byte) (*Scenario, error) {
	parsed := &Scenario{}
	if err := yaml.UnmarshalStrict(text, parsed); err != nil {
		return nil, err
	}
	return parsed, nil
}
