package consulapi

import (
	"testing"

	"github.com/hashicorp/consul/api"
)

// Indexes count per namespace: who waits in one is not woken by another.
func TestBlockingElsewhere(t *testing.T) {
	eachEngineAlone(t, func(t *testing.T, e *env) {
		places := map[string]place{"a namespace": e.newPlace(), "another partition": {"default", e.partition().Name}}
		for where, at := range places {
			elsewhere := e.newPlace()
			for _, test := range []struct {
				name string
				ask  func(q *api.QueryOptions) (int, *api.QueryMeta, error)
				make func(at place)
			}{
				{"PolicyList", func(q *api.QueryOptions) (int, *api.QueryMeta, error) {
					list, meta, err := e.PolicyList(q)
					return len(list), meta, err
				}, func(at place) { e.policy(at.policy) }},
				{"RoleList", func(q *api.QueryOptions) (int, *api.QueryMeta, error) {
					list, meta, err := e.RoleList(q)
					return len(list), meta, err
				}, func(at place) { e.role(at.role) }},
				{"TokenList", func(q *api.QueryOptions) (int, *api.QueryMeta, error) {
					list, meta, err := e.TokenList(q)
					return len(list), meta, err
				}, func(at place) { e.token(at.token) }},
			} {
				for name, asked := range map[string]place{"of the namespace": at, "of all namespaces": {"*", at.partition}} {
					t.Run("wakes with what it shows and with nothing else: "+test.name+" "+name+", in "+where, func(t *testing.T) {
						count, before, err := test.ask(asked.read())
						wantMeta(t, before, err)
						a := &armed{blockingRead: blockingRead{name: test.name}, before: before}
						a.begin(func() (any, *api.QueryMeta, error) {
							waiting := since(t, before.LastIndex)
							waiting.Namespace, waiting.Partition = asked.namespace, asked.partition
							return test.ask(waiting)
						})
						e.awaitWaiting(t, 1)
						test.make(place{"default", e.partition().Name})
						if asked == at {
							test.make(elsewhere)
							test.make(defaultPlace)
						}
						stillWait(t, a)
						test.make(at)
						o := a.outcome(t)
						wantMeta(t, o.meta, o.err)
						equal(t, "entries", o.answer, any(count+1))
						if o.meta.LastIndex <= before.LastIndex {
							t.Errorf("the index is %d after %d", o.meta.LastIndex, before.LastIndex)
						}
					})
				}
			}
		}
	})
}

// The own token is where it is, whatever place a client names by its configuration.
func TestBlockingSelfFromElsewhere(t *testing.T) {
	eachEngineAlone(t, func(t *testing.T, e *env) {
		elsewhere := map[string]place{"nothing": {}, "default": defaultPlace, "a namespace": e.newPlace(), "another partition": {"default", e.partition().Name}}
		for where, asked := range elsewhere {
			for from, at := range map[string]place{"of default": defaultPlace, "of a namespace": e.newPlace()} {
				t.Run("a token "+from+" waits for its own change, named with "+where, func(t *testing.T) {
					token := e.token(at.token)
					client := e.as(token.SecretID)
					_, before, err := client.TokenReadSelf(asked.read())
					wantMeta(t, before, err)
					a := &armed{blockingRead: blockingRead{name: "TokenReadSelf"}, before: before}
					a.begin(func() (any, *api.QueryMeta, error) {
						waiting := since(t, before.LastIndex)
						waiting.Namespace, waiting.Partition = asked.namespace, asked.partition
						return client.TokenReadSelf(waiting)
					})
					e.awaitWaiting(t, 1)
					e.token(at.token)
					stillWait(t, a)
					token.Description = "changed"
					changed, _, err := e.TokenUpdate(token, at.write())
					must(t, err, "update")
					o := a.outcome(t)
					wantMeta(t, o.meta, o.err)
					same(t, "self", o.answer, any(changed))
					if o.meta.LastIndex <= before.LastIndex {
						t.Errorf("the index is %d after %d", o.meta.LastIndex, before.LastIndex)
					}
				})
			}
		}
	})
}
