package live

import (
	"fmt"
	"strings"
)

// place is a node: its GPUs and pods, what its exporter writes, and what is then known.
type place struct {
	name      string
	resource  string // nvidia.com/gpu, or another
	units     int
	labels    map[string]string
	pods      map[string]int // of namespace `live`: units of the resource
	text      string         // of the exporter; empty: it writes nothing
	delay     string
	status    int
	notReady  bool
	noPod     bool // there is no exporter
	devices   []device
	use       *float64 // of the node; nil: unknown
	mentioned string   // what a gap must name
}

// device is what `top gpus` must say of one.
type device struct {
	uuid, instance string
	util           *float64
	usedMiB        int
	pods           []string
	evidence       string
	state          string
	source         string
}

func ratio(value float64) *float64 { return &value }

// known are the devices of cards whose exporter tells all.
func known(cards []card, evidence string) (devices []device, mean *float64) {
	sum := 0.0
	for _, c := range cards {
		d := device{uuid: c.uuid, instance: c.instance, util: ratio(c.engine), usedMiB: c.used, state: "free",
			evidence: "none", source: "engine-active"}
		sum += *d.util
		if c.pod != "" {
			d.state, d.evidence, d.pods = "held", evidence, []string{c.pod}
		}
		devices = append(devices, d)
	}
	return devices, ratio(sum / float64(len(cards)))
}

func h100s(name string, cards []card, evidence string, pods map[string]int) place {
	devices, use := known(cards, evidence)
	return place{name: name, resource: "nvidia.com/gpu", units: len(cards), pods: pods, text: whole(cards),
		labels: map[string]string{"nvidia.com/gpu.product": "NVIDIA-H100-80GB-HBM3", "nvidia.com/gpu.count": fmt.Sprint(len(cards)),
			"nvidia.com/gpu.memory": "81559", "nvidia.com/gpu.replicas": "1", "nvidia.com/gpu.present": "true"},
		devices: devices, use: use}
}

// silent is a node of which no use is known, though its exporter has `cards` to tell of.
func silent(name string, mentioned string, change func(*place)) place {
	cards := busy(name, "", "")
	p := h100s(name, cards, "exporter", nil)
	p.devices, p.use, p.mentioned = nil, nil, mentioned
	change(&p)
	return p
}

func places() []place {
	const train, eval, infer, old = "live/train-0", "live/eval-0", "live/infer-0", "live/gone-0"
	all := []place{
		// Two pods, two free cards; what the exporter says fits.
		h100s("lu-whole", busy("lu-whole", train, train, eval, train, "", ""), "exporter", map[string]int{"train-0": 3, "eval-0": 1}),
		// The exporter names nobody, and one pod holds all: then all are its.
		h100s("lu-all", saying(busy("lu-all", "live/all-0", "live/all-0"), unlabelled), "request", map[string]int{"all-0": 2}),
		// It names a pod that is not there any more; the one that there is holds all.
		h100s("lu-stale", saying(busy("lu-stale", "live/stale-0"), old), "request", map[string]int{"stale-0": 1}),
	}
	// Nobody knows which of the cards the pod holds.
	which := h100s("lu-which", saying(busy("lu-which", infer, infer, "", ""), unlabelled), "exporter", map[string]int{"infer-0": 2})
	for i := range which.devices {
		which.devices[i].pods, which.devices[i].evidence, which.devices[i].state = nil, "none", ""
	}
	all = append(all, which)

	// A card works though no pod asked for it.
	unasked := busy("lu-unasked", "live/ghost-0", "")
	unasked[0].pod, unasked[0].says = "", unlabelled
	all = append(all, h100s("lu-unasked", unasked, "exporter", nil))

	all = append(all, mig(), sliced("lu-copied", copied), sliced("lu-own", own))
	all = append(all,
		silent("lu-500", "lu-500", func(p *place) { p.status = 500 }),
		silent("lu-slow", "lu-slow", func(p *place) { p.delay = "9s" }),
		silent("lu-empty", "lu-empty", func(p *place) { p.text = "" }),
		silent("lu-unready", "lu-unready", func(p *place) { p.notReady = true }),
		silent("lu-none", "lu-none", func(p *place) { p.noPod = true }),
		lying())
	return all
}

// lying tells numbers that no card can have: they are no numbers, and the others stay.
func lying() place {
	p := h100s("lu-lying", busy("lu-lying", "", ""), "exporter", nil)
	first, second, _ := strings.Cut(p.text, "# TYPE DCGM_FI_DEV_GPU_UTIL gauge\n")
	lines := strings.SplitN(second, "\n", 2)
	lie := lines[0][:strings.LastIndex(lines[0], " ")] + " 4294967295"
	p.text = first + "# TYPE DCGM_FI_DEV_GPU_UTIL gauge\n" + lie + "\n" + lines[1]
	p.mentioned = "4294967295"
	return p
}

