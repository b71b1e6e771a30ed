package generate

import "fmt"

// useVolume gives the pod one more volume: mostly a claim that is bound; for the pod that waits, of
// every other kind as well.
func (m *waitingMaker) useVolume(made draft, at *place) {
	volumes, _ := made.spec["volumes"].([]Doc)
	namespace, pod := made.metadata["namespace"].(string), made.metadata["name"].(string)
	name := fmt.Sprintf("volume-%d", len(volumes))
	claim := fmt.Sprintf("%s-%d", pod, len(volumes))
	use := func(claim string) Doc {
		return Doc{"name": name, "persistentVolumeClaim": Doc{"claimName": claim}}
	}
	way := m.IntN(100)
	if pod != "waiting" {
		way %= 58
	}
	volume := use(claim)
	switch {
	case way < 24:
		m.objects = append(m.objects, m.boundClaim(namespace, claim, at))
	case way < 40:
		shared := m.claimNames(namespace)
		if len(shared) == 0 {
			m.objects = append(m.objects, m.boundClaim(namespace, claim, at))
			break
		}
		volume = use(pick(m.random, shared...))
	case way < 54:
		volume = m.inlineDisk()
		volume["name"] = name
	case way < 58:
		volume = Doc{"name": name, "csi": Doc{"driver": csiDriver}}
	case way < 90:
		m.objects = append(m.objects, m.lateClaim(namespace, claim))
	default:
		volume = m.badVolume(made, name, claim)
	}
	made.spec["volumes"] = append(volumes, volume)
}

func (m *waitingMaker) claimNames(namespace string) []string {
	var names []string
	for _, claim := range m.volumes.claims {
		if claim.namespace == namespace {
			names = append(names, claim.name)
		}
	}
	return names
}

// inlineDisk is a disk that not every two pods may use on one node.
func (m *waitingMaker) inlineDisk() Doc {
	number, readOnly := m.IntN(2), m.chance(35)
	id := fmt.Sprintf("disk-%d", number)
	if m.moved && m.chance(70) {
		return m.movedDisk(id)
	}
	switch m.IntN(4) {
	case 0:
		return Doc{"gcePersistentDisk": Doc{"pdName": id, "readOnly": readOnly}}
	case 1:
		return Doc{"awsElasticBlockStore": Doc{"volumeID": id, "readOnly": readOnly}}
	case 2:
		return Doc{"rbd": Doc{"monitors": pick(m.random, []string{"a", "b"}, []string{"b", "c"}, []string{"d"}), "pool": "p", "image": id, "readOnly": readOnly}}
	}
	return Doc{"iscsi": Doc{"targetPortal": "10.0.0.1", "iqn": "iqn.2026-01.com.example:" + id, "lun": pick(m.random, 0, 1), "readOnly": readOnly}}
}

// lateClaim waits for its first consumer.
func (m *waitingMaker) lateClaim(namespace, name string) Doc {
	claim := m.claimDoc(namespace, name, pick(m.random, "fast", "zonal", "zonal", "local", "local", "local", "capacity", "capacity"))
	spec, metadata := claim["spec"].(Doc), claim["metadata"].(Doc)
	if m.chance(12) {
		spec["selector"] = Doc{"matchLabels": Doc{"tier": pick(m.random, "gold", "silver")}}
	}
	if m.chance(8) {
		spec["volumeMode"] = "Block"
	}
	if m.chance(12) && len(m.places) > 0 {
		metadata["annotations"] = Doc{"volume.kubernetes.io/selected-node": pick(m.random, m.places...).name}
	}
	return claim
}

// badVolume is one over which no node is looked at, mostly.
func (m *waitingMaker) badVolume(made draft, name, claim string) Doc {
	namespace := made.metadata["namespace"].(string)
	volume := Doc{"name": name, "persistentVolumeClaim": Doc{"claimName": claim}}
	switch m.IntN(8) {
	case 0: // the claim is missing
	case 1:
		m.objects = append(m.objects, m.claimDoc(namespace, claim, pick(m.random, "now", "", "no-such-class")))
	case 2: // its volume is missing
		made := m.boundClaim(namespace, claim, nil)
		made["spec"].(Doc)["volumeName"] = "volume-that-went-away"
		made["status"] = Doc{"phase": pick(m.random, "Bound", "Lost")}
		m.objects = append(m.objects, made)
	case 3:
		made := m.boundClaim(namespace, claim, nil)
		made["metadata"].(Doc)["deletionTimestamp"] = "2026-01-02T03:04:05Z"
		made["metadata"].(Doc)["finalizers"] = []string{"kubernetes.io/pvc-protection"}
		m.objects = append(m.objects, made)
	case 4: // bound in one direction only
		made := m.boundClaim(namespace, claim, nil)
		delete(made["metadata"].(Doc), "annotations")
		m.objects = append(m.objects, made)
	case 5: // the other direction only
		made := m.boundClaim(namespace, claim, nil)
		delete(made["spec"].(Doc), "volumeName")
		m.objects = append(m.objects, made)
	default:
		return m.ephemeral(made, name)
	}
	return volume
}

func (m *waitingMaker) ephemeral(made draft, name string) Doc {
	namespace, pod := made.metadata["namespace"].(string), made.metadata["name"].(string)
	template := m.claimDoc(namespace, "unused", "fast")["spec"]
	if way := m.IntN(4); way > 0 {
		claim := m.claimDoc(namespace, pod+"-"+name, pick(m.random, "fast", "local", "now"))
		uid := made.metadata["uid"]
		if way == 1 {
			uid = "somebody"
		}
		claim["metadata"].(Doc)["ownerReferences"] = []Doc{{"apiVersion": "v1", "kind": "Pod", "name": pod, "uid": uid, "controller": true}}
		m.objects = append(m.objects, claim)
	}
	return Doc{"name": name, "ephemeral": Doc{"volumeClaimTemplate": Doc{"spec": template}}}
}
