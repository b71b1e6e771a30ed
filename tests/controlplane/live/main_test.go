package live

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	core "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/client-go/kubernetes"

	"kubectl-gpu/tests/controlplane/internal/cluster"
	"kubectl-gpu/tests/controlplane/internal/podnet"
	"kubectl-gpu/tests/controlplane/internal/scenario"
)

const (
	exporters  = "gpu-operator" // namespace
	monitoring = "monitoring"
	metricPort = 9400
)

// world is what the tests of this package share.
type world struct {
	cluster *cluster.Cluster
	net     *podnet.Net
	places  []place
	dir     string
}

var shared world

func TestMain(m *testing.M) {
	os.Exit(cluster.Main("live-", start, func() error { return shared.stop() }, m.Run))
}

func start(ctx context.Context, dir string) error {
	ctx, cancel := context.WithTimeout(ctx, 4*time.Minute)
	defer cancel()
	shared = world{places: places(), dir: dir}
	return shared.start(ctx)
}

func (w *world) stop() error {
	var netErr, clusterErr error
	if w.net != nil {
		netErr = w.net.Close()
	}
	if w.cluster != nil {
		clusterErr = w.cluster.Stop()
	}
	if netErr != nil {
		return netErr
	}
	return clusterErr
}

func (w *world) start(ctx context.Context) error {
	build := exec.CommandContext(ctx, "../build")
	build.Stderr = os.Stderr
	binaries, err := build.Output()
	if err != nil {
		return fmt.Errorf("../build: %w", err)
	}
	w.cluster, err = cluster.Start(ctx, cluster.Options{Dir: filepath.Join(w.dir, "cluster"),
		Binaries: strings.TrimSpace(string(binaries)), Tied: true})
	if err != nil {
		return err
	}
	client, err := w.cluster.Client(cluster.Admin)
	if err != nil {
		return err
	}
	if w.net, err = podnet.New(ctx, len(w.places)+6); err != nil {
		return err
	}
	if err := w.scenario().Create(ctx, client); err != nil {
		return err
	}
	if err := w.startExporters(ctx, client); err != nil {
		return err
	}
	for i, honors := range []bool{false, true} {
		if err := w.startPrometheus(ctx, client, len(w.places)+i, honors); err != nil {
			return err
		}
	}
	return nil
}

func (w *world) scenario() *scenario.Scenario {
	made := &scenario.Scenario{}
	for _, p := range w.places {
		resource := core.ResourceName(p.resource)
		made.Nodes = append(made.Nodes, scenario.Node{Name: p.name, Labels: p.labels,
			Capacity: scenario.Resources{resource: fmt.Sprint(p.units)}})
		for name, units := range p.pods {
			made.Pods = append(made.Pods, scenario.Pod{Name: name, Namespace: "live", Node: p.name,
				Requests: scenario.Resources{resource: fmt.Sprint(units)}})
		}
	}
	return made
}

// startExporters runs one program that serves all texts, and creates the pods that it stands for.
func (w *world) startExporters(ctx context.Context, client kubernetes.Interface) error {
	for _, ns := range []string{exporters, monitoring} {
		if err := scenario.CreateNamespace(ctx, client, ns); err != nil {
			return err
		}
	}
	type served struct {
		Listen string `json:"listen"`
		File   string `json:"file"`
		Delay  string `json:"delay,omitempty"`
		Status int    `json:"status,omitempty"`
	}
	var all []served
	for i, p := range w.places {
		if p.noPod {
			continue
		}
		text, err := withUIDs(ctx, client, p)
		if err != nil {
			return err
		}
		file := filepath.Join(w.dir, p.name+".prom")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			return err
		}
		all = append(all, served{Listen: fmt.Sprintf("%s:%d", w.net.Address(i), metricPort), File: file, Delay: p.delay, Status: p.status})
		if err := createRunning(ctx, client, exporterPod(p), w.net.Address(i), p.notReady); err != nil {
			return err
		}
	}
	list := filepath.Join(w.dir, "exporters.json")
	text, err := json.Marshal(all)
	if err != nil {
		return err
	}
	if err := os.WriteFile(list, text, 0o600); err != nil {
		return err
	}
	program := filepath.Join(w.dir, "exporter")
	if out, err := exec.CommandContext(ctx, "go", "build", "-o", program, "../cmd/exporter").CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w: %s", err, out)
	}
	return w.net.Start(ctx, "ready", program, list)
}

// withUIDs puts the uid of each pod where the text has @POD@.
func withUIDs(ctx context.Context, client kubernetes.Interface, p place) (string, error) {
	text := p.text
	for name := range p.pods {
		pod, err := client.CoreV1().Pods("live").Get(ctx, name, v1.GetOptions{})
		if err != nil {
			return "", err
		}
		text = strings.ReplaceAll(text, "@"+name+"@", string(pod.UID))
	}
	return text, nil
}

