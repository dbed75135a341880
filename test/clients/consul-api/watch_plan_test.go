package consulapi

import (
	"context"
	"errors"
	"reflect"
	"sync"
	"testing"
	"time"

	"github.com/hashicorp/consul/api"
	"github.com/hashicorp/consul/api/watch"
)

// A handled is one call of a plan's handler.
type handled struct {
	index  uint64
	result any
}

// A planRun is a plan that the client's own runner executes.
type planRun struct {
	handled chan handled
	// asked are the indexes that the runner asks with.
	asked chan uint64
}

type ask func(*api.QueryOptions) (any, *api.QueryMeta, error)

// runPlan lets the runner of the client's watch package drive a read.
//
// None of the types that the package knows reads what this server has: it knows key, keyprefix, services, nodes, service,
// checks, event, connect_roots, connect_leaf and agent_service, and nothing of access control. So the plan is parsed as
// one of those, which is the only way to get one that can be stopped, and given a Watcher of our own, which asks as theirs
// do. What decides then is the runner: with which index it asks next, and whether its handler is called.
func runPlan(t *testing.T, e *env, waitTime time.Duration, read ask) *planRun {
	t.Helper()
	plan, err := watch.Parse(map[string]any{"type": "key", "key": "none"})
	must(t, err, "parse plan")
	run := &planRun{handled: make(chan handled, 1000), asked: make(chan uint64, 1000)}
	ctx, cancel := context.WithCancel(context.Background())
	plan.Watcher = func(p *watch.Plan) (watch.BlockingParamVal, any, error) {
		q := &api.QueryOptions{WaitIndex: lastIndex(p), WaitTime: waitTime}
		run.asked <- q.WaitIndex
		answer, meta, err := read(q.WithContext(ctx))
		if err != nil {
			return nil, nil, err
		}
		return watch.WaitIndexVal(meta.LastIndex), answer, nil
	}
	plan.Handler = func(index uint64, result any) { run.handled <- handled{index, result} }
	ended := make(chan error, 1)
	go func() { ended <- plan.RunWithClientAndHclog(e.client, nil) }()
	t.Cleanup(func() {
		plan.Stop()
		cancel()
		must(t, <-ended, "run plan")
		// The next test counts who waits.
		e.awaitWaiting(t, 0)
	})
	return run
}

// lastIndex is the index that the runner wants to ask with next. It keeps it where only the watchers of its own package
// look; an index of our own would not be that of the runner.
func lastIndex(plan *watch.Plan) uint64 {
	field := reflect.ValueOf(plan).Elem().FieldByName("lastParamVal")
	if field.IsNil() {
		return 0
	}
	return field.Elem().Uint()
}

// next is the next call of the handler.
func (r *planRun) next(t *testing.T) handled {
	t.Helper()
	select {
	case h := <-r.handled:
		return h
	case <-time.After(patience):
		t.Fatalf("the handler was not called within %s", patience)
		return handled{}
	}
}

// wantSilence wants that the handler is not called for a while.
func (r *planRun) wantSilence(t *testing.T) {
	t.Helper()
	select {
	case h := <-r.handled:
		t.Errorf("the handler was called once more, with the index %d", h.index)
	case <-time.After(quiet):
	}
}