// mig is a card cut into instances: power stands on each, and is the card's.
func mig() place {
	var cards []card
	for i, pod := range []string{"live/mig-0", "live/mig-1", "", ""} {
		c := card{node: "lu-mig", uuid: uuid("lu-mig", 0), instance: fmt.Sprint(7 + i), profile: "1g.10gb", pod: pod, temp: 40, power: 188.5,
			used: 12, free: 9984 - 12}
		if pod != "" {
			c.engine, c.used = 0.25+0.5*float64(i), 6000+i
			c.free = 9984 - c.used
		}
		cards = append(cards, c)
	}
	devices, use := known(cards, "exporter")
	return place{name: "lu-mig", resource: "nvidia.com/mig-1g.10gb", units: 4, pods: map[string]int{"mig-0": 1, "mig-1": 1}, text: whole(cards),
		labels: map[string]string{"nvidia.com/gpu.product": "NVIDIA-A100-SXM4-80GB", "nvidia.com/gpu.count": "1",
			"nvidia.com/mig.capable": "true", "nvidia.com/mig.strategy": "mixed", "nvidia.com/gpu.present": "true",
			"nvidia.com/mig-1g.10gb.count": "4", "nvidia.com/mig-1g.10gb.memory": "9984"},
		devices: devices, use: use}
}

// sliced is one card that three pods share by time-slicing.
func sliced(name string, write func(c card, pods []string) string) place {
	c := card{node: name, uuid: uuid(name, 0), util: 71, engine: 0.71, used: 9120, free: 81_559 - reserved - 9120, power: 468.4, temp: 60}
	pods := map[string]int{}
	var names []string
	for i := range 3 {
		pod := fmt.Sprintf("%s-%d", name, i)
		pods[pod] = 1
		names = append(names, pod)
	}
	return place{name: name, resource: "nvidia.com/gpu", units: 4, pods: pods, text: write(c, names),
		labels: map[string]string{"nvidia.com/gpu.product": "NVIDIA-H100-80GB-HBM3-SHARED", "nvidia.com/gpu.count": "1", "nvidia.com/gpu.replicas": "4",
			"nvidia.com/gpu.memory": "81559", "nvidia.com/gpu.sharing-strategy": "time-slicing", "nvidia.com/gpu.present": "true"},
		use: ratio(0.71)}
}

// copied is what exporters before 4.8.2 write: the card's numbers once for each pod.
func copied(c card, pods []string) string {
	var text strings.Builder
	for _, row := range []struct {
		name  string
		value any
	}{{"DCGM_FI_DEV_GPU_UTIL", c.util}, {"DCGM_FI_DEV_FB_USED", c.used}, {"DCGM_FI_DEV_FB_FREE", c.free}, {"DCGM_FI_DEV_FB_RESERVED", reserved},
		{"DCGM_FI_DEV_POWER_USAGE", c.power}} {
		for i, pod := range pods {
			fmt.Fprintf(&text, "%s%s %v\n", row.name,
				c.labels(`container="main",namespace="live",pod="`+pod+`"`, fmt.Sprintf(`vgpu="%d"`, i)), row.value)
		}
	}
	return text.String()
}

// own is what 4.8.2 writes: a row for the card, and what the processes of each pod do. The uid is
// put in place of @POD@ once it is known.
func own(c card, pods []string) string {
	var text strings.Builder
	fmt.Fprintf(&text, "DCGM_FI_DEV_GPU_UTIL%s %d\nDCGM_FI_DEV_FB_USED%s %d\nDCGM_FI_DEV_FB_FREE%s %d\nDCGM_FI_DEV_FB_RESERVED%s %d\n",
		c.labels(), c.util, c.labels(), c.used, c.labels(), c.free, c.labels(), reserved)
	for i, pod := range pods {
		labels := c.labels(`container="main",namespace="live",pod="`+pod+`"`, fmt.Sprintf(`vgpu="%d",pod_uid="@%s@"`, i, pod))
		fmt.Fprintf(&text, "DCGM_FI_DEV_GPU_UTIL%s %d\nDCGM_FI_DEV_FB_USED%s %d\n", labels, ownUtil[i], labels, 1000*(i+1))
	}
	return text.String()
}

var ownUtil = []int{50, 20, 0}
