package generate

import "fmt"

// volumeState is what of volumes is there already.
type volumeState struct {
	count  int
	claims []madeClaim // that other pods may share
}

type madeClaim struct{ namespace, name, volume string }

const csiDriver, capacityDriver = "csi.example.com", "capacity.example.com"

func (m *waitingMaker) addStorage() {
	class := func(name, provisioner, mode string, more Doc) {
		made := Doc{"apiVersion": "storage.k8s.io/v1", "kind": "StorageClass", "metadata": Doc{"name": name, "uid": name},
			"provisioner": provisioner, "volumeBindingMode": mode}
		for key, value := range more {
			made[key] = value
		}
		m.objects = append(m.objects, made)
	}
	class("fast", csiDriver, "WaitForFirstConsumer", nil)
	class("now", csiDriver, "Immediate", nil)
	class("local", "kubernetes.io/no-provisioner", "WaitForFirstConsumer", nil)
	class("capacity", capacityDriver, "WaitForFirstConsumer", nil)
	class("zonal", csiDriver, "WaitForFirstConsumer", Doc{"allowedTopologies": []Doc{{"matchLabelExpressions": []Doc{
		{"key": "topology.kubernetes.io/zone", "values": pick(m.random, []string{"eu-1a"}, []string{"eu-1a", "eu-1b"}, []string{"eu-1z"})}}}}})
	m.objects = append(m.objects,
		Doc{"apiVersion": "storage.k8s.io/v1", "kind": "CSIDriver", "metadata": Doc{"name": csiDriver, "uid": csiDriver}, "spec": Doc{}},
		Doc{"apiVersion": "storage.k8s.io/v1", "kind": "CSIDriver", "metadata": Doc{"name": capacityDriver, "uid": capacityDriver}, "spec": Doc{"storageCapacity": m.chance(80)}})
	for _, at := range m.places {
		m.addCSINode(at)
	}
	for i := range m.IntN(4) {
		m.addCapacity(fmt.Sprintf("capacity-%d", i))
	}
	for range m.IntN(5) {
		m.addFreeVolume()
	}
}

func (m *waitingMaker) addCSINode(at *place) {
	if m.chance(12) {
		return
	}
	var drivers []Doc
	for _, name := range some(m.random, 85, []string{csiDriver, capacityDriver}) {
		driver := Doc{"name": name, "nodeID": at.name, "topologyKeys": []string{"topology.kubernetes.io/zone"}}
		if m.chance(75) {
			driver["allocatable"] = Doc{"count": pick(m.random, 0, 1, 1, 2, 3, 25)}
		}
		drivers = append(drivers, driver)
	}
	metadata := Doc{"name": at.name, "uid": "csi-" + at.name}
	if m.moved {
		drivers = append(drivers, m.movedDrivers(at)...)
	}
	if m.moved && m.chance(40) {
		metadata["annotations"] = Doc{"storage.alpha.kubernetes.io/migrated-plugins": pick(m.random, "kubernetes.io/portworx-volume",
			"kubernetes.io/azure-disk,kubernetes.io/cinder,kubernetes.io/aws-ebs")}
	} else if m.chance(15) {
		metadata["annotations"] = Doc{"storage.alpha.kubernetes.io/migrated-plugins": "kubernetes.io/aws-ebs,kubernetes.io/gce-pd"}
		if m.chance(60) {
			drivers = append(drivers, Doc{"name": "ebs.csi.aws.com", "nodeID": at.name, "topologyKeys": nil, "allocatable": Doc{"count": m.IntN(2)}})
		}
	}
	m.objects = append(m.objects, Doc{"apiVersion": "storage.k8s.io/v1", "kind": "CSINode", "metadata": metadata, "spec": Doc{"drivers": drivers}})
}

func (m *waitingMaker) addCapacity(name string) {
	made := Doc{"apiVersion": "storage.k8s.io/v1", "kind": "CSIStorageCapacity", "metadata": Doc{"name": name, "namespace": "team-c", "uid": name},
		"storageClassName": pick(m.random, "capacity", "capacity", "fast"), "capacity": pick(m.random, "5Gi", "10Gi", "20Gi")}
	if !m.chance(10) {
		made["nodeTopology"] = pick(m.random, Doc{}, Doc{"matchLabels": Doc{"topology.kubernetes.io/zone": pick(m.random, "eu-1a", "eu-1b")}})
	}
	if m.chance(25) {
		made["maximumVolumeSize"] = pick(m.random, "1Gi", "9Gi", "10Gi")
	}
	if m.chance(10) {
		delete(made, "capacity")
	}
	m.objects = append(m.objects, made)
}

