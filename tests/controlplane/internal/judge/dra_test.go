package judge

import (
	"fmt"
	"testing"
)

// cluster is a List with one ready node "n" and these objects beside it.
func cluster(objects ...string) []byte {
	text := `{"items":[{"kind":"Node","metadata":{"name":"n"},"status":{"allocatable":{"pods":"110"},"conditions":[{"type":"Ready","status":"True"}]}}`
	for _, object := range objects {
		text += "," + object
	}
	return []byte(text + "]}")
}

// slice is a ResourceSlice of n's pool, of which there shall be so many.
func slice(name string, generation, count int, content string) string {
	return fmt.Sprintf(`{"kind":"ResourceSlice","metadata":{"name":%q},"spec":{"driver":"gpu.nvidia.com","nodeName":"n",
		"pool":{"name":"n","generation":%d,"resourceSliceCount":%d},%s}}`, name, generation, count, content)
}

// claim holds the devices, named as DEVICE or, if it only looks, DEVICE!.
func claim(name string, devices ...string) string {
	results := ""
	for i, device := range devices {
		admin := ""
		if device[len(device)-1] == '!' {
			device, admin = device[:len(device)-1], `,"adminAccess":true`
		}
		if i > 0 {
			results += ","
		}
		results += fmt.Sprintf(`{"request":"r","driver":"gpu.nvidia.com","pool":"n","device":%q%s}`, device, admin)
	}
	return fmt.Sprintf(`{"kind":"ResourceClaim","metadata":{"name":%q,"namespace":"d"},"status":{"allocation":{"devices":{"results":[%s]}},
		"reservedFor":[{"resource":"pods","name":"p"},{"resource":"pods","name":"q"}]}}`, name, results)
}

const twoCards = `"devices":[{"name":"gpu-0"},{"name":"gpu-1"}]`

// One card that is cut on demand into two halves.
const (
	cutDevices = `"devices":[{"name":"gpu-0","consumesCounters":[{"counterSet":"s","counters":{"slots":{"value":"2"}}}]},
		{"name":"half-0","attributes":{"profile":{"string":"half"}},"consumesCounters":[{"counterSet":"s","counters":{"slots":{"value":"1"}}}]},
		{"name":"half-1","attributes":{"profile":{"string":"half"}},"consumesCounters":[{"counterSet":"s","counters":{"slots":{"value":"1"}}}]}]`
	cutCounters = `"sharedCounters":[{"name":"s","counters":{"slots":{"value":"2"}}}]`
)

func TestDeviceRows(t *testing.T) {
	const cards, halves = "gpu.nvidia.com", "gpu.nvidia.com/mig-half"
	type figures struct{ held, free, other int64 }
	for name, test := range map[string]struct {
		objects []string
		want    map[string]figures
	}{
		"free":                 {[]string{slice("a", 1, 1, twoCards)}, map[string]figures{cards: {0, 2, 0}}},
		"held":                 {[]string{slice("a", 1, 1, twoCards), claim("c", "gpu-1")}, map[string]figures{cards: {1, 1, 0}}},
		"looked at":            {[]string{slice("a", 1, 1, twoCards), claim("c", "gpu-1!")}, map[string]figures{cards: {0, 2, 0}}},
		"incomplete":           {[]string{slice("a", 1, 2, twoCards), claim("c", "gpu-1")}, map[string]figures{cards: {1, 0, 1}}},
		"an older generation":  {[]string{slice("a", 1, 1, twoCards), slice("b", 2, 1, `"devices":[{"name":"gpu-0"}]`)}, map[string]figures{cards: {0, 1, 0}}},
		"tainted":              {[]string{slice("a", 1, 1, `"devices":[{"name":"gpu-0","taints":[{"key":"k","effect":"NoSchedule"}]}]`)}, map[string]figures{cards: {0, 0, 1}}},
		"informed":             {[]string{slice("a", 1, 1, `"devices":[{"name":"gpu-0","taints":[{"key":"k","effect":"None"}]}]`)}, map[string]figures{cards: {0, 1, 0}}},
		"whole, not in halves": {[]string{slice("a", 1, 2, cutDevices), slice("b", 1, 2, cutCounters)}, map[string]figures{cards: {0, 1, 0}, halves: {}}},
		"one half held":        {[]string{slice("a", 1, 2, cutDevices), slice("b", 1, 2, cutCounters), claim("c", "half-1")}, map[string]figures{cards: {0, 0, 1}, halves: {1, 1, 0}}},
	} {
		world, err := Decode(cluster(test.objects...))
		if err != nil {
			t.Fatal(err)
		}
		rows := world.Rows()
		for resource, want := range test.want {
			row, exists := rows[Key{"n", resource}]
			if want == (figures{}) && !exists {
				continue
			}
			if !exists || row.Allocated != want.held || row.Free != want.free || *row.Unavailable != want.other {
				t.Errorf("%s: %s: %+v (exists: %t), want %+v", name, resource, row, exists, want)
			}
		}
		if len(rows) > len(test.want) {
			t.Errorf("%s: %v, want %v", name, rows, test.want)
		}
	}
}

func TestHoldingsOfSharedClaims(t *testing.T) {
	world, err := Decode(cluster(slice("a", 1, 1, twoCards), claim("c", "gpu-0", "gpu-1"), claim("look", "gpu-0!")))
	if err != nil {
		t.Fatal(err)
	}
	have := world.Holdings()
	if len(have) != 2 || have[0].Units != 2 || have[0].SharedBy != 2 || have[0].Pod == have[1].Pod {
		t.Errorf("%+v, want two pods that share two cards", have)
	}
}
