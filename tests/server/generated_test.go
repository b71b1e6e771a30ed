package server_test

import (
	"os"
	"path/filepath"
	"testing"

	"kubectl-gpu/tests/server/fault"
	"kubectl-gpu/tests/server/pki"
)

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	text, err := os.ReadFile(from)
	if os.IsNotExist(err) {
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	write(t, to, string(text), 0o700)
}

func copyFolder(t *testing.T, from, to string) {
	t.Helper()
	entries, err := os.ReadDir(from)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	for _, entry := range entries {
		copyFile(t, filepath.Join(from, entry.Name()), filepath.Join(to, entry.Name()))
	}
}

// names the certificate of the server is good for, those that only proxies know among them.
var manyNames = fault.Fault{Leaf: func(leaf *pki.Leaf) { leaf.Names = append(leaf.Names, "api.example.test") }}

func TestGeneratedKubeconfigs(t *testing.T) {
	b := newBench(t, fault.Options{Fault: manyNames})
	const count = 60
	answered := 0
	for seed := uint64(1); seed <= count; seed++ {
		s := generate(t, b, seed, t.TempDir())
		t.Run(s.name, func(t *testing.T) {
			if saw := b.agree(t, s); saw.Path != "" {
				answered++
			}
		})
	}
	// Two programs that fail alike prove nothing.
	if answered < count*2/3 {
		t.Errorf("only %d of %d reached the server", answered, count)
	}
}

func TestIPv6(t *testing.T) {
	b := newBench(t, fault.Options{Address: "[::1]:0"})
	dir := t.TempDir()
	write(t, filepath.Join(dir, "ca.crt"), string(b.server.Authority.PEM), 0o600)
	saw := b.agree(t, situation{dir: dir, args: []string{"-s", b.server.URL, "--certificate-authority", filepath.Join(dir, "ca.crt"), "--token=six"}})
	if saw.Authorization != "Bearer six" || saw.Host != b.server.Address {
		t.Errorf("the server saw %+v", saw)
	}
}

// Without TLS neither program sends a credential.
func TestPlainHTTPCarriesNoCredentials(t *testing.T) {
	b := newBench(t, fault.Options{Fault: fault.Fault{Wire: fault.Plain}})
	saw := b.agree(t, situation{dir: t.TempDir(), args: []string{"-s", "http://" + b.server.Address, "--token=secret-token", "--as=jane"}})
	if saw.Path == "" || saw.Authorization != "" {
		t.Errorf("the server saw %+v", saw)
	}
}

// A proxy from the environment takes plain requests too, as whole URLs.
func TestPlainHTTPThroughProxy(t *testing.T) {
	b := newBench(t, fault.Options{Fault: fault.Fault{Wire: fault.Plain}})
	saw := b.agree(t, situation{dir: t.TempDir(), args: []string{"-s", "http://api.example.test"}, env: []string{"HTTP_PROXY=http://" + b.http.Address}})
	if saw.Via != "http" {
		t.Errorf("the server saw %+v", saw)
	}
}
