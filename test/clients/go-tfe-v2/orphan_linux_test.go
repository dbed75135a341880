package gotfev2

import (
	"os/exec"
	"syscall"
)

// endWithUs lets the kernel end the server when the tests die without a chance to stop it.
func endWithUs(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
}
