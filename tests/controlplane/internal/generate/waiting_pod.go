package generate

import "maps"

// waitingPod is the pod in question. It starts from one node, as one that would fit there or nearly
// would, and then asks for more.
func (m *waitingMaker) waitingPod() Doc {
	made := m.newDraft("team-a", "waiting")
	m.setPriority(made, pick(m.random, "", "", "batch", "batch", "lowest", "high", "top", "top"))
	var at *place
	if len(m.places) > 0 {
		at = pick(m.random, m.places...)
	}
	m.setContainers(made, m.boldWant(at))
	m.setTolerations(made, at)
	more := 0
	if m.easyAsk {
		more = 35
	}
	if m.chance(35) {
		m.setNodeChoice(made, at)
	}
	if m.chance(18 + more) {
		m.addPorts(made)
	}
	if m.chance(30 + more) {
		m.setPodAffinity(made)
	}
	if m.chance(30 + more) {
		m.setSpread(made)
	}
	if m.topics.Volumes {
		for range pick(m.random, 1, 1, 2, 3) {
			m.useVolume(made, at)
		}
	}
	if m.topics.Devices {
		m.claimDevices(made, at)
	}
	if m.restarts {
		m.restartAll(made)
	}
	if at != nil && m.chance(6) {
		made.status["nominatedNodeName"] = pick(m.random, at.name, at.name, pick(m.random, m.places...).name, "node-that-went-away")
	}
	return made.doc()
}

// boldWant is what is free on the node, a little less, or a little more.
func (m *waitingMaker) boldWant(at *place) map[string]int64 {
	want := map[string]int64{}
	if at == nil {
		return map[string]int64{"cpu": 100}
	}
	if m.easyAsk {
		want["cpu"] = 100
		if len(at.resources) > 0 && m.chance(60) {
			want[pick(m.random, at.resources...)] = 1
		}
		return want
	}
	near := func(resource string) int64 {
		free := max(at.free[resource], 0)
		return max(0, pick(m.random, free, free, free+1, free+1, free-1, free/2, free*2+1, 1))
	}
	if m.chance(60) {
		want["cpu"] = near("cpu")
		if m.chance(50) {
			want["cpu"] = int64(pick(m.random, 100, 1000, 4000))
		}
	}
	if m.chance(45) {
		want["memory"] = near("memory")
		if m.chance(50) {
			want["memory"] = pick(m.random, gi, 4*gi)
		}
	}
	for _, resource := range at.resources {
		if m.chance(70) {
			want[resource] = near(resource)
		}
	}
	if m.chance(15) {
		want["ephemeral-storage"] = near("ephemeral-storage")
	}
	if m.chance(5) {
		want["hugepages-2Mi"], want["memory"] = 64*mi, gi
	}
	if m.chance(8) {
		want[pick(m.random, "nvidia.com/gpus", "nvidia.com/gpu", "example.com/fpga", "amd.com/gpu")] = int64(m.between(0, 2))
	}
	return want
}

