package cluster

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// Live is a Cluster that changes and tells those who watch.
type Live struct {
	// Trouble, if set, answers the nth watch (from 1) of a kind ("nodes", "pods"); it may call Stream.
	Trouble func(w http.ResponseWriter, r *http.Request, kind string, nth int)

	mutex   sync.Mutex
	changed chan struct{} // closed by the next change
	cluster *Cluster
	version int
	events  []liveEvent
	watches map[string]int
}

type liveEvent struct {
	kind    string
	version int
	name    string // of the event: ADDED
	object  runtime.Object
}

// NewLive starts with the Small cluster at version 7.
func NewLive() *Live {
	return &Live{cluster: Small(), version: 7, changed: make(chan struct{}), watches: map[string]int{}}
}

// AddPod and those below change the cluster by one event each.
func (l *Live) AddPod(pod corev1.Pod) {
	l.change("pods", "ADDED", func(version string) runtime.Object {
		pod.ResourceVersion = version
		l.cluster.Pods = append(l.cluster.Pods, pod)
		return &pod
	})
}

func (l *Live) DeletePod(namespace, name string) {
	l.change("pods", "DELETED", func(version string) runtime.Object {
		for i, pod := range l.cluster.Pods {
			if pod.Namespace == namespace && pod.Name == name {
				l.cluster.Pods = append(l.cluster.Pods[:i:i], l.cluster.Pods[i+1:]...)
				pod.ResourceVersion = version
				return &pod
			}
		}
		panic("no pod " + name)
	})
}

func (l *Live) AddNode(node corev1.Node) {
	l.change("nodes", "ADDED", func(version string) runtime.Object {
		node.ResourceVersion = version
		l.cluster.Nodes = append(l.cluster.Nodes, node)
		return &node
	})
}

func (l *Live) change(kind, name string, apply func(version string) runtime.Object) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.version++
	object := apply(strconv.Itoa(l.version))
	l.events = append(l.events, liveEvent{kind, l.version, name, object})
	close(l.changed)
	l.changed = make(chan struct{})
}

// Forget drops the events so far: who has not seen them has to list again.
func (l *Live) Forget() {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.events = nil
}

// Back sets the version that the next change follows.
func (l *Live) Back(version int) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.version = version
}

// Allocated are the GPUs that pods hold on each node that has some.
func (l *Live) Allocated() map[string]int64 {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	sums := map[string]int64{}
	for _, node := range l.cluster.Nodes {
		if _, found := node.Status.Capacity[gpu]; found {
			sums[node.Name] = 0
		}
	}
	for _, pod := range l.cluster.Pods {
		if _, found := sums[pod.Spec.NodeName]; found {
			count := pod.Spec.Containers[0].Resources.Requests[gpu]
			sums[pod.Spec.NodeName] += count.Value()
		}
	}
	return sums
}

// Watches is how many watches of a kind there were.
func (l *Live) Watches(kind string) int {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.watches[kind]
}

func (l *Live) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Query().Get("watch") == "" {
		l.mutex.Lock()
		copied := &Cluster{Nodes: append([]corev1.Node(nil), l.cluster.Nodes...),
			Pods: append([]corev1.Pod(nil), l.cluster.Pods...), Version: strconv.Itoa(l.version)}
		l.mutex.Unlock()
		copied.ServeHTTP(w, r)
		return
	}
	kind := r.URL.Path[strings.LastIndex(r.URL.Path, "/")+1:]
	l.mutex.Lock()
	l.watches[kind]++
	nth := l.watches[kind]
	l.mutex.Unlock()
	if l.Trouble != nil {
		l.Trouble(w, r, kind, nth)
		return
	}
	l.Stream(w, r, kind, -1)
}

// Stream is a good watch that ends after `most` events; below zero: when the client goes.
func (l *Live) Stream(w http.ResponseWriter, r *http.Request, kind string, most int) {
	l.stream(w, r, kind, "", most)
}

// StreamOf is a good watch of one namespace; empty: of all.
func (l *Live) StreamOf(w http.ResponseWriter, r *http.Request, kind, namespace string) {
	l.stream(w, r, kind, namespace, -1)
}

func (l *Live) stream(w http.ResponseWriter, r *http.Request, kind, namespace string, most int) {
	after, _ := strconv.Atoi(r.URL.Query().Get("resourceVersion"))
	StartStream(w, r)
	for sent := 0; ; {
		l.mutex.Lock()
		var due []liveEvent
		for _, event := range l.events {
			is, _ := event.object.(metav1.Object)
			if event.kind == kind && event.version > after && (namespace == "" || is.GetNamespace() == namespace) {
				due = append(due, event)
			}
		}
		changed := l.changed
		l.mutex.Unlock()
		for _, event := range due {
			if sent == most {
				return
			}
			w.Write(Frame(r, event.name, event.object))
			w.(http.Flusher).Flush()
			after = event.version
			sent++
		}
		if sent == most {
			return
		}
		select {
		case <-changed:
		case <-r.Context().Done():
			return
		}
	}
}

// StartStream sends the head of a watch.
func StartStream(w http.ResponseWriter, r *http.Request) {
	contentType := Wants(r)
	if contentType == Protobuf {
		contentType += ";stream=watch"
	}
	w.Header().Set("Content-Type", contentType)
	w.WriteHeader(http.StatusOK)
	w.(http.Flusher).Flush()
}

// Frame is an event as it goes over the wire.
func Frame(r *http.Request, name string, object runtime.Object) []byte {
	contentType := Wants(r)
	var raw []byte
	if status, is := object.(*metav1.Status); is {
		raw = EncodeStatus(status, contentType)
	} else {
		var err error
		if raw, err = Encode(object, contentType); err != nil {
			panic(err)
		}
	}
	event := metav1.WatchEvent{Type: name, Object: runtime.RawExtension{Raw: raw}}
	if contentType == JSON {
		line, err := json.Marshal(event)
		if err != nil {
			panic(fmt.Sprint("event: ", err))
		}
		return append(line, '\n')
	}
	message, err := event.Marshal()
	if err != nil {
		panic(err)
	}
	return append(binary.BigEndian.AppendUint32(nil, uint32(len(message))), message...)
}
