package consulapi

import (
	"maps"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/hashicorp/consul/api"
)

func TestBlockingReads(t *testing.T) {
	eachEngineAlone(t, func(t *testing.T, e *env) {
		for _, read := range blockingReads {
			t.Run("wakes with what it shows and with nothing else: "+read.name, func(t *testing.T) {
				subjects := e.subjects()
				a := wait(t, e, subjects, []blockingRead{read})[0]
				e.strangers(read)
				stillWait(t, a)
				index := a.of.describe(t, "changed")
				o := a.wantNews(t, index, "changed")
				if o.meta.RequestTime < quiet || o.took < quiet {
					t.Errorf("it was answered after %s, by the client's own count %s", o.took, o.meta.RequestTime)
				}
			})
			t.Run("is answered at once when there is news already: "+read.name, func(t *testing.T) {
				subjects := e.subjects()
				of := subjects[read.kind]
				_, before, err := read.ask(e, of, nil)
				wantMeta(t, before, err)
				index := of.describe(t, "changed")
				a := &armed{blockingRead: read, of: of, before: before}
				a.begin(func() (any, *api.QueryMeta, error) { return read.ask(e, of, since(t, before.LastIndex)) })
				a.wantNews(t, index, "changed")
			})
		}
	})
}

func TestBlockingReadsGone(t *testing.T) {
	eachEngineAlone(t, func(t *testing.T, e *env) {
		subjects := e.subjects()
		all := wait(t, e, subjects, blockingReads)
		for kind, of := range subjects {
			if kind != aMethod {
				of.remove(t)
			}
		}
		// The last one, since who waits for tokens or rules is told of the end of a method, too.
		subjects[aMethod].remove(t)
		for _, a := range all {
			t.Run("is told of a deletion: "+a.name, func(t *testing.T) {
				o := a.outcome(t)
				if a.goneCode != 0 {
					wantRefusal(t, o.err, a.goneCode, a.goneText)
					return
				}
				wantMeta(t, o.meta, o.err)
				if _, ok := descriptionIn(o.answer, a.of.id); ok {
					t.Error("it still shows what was deleted")
				}
				if o.meta.LastIndex <= a.before.LastIndex {
					t.Errorf("the index is %d after %d", o.meta.LastIndex, a.before.LastIndex)
				}
			})
		}
	})
}

func TestBlockingReadsWithoutNews(t *testing.T) {
	const asked = 300 * time.Millisecond
	eachEngineAlone(t, func(t *testing.T, e *env) {
		all := arm(t, e, e.subjects(), blockingReads, func(last uint64) *api.QueryOptions {
			return &api.QueryOptions{WaitIndex: last, WaitTime: asked}
		})
		for _, a := range all {
			t.Run("answers the same when its time is over: "+a.name, func(t *testing.T) {
				o := a.outcome(t)
				wantMeta(t, o.meta, o.err)
				equal(t, "index", o.meta.LastIndex, a.before.LastIndex)
				wantDescription(t, o.answer, a.of, "for a test")
				// The server's timers count whole milliseconds.
				if least := asked - time.Millisecond; o.took < least || o.meta.RequestTime < least {
					t.Errorf("it was answered after %s, by the client's own count %s", o.took, o.meta.RequestTime)
				}
			})
		}
	})
}

func TestBlockingReadsFromTheFuture(t *testing.T) {
	futures := map[string]func(last uint64) uint64{
		"an index soon to come": func(last uint64) uint64 { return last + 1000 },
		"2^63":                  func(uint64) uint64 { return 1 << 63 },
		"the greatest index":    func(uint64) uint64 { return math.MaxUint64 },
	}
	eachEngineAlone(t, func(t *testing.T, e *env) {
		subjects := e.subjects()
		all := map[string][]*armed{}
		for name, future := range futures {
			all[name] = arm(t, e, subjects, blockingReads, func(last uint64) *api.QueryOptions {
				return &api.QueryOptions{WaitIndex: future(last), WaitTime: 2 * time.Second}
			})
		}
		e.awaitWaiting(t, len(futures)*len(blockingReads))
		indexes := map[kind]uint64{}
		for kind, of := range subjects {
			indexes[kind] = of.describe(t, "changed")
		}
		stillWait(t, slices.Concat(slices.Collect(maps.Values(all))...)...)
		for name, ones := range all {
			for _, a := range ones {
				t.Run("just waits for "+name+", and answers what there is then: "+a.name, func(t *testing.T) {
					a.wantNews(t, indexes[a.kind], "changed")
				})
			}
		}
	})
}

