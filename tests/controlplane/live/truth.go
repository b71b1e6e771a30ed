// Package live tests live use end to end: programs that serve exporters' texts stand behind real
// pods in a network namespace, the API server's proxy reaches them, and a real Prometheus scrapes
// them. What each card does is made up here, so that the right answer is known.
package live

import (
	"fmt"
	"strings"
)

// card is a device that does something.
type card struct {
	node     string
	index    int
	uuid     string
	instance string // of MIG: GPU instance ID
	profile  string
	util     int     // per cent
	engine   float64 // 0 to 1
	used     int     // MiB
	free     int
	power    float64 // of the whole card
	temp     int
	pod      string // "ns/name": who really holds it; empty: nobody
	says     string // whom the exporter names; "" as pod
}

// unlabelled stands in `says`: the exporter names nobody.
const unlabelled = "-"

const reserved = 521 // MiB

func (c card) labels(extra ...string) string {
	text := fmt.Sprintf(`gpu="%d",UUID="%s",pci_bus_id="00000000:%02X:00.0",device="nvidia%d",modelName="%s"`,
		c.index, c.uuid, 16+c.index, c.index, model(c))
	if c.instance != "" {
		text += fmt.Sprintf(`,GPU_I_PROFILE="%s",GPU_I_ID="%s"`, c.profile, c.instance)
	}
	text += `,Hostname="dcgm-exporter-abcde",DCGM_FI_DRIVER_VERSION="570.86.15"`
	for _, more := range extra {
		text += "," + more
	}
	return "{" + text + "}"
}

func model(c card) string {
	if c.instance != "" {
		return "NVIDIA A100-SXM4-80GB"
	}
	return "NVIDIA H100 80GB HBM3"
}

func (c card) names() string {
	pod := c.pod
	if c.says != "" {
		pod = c.says
	}
	if pod == "" || pod == unlabelled {
		return ""
	}
	ns, name, _ := strings.Cut(pod, "/")
	return fmt.Sprintf(`container="main",namespace="%s",pod="%s"`, ns, name)
}

// whole writes what dcgm-exporter 4.x does of whole cards and MIG instances: families in any order, six
// decimals.
func whole(cards []card) string {
	var text strings.Builder
	family := func(name, kind string, value func(card) string) {
		fmt.Fprintf(&text, "# HELP %s as DCGM has it.\n# TYPE %s %s\n", name, name, kind)
		for _, c := range cards {
			if written := value(c); written != "" {
				var extra []string
				if names := c.names(); names != "" {
					extra = append(extra, names)
				}
				fmt.Fprintf(&text, "%s%s %s\n", name, c.labels(extra...), written)
			}
		}
	}
	integer := func(read func(card) int) func(card) string {
		return func(c card) string { return fmt.Sprint(read(c)) }
	}
	family("DCGM_FI_DEV_FB_USED", "gauge", integer(func(c card) int { return c.used }))
	family("DCGM_FI_DEV_GPU_UTIL", "gauge", func(c card) string {
		if c.instance != "" {
			return ""
		}
		return fmt.Sprint(c.util)
	})
	family("DCGM_FI_DEV_FB_FREE", "gauge", integer(func(c card) int { return c.free }))
	family("DCGM_FI_DEV_FB_RESERVED", "gauge", integer(func(card) int { return reserved }))
	family("DCGM_FI_DEV_POWER_USAGE", "gauge", func(c card) string { return fmt.Sprintf("%f", c.power) })
	family("DCGM_FI_DEV_GPU_TEMP", "gauge", integer(func(c card) int { return c.temp }))
	family("DCGM_FI_PROF_GR_ENGINE_ACTIVE", "gauge", func(c card) string { return fmt.Sprintf("%f", c.engine) })
	family("DCGM_FI_DEV_MEM_COPY_UTIL", "gauge", integer(func(c card) int { return c.util / 2 }))
	family("DCGM_FI_DEV_XID_ERRORS", "gauge", integer(func(card) int { return 0 }))
	return text.String()
}

// uuid is that of card `index` of a node.
func uuid(node string, index int) string {
	sum := 0
	for _, letter := range node {
		sum = sum*31 + int(letter)
	}
	return fmt.Sprintf("GPU-%08x-0000-4000-8000-%012d", uint32(sum), index)
}

// busy are whole cards of a node, each with its own numbers; holders by index.
func busy(node string, holders ...string) []card {
	var cards []card
	for index, holder := range holders {
		c := card{node: node, index: index, uuid: uuid(node, index), pod: holder, temp: 31 + index, power: 70.5 + float64(index)}
		if holder != "" {
			c.util, c.used, c.power = 91-7*index, 60_000+1000*index, 500.25+float64(index)
		}
		c.engine = float64(c.util) / 100
		c.free = 81_559 - reserved - c.used
		cards = append(cards, c)
	}
	return cards
}

// saying has the exporter name other holders than the true ones.
func saying(cards []card, says string) []card {
	for i := range cards {
		cards[i].says = says
	}
	return cards
}
