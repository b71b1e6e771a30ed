// Package cluster runs a real control plane for tests: etcd, kube-apiserver, kube-scheduler and
// kube-controller-manager of one Kubernetes version, with KWOK in place of every kubelet. All of
// it listens on 127.0.0.1 only and keeps its data in one folder.
package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

// Component names, in the order in which they start.
const (
	etcd              = "etcd"
	apiServer         = "kube-apiserver"
	scheduler         = "kube-scheduler"
	controllerManager = "kube-controller-manager"
	kwok              = "kwok"
)

// Cluster is a control plane that runs, or did.
type Cluster struct {
	Dir       string              `json:"dir"`
	Binaries  string              `json:"binaries"`
	Server    string              `json:"server"`
	Etcd      string              `json:"etcd"`
	Processes map[string]*Process `json:"processes"`

	tied bool
}

// Options say how a cluster is started.
type Options struct {
	// Dir holds data, logs and kubeconfigs; it must be empty or absent.
	Dir string
	// Binaries is the folder that tests/controlplane/build printed.
	Binaries string
	// Tied ends the components when the program that calls Start ends, in whatever way.
	Tied bool
}

// Start brings a control plane up and returns when pods are scheduled and run on it. On an error
// everything that was started is stopped again; the logs stay.
func Start(ctx context.Context, options Options) (*Cluster, error) {
	dir, err := filepath.Abs(options.Dir)
	if err != nil {
		return nil, err
	}
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		return nil, fmt.Errorf("%s is not empty: stop the cluster that lives there, or remove it", dir)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	// Between choosing a port and listening on it another program may take it.
	for attempt := 1; ; attempt++ {
		c := &Cluster{Dir: dir, Binaries: options.Binaries, Processes: map[string]*Process{}, tied: options.Tied}
		err := c.bringUp(ctx)
		if err == nil {
			return c, nil
		}
		err = errors.Join(err, c.Stop())
		if attempt == 3 || !strings.Contains(err.Error(), "address already in use") {
			return nil, err
		}
		if err := os.RemoveAll(c.path(etcd)); err != nil {
			return nil, err
		}
	}
}

func (c *Cluster) bringUp(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 3*time.Minute)
	defer cancel()
	ports, err := FreePorts(3)
	if err != nil {
		return err
	}
	c.Etcd = fmt.Sprintf("http://127.0.0.1:%d", ports[0])
	c.Server = fmt.Sprintf("https://127.0.0.1:%d", ports[2])
	if err := c.writeInputs(); err != nil {
		return err
	}
	c.define(ports[1], ports[2])
	if err := c.start(etcd, apiServer); err != nil {
		return err
	}
	if err := c.waitReady(ctx); err != nil {
		return err
	}
	if err := c.writeKubeconfigs(); err != nil {
		return err
	}
	if err := c.createRoles(ctx); err != nil {
		return err
	}
	if err := c.start(scheduler, controllerManager, kwok); err != nil {
		return err
	}
	return c.probe(ctx)
}

// start starts components and saves the state, so that `down` finds them whatever comes next.
func (c *Cluster) start(names ...string) error {
	for _, name := range names {
		if err := c.Processes[name].start(c.Dir, c.tied); err != nil {
			return err
		}
	}
	return c.save()
}

// StartBeside starts another program, such as a controller of CRDs. It logs into the cluster's folder
// and is stopped with the cluster.
func (c *Cluster) StartBeside(program *Process) error {
	if _, exists := c.Processes[program.Name]; exists {
		return fmt.Errorf("%s was started before", program.Name)
	}
	c.Processes[program.Name] = program
	return c.start(program.Name)
}

// Alive is an error with the end of the log if a program that StartBeside started has ended.
func (c *Cluster) Alive(name string) error { return c.dead(name) }

// Stop ends what runs beside the cluster, then every component, last started first.
func (c *Cluster) Stop() error {
	var failed error
	own := []string{kwok, controllerManager, scheduler, apiServer, etcd}
	for name, beside := range c.Processes {
		if !slices.Contains(own, name) {
			failed = errors.Join(failed, beside.stop())
		}
	}
	for _, name := range own {
		if process, exists := c.Processes[name]; exists {
			failed = errors.Join(failed, process.stop())
		}
	}
	return failed
}

// Pause stops the scheduler, the controller manager and KWOK, so that nothing changes any object
// and a measurement sees only its own load.
func (c *Cluster) Pause() error {
	return errors.Join(c.Processes[kwok].stop(), c.Processes[controllerManager].stop(),
		c.Processes[scheduler].stop(), c.save())
}

// OnlyScheduler stops the controller manager and KWOK: what is written stays as it is, but for what
// the scheduler does.
func (c *Cluster) OnlyScheduler() error {
	return errors.Join(c.Processes[kwok].stop(), c.Processes[controllerManager].stop(), c.save())
}

// WithoutServer runs work while the API server is stopped, and returns when it runs again, with a
// fresh watch cache.
func (c *Cluster) WithoutServer(ctx context.Context, work func() error) error {
	if err := c.Processes[apiServer].stop(); err != nil {
		return err
	}
	if err := work(); err != nil {
		return err
	}
	if err := c.start(apiServer); err != nil {
		return err
	}
	return c.waitReady(ctx)
}

func statePath(dir string) string {
	return filepath.Join(dir, "state.json")
}

func (c *Cluster) save() error {
	text, err := json.MarshalIndent(c, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(statePath(c.Dir), text, 0o600)
}

// Open finds the cluster that Start left in dir.
func Open(dir string) (*Cluster, error) {
	text, err := os.ReadFile(statePath(dir))
	if err != nil {
		return nil, err
	}
	c := &Cluster{}
	if err := json.Unmarshal(text, c); err != nil {
		return nil, fmt.Errorf("%s: %w", statePath(dir), err)
	}
	return c, nil
}

// AuditLog is the path of the API server's audit log, JSON lines, metadata of every request.
func (c *Cluster) AuditLog() string {
	return filepath.Join(c.Dir, "audit.log")
}

// Config is how user reaches the API server, without client-side throttling.
func (c *Cluster) Config(user string) (*rest.Config, error) {
	config, err := clientcmd.BuildConfigFromFlags("", c.Kubeconfig(user))
	if err != nil {
		return nil, err
	}
	config.QPS = -1
	config.UserAgent = "controlplane-tests"
	return config, nil
}

// Client is a client of the API server in the name of user.
func (c *Cluster) Client(user string) (*kubernetes.Clientset, error) {
	config, err := c.Config(user)
	if err != nil {
		return nil, err
	}
	return kubernetes.NewForConfig(config)
}