// If a later version knows a type that fits, the tests shall use it.
func TestPlanTypes(t *testing.T) {
	names := []string{
		"acl", "policy", "policies", "role", "roles", "token", "tokens",
		"acl_policy", "acl_policies", "acl_role", "acl_roles", "acl_token", "acl_tokens",
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			_, err := watch.Parse(map[string]any{"type": name})
			if err == nil || err.Error() != "Unsupported watch type: "+name {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestPlans(t *testing.T) {
	eachEngineAlone(t, func(t *testing.T, e *env) {
		for _, read := range blockingReads {
			t.Run("handles what there is, and each change once: "+read.name, func(t *testing.T) {
				of := e.subjects()[read.kind]
				run := runPlan(t, e, longWait, func(q *api.QueryOptions) (any, *api.QueryMeta, error) { return read.ask(e, of, q) })
				last := run.next(t)
				wantDescription(t, last.result, of, "for a test")
				wants := []uint64{0, last.index}
				for _, text := range []string{"one", "two", "three", "four", "five"} {
					e.awaitWaiting(t, 1)
					index := of.describe(t, text)
					got := run.next(t)
					wantDescription(t, got.result, of, text)
					if got.index <= last.index || got.index < index {
						t.Errorf("the handler is told the index %d after %d, and the change had %d", got.index, last.index, index)
					}
					last = got
					wants = append(wants, got.index)
				}
				run.wantSilence(t)
				// One request for each call of the handler and the one that waits: nothing else has woken it.
				equal(t, "requests", len(run.asked), len(wants))
				for _, want := range wants {
					equal(t, "asked with the index", <-run.asked, want)
				}
			})
		}
	})
}

func TestPlanOfUnchangedToken(t *testing.T) {
	eachEngineAlone(t, func(t *testing.T, e *env) {
		t.Run("the end of a wait and changes of others do not call the handler", func(t *testing.T) {
			of := e.tokenSubject()
			own := e.as(of.secret)
			run := runPlan(t, e, quiet/3, func(q *api.QueryOptions) (any, *api.QueryMeta, error) { return own.TokenReadSelf(q) })
			first := run.next(t)
			wantDescription(t, first.result, of, "for a test")
			other := e.token()
			run.wantSilence(t)
			if other.ModifyIndex <= first.index {
				t.Errorf("the other token has the index %d, and the first answer %d", other.ModifyIndex, first.index)
			}
			of.describe(t, "changed")
			wantDescription(t, run.next(t).result, of, "changed")
			run.wantSilence(t)
		})
	})
}

func TestPlanOfManyChanges(t *testing.T) {
	const changes = 50
	eachEngineAlone(t, func(t *testing.T, e *env) {
		t.Run("loses none of many changes at once, and is told of the last", func(t *testing.T) {
			policy := e.policy()
			run := runPlan(t, e, longWait, func(q *api.QueryOptions) (any, *api.QueryMeta, error) { return e.PolicyList(q) })
			first := run.next(t)
			e.awaitWaiting(t, 1)
			var all sync.WaitGroup
			errs := make([]error, changes)
			for i := range changes {
				all.Go(func() { _, _, errs[i] = e.PolicyCreate(&api.ACLPolicy{Name: unique("policy")}, nil) })
			}
			all.Wait()
			must(t, errors.Join(errs...), "create policies")
			_, err := e.PolicyDelete(policy.ID, nil)
			must(t, err, "delete policy")
			want, meta, err := e.PolicyList(nil)
			wantMeta(t, meta, err)
			equal(t, "policies", len(want), len(first.result.([]*api.ACLPolicyListEntry))+changes-1)

			// The index is read before the rows, so the last result may come with the index of a change before. The runner
			// asks once more then, is given the same, and keeps it from the handler.
			for last := first; !reflect.DeepEqual(last.result, any(want)); {
				got := run.next(t)
				if got.index <= last.index || got.index > meta.LastIndex {
					t.Errorf("the handler is told the index %d after %d; the last is %d", got.index, last.index, meta.LastIndex)
				}
				last = got
			}
			for asked := uint64(0); asked < meta.LastIndex; {
				select {
				case asked = <-run.asked:
				case <-time.After(patience):
					t.Fatalf("the runner has not asked with the index %d; the last was %d", meta.LastIndex, asked)
				}
			}
			e.awaitWaiting(t, 1)
			run.wantSilence(t)
		})
	})
}

// As after a restore of an older copy of the database: the runner knows an index that the server has not reached.
func TestPlanAheadOfTheServer(t *testing.T) {
	const ahead = 1_000_000
	eachEngineAlone(t, func(t *testing.T, e *env) {
		t.Run("comes back to the index that the server has", func(t *testing.T) {
			of := e.policySubject()
			isFirst := true
			run := runPlan(t, e, time.Second, func(q *api.QueryOptions) (any, *api.QueryMeta, error) {
				list, meta, err := e.PolicyList(q)
				if isFirst && err == nil {
					isFirst = false
					meta.LastIndex += ahead
				}
				return list, meta, err
			})
			first := run.next(t)
			e.awaitWaiting(t, 1)
			index := of.describe(t, "changed while it waits for the future")
			run.wantSilence(t)
			second := run.next(t)
			wantDescription(t, second.result, of, "changed while it waits for the future")
			equal(t, "index", second.index, index)
			e.awaitWaiting(t, 1)
			index = of.describe(t, "changed again")
			third := run.next(t)
			wantDescription(t, third.result, of, "changed again")
			equal(t, "index", third.index, index)
			for _, want := range []uint64{0, first.index, second.index} {
				equal(t, "asked with the index", <-run.asked, want)
			}
		})
	})
}
