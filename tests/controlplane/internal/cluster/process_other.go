//go:build !linux

package cluster

import "syscall"

// attributes is weaker than on Linux: only Linux can tie a child's life to its parent's.
func attributes(bool) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true}
}
