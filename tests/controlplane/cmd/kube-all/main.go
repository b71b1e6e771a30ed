// Command kube-all is etcd, kube-apiserver, kube-scheduler, kube-controller-manager and kubectl
// in one program: the components share most of their code, so one link is built far faster than
// five and takes a quarter of the space. The component is the name it is run by (a symlink), else
// its first argument.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	_ "time/tzdata" // CronJobs name time zones

	"github.com/spf13/cobra"
	"go.etcd.io/etcd/server/v3/etcdmain"
	_ "k8s.io/client-go/plugin/pkg/client/auth" // kubectl's exec and oidc credentials
	"k8s.io/component-base/cli"
	"k8s.io/component-base/logs"
	_ "k8s.io/component-base/logs/json/register"
	_ "k8s.io/component-base/metrics/prometheus/clientgo"
	_ "k8s.io/component-base/metrics/prometheus/version"
	kubectl "k8s.io/kubectl/pkg/cmd"
	kubectlutil "k8s.io/kubectl/pkg/cmd/util"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	controllermanager "k8s.io/kubernetes/cmd/kube-controller-manager/app"
	scheduler "k8s.io/kubernetes/cmd/kube-scheduler/app"
)

func main() {
	name := filepath.Base(os.Args[0])
	if !known(name) && len(os.Args) > 1 {
		// Shift, so that every component sees itself as argv[0].
		name = os.Args[1]
		os.Args = os.Args[1:]
	}
	switch name {
	case "etcd":
		etcdmain.Main(os.Args)
	case "kube-apiserver":
		run(apiserver.NewAPIServerCommand())
	case "kube-scheduler":
		run(scheduler.NewSchedulerCommand())
	case "kube-controller-manager":
		run(controllermanager.NewControllerManagerCommand())
	case "kubectl":
		runKubectl()
	default:
		fmt.Fprintln(os.Stderr, "usage: kube-all etcd|kube-apiserver|kube-scheduler|kube-controller-manager|kubectl [FLAGS]")
		os.Exit(2)
	}
}

func known(name string) bool {
	switch name {
	case "etcd", "kube-apiserver", "kube-scheduler", "kube-controller-manager", "kubectl":
		return true
	}
	return false
}

func run(command *cobra.Command) {
	os.Exit(cli.Run(command))
}

// runKubectl does what upstream's cmd/kubectl does: the log level is read before the command is
// made, and errors are printed kubectl's way.
func runKubectl() {
	_, _ = logs.GlogSetter(kubectl.GetLogVerbosity(os.Args))
	if err := cli.RunNoErrOutput(kubectl.NewDefaultKubectlCommand()); err != nil {
		kubectlutil.CheckErr(err)
	}
}
