package cluster

import "syscall"

// attributes puts a component into its own process group, so that Ctrl-C in a terminal reaches
// only the program that decides when to stop it.
func attributes(tied bool) *syscall.SysProcAttr {
	attributes := &syscall.SysProcAttr{Setpgid: true}
	if tied {
		attributes.Pdeathsig = syscall.SIGKILL
	}
	return attributes
}