// volumeDoc is a PersistentVolume somewhere: everywhere, in a zone, on a node.
func (m *waitingMaker) volumeDoc(class string, size any, modes []string, at *place) Doc {
	name := fmt.Sprintf("volume-%d", m.volumes.count)
	m.volumes.count++
	spec := Doc{"capacity": Doc{"storage": size}, "accessModes": modes, "storageClassName": class}
	labels := Doc{}
	zone := pick(m.random, "eu-1a", "eu-1b", "eu-1c")
	if at != nil && at.labels["topology.kubernetes.io/zone"] != "" && m.chance(60) {
		zone = at.labels["topology.kubernetes.io/zone"]
	}
	affinity := func(key, value string) Doc {
		return Doc{"required": Doc{"nodeSelectorTerms": []Doc{{"matchExpressions": []Doc{{"key": key, "operator": "In", "values": []string{value}}}}}}}
	}
	switch m.IntN(6) {
	case 0:
		spec["nodeAffinity"] = affinity("topology.kubernetes.io/zone", zone)
	case 1:
		labels[pick(m.random, "topology.kubernetes.io/zone", "failure-domain.beta.kubernetes.io/zone")] = pick(m.random, zone, zone, "eu-1a__eu-1b")
	case 2:
		labels["topology.kubernetes.io/region"] = pick(m.random, "eu-1", "eu-2")
	}
	switch kind := m.IntN(10); {
	case m.moved && class != "local" && m.chance(35):
		for source, disk := range m.movedDisk(name) {
			spec[source] = disk
		}
	case class == "local" || kind == 0:
		spec["local"] = Doc{"path": "/mnt/" + name}
		host := "node-that-went-away"
		if len(m.places) > 0 && m.chance(85) {
			host = pick(m.random, m.places...).name
		}
		spec["nodeAffinity"] = affinity("kubernetes.io/hostname", host)
	case kind == 1:
		spec["awsElasticBlockStore"] = Doc{"volumeID": "aws://" + zone + "/vol-" + name}
	case kind == 2:
		spec["gcePersistentDisk"] = Doc{"pdName": "pd-" + name}
	default:
		spec["csi"] = Doc{"driver": pick(m.random, csiDriver, csiDriver, csiDriver, "other.example.com"), "volumeHandle": "handle-" + name}
	}
	if spec["csi"] != nil {
		m.setAttributesClass(spec)
	}
	metadata := Doc{"name": name, "uid": name}
	if len(labels) > 0 {
		metadata["labels"] = labels
	}
	return Doc{"apiVersion": "v1", "kind": "PersistentVolume", "metadata": metadata, "spec": spec, "status": Doc{"phase": "Bound"}}
}

func (m *waitingMaker) addFreeVolume() {
	volume := m.volumeDoc(pick(m.random, "local", "local", "fast", "zonal"), pick(m.random, "5Gi", "10Gi", "20Gi"),
		pick(m.random, []string{"ReadWriteOnce"}, []string{"ReadWriteOnce", "ReadOnlyMany"}, []string{"ReadWriteMany"}), nil)
	volume["status"] = Doc{"phase": pick(m.random, "Available", "Available", "Available", "Released", "Pending")}
	if m.chance(20) {
		volume["spec"].(Doc)["claimRef"] = Doc{"kind": "PersistentVolumeClaim", "apiVersion": "v1", "namespace": "team-a", "name": pick(m.random, "waiting-0", "somebody")}
	}
	if m.chance(15) {
		volume["spec"].(Doc)["volumeMode"] = "Block"
	}
	if m.chance(30) {
		labels, _ := volume["metadata"].(Doc)["labels"].(Doc)
		if labels == nil {
			labels = Doc{}
		}
		labels["tier"] = pick(m.random, "gold", "silver")
		volume["metadata"].(Doc)["labels"] = labels
	}
	if m.chance(4) {
		volume["metadata"].(Doc)["deletionTimestamp"] = "2026-01-02T03:04:05Z"
		volume["metadata"].(Doc)["finalizers"] = []string{"kubernetes.io/pv-protection"}
	}
	m.objects = append(m.objects, volume)
}

// claimDoc is a PersistentVolumeClaim; an empty class is none at all.
func (m *waitingMaker) claimDoc(namespace, name, class string) Doc {
	spec := Doc{"accessModes": []string{pick(m.random, "ReadWriteOnce", "ReadWriteOnce", "ReadWriteOnce", "ReadWriteMany", "ReadWriteOncePod")},
		"resources": Doc{"requests": Doc{"storage": pick(m.random, "5Gi", "10Gi", "10737418241", "20Gi")}}}
	if class != "" {
		spec["storageClassName"] = class
	}
	m.setAttributesClass(spec)
	return Doc{"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": Doc{"name": name, "namespace": namespace, "uid": "claim-" + namespace + "-" + name},
		"spec": spec, "status": Doc{"phase": "Pending"}}
}

// boundClaim makes a claim and its volume.
func (m *waitingMaker) boundClaim(namespace, name string, at *place) Doc {
	class := pick(m.random, "fast", "fast", "zonal", "now", "")
	claim := m.claimDoc(namespace, name, class)
	spec := claim["spec"].(Doc)
	volume := m.volumeDoc(class, spec["resources"].(Doc)["requests"].(Doc)["storage"], spec["accessModes"].([]string), at)
	metadata := volume["metadata"].(Doc)
	volume["spec"].(Doc)["claimRef"] = Doc{"kind": "PersistentVolumeClaim", "apiVersion": "v1", "namespace": namespace, "name": name, "uid": claim["metadata"].(Doc)["uid"]}
	spec["volumeName"] = metadata["name"]
	claim["metadata"].(Doc)["annotations"] = Doc{"pv.kubernetes.io/bind-completed": "yes", "pv.kubernetes.io/bound-by-controller": "yes"}
	claim["status"] = Doc{"phase": "Bound"}
	m.objects = append(m.objects, volume)
	if at != nil && m.chance(30) {
		m.attach(metadata["name"].(string), pick(m.random, at, at, pick(m.random, m.places...)))
	}
	m.volumes.claims = append(m.volumes.claims, madeClaim{namespace, name, metadata["name"].(string)})
	return claim
}

func (m *waitingMaker) attach(volume string, at *place) {
	name := fmt.Sprintf("attachment-%d", len(m.objects))
	m.objects = append(m.objects, Doc{"apiVersion": "storage.k8s.io/v1", "kind": "VolumeAttachment", "metadata": Doc{"name": name, "uid": name},
		"spec": Doc{"attacher": csiDriver, "nodeName": at.name, "source": Doc{"persistentVolumeName": volume}}, "status": Doc{"attached": true}})
}
