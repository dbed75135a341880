package gotfe

import (
	"context"
	"errors"
	"net/http"
	"os"
	"runtime"
	"strconv"
	"sync"
	"testing"
	"time"

	tfe "github.com/hashicorp/go-tfe"
)

// A refusal is one 429 as the client got it, and how long it waited then.
type refusal struct {
	header http.Header
	at     time.Time
	waited time.Duration
}

// A noting is a transport that remembers what was refused. Of what is sent one after the other, the request
// behind a refusal is the same one again.
type noting struct {
	mutex    sync.Mutex
	refusals []*refusal
}

func (n *noting) RoundTrip(request *http.Request) (*http.Response, error) {
	n.mutex.Lock()
	if count := len(n.refusals); count > 0 && n.refusals[count-1].waited == 0 {
		n.refusals[count-1].waited = time.Since(n.refusals[count-1].at)
	}
	n.mutex.Unlock()
	response, err := http.DefaultTransport.RoundTrip(request)
	if err == nil && response.StatusCode == http.StatusTooManyRequests {
		n.mutex.Lock()
		n.refusals = append(n.refusals, &refusal{header: response.Header, at: time.Now()})
		n.mutex.Unlock()
	}
	return response, err
}

func (n *noting) count() int {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	return len(n.refusals)
}

// perMinute is small enough to be used up soon, and large enough that another request may come after a second.
const perMinute = 60

// limitedServer starts a server that refuses more than that of reads, and of writes.
func limitedServer(t *testing.T) *server {
	t.Helper()
	// The server ends with the thread that starts it.
	runtime.LockOSThread()
	t.Cleanup(runtime.UnlockOSThread)
	limit := strconv.Itoa(perMinute)
	srv, err := startServer("sqlite", "", "--rate-limit", limit+","+limit)
	if srv != nil {
		t.Cleanup(func() {
			if err := srv.stop(); err != nil && !t.Failed() {
				t.Errorf("%v\n%s", err, srv.logTail())
			}
			os.RemoveAll(srv.dir)
		})
	}
	must(t, err, "start a server")
	return srv
}

func TestRateLimitIsWaitedFor(t *testing.T) {
	t.Parallel()
	srv := limitedServer(t)
	transport := &noting{}
	client, err := tfe.NewClient(&tfe.Config{
		Address:    srv.address,
		Token:      srv.token,
		HTTPClient: &http.Client{Transport: transport},
	})
	must(t, err, "new client")
	ctx, cancel := context.WithTimeout(context.Background(), 4*time.Minute)
	defer cancel()
	e := &env{Client: client, t: t, ctx: ctx, srv: srv}
	org, err := client.Organizations.Create(ctx, tfe.OrganizationCreateOptions{
		Name:  tfe.String("limited"),
		Email: tfe.String("a@example.test"),
	})
	must(t, err, "create organization")

	untilRefused := func(what string, do func() error) int {
		t.Helper()
		before := transport.count()
		for done := 1; done <= 10*perMinute; done++ {
			// What was refused on the way has been asked again by the client itself.
			must(t, do(), what)
			if transport.count() > before {
				return done
			}
		}
		t.Fatalf("%s: never refused", what)
		return 0
	}
	read := func() error { _, err := client.Organizations.Read(ctx, org.Name); return err }
	if done := untilRefused("read", read); done <= perMinute {
		t.Errorf("reads: %d were answered before the first refusal, of %d a minute", done-1, perMinute)
	}
	made := untilRefused("create a workspace", func() error {
		_, err := client.Workspaces.Create(ctx, org.Name, tfe.WorkspaceCreateOptions{Name: tfe.String("ws-" + randomHex(8))})
		return err
	})
	for _, refused := range transport.refusals {
		wantWaited(t, refused)
	}

	// A write that was refused was not made, and the one that was sent again was made once.
	workspaces := allPages(t, func(page tfe.ListOptions) ([]*tfe.Workspace, *tfe.Pagination, error) {
		list, err := e.Workspaces.List(ctx, org.Name, &tfe.WorkspaceListOptions{ListOptions: page})
		if err != nil {
			return nil, nil, err
		}
		return list.Items, list.Pagination, nil
	})
	equal(t, "workspaces", len(workspaces), made)

	// Many at once, which no limit of the client itself keeps apart.
	failures := make(chan error, 6)
	for range cap(failures) {
		go func() { failures <- read() }()
	}
	var all error
	for range cap(failures) {
		all = errors.Join(all, <-failures)
	}
	must(t, all, "reads at once")
}

// wantWaited wants the three headers that the client reads, and that it waited as long as they say.
func wantWaited(t *testing.T, refused *refusal) {
	t.Helper()
	equal(t, "X-RateLimit-Limit", refused.header.Get("X-RateLimit-Limit"), strconv.Itoa(perMinute))
	equal(t, "X-RateLimit-Remaining", refused.header.Get("X-RateLimit-Remaining"), "0")
	reset, err := strconv.ParseFloat(refused.header.Get("X-RateLimit-Reset"), 64)
	must(t, err, "X-RateLimit-Reset")
	equal(t, "Retry-After", refused.header.Get("Retry-After"), refused.header.Get("X-RateLimit-Reset"))
	if reset < 1 || refused.waited < time.Duration(reset*float64(time.Second)) {
		t.Errorf("X-RateLimit-Reset is %v, and the client waited %v", reset, refused.waited)
	}
}
