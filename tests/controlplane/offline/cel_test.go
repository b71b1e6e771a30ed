package offline

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"

	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/dynamic-resource-allocation/cel"
)

// celDevice is a device in the form that cel_eval reads.
type celDevice struct {
	Driver     string                  `json:"driver"`
	Shared     bool                    `json:"allowMultipleAllocations,omitempty"`
	Attributes map[string]celAttribute `json:"attributes"`
	Capacity   map[string]string       `json:"capacity"`
}

type celAttribute struct {
	String  *string `json:"string,omitempty"`
	Int     *int64  `json:"int,omitempty"`
	Bool    *bool   `json:"bool,omitempty"`
	Version *string `json:"version,omitempty"`
}

func (d celDevice) upstream() cel.Device {
	made := cel.Device{Driver: d.Driver, AllowMultipleAllocations: new(d.Shared),
		Attributes: map[resourceapi.QualifiedName]resourceapi.DeviceAttribute{},
		Capacity:   map[resourceapi.QualifiedName]resourceapi.DeviceCapacity{}}
	for name, value := range d.Attributes {
		made.Attributes[resourceapi.QualifiedName(name)] = resourceapi.DeviceAttribute{StringValue: value.String,
			IntValue: value.Int, BoolValue: value.Bool, VersionValue: value.Version}
	}
	for name, value := range d.Capacity {
		made.Capacity[resourceapi.QualifiedName(name)] = resourceapi.DeviceCapacity{Value: resource.MustParse(value)}
	}
	return made
}

var celDevices = []celDevice{
	{Driver: "gpu.nvidia.com", Attributes: map[string]celAttribute{
		"type": {String: new("gpu")}, "productName": {String: new("NVIDIA H100 80GB HBM3")},
		"brand": {String: new("Nvidia")}, "architecture": {String: new("Hopper")}, "index": {Int: new(int64(3))},
		"healthy": {Bool: new(true)}, "uuid": {String: new("GPU-4b3c2a10-0000-1111-2222-333344445555")},
		"driverVersion": {Version: new("560.35.3")}, "cudaComputeCapability": {Version: new("9.0.0")},
		"resource.kubernetes.io/pcieRoot": {String: new("pci0000:17")}},
		Capacity: map[string]string{"memory": "81559Mi", "multiprocessors": "132"}},
	{Driver: "gpu.nvidia.com", Attributes: map[string]celAttribute{
		"gpu.nvidia.com/type": {String: new("mig")}, "profile": {String: new("1g.10gb")}, "index": {Int: new(int64(-1))},
		"healthy": {Bool: new(false)}, "driverVersion": {Version: new("0.9.1-rc.1+build.5")}},
		Capacity: map[string]string{"memory": "9856Mi"}},
	{Driver: "gpu.amd.com", Shared: true, Attributes: map[string]celAttribute{
		"type": {String: new("amdgpu")}, "productName": {String: new("Ünïcode 中")}, "index": {String: new("7")},
		"other.example.com/name": {String: new("x")}, "driverVersion": {String: new("1.0.0")}},
		Capacity: map[string]string{"memory": "192Gi", "other.example.com/slots": "1500m"}},
	{Driver: "empty.example.com", Attributes: map[string]celAttribute{}, Capacity: map[string]string{}},
}