func exporterPod(p place) *core.Pod {
	return &core.Pod{
		ObjectMeta: v1.ObjectMeta{Name: "nvidia-dcgm-exporter-" + p.name, Namespace: exporters,
			Labels: map[string]string{"app": "nvidia-dcgm-exporter"}},
		Spec: core.PodSpec{NodeName: p.name, Containers: []core.Container{{Name: "nvidia-dcgm-exporter",
			Image: "example.com/dcgm-exporter:4.5.3", Args: []string{"-c", "1"}, Ports: []core.ContainerPort{{Name: "metrics", ContainerPort: metricPort}}}}},
	}
}

// createRunning makes a pod that has this address; KWOK leaves it alone.
func createRunning(ctx context.Context, client kubernetes.Interface, pod *core.Pod, address string, notReady bool) error {
	pod.Annotations = map[string]string{"kubectl-gpu.test/behaviour": "hang"}
	made, err := client.CoreV1().Pods(pod.Namespace).Create(ctx, pod, v1.CreateOptions{})
	if err != nil {
		return err
	}
	ready := core.ConditionTrue
	if notReady {
		ready = core.ConditionFalse
	}
	made.Status = core.PodStatus{Phase: core.PodRunning, PodIP: address, PodIPs: []core.PodIP{{IP: address}}, HostIP: "127.0.0.1",
		Conditions: []core.PodCondition{{Type: core.PodReady, Status: ready}, {Type: core.ContainersReady, Status: ready}}}
	_, err = client.CoreV1().Pods(pod.Namespace).UpdateStatus(ctx, made, v1.UpdateOptions{})
	return err
}

// startPrometheus runs a real one that scrapes all exporters each second, behind a Service.
func (w *world) startPrometheus(ctx context.Context, client kubernetes.Interface, number int, honors bool) error {
	name := map[bool]string{false: "prometheus-k8s", true: "honors-labels"}[honors]
	var config strings.Builder
	fmt.Fprintf(&config, "scrape_configs:\n- job_name: gpu\n  honor_labels: %t\n  scrape_interval: 1s\n  scrape_timeout: 1s\n  static_configs:\n", honors)
	for i, p := range w.places {
		if p.noPod || p.notReady {
			continue
		}
		fmt.Fprintf(&config, "  - targets: ['%s:%d']\n    labels: {namespace: %s, pod: %s, container: nvidia-dcgm-exporter, service: nvidia-dcgm-exporter}\n",
			w.net.Address(i), metricPort, exporters, exporterPod(p).Name)
	}
	file := filepath.Join(w.dir, name+".yml")
	if err := os.WriteFile(file, []byte(config.String()), 0o600); err != nil {
		return err
	}
	address := w.net.Address(number)
	err := w.net.Start(ctx, "Server is ready", "prometheus", "--config.file="+file, "--storage.tsdb.path="+filepath.Join(w.dir, name),
		"--web.listen-address="+address+":9090")
	if err != nil {
		return fmt.Errorf("prometheus (of Debian's package of that name): %w", err)
	}
	labels := map[string]string{"app.kubernetes.io/name": "prometheus", "app.kubernetes.io/instance": name}
	pod := &core.Pod{ObjectMeta: v1.ObjectMeta{Name: name + "-0", Namespace: monitoring, Labels: labels},
		Spec: core.PodSpec{NodeName: w.places[0].name, Containers: []core.Container{{Name: "prometheus", Image: "example.com/prometheus:2.42"}}}}
	if err := createRunning(ctx, client, pod, address, false); err != nil {
		return err
	}
	service := &core.Service{ObjectMeta: v1.ObjectMeta{Name: name, Namespace: monitoring, Labels: labels},
		Spec: core.ServiceSpec{Selector: labels, Ports: []core.ServicePort{{Name: "web", Port: 9090, TargetPort: intstr.FromInt32(9090)}}}}
	if _, err := client.CoreV1().Services(monitoring).Create(ctx, service, v1.CreateOptions{}); err != nil {
		return err
	}
	return w.waitForProxy(ctx, client, name)
}

// waitForProxy returns once the API server's proxy reaches the Service: its controllers have seen it.
func (w *world) waitForProxy(ctx context.Context, client kubernetes.Interface, service string) error {
	return cluster.Poll(ctx, 30*time.Second, "the proxy of "+service, func(ctx context.Context) (bool, error) {
		_, err := client.CoreV1().Services(monitoring).ProxyGet("http", service, "web", "-/ready", nil).DoRaw(ctx)
		return err == nil, nil
	})
}
