package judge

import (
	"encoding/json"
	"strconv"
	"strings"

	core "k8s.io/api/core/v1"
)

// A sharer is a scheduler that hands out slots of cards, and writes down on the node which cards
// there are and on the pod which it got.
type sharer struct {
	resource, register, placed string
	// Fields of one card in the register.
	memory, cores, health int
}

var sharers = []sharer{
	{"nvidia.com/gpu", "hami.io/node-nvidia-register", "hami.io/vgpu-devices-allocated", 2, 3, 6},
	{"volcano.sh/vgpu-number", "volcano.sh/node-vgpu-register", "volcano.sh/vgpu-ids-new", 2, -1, 4},
}

// A sharedCard is what a card has left.
type sharedCard struct {
	slots, memory, cores int64
	healthy              bool
}

// withCards lowers what is free in a row to the slots of cards that have memory and compute left.
// Nothing is lowered where the node registers no card: then nobody but the scheduler knows.
func withCards(row Row, resource string, node *core.Node, pods []*core.Pod) Row {
	for _, by := range sharers {
		cards := by.cards(node)
		if by.resource != resource || len(cards) == 0 {
			continue
		}
		unplaced := row.Allocated
		for _, pod := range pods {
			if held := Requests(pod)[core.ResourceName(resource)]; !held.IsZero() {
				unplaced -= by.take(cards, pod)
			}
		}
		left := -max(0, unplaced)
		for _, card := range cards {
			if card.healthy && card.cores > 0 {
				left += max(0, min(card.slots, card.memory))
			}
		}
		if free := max(0, min(row.Free, left)); row.Unavailable != nil {
			unavailable := *row.Unavailable + row.Free - free
			row.Free, row.Unavailable = free, &unavailable
		}
	}
	return row
}

// cards reads the register, in the form of a list of texts or, of HAMi since 2025, in JSON.
func (s sharer) cards(node *core.Node) map[string]*sharedCard {
	cards, text := map[string]*sharedCard{}, node.Annotations[s.register]
	if strings.HasPrefix(text, "[") {
		var list []struct {
			ID                     string
			Count, Devmem, Devcore int64
			Health                 bool
		}
		if json.Unmarshal([]byte(text), &list) != nil {
			return nil
		}
		for _, one := range list {
			cards[one.ID] = &sharedCard{one.Count, one.Devmem, one.Devcore, one.Health}
		}
		return cards
	}
	for _, entry := range strings.Split(text, ":") {
		if fields := strings.Split(entry, ","); len(fields) > s.health {
			card := &sharedCard{slots: number(fields[1]), memory: number(fields[s.memory]), cores: 100, healthy: fields[s.health] == "true"}
			if s.cores >= 0 {
				card.cores = number(fields[s.cores])
			}
			cards[fields[0]] = card
		}
	}
	return cards
}

// take lowers what the cards of a pod have left, and counts its slots.
func (s sharer) take(cards map[string]*sharedCard, pod *core.Pod) int64 {
	slots := int64(0)
	for _, entry := range strings.FieldsFunc(pod.Annotations[s.placed], func(r rune) bool { return r == ':' || r == ';' }) {
		fields := strings.Split(entry, ",")
		if len(fields) < 4 {
			continue
		}
		slots++
		if card := cards[fields[0]]; card != nil {
			card.slots, card.memory, card.cores = card.slots-1, card.memory-number(fields[2]), card.cores-number(fields[3])
		}
	}
	return slots
}

func number(text string) int64 {
	value, _ := strconv.ParseInt(text, 10, 64)
	return value
}
