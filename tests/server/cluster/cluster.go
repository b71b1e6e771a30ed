// Package cluster is a small GPU cluster, and an API server that answers lists of its nodes and
// pods as the real one does: JSON or protobuf, gzip when it is worth it, field selectors.
package cluster

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
)

const (
	JSON     = "application/json"
	Protobuf = "application/vnd.kubernetes.protobuf"
	gpu      = corev1.ResourceName("nvidia.com/gpu")
)

// Cluster is what the API server knows.
type Cluster struct {
	Nodes   []corev1.Node
	Pods    []corev1.Pod
	Version string // of its lists
}

// Small has three nodes of 8 GPUs, one without, and pods that hold 11 of the 24.
func Small() *Cluster {
	c := &Cluster{Version: "7"}
	for i := 1; i <= 3; i++ {
		c.Nodes = append(c.Nodes, Node(fmt.Sprintf("gpu-a%d", i), 8))
	}
	c.Nodes = append(c.Nodes, Node("cpu-1", 0))
	c.Pods = []corev1.Pod{
		Pod("ml", "train-0", "gpu-a1", 8), Pod("research", "notebook-jo", "gpu-a2", 2),
		Pod("serving", "infer", "gpu-a2", 1), Pod("kube-system", "dns", "cpu-1", 0),
		Pod("ml", "waits", "", 8),
	}
	return c
}

// Node is ready and has `gpus` H100 cards.
func Node(name string, gpus int) corev1.Node {
	resources := corev1.ResourceList{
		corev1.ResourceCPU: resource.MustParse("64"), corev1.ResourceMemory: resource.MustParse("512Gi"),
		corev1.ResourcePods: resource.MustParse("110"),
	}
	labels := map[string]string{"kubernetes.io/hostname": name}
	if gpus > 0 {
		resources[gpu] = *resource.NewQuantity(int64(gpus), resource.DecimalSI)
		labels["nvidia.com/gpu.product"] = "NVIDIA-H100-80GB-HBM3"
	}
	return corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: labels},
		Status: corev1.NodeStatus{Capacity: resources, Allocatable: resources,
			Conditions: []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue}}},
	}
}

// Pod runs on `node` and asks for `gpus`; without a node it is pending.
func Pod(namespace, name, node string, gpus int) corev1.Pod {
	container := corev1.Container{Name: "main", Image: "example.invalid/main"}
	if gpus > 0 {
		count := corev1.ResourceList{gpu: *resource.NewQuantity(int64(gpus), resource.DecimalSI)}
		container.Resources = corev1.ResourceRequirements{Limits: count, Requests: count}
	}
	phase := corev1.PodRunning
	if node == "" {
		phase = corev1.PodPending
	}
	return corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name},
		Spec:       corev1.PodSpec{NodeName: node, Containers: []corev1.Container{container}},
		Status:     corev1.PodStatus{Phase: phase},
	}
}

// Encode writes an object as the API server does.
func Encode(object runtime.Object, contentType string) ([]byte, error) {
	if contentType == JSON {
		return json.Marshal(object)
	}
	scheme := runtime.NewScheme()
	if err := corev1.AddToScheme(scheme); err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err := protobuf.NewSerializer(scheme, scheme).Encode(object, &out)
	return out.Bytes(), err
}

// Wants is the content type that a request's Accept header asks for first.
func Wants(r *http.Request) string {
	first, _, _ := strings.Cut(r.Header.Get("Accept"), ",")
	if strings.HasPrefix(strings.TrimSpace(first), Protobuf) {
		return Protobuf
	}
	return JSON
}

