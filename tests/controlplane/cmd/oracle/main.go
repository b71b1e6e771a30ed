// Command oracle asks kube-scheduler about generated clusters.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"

	"github.com/go-logr/logr"
	"k8s.io/klog/v2"

	"kubectl-gpu/tests/controlplane/internal/oracle"
)

func main() {
	from := flag.Uint64("from", 0, "first seed")
	count := flag.Uint64("count", 100, "how many seeds")
	digits := flag.String("digits", "0123456789", "last digits of the seeds: see generate.TopicsOf")
	workers := flag.Int("workers", 4, "how many at a time")
	dropped := flag.Bool("dropped", false, "say which objects are refused")
	flag.Parse()
	klog.SetLogger(logr.Discard())
	var seeds []uint64
	for seed := *from; uint64(len(seeds)) < *count; seed++ {
		if slices.Contains([]byte(*digits), byte('0'+seed%10)) {
			seeds = append(seeds, seed)
		}
	}
	if *dropped {
		sayDropped(seeds)
		return
	}
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	if err := judgeAll(seeds, *workers, out); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func sayDropped(seeds []uint64) {
	for _, seed := range seeds {
		made, err := oracle.Make(seed)
		for _, why := range append(made.Dropped, err) {
			if why != nil {
				fmt.Println(seed, why)
			}
		}
	}
}

// judgeAll writes a line for each seed, in their order. Seeds whose pod is refused have none.
func judgeAll(seeds []uint64, workers int, out io.Writer) error {
	lines := make([][]byte, len(seeds))
	failed := make([]error, len(seeds))
	var group sync.WaitGroup
	next := make(chan int)
	for range workers {
		group.Go(func() {
			for i := range next {
				made, err := oracle.Judge(context.Background(), seeds[i])
				if err == nil {
					lines[i], err = json.Marshal(made)
				}
				if refused := (oracle.Refused{}); err != nil && !errors.As(err, &refused) {
					failed[i] = fmt.Errorf("seed %d: %w", seeds[i], err)
				}
			}
		})
	}
	for i := range seeds {
		next <- i
	}
	close(next)
	group.Wait()
	for _, line := range lines {
		if line != nil {
			if _, err := out.Write(append(line, '\n')); err != nil {
				return err
			}
		}
	}
	for _, err := range failed {
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
	}
	return nil
}
