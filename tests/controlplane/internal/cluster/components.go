package cluster

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	_ "embed"
	"encoding/pem"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
)

//go:embed stages.yaml
var stages []byte

// auditPolicy writes one line for every request, without bodies.
const auditPolicy = `apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
- level: Metadata
`

func (c *Cluster) path(name string) string {
	return filepath.Join(c.Dir, name)
}

// writeInputs writes the files that the components are started with.
func (c *Cluster) writeInputs() error {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		return err
	}
	files := map[string][]byte{
		"service-account.key": pem.EncodeToMemory(&pem.Block{
			Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)}),
		"tokens.csv":        []byte(tokenFile()),
		"audit-policy.yaml": []byte(auditPolicy),
		"stages.yaml":       stages,
	}
	for name, text := range files {
		if err := os.WriteFile(c.path(name), text, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// define says how each component is run. Nothing is started here.
func (c *Cluster) define(peerPort, serverPort int) {
	peer := fmt.Sprintf("http://127.0.0.1:%d", peerPort)
	key := c.path("service-account.key")
	admin := c.Kubeconfig(Admin)
	c.component(etcd,
		"--name=test", "--data-dir="+c.path("etcd"),
		"--listen-client-urls="+c.Etcd, "--advertise-client-urls="+c.Etcd,
		"--listen-peer-urls="+peer, "--initial-advertise-peer-urls="+peer, "--initial-cluster=test="+peer,
		"--unsafe-no-fsync", "--quota-backend-bytes=8589934592", "--log-level=warn")
	c.component(apiServer,
		"--etcd-servers="+c.Etcd, "--bind-address=127.0.0.1", fmt.Sprintf("--secure-port=%d", serverPort),
		"--cert-dir="+c.path("certs"),
		"--service-account-issuer=https://kubernetes.default.svc",
		"--service-account-signing-key-file="+key, "--service-account-key-file="+key,
		"--token-auth-file="+c.path("tokens.csv"), "--authorization-mode=Node,RBAC",
		"--service-cluster-ip-range=10.0.0.0/24", "--allow-privileged=true",
		"--audit-policy-file="+c.path("audit-policy.yaml"), "--audit-log-path="+c.AuditLog(),
		// Compaction would make a paused benchmark's resource versions expire under it.
		"--etcd-compaction-interval=0")
	// Nothing shall wait for a limit that protects real clusters.
	const qps, burst = "--kube-api-qps=2000", "--kube-api-burst=4000"
	c.component(scheduler, "--kubeconfig="+admin, "--leader-elect=false", "--secure-port=0", qps, burst)
	c.component(controllerManager, "--kubeconfig="+admin, "--leader-elect=false", "--secure-port=0", qps, burst,
		"--controllers=*,-node-ipam-controller", "--service-account-private-key-file="+key,
		"--use-service-account-credentials=false",
		// KWOK sends no heartbeats here, and a scenario's NotReady node shall stay as it is.
		"--node-monitor-grace-period=24h")
	c.component(kwok, "--kubeconfig="+admin, "--config="+c.path("stages.yaml"),
		"--manage-all-nodes=true", "--node-lease-duration-seconds=0")
}

func (c *Cluster) component(name string, args ...string) {
	c.Processes[name] = &Process{Name: name, Path: filepath.Join(c.Binaries, name), Args: args}
}

// certificate is the file that both proves the API server and, since it is self-signed with its
// own authority inside, lets clients verify it.
func (c *Cluster) certificate() string {
	return filepath.Join(c.path("certs"), "apiserver.crt")
}

func (c *Cluster) serverHost() string {
	address, err := url.Parse(c.Server)
	if err != nil {
		return c.Server
	}
	return address.Host
}
