package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1"

	"kubectl-gpu/tests/controlplane/internal/cluster"
	"kubectl-gpu/tests/controlplane/internal/load"
)

// loadObjects fills a running cluster. Its controllers stay stopped: they would delete pods whose
// owners do not exist, and work on all others while one measures.
func loadObjects(ctx context.Context, flags *flag.FlagSet, dir *string, args []string) error {
	var plan load.Plan
	flags.IntVar(&plan.Nodes, "nodes", 2000, "number of nodes")
	flags.IntVar(&plan.GPUNodes, "gpu-nodes", 200, "how many of them have 8 GPUs")
	flags.IntVar(&plan.Pods, "pods", 20000, "number of pods")
	flags.IntVar(&plan.PodBytes, "pod-bytes", 10000, "size of a stored pod")
	flags.Uint64Var(&plan.Seed, "seed", 1, "other seeds make other objects")
	_ = flags.Parse(args)
	running, err := cluster.Open(*dir)
	if err != nil {
		return err
	}
	began := time.Now()
	if err := running.Pause(); err != nil {
		return err
	}
	err = running.WithoutServer(ctx, func() error { return load.Write(ctx, running.Etcd, plan) })
	if err != nil {
		return err
	}
	if err := checkCounts(ctx, running, plan); err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "%d nodes, %d of them with GPUs, and %d pods in %.1f s\n",
		plan.Nodes, plan.GPUNodes, plan.Pods, time.Since(began).Seconds())
	fmt.Println(running.Kubeconfig(cluster.Admin))
	return nil
}

// checkCounts asks the API server, from its watch cache, how many objects it has: a key or value
// in a wrong form would be missing here.
func checkCounts(ctx context.Context, running *cluster.Cluster, plan load.Plan) error {
	client, err := running.Client(cluster.Admin)
	if err != nil {
		return err
	}
	first := v1.ListOptions{Limit: 1}
	pods, err := client.CoreV1().Pods("").List(ctx, first)
	if err != nil {
		return err
	}
	nodes, err := client.CoreV1().Nodes().List(ctx, first)
	if err != nil {
		return err
	}
	if have := count(len(pods.Items), pods.RemainingItemCount); have < plan.Pods {
		return fmt.Errorf("the API server shows %d of %d pods", have, plan.Pods)
	}
	if have := count(len(nodes.Items), nodes.RemainingItemCount); have < plan.Nodes {
		return fmt.Errorf("the API server shows %d of %d nodes", have, plan.Nodes)
	}
	return nil
}

func count(shown int, remaining *int64) int {
	if remaining == nil {
		return shown
	}
	return shown + int(*remaining)
}
