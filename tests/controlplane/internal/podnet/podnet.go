// Package podnet gives pods addresses that the API server's proxy accepts: it refuses loopback
// ones, so that programs which stand for pods listen in a network namespace of the test's own,
// joined to ours by a pair of virtual network devices. Needs root and `ip` (iproute2).
package podnet

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net/netip"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

// Net is one namespace with addresses for pods. Close takes it away.
type Net struct {
	name      string
	device    string
	first     netip.Addr
	processes []*Program
}

// New makes a namespace with addresses for `pods` pods, at most 1000, out of 10.233.0.0/16.
func New(ctx context.Context, pods int) (*Net, error) {
	if pods > 1000 {
		return nil, fmt.Errorf("%d pods are too many for one namespace", pods)
	}
	pid := os.Getpid()
	third := pid % 60 * 4 // a /22 each, so that two tests do not meet
	n := &Net{name: fmt.Sprintf("kgpu-%d", pid), device: fmt.Sprintf("kg%d", pid%1_000_000),
		first: netip.AddrFrom4([4]byte{10, 233, byte(third), 10})}
	inside := n.device + "p"
	steps := []string{
		"netns add " + n.name,
		fmt.Sprintf("link add %s type veth peer name %s netns %s", n.device, inside, n.name),
		fmt.Sprintf("addr add 10.233.%d.1/22 dev %s", third, n.device),
		fmt.Sprintf("link set %s up", n.device),
		fmt.Sprintf("-n %s link set lo up", n.name),
		fmt.Sprintf("-n %s link set %s up", n.name, inside),
	}
	for _, step := range steps {
		if err := ip(ctx, step); err != nil {
			return nil, errors.Join(err, n.Close())
		}
	}
	var batch strings.Builder
	for i := range pods {
		fmt.Fprintf(&batch, "addr add %s/22 dev %s\n", n.Address(i), inside)
	}
	command := exec.CommandContext(ctx, "ip", "-n", n.name, "-batch", "-")
	command.Stdin = strings.NewReader(batch.String())
	if out, err := command.CombinedOutput(); err != nil {
		return nil, errors.Join(fmt.Errorf("ip -batch: %w: %s", err, out), n.Close())
	}
	return n, nil
}

func ip(ctx context.Context, args string) error {
	out, err := exec.CommandContext(ctx, "ip", strings.Fields(args)...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("ip %s: %w: %s", args, err, out)
	}
	return nil
}

// Address is that of the pod of this number, from 0.
func (n *Net) Address(pod int) string {
	address := n.first.As4()
	offset := int(address[3]) + pod
	address[2] += byte(offset / 256)
	address[3] = byte(offset % 256)
	return netip.AddrFrom4(address).String()
}

// Start runs a program in the namespace until Close, and returns once it has written `ready` on
// stdout or stderr, at the latest after 20 s.
func (n *Net) Start(ctx context.Context, ready, program string, args ...string) error {
	_, err := n.StartProgram(ctx, ready, program, args...)
	return err
}

// Program runs in the namespace.
type Program struct{ command *exec.Cmd }

// Stop ends it before Close does; its ports are closed then.
func (p *Program) Stop() {
	_ = syscall.Kill(-p.command.Process.Pid, syscall.SIGKILL)
	_ = p.command.Wait()
}

// StartProgram is Start for programs that end before Close.
func (n *Net) StartProgram(ctx context.Context, ready, program string, args ...string) (*Program, error) {
	command := exec.Command("ip", append([]string{"netns", "exec", n.name, program}, args...)...)
	command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Setpgid: true}
	reader, writer, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	command.Stdout, command.Stderr = writer, writer
	err = command.Start()
	_ = writer.Close()
	if err != nil {
		return nil, errors.Join(err, reader.Close())
	}
	started := &Program{command}
	n.processes = append(n.processes, started)
	said := make(chan error, 1)
	go func() {
		defer reader.Close()
		var lines []string
		scanner := bufio.NewScanner(reader)
		for found := false; scanner.Scan(); {
			if found {
				continue
			}
			lines = append(lines, scanner.Text())
			if strings.Contains(scanner.Text(), ready) {
				found = true
				said <- nil
			}
		}
		said <- fmt.Errorf("%s ended:\n%s", program, strings.Join(lines, "\n"))
	}()
	select {
	case err := <-said:
		return started, err
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-time.After(20 * time.Second):
		return nil, fmt.Errorf("%s is not ready after 20 s", program)
	}
}

// Close ends the programs and takes the namespace away.
func (n *Net) Close() error {
	var failures []error
	for _, program := range n.processes {
		program.Stop()
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if _, err := os.Stat("/run/netns/" + n.name); err == nil {
		failures = append(failures, ip(ctx, "netns del "+n.name))
	}
	_ = ip(ctx, "link del "+n.device) // went with its peer
	return errors.Join(failures...)
}
