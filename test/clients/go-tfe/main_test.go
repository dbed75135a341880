package gotfe

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
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
	engine  string
	address string
	token   string

	dir    string
	cmd    *exec.Cmd
	exited chan error
}

// servers holds one server per storage engine, started by TestMain.
var servers []*server

func TestMain(m *testing.M) {
	os.Exit(run(m))
}

func run(m *testing.M) (code int) {
	// The servers are tied to the thread that starts them, so it has to last as long as the run.
	runtime.LockOSThread()
	databases := []struct{ engine, url string }{{engine: "sqlite"}}
	switch url := os.Getenv("TESSERA_TEST_POSTGRES"); {
	case url != "":
		databases = append(databases, struct{ engine, url string }{"postgres", url})
	case os.Getenv("TESSERA_SKIP_POSTGRES") == "1":
		fmt.Fprintln(os.Stderr, "PostgreSQL is left out: TESSERA_SKIP_POSTGRES=1")
	default:
		fmt.Fprintln(os.Stderr, "TESSERA_TEST_POSTGRES must hold the URL of an empty PostgreSQL database (or set TESSERA_SKIP_POSTGRES=1)")
		return 1
	}

	// A server that dies or stops badly fails the run even when every test passed.
	defer func() {
		for _, s := range servers {
			if err := s.stop(); err != nil {
				fmt.Fprintf(os.Stderr, "%s: %v\n%s\n", s.engine, err, s.logTail())
				code = 1
			}
			if code == 0 {
				os.RemoveAll(s.dir)
			} else {
				fmt.Fprintf(os.Stderr, "%s: the server's files are kept in %s\n", s.engine, s.dir)
			}
		}
	}()

	for _, db := range databases {
		s, err := startServer(db.engine, db.url)
		if s != nil {
			servers = append(servers, s)
		}
		if err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", db.engine, err)
			return 1
		}
	}
	return m.Run()
}

// startServer returns the server as soon as its process exists, with an error
// when it does not become ready. The options are given to it beside those of all.
func startServer(engine, databaseURL string, options ...string) (*server, error) {
	root, err := filepath.Abs(filepath.Join("..", "..", ".."))
	if err != nil {
		return nil, err
	}
	node := filepath.Join(root, "node_modules", ".bin", "node")
	if _, err := os.Stat(node); err != nil {
		node = "node"
	}

	dir, err := os.MkdirTemp("", "tessera-go-tfe-"+engine+"-")
	if err != nil {
		return nil, err
	}
	addressFile := filepath.Join(dir, "address")
	args := []string{
		filepath.Join(root, "src", "main.ts"), "serve",
		"--listen", "127.0.0.1:0",
		"--data-dir", dir,
		"--address-file", addressFile,
	}
	if databaseURL != "" {
		args = append(args, "--database", databaseURL)
	}
	args = append(args, options...)

	log, err := os.Create(filepath.Join(dir, "server.log"))
	if err != nil {
		return nil, err
	}
	defer log.Close()

	s := &server{engine: engine, dir: dir, exited: make(chan error, 1)}
	s.cmd = exec.Command(node, args...)
	s.cmd.Dir = root
	s.cmd.Stdout = log
	s.cmd.Stderr = log
	s.cmd.Env = serverEnvironment()
	endWithUs(s.cmd)
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	go func() { s.exited <- s.cmd.Wait() }()

	deadline := time.Now().Add(startTimeout)
	for {
		s.address = readTrimmed(addressFile)
		s.token = readTrimmed(filepath.Join(dir, "management-token"))
		if s.address != "" && s.token != "" {
			return s, nil
		}
		select {
		case err := <-s.exited:
			s.exited <- err
			return s, fmt.Errorf("the server ended before it was ready: %v", err)
		case <-time.After(20 * time.Millisecond):
		}
		if time.Now().After(deadline) {
			return s, fmt.Errorf("the server was not ready within %s (address %q, token read: %t)", startTimeout, s.address, s.token != "")
		}
	}
}

// serverEnvironment is ours without what would configure the server or the client.
func serverEnvironment() []string {
	var kept []string
	for _, entry := range os.Environ() {
		if !strings.HasPrefix(entry, "TESSERA_") && !strings.HasPrefix(entry, "TFE_") {
			kept = append(kept, entry)
		}
	}
	return kept
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
