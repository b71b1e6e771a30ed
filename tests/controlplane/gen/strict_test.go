package gen

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// cases are the lines of cases/*.txt: the words behind `kubectl gpu gen`.
func cases(t *testing.T) map[string][]string {
	t.Helper()
	files, err := filepath.Glob("cases/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no cases:", err)
	}
	found := map[string][]string{}
	for _, path := range files {
		file, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(file)
		for lines.Scan() {
			if line := strings.TrimSpace(lines.Text()); line != "" && !strings.HasPrefix(line, "#") {
				word := strings.TrimSuffix(filepath.Base(path), ".txt")
				found[word] = append(found[word], line)
			}
		}
		if err := lines.Err(); err != nil {
			t.Fatal(err)
		}
		_ = file.Close()
	}
	return found
}

// generated runs `gen` through sh, which reads the quotes of a case.
func generated(t *testing.T, flags, line string) (manifest []byte, said string) {
	t.Helper()
	program, ok := os.LookupEnv("KUBECTL_GPU_BIN")
	if !ok {
		t.Fatal("KUBECTL_GPU_BIN is not set")
	}
	script := filepath.Join(t.TempDir(), "train.py")
	if err := os.WriteFile(script, []byte("import torch\nprint('on', 1e3)\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	command := exec.Command("sh", "-c", fmt.Sprintf("exec %q gen %s %s", program, flags, line))
	command.Env = append(os.Environ(), "SCRIPT="+script)
	var stderr strings.Builder
	command.Stderr = &stderr
	out, err := command.Output()
	if err != nil {
		t.Fatalf("gen %s: %v\n%s", line, err, stderr.String())
	}
	return out, stderr.String()
}

// namespaced makes the namespaces that the cases name.
func createNamespaces(t *testing.T) {
	t.Helper()
	for _, name := range []string{"ml", "serving", "monitoring", "gpu-operator"} {
		if _, err := run(t.Context(), nil, "create", "namespace", name); err != nil && !strings.Contains(err.Error(), "AlreadyExists") {
			t.Fatal(err)
		}
	}
}

func TestStrictDryRun(t *testing.T) {
	createNamespaces(t)
	for word, lines := range cases(t) {
		if len(lines) < 5 {
			t.Errorf("%s has %d cases: at least five are wanted", word, len(lines))
		}
		t.Run(word, func(t *testing.T) {
			for _, line := range lines {
				t.Run(line, func(t *testing.T) {
					t.Parallel()
					manifest, _ := generated(t, "--offline", line)
					said, err := run(t.Context(), manifest, "apply", "--server-side", "--dry-run=server",
						"--validate=strict", "-f", "-")
					if err != nil {
						t.Fatalf("%v\n%s", err, manifest)
					}
					if strings.Contains(said, "Warning") {
						t.Errorf("%s\n%s", said, manifest)
					}
				})
			}
		})
	}
}