// celKnown are selectors as the documentation of drivers and of Kubernetes has them, and traps.
var celKnown = []string{
	`device.driver == 'gpu.nvidia.com' && device.attributes['gpu.nvidia.com'].type == 'gpu'`,
	`device.driver == 'gpu.nvidia.com' && device.attributes['gpu.nvidia.com'].type == 'mig'`,
	`device.attributes['gpu.nvidia.com'].profile == '1g.10gb'`,
	`device.attributes['gpu.nvidia.com'].index == 0`,
	`device.attributes['gpu.nvidia.com'].productName.lowerAscii().matches('^.*a100.*$')`,
	`device.attributes['gpu.nvidia.com'].productName.lowerAscii().matches('^.*h100.*$')`,
	`device.attributes["gpu.nvidia.com"].cudaComputeCapability.isGreaterThan(semver("8.0.0"))`,
	`device.attributes["gpu.nvidia.com"].driverVersion.compareTo(semver("550.0.0")) >= 0`,
	`device.capacity["gpu.nvidia.com"].memory.compareTo(quantity("40Gi")) >= 0`,
	`device.capacity["gpu.nvidia.com"].memory.isGreaterThan(quantity("40Gi"))`,
	`"memory" in device.capacity["gpu.nvidia.com"] && device.capacity["gpu.nvidia.com"].memory.isLessThan(quantity("40Gi"))`,
	`cel.bind(dra, device.attributes["gpu.nvidia.com"], dra.type == "gpu" && dra.architecture == "Hopper")`,
	`cel.bind(a, device.attributes["gpu.nvidia.com"], cel.bind(b, a.type, b == "gpu" || b == "mig"))`,
	`cel.bind(unused, device.attributes["no"].such, true)`,
	`cel.bind(x, 1, cel.bind(x, x + 1, x == 2))`,
	`device.driver == "gpu.amd.com" && device.attributes["gpu.amd.com"].type == "amdgpu"`,
	`device.attributes["resource.kubernetes.io"].pcieRoot == "pci0000:17"`,
	`device.driver in ["gpu.nvidia.com", "gpu.amd.com"]`,
	`device.attributes["gpu.nvidia.com"].type in ["gpu", "mig"]`,
	`!(device.attributes["gpu.nvidia.com"].type in ["mig"])`,
	`"gpu.nvidia.com" in device.attributes`,
	`"other.example.com" in device.capacity`,
	`has(device.attributes["gpu.nvidia.com"].type)`,
	`has(device.attributes["gpu.nvidia.com"].profile) ? device.attributes["gpu.nvidia.com"].profile.startsWith("1g") : false`,
	`device.attributes["gpu.nvidia.com"].healthy`,
	`device.attributes["gpu.nvidia.com"]["healthy"] == true`,
	`!device.attributes["gpu.nvidia.com"].healthy`,
	`!!device.attributes["gpu.nvidia.com"].healthy`,
	`!!device.attributes["gpu.nvidia.com"].type`,
	`!device.attributes["gpu.nvidia.com"].type`,
	`device.attributes["gpu.nvidia.com"].type`,
	`device.attributes["gpu.nvidia.com"].type && true`,
	`device.attributes["gpu.nvidia.com"].type && false`,
	`false && device.attributes["gpu.nvidia.com"].type`,
	`device.attributes["gpu.nvidia.com"].missing == 1 || true`,
	`device.attributes["gpu.nvidia.com"].missing == 1 || device.attributes["gpu.nvidia.com"].gone == 2`,
	`device.attributes["gpu.nvidia.com"].missing == 1 && device.attributes["gpu.nvidia.com"].type`,
	`device.attributes["gpu.nvidia.com"].type ? true : false`,
	`device.attributes["gpu.nvidia.com"].missing ? true : false`,
	`true ? device.attributes["gpu.nvidia.com"].healthy : device.attributes["gpu.nvidia.com"].missing`,
	`device.attributes["gpu.nvidia.com"].type.missing == 1`,
	`device.attributes["gpu.nvidia.com"].type["missing"] == 1`,
	`device.attributes["gpu.nvidia.com"].driverVersion == "560.35.3"`,
	`device.attributes["gpu.nvidia.com"].driverVersion != "560.35.3"`,
	`"560.35.3" == device.attributes["gpu.nvidia.com"].driverVersion`,
	`device.attributes["gpu.nvidia.com"].driverVersion == semver("560.35.3")`,
	`device.attributes["gpu.nvidia.com"].driverVersion in ["560.35.3"]`,
	`device.attributes["gpu.nvidia.com"].driverVersion.major() == 560`,
	`device.attributes["gpu.nvidia.com"].driverVersion.minor() > 1 || device.attributes["gpu.nvidia.com"].driverVersion.patch() == 1`,
	`device.attributes["gpu.nvidia.com"].driverVersion.isLessThan(semver("v1", true))`,
	`isSemver("v1.2", true) && !isSemver("v1.2") && isSemver("1.2.3-rc.1+x")`,
	`semver("1.0.0-alpha").isLessThan(semver("1.0.0-alpha.1")) && semver("1.0.0-rc.1").isLessThan(semver("1.0.0"))`,
	`semver("1.0.0-2").isLessThan(semver("1.0.0-10")) && semver("1.0.0-10").isLessThan(semver("1.0.0-a"))`,
	`semver("1.0.0+a") == semver("1.0.0+b")`,
	`semver("01.2.3", true) == semver("1.2.3")`,
	`device.attributes["gpu.nvidia.com"].driverVersion.isGreaterThan(quantity("1"))`,
	`device.attributes["gpu.nvidia.com"].type.isGreaterThan(semver("1.0.0"))`,
	`device.attributes["gpu.nvidia.com"].type.startsWith("g")`,
	`device.attributes["gpu.nvidia.com"].index.startsWith("g")`,
	`device.attributes["gpu.nvidia.com"].healthy.contains("g")`,
	`device.attributes["gpu.nvidia.com"].index.matches("g")`,
	`device.attributes["gpu.nvidia.com"].type.contains(device.attributes["gpu.nvidia.com"].index)`,
	`device.attributes["gpu.nvidia.com"].index < 5`,
	`device.attributes["gpu.nvidia.com"].index < "5"`,
	`device.attributes["gpu.nvidia.com"].type < 5`,
	`device.attributes["gpu.nvidia.com"].healthy < true`,
	`device.attributes["gpu.nvidia.com"].driverVersion < 5`,
	`device.attributes["gpu.nvidia.com"].driverVersion < semver("1.0.0")`,
	`device.attributes["gpu.nvidia.com"].index == 3.0`,
	`device.attributes["gpu.nvidia.com"].index + 1 == 4`,
	`device.attributes["gpu.nvidia.com"].index / 0 == 4`,
	`device.attributes["gpu.nvidia.com"].index % 0 == 4`,
	`device.attributes["gpu.nvidia.com"].index * 9223372036854775807 == 4`,
	`-device.attributes["gpu.nvidia.com"].index == -3`,
	`device.attributes["gpu.nvidia.com"].type + "x" == "gpux"`,
	`-9223372036854775808 < 0 && 0x10 == 16`,
	`1 - 2 - 3 == -4 && 2 * 3 % 4 == 2 && 7 / 2 == 3 && -7 / 2 == -3 && -7 % 2 == -1`,
	`size(device.attributes["gpu.amd.com"].productName) == 9`,
	`device.attributes["gpu.amd.com"].productName.size() == 9`,
	`"\u00dcn\xefcode \U00004e2d" == "Ünïcode 中" && '\101\n' == "A\n" && r"\n" != "\n" && """a"b""" == 'a"b'`,
	`"a\\b" == r'a\b' && "\"" == '"' && "tab\there" == "tab	here"`,
	`device.allowMultipleAllocations`,
	`device.capacity["other.example.com"].slots.isInteger()`,
	`device.capacity["gpu.nvidia.com"].multiprocessors.asInteger() == 132`,
	`device.capacity["other.example.com"].slots.asInteger() == 1`,
	`device.capacity["gpu.nvidia.com"].memory.add(quantity("1Gi")).isGreaterThan(quantity("80Gi"))`,
	`device.capacity["gpu.nvidia.com"].memory.sub(quantity("1Gi")).compareTo(quantity("80Gi")) == -1`,
	`device.capacity["gpu.nvidia.com"].multiprocessors.add(1) == quantity("133")`,
	`device.capacity["gpu.nvidia.com"].multiprocessors.sub(200).sign() == -1`,
	`device.capacity["gpu.nvidia.com"].memory == quantity("81559Mi")`,
	`device.capacity["gpu.nvidia.com"].nothing == quantity("1")`,
	`isQuantity("8Gi") && !isQuantity("8GiB") && quantity("0.5") == quantity("500m")`,
	`quantity("1e3") == quantity("1k") && quantity("1Ki") != quantity("1k")`,
	`[1, 2, 3].exists(x, x == device.attributes["gpu.nvidia.com"].index)`,
	`["gpu", "mig"].all(x, x != device.attributes["gpu.nvidia.com"].type)`,
	`["H100", "H200"].exists(m, device.attributes["gpu.nvidia.com"].productName.contains(m))`,
	`[1, 2] == [1, 2] && [] == [] && [1] != [2]`,
	`1 in [] || "x" in ["x"]`,
	`string(device.attributes["gpu.nvidia.com"].index) == "3"`,
	`int(device.attributes["gpu.amd.com"].index) == 7`,
	`int("x") == 7`,
	`device.attributes["gpu.nvidia.com"].missing.isGreaterThan(quantity("0"))`,
	`device.attributes["a"]["b"] == 1 ? true : true`,
	`device.attributes["gpu.nvidia.com"].uuid.matches("^GPU-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")`,
	`device.attributes["gpu.nvidia.com"].productName.matches("(?i)h100|h200")`,
	`device.attributes["gpu.amd.com"].productName.matches("^\\p{Lu}.*\\pL$")`,
	`// a comment
	 true // another`,
	`true && (false || true) && !(1 == 2)`,
	`1 < 2 == true`,
	`"b" > "a" && "B" < "a" && true > false`,
	`device.attributes["gpu.nvidia.com"].productName.split(" ")[1] == "H100"`,
	`device.attributes["gpu.nvidia.com"].productName.trim().upperAscii().endsWith("HBM3")`,
	`type(device.attributes["gpu.nvidia.com"].index) == int`,
	`dyn(device.attributes["gpu.nvidia.com"].index) == 3`,
	`device.attributes["gpu.nvidia.com"].exists(k, k == "type")`,
	`device.attributes["gpu.nvidia.com"].?type.orValue("") == "gpu"`,
	`device.attributes["gpu.nvidia.com"].?missing.orValue(5) > 1`,
	`device.attributes["gpu.nvidia.com"].?index.orValue(5) > 4`,
	`device.attributes["no.such"].?index.hasValue()`,
	`device.attributes["gpu.nvidia.com"][?"index"].hasValue()`,
	`device.attributes[?"gpu.nvidia.com"].type.orValue("none") == "gpu"`,
	`device.attributes[?"no.such"].type.orValue("none") == "none"`,
	`device.attributes["gpu.nvidia.com"].?missing.value() == 3`,
	`device.attributes["gpu.nvidia.com"].?index.value() == 3`,
	`device.attributes["gpu.nvidia.com"].?missing.or(device.attributes["gpu.amd.com"].?index).orValue(0) == 7`,
	`device.attributes["gpu.nvidia.com"].?index.orValue(device.attributes["gpu.nvidia.com"].missing) == 3`,
	`device.attributes["gpu.nvidia.com"].?missing.orValue(device.attributes["gpu.nvidia.com"].nothing) == 3`,
	`device.capacity["gpu.nvidia.com"].?memory.orValue(quantity("0")).isGreaterThan(quantity("40Gi"))`,
	`device.attributes["gpu.nvidia.com"].?healthy.orValue(false)`,
	`device.attributes["gpu.nvidia.com"].type.?x.hasValue()`,
	`{"a": 1}["a"] == 1`,
	`device.attributes["gpu.nvidia.com"].index in [3u, 4u]`,
	`b"abc" == b"abc"`,
	`device.driver.size() > 10`,
	`[1, 2, 3].exists_one(x, x == 2)`,
	`[1, 2, 3].map(x, x * 2)[0] == 2`,
}

