package cluster

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// Process is one component that this package started. It is saved with the cluster's state, so
// that a later `cluster down` ends exactly it.
type Process struct {
	Name string   `json:"name"`
	Path string   `json:"path"`
	Args []string `json:"args"`
	Pid  int      `json:"pid"`
	// Env is what it gets beside this program's own environment.
	Env []string `json:"env,omitempty"`

	// exited is closed when the child has been waited for; nil if another program started it.
	exited chan struct{}
}

// start runs the process with its output in DIR/NAME.log. With tied, it dies with the program that
// started it, so that a killed test run leaves nothing behind.
func (p *Process) start(dir string, tied bool) error {
	log, err := os.OpenFile(filepath.Join(dir, p.Name+".log"), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	defer log.Close()
	command := exec.Command(p.Path, p.Args...)
	command.Dir = dir
	command.Env = append(os.Environ(), p.Env...)
	command.Stdout, command.Stderr = log, log
	command.SysProcAttr = attributes(tied)
	if err := command.Start(); err != nil {
		return fmt.Errorf("%s: %w", p.Name, err)
	}
	p.Pid = command.Process.Pid
	exited := make(chan struct{})
	p.exited = exited
	go func() {
		_ = command.Wait()
		close(exited)
	}()
	return nil
}

// running tells whether the process lives. A pid that now belongs to another program does not
// count: its command line is compared where the system shows it.
func (p *Process) running() bool {
	if p.Pid == 0 {
		return false
	}
	if p.exited != nil {
		select {
		case <-p.exited:
			return false
		default:
			return true
		}
	}
	if syscall.Kill(p.Pid, 0) != nil {
		return false
	}
	line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", p.Pid))
	if err != nil {
		return true
	}
	return strings.HasPrefix(string(line), p.Path+"\x00")
}

// stop ends the process with SIGKILL and waits until it is gone. Nothing here is worth a graceful
// end: the data are thrown away, and kube-apiserver lingers a minute on SIGTERM.
func (p *Process) stop() error {
	if !p.running() {
		return nil
	}
	if err := syscall.Kill(p.Pid, syscall.SIGKILL); err != nil && err != syscall.ESRCH {
		return fmt.Errorf("%s, pid %d: %w", p.Name, p.Pid, err)
	}
	deadline := time.Now().Add(10 * time.Second)
	for p.running() {
		if time.Now().After(deadline) {
			return fmt.Errorf("%s, pid %d, outlives SIGKILL", p.Name, p.Pid)
		}
		time.Sleep(10 * time.Millisecond)
	}
	return nil
}

// logTail is the end of the process's log, for error messages.
func (p *Process) logTail(dir string) string {
	text, err := os.ReadFile(filepath.Join(dir, p.Name+".log"))
	if err != nil {
		return err.Error()
	}
	const most = 2000
	if len(text) > most {
		text = text[len(text)-most:]
	}
	return string(text)
}

// FreePorts finds n ports of 127.0.0.1 that are free now. They are held until all are found, so
// that no port comes twice.
func FreePorts(n int) ([]int, error) {
	ports := make([]int, 0, n)
	for range n {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		defer listener.Close()
		ports = append(ports, listener.Addr().(*net.TCPAddr).Port)
	}
	return ports, nil
}
