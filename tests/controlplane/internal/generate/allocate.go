package generate

import (
	"context"
	"encoding/json"
	"fmt"

	core "k8s.io/api/core/v1"
	resource "k8s.io/api/resource/v1"

	"kubectl-gpu/tests/controlplane/internal/judge"
)

// Allocate gives the claims devices as kube-scheduler would have, one by one. Pods whose claim gets
// none are gated: they wait.
func (k *Kinds) Allocate() error {
	world, err := judge.Decode(List(k.Objects()...))
	if err != nil {
		return err
	}
	nodes := map[string]*core.Node{}
	for i := range world.Nodes {
		nodes[world.Nodes[i].Name] = &world.Nodes[i]
	}
	class := resource.DeviceClass{}
	class.Name = "generated"
	k.Classes = []Doc{{"apiVersion": "resource.k8s.io/v1", "kind": "DeviceClass", "metadata": Doc{"name": class.Name}, "spec": Doc{}}}
	allocator := judge.NewAllocator(world.Slices, []resource.DeviceClass{class}, nil)
	for i := range world.Claims {
		claim := &world.Claims[i]
		result, err := allocator.Allocate(context.Background(), nodes[k.Wanted[claim.Name]], claim)
		if err != nil {
			continue // asks for all devices of a pool that is incomplete
		}
		if result == nil {
			k.gate(claim.Name)
			continue
		}
		allocation := Doc{}
		if err := json.Unmarshal(encode(result), &allocation); err != nil {
			return fmt.Errorf("claim %s: %w", claim.Name, err)
		}
		k.Claims[i]["status"] = Doc{"allocation": allocation, "reservedFor": k.users(claim.Name)}
	}
	for i := range world.Claims {
		if k.Claims[i]["status"] == nil {
			k.gate(world.Claims[i].Name)
		}
	}
	return nil
}

func (k *Kinds) users(claim string) []Doc {
	users := []Doc{}
	for _, name := range k.Users[claim] {
		users = append(users, Doc{"resource": "pods", "name": name, "uid": name})
	}
	return users
}

// gate keeps the users of a claim away from any node.
func (k *Kinds) gate(claim string) {
	for _, name := range k.Users[claim] {
		for _, pod := range k.Pods {
			if pod["metadata"].(Doc)["name"] == name {
				spec := pod["spec"].(Doc)
				delete(spec, "nodeName")
				spec["schedulingGates"] = []Doc{{"name": "example.com/gate"}}
				pod["status"].(Doc)["phase"] = "Pending"
			}
		}
	}
}