// celWriter makes up expressions that a selector may have.
type celWriter struct{ random *rand.Rand }

func (w celWriter) pick(of ...string) string { return of[w.random.IntN(len(of))] }

func (w celWriter) domain() string {
	return w.pick(`"gpu.nvidia.com"`, `'gpu.nvidia.com'`, `"gpu.amd.com"`, `"other.example.com"`, `"resource.kubernetes.io"`, `"no.such"`)
}

func (w celWriter) attribute() string {
	name := w.pick("type", "productName", "index", "healthy", "driverVersion", "profile", "missing", "name", "pcieRoot")
	if w.random.IntN(4) == 0 {
		return fmt.Sprintf("device.attributes[%s][%q]", w.domain(), name)
	}
	return fmt.Sprintf("device.attributes[%s].%s", w.domain(), name)
}

func (w celWriter) capacity() string {
	return fmt.Sprintf("device.capacity[%s].%s", w.domain(), w.pick("memory", "multiprocessors", "slots", "missing"))
}

func (w celWriter) literal() string {
	return w.pick(`"gpu"`, `"mig"`, `'NVIDIA H100 80GB HBM3'`, `3`, `-1`, `0`, `true`, `false`, `""`, `"7"`)
}

func (w celWriter) version() string {
	return w.pick(`semver("560.0.0")`, `semver("0.9.1-rc.2")`, `semver("9.0.0")`, `semver("v1.2", true)`)
}