func (m *waitingMaker) setTolerations(made draft, at *place) {
	// Those that admission adds to every pod.
	all := []Doc{}
	for _, key := range []string{"node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"} {
		all = append(all, Doc{"key": key, "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 300})
	}
	if at != nil {
		for _, taint := range at.taints {
			if !m.chance(65) {
				continue
			}
			toleration := Doc{"key": taint["key"], "effect": taint["effect"]}
			switch m.IntN(6) {
			case 0, 1:
				toleration["operator"] = "Exists"
			case 2:
				delete(toleration, "effect")
				toleration["operator"] = "Exists"
			case 3:
				toleration["value"] = "other"
			default:
				if value := taint["value"]; value != nil && value != "" {
					toleration["value"] = value
				}
			}
			all = append(all, toleration)
		}
	}
	if m.chance(15) {
		all = append(all, pick(m.random, Doc{"operator": "Exists"}, Doc{"operator": "Exists", "effect": "NoSchedule"},
			Doc{"operator": "Exists", "effect": "NoExecute"}, Doc{"key": "dedicated", "operator": "Equal", "value": "ml"},
			Doc{"key": "node.kubernetes.io/unschedulable", "operator": "Exists"},
			Doc{"key": "node.kubernetes.io/unschedulable", "effect": "NoSchedule"},
			Doc{"key": "node.kubernetes.io/unschedulable", "operator": "Exists", "effect": "NoExecute"},
			Doc{"key": "example.com/spot", "value": "", "effect": "NoSchedule"}))
	}
	made.spec["tolerations"] = all
}

// setNodeChoice asks for nodes by labels, mostly such that the node has.
func (m *waitingMaker) setNodeChoice(made draft, at *place) {
	if m.chance(45) {
		selector := Doc{}
		for range m.between(1, 2) {
			key, value := m.labelOf(at)
			selector[key] = value
		}
		made.spec["nodeSelector"] = selector
	}
	if !m.chance(65) {
		return
	}
	var terms []Doc
	for range pick(m.random, 1, 1, 1, 2, 3) {
		terms = append(terms, m.nodeTerm(at))
	}
	affinity := m.affinityOf(made)
	affinity["nodeAffinity"] = Doc{"requiredDuringSchedulingIgnoredDuringExecution": Doc{"nodeSelectorTerms": terms}}
}

func (m *waitingMaker) affinityOf(made draft) Doc {
	if made.spec["affinity"] == nil {
		made.spec["affinity"] = Doc{}
	}
	return made.spec["affinity"].(Doc)
}

// labelOf is a label that the node has, or nearly has.
func (m *waitingMaker) labelOf(at *place) (key, value string) {
	if at == nil || m.chance(25) {
		return pick(m.random, "nvidia.com/gpu.product", "pool", "topology.kubernetes.io/zone", "rack"),
			pick(m.random, "NVIDIA-L4", "L4", "training", "eu-1a", "eu-1z", "r1", "")
	}
	key = pick(m.random, sortedKeys(at.labels)...)
	return key, at.labels[key]
}

func (m *waitingMaker) nodeTerm(at *place) Doc {
	if m.chance(4) {
		return Doc{} // matches nothing
	}
	term := Doc{}
	if m.chance(15) && len(m.places) > 0 {
		name := pick(m.random, m.places...).name
		if m.chance(20) {
			name = "node-that-went-away"
		}
		term["matchFields"] = []Doc{{"key": "metadata.name", "operator": pick(m.random, "In", "In", "NotIn"), "values": []string{name}}}
		if m.chance(60) {
			return term
		}
	}
	var expressions []Doc
	for range pick(m.random, 1, 1, 2) {
		expressions = append(expressions, m.nodeExpression(at))
	}
	term["matchExpressions"] = expressions
	return term
}

func (m *waitingMaker) nodeExpression(at *place) Doc {
	key, value := m.labelOf(at)
	switch m.IntN(7) {
	case 0:
		return Doc{"key": key, "operator": "Exists"}
	case 1:
		return Doc{"key": key, "operator": "DoesNotExist"}
	case 2:
		return Doc{"key": key, "operator": "NotIn", "values": []string{value}}
	case 3:
		return Doc{"key": pick(m.random, "slots", "nvidia.com/gpu.count", "pool", "slots"), "operator": pick(m.random, "Gt", "Lt"),
			"values": []string{pick(m.random, "4", "0", "05", "8", "7")}}
	default:
		return Doc{"key": key, "operator": "In", "values": append(some(m.random, 70, []string{value}), "other")}
	}
}

var topologyKeys = []string{"topology.kubernetes.io/zone", "kubernetes.io/hostname", "rack", "topology.kubernetes.io/zone"}

// podSelector selects pods by their labels; nothing selects no pod.
func (m *waitingMaker) podSelector() Doc {
	switch m.IntN(11) {
	case 0:
		return Doc{}
	case 1:
		return Doc{"matchExpressions": []Doc{{"key": pick(m.random, "app", "version"), "operator": pick(m.random, "Exists", "DoesNotExist")}}}
	case 2:
		return Doc{"matchExpressions": []Doc{{"key": "app", "operator": pick(m.random, "In", "NotIn"), "values": []string{"web", "train"}}}}
	case 3:
		return Doc{"matchLabels": Doc{"app": pick(m.random, "web", "train"), "version": pick(m.random, "v1", "v2")}}
	case 4:
		return Doc{"matchLabels": Doc{"topology.kubernetes.io/zone": "eu-1a"}}
	}
	return Doc{"matchLabels": Doc{"app": pick(m.random, "web", "web", "web", "train", "db", "nobody")}}
}

func (m *waitingMaker) setPodAffinity(made draft) {
	affinity := m.affinityOf(made)
	if m.chance(45) {
		affinity["podAffinity"] = Doc{"requiredDuringSchedulingIgnoredDuringExecution": m.podTerms()}
	}
	if m.chance(75) {
		affinity["podAntiAffinity"] = Doc{"requiredDuringSchedulingIgnoredDuringExecution": m.podTerms()}
	}
}

func (m *waitingMaker) podTerms() []Doc {
	var terms []Doc
	for range pick(m.random, 1, 1, 1, 2) {
		term := Doc{"topologyKey": pick(m.random, topologyKeys...)}
		if !m.chance(6) {
			term["labelSelector"] = m.podSelector()
		}
		if m.chance(20) {
			term["namespaces"] = some(m.random, 60, teams)
		}
		if m.chance(15) {
			term["namespaceSelector"] = pick(m.random, Doc{}, Doc{"matchLabels": Doc{"env": "test"}}, Doc{"matchLabels": Doc{"env": "none"}})
		}
		if term["labelSelector"] != nil && m.chance(10) {
			term[pick(m.random, "matchLabelKeys", "mismatchLabelKeys")] = []string{pick(m.random, "version", "absent")}
		}
		terms = append(terms, term)
	}
	return terms
}

func (m *waitingMaker) setSpread(made draft) {
	var all []Doc
	seen := map[any]bool{}
	for range pick(m.random, 1, 1, 2) {
		when := pick(m.random, "DoNotSchedule", "DoNotSchedule", "DoNotSchedule", "ScheduleAnyway")
		spread := Doc{"maxSkew": pick(m.random, 1, 1, 1, 2, 3), "topologyKey": pick(m.random, topologyKeys...), "whenUnsatisfiable": when}
		if seen[spread["topologyKey"]] {
			continue
		}
		seen[spread["topologyKey"]] = true
		if !m.chance(5) {
			spread["labelSelector"] = m.podSelector()
		}
		if when == "DoNotSchedule" && m.chance(20) {
			spread["minDomains"] = m.between(1, 4)
		}
		if m.chance(20) {
			spread["nodeAffinityPolicy"] = pick(m.random, "Honor", "Ignore")
		}
		if m.chance(25) {
			spread["nodeTaintsPolicy"] = pick(m.random, "Honor", "Ignore")
		}
		if spread["labelSelector"] != nil && m.chance(12) {
			spread["matchLabelKeys"] = []string{pick(m.random, "version", "absent")}
		}
		all = append(all, spread)
	}
	// A pod that spreads usually counts itself.
	if selector, is := all[0]["labelSelector"].(Doc); is && m.chance(60) {
		if labels, has := selector["matchLabels"].(Doc); has {
			maps.Copy(made.labels, labels)
		}
	}
	made.spec["topologySpreadConstraints"] = all
}
