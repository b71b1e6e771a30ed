package generate

// What newer versions of Kubernetes added, and what older ones left behind.

const (
	restartFeature = "RestartAllContainersOnContainerExits"
	longAgo        = "2026-01-02T03:04:05Z"
	farAhead       = "2126-01-02T03:04:05Z"
)

// restartAll lets a container restart all of them: not every node says that it can.
func (m *waitingMaker) restartAll(made draft) {
	list := pick(m.random, "containers", "containers", "initContainers")
	containers, _ := made.spec[list].([]Doc)
	if len(containers) == 0 {
		return
	}
	container := containers[len(containers)-1]
	if container["restartPolicy"] == nil {
		container["restartPolicy"] = "Never"
	}
	rule := func(action string) Doc {
		return Doc{"action": action, "exitCodes": Doc{"operator": "In", "values": []int{42}}}
	}
	container["restartPolicyRules"] = []Doc{rule(pick(m.random, "Restart", "RestartAllContainers", "RestartAllContainers"))}
}

// declare says what a node can do.
func (m *waitingMaker) declare(status Doc) {
	if features := some(m.random, 50, []string{"ExtendWebSocketsToKubelet", restartFeature, "SomethingNewer"}); len(features) > 0 {
		status["declaredFeatures"] = features
	}
}

// setAttributesClass names a class of attributes for a claim or a volume.
func (m *waitingMaker) setAttributesClass(spec Doc) {
	if m.attributed && m.chance(40) {
		spec["volumeAttributesClassName"] = pick(m.random, "gold", "gold", "silver")
	}
}

// await makes the allocated devices of a claim wait for conditions, and says how far they are.
func (m *waitingMaker) await(status Doc) {
	allocation := status["allocation"].(Doc)
	if m.chance(85) {
		allocation["allocationTimestamp"] = pick(m.random, longAgo, farAhead)
	}
	var devices []Doc
	for _, result := range allocation["devices"].(Doc)["results"].([]Doc) {
		if m.chance(80) {
			result["bindingConditions"] = pick(m.random, []string{"example.com/attached"}, []string{"example.com/attached", "example.com/ready"})
			result["bindingFailureConditions"] = []string{"example.com/broken"}
		}
		if m.chance(25) {
			continue
		}
		var conditions []Doc
		for _, kind := range some(m.random, 60, []string{"example.com/attached", "example.com/ready", "example.com/broken"}) {
			said := pick(m.random, "True", "True", "True", "False", "Unknown")
			if kind == "example.com/broken" {
				said = pick(m.random, "True", "False", "False")
			}
			conditions = append(conditions, Doc{"type": kind, "status": said, "reason": "Because", "message": "", "lastTransitionTime": longAgo})
		}
		devices = append(devices, Doc{"driver": result["driver"], "pool": result["pool"], "device": result["device"], "conditions": conditions})
	}
	if devices != nil {
		status["devices"] = devices
	}
}

// movedDisk is a disk of a kind that moved to a CSI driver; its name need not be one.
func (m *waitingMaker) movedDisk(id string) Doc {
	switch m.IntN(6) {
	case 0:
		return Doc{"cinder": Doc{"volumeID": id}}
	case 1:
		return Doc{"portworxVolume": Doc{"volumeID": id}}
	case 2:
		return Doc{"awsElasticBlockStore": Doc{"volumeID": pick(m.random, "vol-", "aws://eu-1a/vol-", "aws:///vol-", "aws://eu-1a/") + id}}
	default:
		return Doc{"azureDisk": m.azureDisk(id)}
	}
}

func (m *waitingMaker) azureDisk(id string) Doc {
	if m.chance(20) {
		return Doc{"diskName": id, "kind": pick(m.random, "Shared", "Dedicated"), "diskURI": "https://example.com/vhds/" + id}
	}
	return Doc{"diskName": id, "kind": "Managed", "diskURI": "/subscriptions/s/resourceGroups/g/providers/Microsoft.Compute/disks/" + id}
}

// movedDrivers are CSI drivers of such disks on a node.
func (m *waitingMaker) movedDrivers(at *place) []Doc {
	var drivers []Doc
	for _, name := range some(m.random, 70, []string{"disk.csi.azure.com", "cinder.csi.openstack.org", "pxd.portworx.com", "pd.csi.storage.gke.io"}) {
		driver := Doc{"name": name, "nodeID": at.name, "topologyKeys": nil}
		if m.chance(80) {
			driver["allocatable"] = Doc{"count": m.IntN(3)}
		}
		drivers = append(drivers, driver)
	}
	return drivers
}