func (w celWriter) quantity() string {
	return w.pick(`quantity("40Gi")`, `quantity("132")`, `quantity("1500m")`, `quantity("1G")`, `quantity("0")`)
}

func (w celWriter) number(depth int) string {
	if depth <= 0 || w.random.IntN(2) == 0 {
		return w.pick(w.attribute(), "1", "3", "-1", fmt.Sprintf("size(%s)", w.attribute()), w.attribute()+".size()")
	}
	return fmt.Sprintf("(%s %s %s)", w.number(depth-1), w.pick("+", "-", "*", "/", "%"), w.number(depth-1))
}

func (w celWriter) truth(depth int) string {
	if depth <= 0 {
		return w.pick("true", "false", w.attribute(), w.attribute())
	}
	switch w.random.IntN(17) {
	case 0, 1:
		return fmt.Sprintf("(%s && %s)", w.truth(depth-1), w.truth(depth-1))
	case 2, 3:
		return fmt.Sprintf("(%s || %s)", w.truth(depth-1), w.truth(depth-1))
	case 4:
		return "!" + w.pick(w.attribute(), "("+w.truth(depth-1)+")")
	case 5:
		return fmt.Sprintf("(%s ? %s : %s)", w.truth(depth-1), w.truth(depth-1), w.truth(depth-1))
	case 6, 7:
		return fmt.Sprintf("%s %s %s", w.attribute(), w.pick("==", "!="), w.pick(w.literal(), w.attribute(), w.version()))
	case 8:
		return fmt.Sprintf("%s %s %s", w.literal(), w.pick("==", "!="), w.attribute())
	case 9:
		return fmt.Sprintf("%s %s %s", w.attribute(), w.pick("<", "<=", ">", ">="), w.pick(w.literal(), w.attribute()))
	case 10:
		return fmt.Sprintf("%s %s %s", w.number(2), w.pick("<", "==", ">", "!="), w.number(1))
	case 11:
		return fmt.Sprintf("%s.%s(%s)", w.attribute(), w.pick("startsWith", "endsWith", "contains", "matches"), w.pick(`"g"`, `"HBM3"`, `"0"`, w.attribute()))
	case 12:
		return fmt.Sprintf("%s.%s(%s)", w.pick(w.capacity(), w.capacity()+".add("+w.quantity()+")"), w.pick("isLessThan", "isGreaterThan"), w.quantity())
	case 13:
		return fmt.Sprintf("%s.%s(%s)", w.attribute(), w.pick("isLessThan", "isGreaterThan"), w.pick(w.version(), w.quantity(), w.attribute()))
	case 14:
		return fmt.Sprintf("%q in %s[%s]", w.pick("type", "memory", "missing"), w.pick("device.attributes", "device.capacity"), w.domain())
	case 15:
		return fmt.Sprintf("%s in %s", w.attribute(), w.pick(`["gpu", "mig"]`, `[1, 3]`, `[`+w.attribute()+`]`, w.attribute()))
	default:
		return fmt.Sprintf("%s.%s(x, %s)", w.pick(`["gpu", "mig"]`, `[3, -1]`), w.pick("exists", "all"), w.pick("x == "+w.attribute(), w.truth(depth-1)))
	}
}

