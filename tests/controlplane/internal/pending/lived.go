package pending

import (
	"fmt"
	"math/rand/v2"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"
)

// Lived is the scene of a seed in which owners of all kinds made the pods that hold things, and the
// scheduler placed them: devices of DRA, volumes, ports, rules between pods, quotas.
func Lived(seed uint64) *Scene {
	m := &lived{Rand: rand.New(rand.NewPCG(seed, 77)), scene: &Scene{Namespace: "ml", Name: "asked"}}
	for _, name := range []string{"ml", "research"} {
		m.add(`{apiVersion: v1, kind: Namespace, metadata: {name: %s, labels: {team: %s}}}`, name, name)
	}
	m.add(`{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: polite}, value: 0, preemptionPolicy: Never}`)
	m.add(`{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: important}, value: 1000}`)
	m.add(`{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: low}, value: -10}`)
	m.scene.OwnerKind = one(m, "", "", "Deployment", "ReplicaSet", "ReplicationController", "StatefulSet", "Job", "CronJob")
	topics := []func(){m.cards, m.devices, m.claimInUse, m.volumeElsewhere, m.diskInUse, m.antiAffinity, m.spread, m.ports, m.labels, m.volumeLimit, m.extended, m.taintedDevices}
	m.ask = `requests: {cpu: "1"}`
	topics[seed%uint64(len(topics))]()
	m.scene.Pod = m.object(`{apiVersion: v1, kind: Pod, metadata: {name: asked, namespace: ml, labels: {app: asked %s}}, spec: {%s %s
  containers: [{name: main, image: none, %s resources: {%s}}]}}`, m.moreLabels, m.mayPreempt(), m.spec, m.container, m.ask)
	if m.IntN(4) == 0 {
		m.quota()
	}
	return m.scene
}

// lived makes one scene.
type lived struct {
	*rand.Rand
	scene *Scene
	// spec, container, ask and moreLabels are of the pod that is to wait.
	spec, container, ask, moreLabels string
	holders                          int
}

func one[T any](m *lived, of ...T) T { return of[m.IntN(len(of))] }

func (m *lived) object(manifest string, values ...any) *unstructured.Unstructured {
	text := fmt.Sprintf(manifest, values...)
	made := &unstructured.Unstructured{}
	if err := yaml.Unmarshal([]byte(text), &made.Object); err != nil {
		panic(fmt.Sprintf("%v in:\n%s", err, text))
	}
	return made
}

func (m *lived) add(manifest string, values ...any) {
	m.scene.Others = append(m.scene.Others, m.object(manifest, values...))
}

// node may be closed in a way that a fix can open.
func (m *lived) node(name, zone, resources string, closed bool) {
	spec := ""
	if closed {
		spec = one(m, `unschedulable: true, taints: [{key: node.kubernetes.io/unschedulable, effect: NoSchedule}]`,
			`taints: [{key: dedicated, value: ml, effect: NoSchedule}]`)
	}
	m.add(`{apiVersion: v1, kind: Node, metadata: {name: %[1]s, labels: {kubernetes.io/hostname: %[1]s, topology.kubernetes.io/zone: %[2]s}},
  spec: {%[3]s}, status: {allocatable: {cpu: "32", memory: 256Gi, pods: "110" %[4]s}, capacity: {cpu: "32", memory: 256Gi, pods: "110" %[4]s},
  conditions: [{type: Ready, status: "True"}]}}`, name, zone, spec, resources)
}

// mayPreempt is the priority of the pod that is to wait.
func (m *lived) mayPreempt() string {
	return one(m, "", "", "priorityClassName: polite,", "priorityClassName: low,")
}

// holder is a pod on a node, made by an owner of any kind.
func (m *lived) holder(node, namespace, labels, spec, container, ask string) {
	m.holders++
	name := fmt.Sprintf("holder-%d", m.holders)
	template := m.object(`{metadata: {labels: {app: %s, role: holder %s}, annotations: {kubectl-gpu.test/behaviour: run}},
  spec: {nodeSelector: {kubernetes.io/hostname: %s}, %s %s containers: [{name: main, image: none, %s resources: {%s}}]}}`,
		name, labels, node, one(m, "", "", "", "priorityClassName: important,", "priorityClassName: low,"), spec, container, ask).Object
	kind := one(m, "", "Deployment", "ReplicaSet", "ReplicationController", "StatefulSet", "Job", "CronJob")
	m.scene.Others = append(m.scene.Others, ownerOf(kind, namespace, name, template, map[string]any{"app": name}, 1))
	if kind != "" {
		m.scene.Holders++
	}
}

// quota leaves room for nothing but what is there and the pod that is to wait.
func (m *lived) quota() {
	pods := 1
	for _, object := range m.scene.Others {
		if object.GetNamespace() == "ml" && (object.GetKind() == "Pod" || ownerPlurals[object.GetKind()].Resource != "") {
			pods++
		}
	}
	m.add(`{apiVersion: v1, kind: ResourceQuota, metadata: {name: tight, namespace: ml}, spec: {hard: {pods: "%d"}}}`, pods)
}