// What is missing is waited for where the client keeps its index: it does not for PolicyRead and TokenRead.
func TestBlockingReadsOfMissing(t *testing.T) {
	eachEngineAlone(t, func(t *testing.T, e *env) {
		for _, test := range []struct {
			name string
			ask  func(name string, q *api.QueryOptions) (string, *api.QueryMeta, error)
			make func(name string) string
		}{
			{
				"PolicyReadByName",
				func(name string, q *api.QueryOptions) (string, *api.QueryMeta, error) {
					policy, meta, err := e.PolicyReadByName(name, q)
					if policy == nil {
						return "", meta, err
					}
					return policy.ID, meta, err
				},
				func(name string) string { return e.policy(func(p *api.ACLPolicy) { p.Name = name }).ID },
			},
			{
				"RoleReadByName",
				func(name string, q *api.QueryOptions) (string, *api.QueryMeta, error) {
					role, meta, err := e.RoleReadByName(name, q)
					if role == nil {
						return "", meta, err
					}
					return role.ID, meta, err
				},
				func(name string) string { return e.role(func(r *api.ACLRole) { r.Name = name }).ID },
			},
		} {
			t.Run(test.name+" waits for a name to come", func(t *testing.T) {
				name := unique("to-come")
				id, before, err := test.ask(name, nil)
				wantMeta(t, before, err)
				equal(t, "ID before", id, "")
				a := &armed{blockingRead: blockingRead{name: test.name}, before: before}
				a.begin(func() (any, *api.QueryMeta, error) { return test.ask(name, since(t, before.LastIndex)) })
				e.awaitWaiting(t, 1)
				test.make(unique("another"))
				stillWait(t, a)
				made := test.make(name)
				o := a.outcome(t)
				wantMeta(t, o.meta, o.err)
				equal(t, "ID", o.answer, any(made))
				if o.meta.LastIndex <= before.LastIndex {
					t.Errorf("the index is %d after %d", o.meta.LastIndex, before.LastIndex)
				}
			})
			t.Run(test.name+" is nil when the time is over", func(t *testing.T) {
				name := unique("missing")
				_, before, err := test.ask(name, nil)
				wantMeta(t, before, err)
				id, meta, err := test.ask(name, &api.QueryOptions{WaitIndex: before.LastIndex, WaitTime: 100 * time.Millisecond})
				wantMeta(t, meta, err)
				equal(t, "ID", id, "")
				equal(t, "index", meta.LastIndex, before.LastIndex)
			})
		}
	})
}

// An expanded token shows what it is given, not only its own fields.
func TestBlockingExpanded(t *testing.T) {
	eachEngineAlone(t, func(t *testing.T, e *env) {
		policy, role := e.policy(), e.role()
		token := e.token()
		_, before, err := e.TokenReadExpanded(token.AccessorID, nil)
		wantMeta(t, before, err)
		a := &armed{blockingRead: blockingRead{name: "TokenReadExpanded"}, before: before}
		a.begin(func() (any, *api.QueryMeta, error) {
			return e.TokenReadExpanded(token.AccessorID, since(t, before.LastIndex))
		})
		e.awaitWaiting(t, 1)
		token.Policies, token.Roles = links(policy.ID), links(role.ID)
		_, _, err = e.TokenUpdate(token, nil)
		must(t, err, "update token")
		o := a.outcome(t)
		wantMeta(t, o.meta, o.err)
		expanded := o.answer.(*api.ACLTokenExpanded)
		if !slices.ContainsFunc(expanded.ExpandedPolicies, func(p api.ACLPolicy) bool { return p.ID == policy.ID }) {
			t.Error("the new policy is not shown")
		}
		same(t, "roles", expanded.ExpandedRoles, []api.ACLRole{*role})
	})
}
