package pending

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"time"
)

// Program is our program, and the kubectl that its fixes are run with.
type Program struct {
	Binary     string // kubectl-gpu
	Binaries   string // a folder that holds kubectl
	Kubeconfig string
}

// Answer is one of a PendingExplanationList.
type Answer struct {
	Namespace, Name, Code, Summary string
	Blocked                        bool
	PredictedMessage               string
	Scheduler                      *struct {
		Message string
		Agrees  *bool
	}
	Fixes []Fix
	// Advice is what cannot be tried.
	Advice     []struct{ Summary, Command string }
	NotChecked []string
}

// Fix is one that the program calls tested.
type Fix struct {
	Summary, Command, Patch string
	Stops                   []string
}

// List is what `why-pending -o json` prints.
type List struct {
	Items []Answer
	Gaps  []struct{ What, Why, Help string }
}

// Output is what a run of the program left.
type Output struct {
	Stdout, Stderr string
	Code           int
}

// Run runs the program with nothing of the caller's settings.
func (p Program) Run(ctx context.Context, args ...string) (Output, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	command := exec.CommandContext(ctx, p.Binary, args...)
	command.Env = []string{"KUBECONFIG=" + p.Kubeconfig, "HOME=/nonexistent", "LC_ALL=C.UTF-8"}
	var out, complaints bytes.Buffer
	command.Stdout, command.Stderr = &out, &complaints
	err := command.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return Output{}, err
	}
	return Output{out.String(), complaints.String(), command.ProcessState.ExitCode()}, nil
}

// Ask runs `why-pending WORDS -o json`.
func (p Program) Ask(ctx context.Context, words ...string) (List, error) {
	output, err := p.Run(ctx, append(append([]string{"why-pending"}, words...), "-o", "json")...)
	if err != nil {
		return List{}, err
	}
	if output.Code != 0 && output.Code != 1 {
		return List{}, fmt.Errorf("exit code %d: %s", output.Code, output.Stderr)
	}
	var list List
	if err := json.Unmarshal([]byte(output.Stdout), &list); err != nil {
		return List{}, fmt.Errorf("%w in %q", err, output.Stdout)
	}
	return list, nil
}

// AskOne is Ask where there is one answer.
func (p Program) AskOne(ctx context.Context, words ...string) (Answer, error) {
	list, err := p.Ask(ctx, words...)
	if err == nil && len(list.Items) != 1 {
		err = fmt.Errorf("%d answers, want 1", len(list.Items))
	}
	if err != nil {
		return Answer{}, err
	}
	return list.Items[0], nil
}

var patchFile = regexp.MustCompile(`--patch-file (?:'([^']+)'|(\S+))`)

// Apply does what a person would do who copies the fix into a shell.
func (p Program) Apply(ctx context.Context, fix Fix) error {
	if fix.Command == "" {
		return errors.New("the fix has no command")
	}
	dir, err := os.MkdirTemp("", "fix-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if names := patchFile.FindStringSubmatch(fix.Command); names != nil {
		if fix.Patch == "" {
			return errors.New("the command reads a patch, and there is none")
		}
		if err := os.WriteFile(filepath.Join(dir, names[1]+names[2]), []byte(fix.Patch), 0o600); err != nil {
			return err
		}
	}
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	shell := exec.CommandContext(ctx, "sh", "-e", "-c", fix.Command)
	shell.Dir, shell.Env = dir, []string{"KUBECONFIG=" + p.Kubeconfig, "HOME=" + dir, "PATH=" + p.Binaries + ":" + os.Getenv("PATH")}
	if said, err := shell.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, said)
	}
	return nil
}
