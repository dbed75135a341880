package consulapi

import (
	"io"
	"net/http"
	"regexp"
	"strconv"
	"testing"
	"time"

	"github.com/hashicorp/consul/api"
)

const (
	// quiet is long enough for whatever wakes a read by mistake.
	quiet = 150 * time.Millisecond
	// longWait is the WaitTime of reads that something else shall end, and patience less than that.
	longWait = 5 * time.Minute
	patience = 20 * time.Second
)

// eachEngineAlone is eachEngine for tests that watch whole tables: no other test writes meanwhile. Go runs the
// tests that are not parallel first, one after the other, and the parallel ones when they have ended.
func eachEngineAlone(t *testing.T, test func(t *testing.T, e *env)) {
	t.Helper()
	for _, in := range installations {
		t.Run(in.engine, func(t *testing.T) {
			t.Parallel()
			test(t, newEnv(t, in, in.server))
		})
	}
}

// An outcome is how a read ended.
type outcome struct {
	answer any
	meta   *api.QueryMeta
	err    error
	took   time.Duration
}

// An armed read was answered once and then asked again, to wait for news.
type armed struct {
	blockingRead
	of     subject
	before *api.QueryMeta

	outcomes chan outcome
}

// since are the options of a read that waits until something changes, or the test is over: no other shall find it waiting.
func since(t *testing.T, last uint64) *api.QueryOptions {
	options := &api.QueryOptions{WaitIndex: last, WaitTime: longWait}
	return options.WithContext(t.Context())
}

// arm asks for every read once, judges what the client keeps of that, and asks again with the options that belong to its index.
func arm(t *testing.T, asker *env, subjects map[kind]subject, reads []blockingRead, options func(last uint64) *api.QueryOptions) []*armed {
	t.Helper()
	var all []*armed
	for _, read := range reads {
		a := &armed{blockingRead: read, of: subjects[read.kind]}
		answer, meta, err := read.ask(asker, a.of, nil)
		wantMeta(t, meta, err)
		wantDescription(t, answer, a.of, "for a test")
		a.before = meta
		all = append(all, a)
	}
	for _, a := range all {
		a.begin(func() (any, *api.QueryMeta, error) { return a.ask(asker, a.of, options(a.before.LastIndex)) })
	}
	return all
}

// begin leaves a read waiting; its outcome comes later.
func (a *armed) begin(ask func() (any, *api.QueryMeta, error)) {
	a.outcomes = make(chan outcome, 1)
	go func() {
		started := time.Now()
		answer, meta, err := ask()
		a.outcomes <- outcome{answer, meta, err, time.Since(started)}
	}()
}

// wait is arm for reads that something else shall end. It returns when the server lets all of them wait.
func wait(t *testing.T, e *env, subjects map[kind]subject, reads []blockingRead) []*armed {
	t.Helper()
	all := arm(t, e, subjects, reads, func(last uint64) *api.QueryOptions { return since(t, last) })
	e.awaitWaiting(t, len(all))
	return all
}

// stillWait wants that nothing is answered for a while.
func stillWait(t *testing.T, all ...*armed) {
	t.Helper()
	time.Sleep(quiet)
	for _, a := range all {
		if len(a.outcomes) > 0 {
			t.Errorf("%s does not wait", a.name)
		}
	}
}

func (a *armed) outcome(t *testing.T) outcome {
	t.Helper()
	select {
	case o := <-a.outcomes:
		return o
	case <-time.After(patience):
		t.Fatalf("%s was not answered within %s", a.name, patience)
		return outcome{}
	}
}

// wantNews wants an answer that shows a change with this index.
func (a *armed) wantNews(t *testing.T, index uint64, description string) outcome {
	t.Helper()
	o := a.outcome(t)
	wantMeta(t, o.meta, o.err)
	wantDescription(t, o.answer, a.of, description)
	if o.meta.LastIndex <= a.before.LastIndex || o.meta.LastIndex < index {
		t.Errorf("the index is %d after %d, and the change had %d", o.meta.LastIndex, a.before.LastIndex, index)
	}
	return o
}

func wantDescription(t *testing.T, answer any, of subject, want string) {
	t.Helper()
	got, ok := descriptionIn(answer, of.id)
	if !ok {
		t.Errorf("the answer does not show %s", of.id)
	}
	equal(t, "description", got, want)
}

var waitingRequests = regexp.MustCompile(`(?m)^tessera_waiting_requests (\d+)$`)

// awaitWaiting returns as soon as so many requests wait at the server.
func (e *env) awaitWaiting(t *testing.T, count int) {
	t.Helper()
	deadline := time.Now().Add(patience)
	for {
		waiting := e.waiting(t)
		if waiting == count {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%d requests wait, want %d", waiting, count)
		}
		time.Sleep(5 * time.Millisecond)
	}
}

func (e *env) waiting(t *testing.T) int {
	t.Helper()
	status, text := e.get(t, "/metrics")
	found := waitingRequests.FindSubmatch(text)
	if found == nil {
		t.Fatalf("no count of waiting requests in %d bytes of metrics, status %d", len(text), status)
	}
	count, err := strconv.Atoi(string(found[1]))
	must(t, err, "count of waiting requests")
	return count
}

// get asks for what the client has no method for.
func (e *env) get(t *testing.T, path string) (status int, body []byte) {
	t.Helper()
	request, err := http.NewRequest(http.MethodGet, e.srv.address+path, nil)
	must(t, err, "new request")
	request.Header.Set("X-Consul-Token", e.srv.token)
	response, err := http.DefaultClient.Do(request)
	must(t, err, path)
	defer response.Body.Close()
	body, err = io.ReadAll(response.Body)
	must(t, err, path)
	return response.StatusCode, body
}