// ServeHTTP answers below any path prefix, so that tests of prefixes need no other server.
func (c *Cluster) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	path := r.URL.Path
	if at := strings.Index(path, "/api"); at > 0 {
		path = path[at:]
	}
	switch {
	case path == "/version":
		reply(w, r, JSON, []byte(`{"major":"1","minor":"36","gitVersion":"v1.36.1"}`))
	case path == "/api":
		reply(w, r, JSON, []byte(`{"kind":"APIVersions","versions":["v1"]}`))
	case path == "/apis":
		reply(w, r, JSON, []byte(`{"kind":"APIGroupList","apiVersion":"v1","groups":[]}`))
	case path == "/api/v1":
		reply(w, r, JSON, []byte(`{"kind":"APIResourceList","groupVersion":"v1","resources":[`+
			`{"name":"nodes","singularName":"node","namespaced":false,"kind":"Node","verbs":["get","list"]},`+
			`{"name":"pods","singularName":"pod","namespaced":true,"kind":"Pod","verbs":["get","list"]}]}`))
	case path == "/api/v1/nodes":
		c.list(w, r, &corev1.NodeList{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "NodeList"},
			ListMeta: metav1.ListMeta{ResourceVersion: c.Version}, Items: c.Nodes})
	case path == "/api/v1/pods", strings.HasPrefix(path, "/api/v1/namespaces/") && strings.HasSuffix(path, "/pods"):
		c.list(w, r, c.PodList(r))
	default:
		http.Error(w, "404 page not found", http.StatusNotFound)
	}
}

// PodList are the pods that a request asks for.
func (c *Cluster) PodList(r *http.Request) *corev1.PodList {
	path := r.URL.Path
	if at := strings.Index(path, "/api"); at > 0 {
		path = path[at:]
	}
	return &corev1.PodList{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "PodList"},
		ListMeta: metav1.ListMeta{ResourceVersion: c.Version}, Items: c.selected(r, path)}
}

func (c *Cluster) list(w http.ResponseWriter, r *http.Request, list runtime.Object) {
	contentType := Wants(r)
	body, err := Encode(list, contentType)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	reply(w, r, contentType, body)
}

// reply compresses as the real server does: only what is worth it, only for the bare word gzip.
func reply(w http.ResponseWriter, r *http.Request, contentType string, body []byte) {
	w.Header().Set("Content-Type", contentType)
	if len(body) > 128<<10 && r.Header.Get("Accept-Encoding") == "gzip" {
		w.Header().Set("Content-Encoding", "gzip")
		zipped := gzip.NewWriter(w)
		defer zipped.Close()
		zipped.Write(body)
		return
	}
	w.Write(body)
}

func (c *Cluster) selected(r *http.Request, path string) []corev1.Pod {
	namespace := ""
	if parts := strings.Split(path, "/"); len(parts) > 4 && parts[3] == "namespaces" {
		namespace = parts[4]
	}
	var pods []corev1.Pod
	for _, pod := range c.Pods {
		if (namespace == "" || pod.Namespace == namespace) && matches(pod, r.URL.Query().Get("fieldSelector")) {
			pods = append(pods, pod)
		}
	}
	return pods
}

func matches(pod corev1.Pod, selector string) bool {
	fields := map[string]string{"spec.nodeName": pod.Spec.NodeName, "status.phase": string(pod.Status.Phase),
		"metadata.name": pod.Name, "metadata.namespace": pod.Namespace}
	for _, term := range strings.Split(selector, ",") {
		if key, value, found := strings.Cut(term, "!="); found {
			if fields[key] == value {
				return false
			}
		} else if key, value, found := strings.Cut(term, "="); found && fields[key] != strings.TrimPrefix(value, "=") {
			return false
		}
	}
	return true
}

// Status is how the API server says no.
func Status(code int, reason metav1.StatusReason, message string) *metav1.Status {
	return &metav1.Status{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Status"},
		Status: metav1.StatusFailure, Code: int32(code), Reason: reason, Message: message}
}

// EncodeStatus is Encode for a Status, which has its own place in the scheme.
func EncodeStatus(status *metav1.Status, contentType string) []byte {
	if contentType == JSON {
		body, _ := json.Marshal(status)
		return body
	}
	raw, err := status.Marshal()
	if err != nil {
		panic(err)
	}
	unknown := runtime.Unknown{TypeMeta: runtime.TypeMeta{APIVersion: "v1", Kind: "Status"}, Raw: raw}
	body, err := unknown.Marshal()
	if err != nil {
		panic(err)
	}
	return append([]byte("k8s\x00"), body...)
}