// evaluated runs cel_eval over all expressions and devices.
func evaluated(t *testing.T, expressions []string) [][]string {
	t.Helper()
	path := os.Getenv("KUBECTL_GPU_CEL_EVAL")
	if path == "" {
		t.Fatal("KUBECTL_GPU_CEL_EVAL is not set: it names the cel_eval to test")
	}
	var questions bytes.Buffer
	encoder := json.NewEncoder(&questions)
	for _, expression := range expressions {
		if err := encoder.Encode(map[string]any{"expression": expression, "devices": celDevices}); err != nil {
			t.Fatal(err)
		}
	}
	command := exec.CommandContext(t.Context(), path)
	command.Stdin, command.Stderr = &questions, os.Stderr
	output, err := command.Output()
	if err != nil {
		t.Fatal(err)
	}
	var answers [][]string
	for decoder := json.NewDecoder(bytes.NewReader(output)); decoder.More(); {
		var answer []string
		if err := decoder.Decode(&answer); err != nil {
			t.Fatal(err)
		}
		answers = append(answers, answer)
	}
	if len(answers) != len(expressions) {
		t.Fatalf("%d answers to %d expressions", len(answers), len(expressions))
	}
	return answers
}

// judged is what upstream says of an expression; nothing where it does not compile, which the API
// server does not let in.
func judged(t *testing.T, expression string) []string {
	compiled := cel.GetCompiler(cel.Features{EnableConsumableCapacity: true}).CompileCELExpression(expression,
		cel.Options{DisableCostEstimation: true})
	if compiled.Error != nil {
		return nil
	}
	var answers []string
	for _, device := range celDevices {
		matches, _, err := compiled.DeviceMatches(t.Context(), device.upstream())
		switch {
		case err != nil:
			answers = append(answers, "error: "+err.Error())
		case matches:
			answers = append(answers, "yes")
		default:
			answers = append(answers, "no")
		}
	}
	return answers
}

