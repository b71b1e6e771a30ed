// Command fault-server runs the API server of the tests, well behaved or with one fault, and
// prints a kubeconfig for it.
package main

import (
	"encoding/base64"
	"flag"
	"fmt"
	"os"
	"os/signal"

	"kubectl-gpu/tests/server/cluster"
	"kubectl-gpu/tests/server/fault"
)

func main() {
	name := flag.String("fault", "", "how to misbehave")
	address := flag.String("address", "127.0.0.1:0", "where to listen")
	list := flag.Bool("list", false, "list the faults")
	flag.Parse()
	if *list {
		for _, f := range fault.All() {
			fmt.Printf("%-22s %s\n", f.Name, f.About)
		}
		return
	}
	if err := run(*name, *address); err != nil {
		fmt.Fprintln(os.Stderr, "fault-server:", err)
		os.Exit(1)
	}
}

func run(name, address string) error {
	options := fault.Options{Handler: cluster.Small(), Address: address}
	if name != "" {
		named, err := fault.Named(name)
		if err != nil {
			return err
		}
		options.Fault = named
	}
	server, err := fault.Start(options)
	if err != nil {
		return err
	}
	defer server.Close()
	fmt.Printf(`apiVersion: v1
kind: Config
current-context: fault
clusters:
- {name: fault, cluster: {server: %q, certificate-authority-data: %s}}
users:
- {name: tester, user: {token: test}}
contexts:
- {name: fault, context: {cluster: fault, user: tester}}
`, server.URL, base64.StdEncoding.EncodeToString(server.Authority.PEM))
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, os.Interrupt)
	<-stop
	return nil
}
