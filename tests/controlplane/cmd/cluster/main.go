// Command cluster starts, fills and stops a real control plane for hands-on use and benchmarks.
// The script tests/controlplane/cluster builds and runs it.
package main

import (
	"context"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"kubectl-gpu/tests/controlplane/internal/cluster"
	"kubectl-gpu/tests/controlplane/internal/scenario"
)

const usage = `usage: cluster up   [--dir DIR] [--scenario FILE]...     start; prints the path of a kubeconfig
       cluster down [--dir DIR]                          stop exactly what "up" started, remove DIR
       cluster load [--dir DIR] [--nodes N] [--pods N] [--pod-bytes N] [--gpu-nodes N] [--seed N]
                                                         stop all controllers, write objects straight
                                                         into etcd, restart the API server
A scenario is a file of scenarios/, or a file or folder of "kubectl get -o json" answers.
`

func main() {
	binaries := flag.String("binaries", "", "folder that tests/controlplane/build printed")
	flag.Usage = func() { fmt.Fprint(os.Stderr, usage) }
	flag.Parse()
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer cancel()
	if err := run(ctx, *binaries, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, binaries string, args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("which command?\n%s", usage)
	}
	flags := flag.NewFlagSet(args[0], flag.ExitOnError)
	flags.Usage = func() { fmt.Fprint(os.Stderr, usage) }
	dir := flags.String("dir", defaultDir(), "folder of the cluster")
	switch args[0] {
	case "up":
		var scenarios list
		flags.Var(&scenarios, "scenario", "scenario file")
		_ = flags.Parse(args[1:])
		// `--scenario A B` reads naturally, so more files may follow.
		return up(ctx, cluster.Options{Dir: *dir, Binaries: binaries}, append(scenarios, flags.Args()...))
	case "down":
		_ = flags.Parse(args[1:])
		return down(*dir)
	case "load":
		return loadObjects(ctx, flags, dir, args[1:])
	default:
		fmt.Print(usage)
		return nil
	}
}

func defaultDir() string {
	return filepath.Join(os.TempDir(), fmt.Sprintf("kubectl-gpu-cluster-%d", os.Getuid()))
}

func up(ctx context.Context, options cluster.Options, scenarios []string) error {
	running, err := cluster.Start(ctx, options)
	if err != nil {
		return err
	}
	client, err := running.Client(cluster.Admin)
	if err != nil {
		return err
	}
	for _, path := range scenarios {
		if err := scenario.CreateFrom(ctx, client, path); err != nil {
			return fmt.Errorf("%w (the cluster runs; `cluster down` stops it)", err)
		}
	}
	fmt.Println(running.Kubeconfig(cluster.Admin))
	return nil
}

func down(dir string) error {
	running, err := cluster.Open(dir)
	if os.IsNotExist(err) {
		return fmt.Errorf("no cluster in %s: %w", dir, fs.ErrNotExist)
	}
	if err != nil {
		return err
	}
	if err := running.Stop(); err != nil {
		return err
	}
	return os.RemoveAll(running.Dir)
}

// list is a flag that may stand more than once.
type list []string

func (l *list) String() string { return strings.Join(*l, ",") }

func (l *list) Set(value string) error {
	*l = append(*l, value)
	return nil
}
