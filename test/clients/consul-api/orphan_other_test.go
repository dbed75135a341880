//go:build !linux

package consulapi

import "os/exec"

func endWithUs(*exec.Cmd) {}
