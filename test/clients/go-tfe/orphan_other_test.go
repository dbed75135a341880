//go:build !linux

package gotfe

import "os/exec"

func endWithUs(*exec.Cmd) {}
