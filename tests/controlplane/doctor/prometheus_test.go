package doctor

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"kubectl-gpu/tests/controlplane/internal/cluster"
)

// scrapeSeconds stand between two samples of a series, as in most clusters.
const scrapeSeconds = 60

// series are those of the cards of a node over hours, up to now; its first card is of the pod, if there is one.
type series struct {
	node, pod string
	hours     int
	busy      int // utilization of the first card, %
}

// write appends them to the families by name.
func (s series) write(families map[string]*strings.Builder, now int64) {
	for card := range 8 {
		labels := fmt.Sprintf(`Hostname=%[1]q,UUID="GPU-%[1]s-%[2]d",gpu="%[2]d",device="nvidia%[2]d",modelName="NVIDIA H100 80GB HBM3",namespace="gpu-operator",pod="nvidia-dcgm-exporter-%[1]s",instance="%[1]s:9400",job="dcgm"`, s.node, card)
		values := map[string]int{"DCGM_FI_DEV_GPU_UTIL": 0, "DCGM_FI_DEV_FB_USED": 100, "DCGM_FI_DEV_FB_FREE": 80000}
		if card == 0 && s.pod != "" {
			labels += fmt.Sprintf(`,exported_namespace="team-a",exported_pod=%q,exported_container="main"`, s.pod)
			values["DCGM_FI_DEV_GPU_UTIL"] = s.busy
		}
		for name, value := range values {
			if families[name] == nil {
				families[name] = &strings.Builder{}
			}
			for at := now - int64(s.hours)*3600; at <= now; at += scrapeSeconds {
				fmt.Fprintf(families[name], "%s{%s} %d %d\n", name, labels, value, at)
			}
		}
	}
}

// startPrometheus runs a real one that holds these series and scrapes nothing; its address.
func startPrometheus(t *testing.T, all ...series) string {
	t.Helper()
	folder := t.TempDir()
	families := map[string]*strings.Builder{}
	now := time.Now().Unix()
	for _, each := range all {
		each.write(families, now)
	}
	var text strings.Builder
	for name, family := range families {
		fmt.Fprintf(&text, "# TYPE %s gauge\n%s", name, family)
	}
	text.WriteString("# EOF\n")
	file, data, config := filepath.Join(folder, "series.txt"), filepath.Join(folder, "data"), filepath.Join(folder, "prometheus.yml")
	for path, content := range map[string]string{file: text.String(), config: "global: {scrape_interval: 60s}\n"} {
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := exec.Command("promtool", "tsdb", "create-blocks-from", "openmetrics", "--max-block-duration=192h", "--quiet", file, data).CombinedOutput(); err != nil {
		t.Fatalf("promtool (of Debian's package prometheus): %v: %s", err, out)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	server := exec.Command("prometheus", "--config.file="+config, "--storage.tsdb.path="+data, "--storage.tsdb.retention.time=60d", "--web.listen-address="+address)
	log, err := os.Create(filepath.Join(folder, "log"))
	if err != nil {
		t.Fatal(err)
	}
	server.Stdout, server.Stderr = log, log
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = server.Process.Kill()
		_ = server.Wait()
		_ = log.Close()
	})
	err = cluster.Poll(t.Context(), 30*time.Second, "Prometheus", func(ctx context.Context) (bool, error) {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address+"/-/ready", nil)
		if err != nil {
			return false, err
		}
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			return false, err
		}
		return response.StatusCode == http.StatusOK, response.Body.Close()
	})
	if err != nil {
		t.Fatal(err)
	}
	return "http://" + address
}

// oldPod has held a GPU for so long, as its kubelet says; KWOK leaves it alone.
func oldPod(name, node string, age time.Duration) string {
	then := time.Now().Add(-age).UTC().Format(time.RFC3339)
	return fmt.Sprintf("%sstatus:\n  phase: Running\n  startTime: %[2]s\n  conditions: [{type: Ready, status: \"True\", lastTransitionTime: %[2]s}, {type: PodScheduled, status: \"True\", lastTransitionTime: %[2]s}]\n"+
		"  containerStatuses: [{name: main, image: x, imageID: \"\", ready: true, started: true, restartCount: 0, state: {running: {startedAt: %[2]s}}}]\n",
		pod(name, "gpus 1", "node "+node, "behaviour hang"), then)
}

// A real Prometheus is asked whether it has what --since and cost need, and which GPUs have been idle for a day.
func TestPrometheus(t *testing.T) {
	holder := oldPod("holder", "gpu-ok-1", 26*time.Hour)
	defer func() {
		if err := remove(context.Background(), holder); err != nil {
			t.Fatal(err)
		}
	}()
	if err := create(t.Context(), holder); err != nil {
		t.Fatal(err)
	}
	whole := startPrometheus(t, series{node: "gpu-ok-1", pod: "holder", hours: 25}, series{node: "gpu-ok-2", hours: 25})
	part := startPrometheus(t, series{node: "gpu-ok-1", pod: "holder", hours: 25, busy: 90})
	short := startPrometheus(t, series{node: "gpu-ok-1", pod: "holder", hours: 2}, series{node: "gpu-ok-2", hours: 2})
	for _, each := range []struct {
		name, url, check, state string
		says                    []string
	}{
		{"all series", whole, "prometheus", "ok", []string{"has the series of all GPUs", "2 nodes"}},
		{"a day without work", whole, "idle", "warn", []string{"1 GPU has been idle for 24 hours in team-a/holder"}},
		{"a node without series", part, "prometheus", "warn", []string{"gpu-ok-2"}},
		{"a day of work", part, "idle", "ok", []string{"no pod has held a GPU idle for 24 hours"}},
		{"two hours of series", short, "idle", "skip", []string{"Prometheus does not reach back 24 hours"}},
		{"what two hours of series are enough for", short, "prometheus", "ok", []string{"they do not reach back 24 hours"}},
		{"nobody answers", "http://127.0.0.1:1", "prometheus", "warn", nil},
		{"nobody answers of idle GPUs", "http://127.0.0.1:1", "idle", "skip", nil},
	} {
		t.Run(each.name, func(t *testing.T) {
			said := ask(t, cluster.Admin, "", each.check, "--prometheus-url", each.url)
			isIt := func(r result) bool { return r.Check == each.check && r.State == each.state && r.says(each.says) }
			if !slices.ContainsFunc(said.Items, isIt) {
				t.Errorf("exit %d: %+v; %s", said.code, said.Items, said.stderr)
			}
		})
	}
}
