package judge

import (
	"testing"

	core "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

func TestSharedCards(t *testing.T) {
	on := func(cards string, units string) core.Pod {
		pod := podOn("n", units, core.PodRunning)
		pod.Annotations = map[string]string{"hami.io/vgpu-devices-allocated": cards}
		return pod
	}
	for _, register := range []string{
		"GPU-0,10,81920,100,A100,0,true,0,hami-core:GPU-1,10,81920,100,A100,0,true,1,hami-core:",
		`[{"id":"GPU-0","count":10,"devmem":81920,"devcore":100,"health":true},{"id":"GPU-1","count":10,"devmem":81920,"devcore":100,"health":true}]`,
	} {
		for _, test := range []struct {
			name        string
			pods        []core.Pod
			free, other int64
		}{
			{"idle", nil, 20, 0},
			{"memory left", []core.Pod{on("GPU-0,NVIDIA,8192,30:;", "1")}, 19, 0},
			{"memory used up", []core.Pod{on("GPU-0,NVIDIA,81920,0:;", "1")}, 10, 9},
			{"compute used up", []core.Pod{on("GPU-1,NVIDIA,1,60:;", "1"), on("GPU-1,NVIDIA,1,40:;", "1")}, 10, 8},
			{"nobody wrote it down", []core.Pod{podOn("n", "2", core.PodRunning)}, 18, 0},
			{"copied annotations", []core.Pod{on("GPU-0,NVIDIA,81920,0:;", "0")}, 20, 0},
		} {
			node := readyNode("20", "20")
			node.Annotations = map[string]string{"hami.io/node-nvidia-register": register}
			row := Rows([]core.Node{node}, test.pods)[Key{"n", "nvidia.com/gpu"}]
			if row.Free != test.free || row.Unavailable == nil || *row.Unavailable != test.other {
				t.Errorf("%s: free %d, unavailable %v; want %d and %d", test.name, row.Free, row.Unavailable, test.free, test.other)
			}
		}
	}
}

func TestStaleCards(t *testing.T) {
	for name, kept := range map[core.ResourceName]bool{
		"nvidia.com/mig-1g.10gb": false, "nvidia.com/gpu.shared": false, "volcano.sh/vgpu-number": false,
		"aliyun.com/gpu-mem": false, "amd.com/gpu": true,
	} {
		node := readyNode("8", "0")
		node.Status.Capacity[name], node.Status.Allocatable[name] = resource.MustParse("4"), resource.MustParse("4")
		if _, exists := Rows([]core.Node{node}, nil)[Key{"n", "nvidia.com/gpu"}]; exists != kept {
			t.Errorf("%s: the old cards are there: %t, want %t", name, exists, kept)
		}
	}
}