func compareCEL(t *testing.T, expressions []string) (checked, open int) {
	ours := evaluated(t, expressions)
	for i, expression := range expressions {
		theirs := judged(t, expression)
		if theirs == nil {
			continue
		}
		for device, want := range theirs {
			got := ours[i][device]
			if got == "not checked" {
				open++
				if os.Getenv("CEL_VERBOSE") != "" {
					t.Logf("not checked: device %d, %s: %s", device, strings.TrimSpace(expression), want)
				}
				continue
			}
			checked++
			if got != want {
				t.Errorf("device %d, %s\n  upstream: %s\n  ours:     %s", device, strings.TrimSpace(expression), want, got)
			}
		}
	}
	return checked, open
}

func TestSelectorsOfDriversGetUpstreamsAnswer(t *testing.T) {
	checked, open := compareCEL(t, celKnown)
	t.Logf("%d answers compared, %d left open", checked, open)
	if checked < 8*open {
		t.Errorf("too much is left open: %d of %d", open, checked+open)
	}
}

func TestGeneratedSelectorsGetUpstreamsAnswer(t *testing.T) {
	var expressions []string
	for seed := range uint64(5000) {
		writer := celWriter{rand.New(rand.NewPCG(seed, 36))}
		expressions = append(expressions, writer.truth(3))
	}
	checked, open := compareCEL(t, expressions)
	t.Logf("%d answers compared, %d left open", checked, open)
	if checked < 8*open {
		t.Errorf("too much is left open: %d of %d", open, checked+open)
	}
}
