package consulapi

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/hashicorp/consul/api"
)

// An installation is what the tests have of one storage engine.
type installation struct {
	engine string
	// server has the default edition. TestMain bootstraps it.
	server *server
	// community has the community edition. TestCommunity bootstraps it.
	community *server

	// bystander is an auth method that tests of blocking reads make rules of which they do not ask for.
	bystander *api.ACLAuthMethod

	// What the client met while it bootstrapped the server; TestBootstrap judges it.
	beforeBootstrap error
	bootstrapped    *api.ACLToken
}

// installations holds one per storage engine, set up by TestMain.
var installations []*installation

func TestMain(m *testing.M) {
	os.Exit(run(m))
}

func run(m *testing.M) (code int) {
	// The servers are tied to the thread that starts them, so it has to last as long as the run.
	runtime.LockOSThread()
	forgetEnvironment()
	databases, err := databasesToTest()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}

	stopProviders, err := startProviders()
	if stopProviders != nil {
		defer func() {
			if err := stopProviders(); err != nil {
				fmt.Fprintf(os.Stderr, "the providers of identities: %v\n", err)
				code = 1
			}
		}()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}

	// A server that dies, stops badly or leaves a secret behind fails the run even when every test passed.
	var servers []*server
	defer func() {
		for _, s := range servers {
			if err := s.stopAndSearch(); err != nil {
				fmt.Fprintf(os.Stderr, "%s: %v\n%s\n", s.name, err, s.logTail())
				code = 1
			}
			if code == 0 {
				os.RemoveAll(s.dir)
			} else {
				fmt.Fprintf(os.Stderr, "%s: the server's files are kept in %s\n", s.name, s.dir)
			}
		}
	}()
	start := func(name, database string, arguments ...string) (*server, error) {
		s, err := startServer(name, database, arguments...)
		if s != nil {
			servers = append(servers, s)
		}
		return s, err
	}

	for _, db := range databases {
		in := &installation{engine: db.engine}
		if in.server, err = start(db.engine, db.url); err == nil {
			in.community, err = start(db.engine+"-community", db.second, "--edition", "community")
		}
		if err == nil {
			err = in.bootstrap()
		}
		if err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", db.engine, err)
			return 1
		}
		installations = append(installations, in)
	}
	return m.Run()
}

// forgetEnvironment removes what would configure the client behind a test's back.
func forgetEnvironment() {
	for _, entry := range os.Environ() {
		if name, _, _ := strings.Cut(entry, "="); strings.HasPrefix(name, "CONSUL_") {
			os.Unsetenv(name)
		}
	}
}

// A database is where one installation stores; empty URLs stand for files of its own.
type database struct{ engine, url, second string }

func databasesToTest() ([]database, error) {
	databases := []database{{engine: "sqlite"}}
	url, second := os.Getenv("TESSERA_TEST_POSTGRES"), os.Getenv("TESSERA_TEST_POSTGRES_SECOND")
	switch {
	case url != "" && second != "":
		return append(databases, database{"postgres", url, second}), nil
	case os.Getenv("TESSERA_SKIP_POSTGRES") == "1":
		fmt.Fprintln(os.Stderr, "PostgreSQL is left out: TESSERA_SKIP_POSTGRES=1")
		return databases, nil
	}
	return nil, fmt.Errorf("TESSERA_TEST_POSTGRES and TESSERA_TEST_POSTGRES_SECOND must hold the URLs of two empty PostgreSQL databases (or set TESSERA_SKIP_POSTGRES=1)")
}

// bootstrap makes the first management token as an operator does, and notes how the server answered before.
func (in *installation) bootstrap() error {
	client, err := newClient(in.server, "")
	if err != nil {
		return err
	}
	_, _, in.beforeBootstrap = client.ACL().TokenList(&api.QueryOptions{Token: newUUID()})
	in.bootstrapped, _, err = client.ACL().Bootstrap()
	if err != nil {
		return fmt.Errorf("bootstrap: %w", err)
	}
	in.server.token = in.bootstrapped.SecretID
	remember(in.server.token)
	return nil
}
