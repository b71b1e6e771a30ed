//go:build operators

package operators

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/yaml"

	"kubectl-gpu/tests/controlplane/internal/cluster"
)

// site is where one controller has its program, the files of its module, and its ports.
type site struct {
	name, files, temp        string
	webhook, health, metrics int
}

// certificates is where controller-runtime looks for them under TMPDIR.
func (s site) certificates() string {
	return filepath.Join(s.temp, "k8s-webhook-server", "serving-certs")
}

// starting guards the table of processes, since the controllers start all at once.
var starting sync.Mutex

func (s site) start(env []string, args ...string) error {
	starting.Lock()
	defer starting.Unlock()
	return shared.StartBeside(&cluster.Process{Name: s.name, Path: filepath.Join(s.files, s.name), Args: args,
		Env: append(env, "KUBECONFIG="+shared.Kubeconfig(cluster.Admin), "TMPDIR="+s.temp)})
}

// listens waits until the controller has its port open.
func (s site) listens(ctx context.Context, port int) error {
	return cluster.Poll(ctx, 2*time.Minute, fmt.Sprintf("%s listens on port %d", s.name, port), func(ctx context.Context) (bool, error) {
		starting.Lock()
		defer starting.Unlock()
		if err := shared.Alive(s.name); err != nil {
			return false, err
		}
		connection, err := (&net.Dialer{}).DialContext(ctx, "tcp", fmt.Sprintf("127.0.0.1:%d", port))
		if err != nil {
			return false, err
		}
		return true, connection.Close()
	})
}

// configured writes the controller's configuration and returns the file.
func (s site) configured(text string) (string, error) {
	path := filepath.Join(s.temp, "config.yaml")
	return path, os.WriteFile(path, []byte(text), 0o600)
}

// documents reads the objects of YAML files.
func documents(files ...string) ([]*unstructured.Unstructured, error) {
	var objects []*unstructured.Unstructured
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		decoder := yaml.NewYAMLOrJSONDecoder(strings.NewReader(string(text)), 4096)
		for {
			object := &unstructured.Unstructured{}
			if err := decoder.Decode(&object.Object); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				return nil, fmt.Errorf("%s: %w", file, err)
			}
			// Folders also hold what kustomize reads, which is no object.
			if object.GetKind() != "" && object.GetName() != "" {
				objects = append(objects, object)
			}
		}
	}
	return objects, nil
}

func folder(path string) ([]*unstructured.Unstructured, error) {
	files, err := filepath.Glob(filepath.Join(path, "*.yaml"))
	if err != nil || len(files) == 0 {
		return nil, errors.Join(err, fmt.Errorf("no files in %s", path))
	}
	return documents(files...)
}

// apply tries again for a while: a webhook's first answers may be late.
func apply(ctx context.Context, objects ...*unstructured.Unstructured) error {
	var text []byte
	for _, object := range objects {
		each, err := json.Marshal(object)
		if err != nil {
			return err
		}
		text = append(append(text, each...), '\n')
	}
	return cluster.Poll(ctx, 30*time.Second, "apply", func(ctx context.Context) (bool, error) {
		_, err := run(ctx, text, "apply", "--server-side", "-f", "-")
		return err == nil, err
	})
}

// installCRDs leaves out the older of the two MPIJobs, which have one name.
func installCRDs(ctx context.Context, name, dir string) error {
	objects, err := folder(dir)
	if err != nil {
		return err
	}
	var served []*unstructured.Unstructured
	for _, object := range objects {
		isOlder := name == "training-operator" && object.GetName() == "mpijobs.kubeflow.org"
		if object.GetKind() == "CustomResourceDefinition" && !isOlder {
			served = append(served, object)
		}
	}
	return apply(ctx, served...)
}

// installWebhooks has the API server call the controller at its port, where the release names a
// Service, and gives each configuration a name of its own, since most have the same.
func (s site) installWebhooks(ctx context.Context, file string, names ...string) error {
	objects, err := documents(filepath.Join(s.files, file))
	if err != nil {
		return err
	}
	for _, object := range objects {
		all, _, err := unstructured.NestedSlice(object.Object, "webhooks")
		if err != nil {
			return err
		}
		for _, each := range all {
			webhook := each.(map[string]any)
			path, _, _ := unstructured.NestedString(webhook, "clientConfig", "service", "path")
			webhook["clientConfig"] = map[string]any{"url": fmt.Sprintf("https://127.0.0.1:%d%s", s.webhook, path),
				"caBundle": base64.StdEncoding.EncodeToString(secrets["ca.crt"])}
			s.limitToOwn(webhook)
		}
		if err := unstructured.SetNestedSlice(object.Object, all, "webhooks"); err != nil {
			return err
		}
		object.SetName(s.name + "-" + object.GetName())
		if len(names) > 0 {
			object.SetName(names[0])
		}
	}
	return apply(ctx, objects...)
}

// ownPods are the labels of the pods that a controller's webhook is called for, as the patches
// beside its manifests say.
var ownPods = map[string]string{
	"jobset": "jobset.sigs.k8s.io/jobset-name",
	"lws":    "leaderworkerset.sigs.k8s.io/name",
	"kserve": "serving.kserve.io/inferenceservice",
}

func (s site) limitToOwn(webhook map[string]any) {
	rules, _, _ := unstructured.NestedSlice(webhook, "rules")
	for _, each := range rules {
		resources, _, _ := unstructured.NestedStringSlice(each.(map[string]any), "resources")
		if len(resources) == 1 && resources[0] == "pods" && ownPods[s.name] != "" {
			webhook["objectSelector"] = map[string]any{"matchExpressions": []any{
				map[string]any{"key": ownPods[s.name], "operator": "Exists"}}}
		}
	}
}

func object(apiVersion, kind, namespace, name string) *unstructured.Unstructured {
	made := &unstructured.Unstructured{Object: map[string]any{"apiVersion": apiVersion, "kind": kind}}
	made.SetName(name)
	made.SetNamespace(namespace)
	return made
}
