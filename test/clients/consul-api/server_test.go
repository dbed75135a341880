package consulapi

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"
)

const (
	// startTimeout covers migrations on a cold PostgreSQL.
	startTimeout = 60 * time.Second
	// stopTimeout is longer than the ten seconds that the server grants running requests.
	stopTimeout = 20 * time.Second
)

// A server is one running Tessera process.
type server struct {
	name    string
	address string
	// token is the SecretID of a management token; empty before the bootstrap.
	token string

	dir    string
	cmd    *exec.Cmd
	exited chan error
}

// startServer starts a server that waits for its bootstrap. It returns it as
// soon as its process exists, with an error when it does not become ready.
func startServer(name, databaseURL string, arguments ...string) (*server, error) {
	root, err := filepath.Abs(filepath.Join("..", "..", ".."))
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "tessera-consul-api-"+name+"-")
	if err != nil {
		return nil, err
	}
	addressFile := filepath.Join(dir, "address")
	arguments = append([]string{
		filepath.Join(root, "src", "main.ts"), "serve",
		"--listen", "127.0.0.1:0",
		"--data-dir", filepath.Join(dir, "data"),
		"--address-file", addressFile,
		"--bootstrap", "manual",
		"--access-log",
		"--outbound-allow", outbound,
		"--login-failure-limit", "100000",
		"--max-auth-methods", "100000",
		"--login-limit-per-identity", "0",
		"--login-tokens-per-identity", "0",
		"--default-login-ttl", "0",
	}, arguments...)
	if databaseURL != "" {
		arguments = append(arguments, "--database", databaseURL)
	}

	log, err := os.Create(filepath.Join(dir, "server.log"))
	if err != nil {
		return nil, err
	}
	defer log.Close()

	s := &server{name: name, dir: dir, exited: make(chan error, 1)}
	s.cmd = exec.Command(nodeOf(root), arguments...)
	s.cmd.Dir = root
	s.cmd.Stdout = log
	s.cmd.Stderr = log
	s.cmd.Env = serverEnvironment()
	endWithUs(s.cmd)
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	go func() { s.exited <- s.cmd.Wait() }()
	return s, s.awaitAddress(addressFile)
}

// nodeOf is the runtime that the project has, or the one at hand.
func nodeOf(root string) string {
	node := filepath.Join(root, "node_modules", ".bin", "node")
	if _, err := os.Stat(node); err != nil {
		return "node"
	}
	return node
}

func (s *server) awaitAddress(file string) error {
	deadline := time.Now().Add(startTimeout)
	for {
		if s.address = readTrimmed(file); s.address != "" {
			return nil
		}
		select {
		case err := <-s.exited:
			s.exited <- err
			return fmt.Errorf("the server ended before it was ready: %v", err)
		case <-time.After(20 * time.Millisecond):
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("the server was not ready within %s", startTimeout)
		}
	}
}

// serverEnvironment is ours without what would configure the server.
func serverEnvironment() []string {
	var kept []string
	for _, entry := range os.Environ() {
		if !strings.HasPrefix(entry, "TESSERA_") {
			kept = append(kept, entry)
		}
	}
	return kept
}

// stopAndSearch ends the server and looks for secrets in what it leaves.
func (s *server) stopAndSearch() error {
	if err := s.stop(); err != nil {
		return err
	}
	return s.searchForSecrets()
}

// stop asks the server to end and demands exit code 0.
func (s *server) stop() error {
	select {
	case err := <-s.exited:
		return fmt.Errorf("the server ended before it was told to: %v", err)
	default:
	}
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		return err
	}
	select {
	case err := <-s.exited:
		if err != nil {
			return fmt.Errorf("SIGTERM: want exit code 0, got %v", err)
		}
		return nil
	case <-time.After(stopTimeout):
		_ = s.cmd.Process.Kill()
		return errors.New("SIGTERM: the server did not end in time")
	}
}

var secrets struct {
	sync.Mutex
	all []string
}

// remember keeps the SecretID of a token, to be searched for in all that the servers leave.
func remember(secret string) {
	secrets.Lock()
	defer secrets.Unlock()
	secrets.all = append(secrets.all, secret)
}

// searchForSecrets goes through the log and the database files.
func (s *server) searchForSecrets() error {
	secrets.Lock()
	defer secrets.Unlock()
	return filepath.WalkDir(s.dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, secret := range secrets.all {
			if bytes.Contains(content, []byte(secret)) {
				return fmt.Errorf("%s holds the SecretID of a token", path)
			}
		}
		return nil
	})
}

func (s *server) logTail() string {
	lines := strings.Split(readTrimmed(filepath.Join(s.dir, "server.log")), "\n")
	return strings.Join(lines[max(0, len(lines)-30):], "\n")
}

func readTrimmed(path string) string {
	content, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(content))
}
