package consulapi

import (
	"testing"
	"time"

	"github.com/hashicorp/consul/api"
)

// namespaceSubject is a namespace of a partition that a test changes while reads of it wait.
func (e *env) namespaceSubject(partition string) subject {
	namespace := e.namespace(func(n *api.Namespace) { n.Partition = partition })
	return subject{
		id: namespace.Name, name: namespace.Name,
		describe: func(t *testing.T, text string) uint64 {
			t.Helper()
			namespace.Description = text
			changed, _, err := e.client.Namespaces().Update(namespace, nil)
			must(t, err, "update namespace")
			return changed.ModifyIndex
		},
		remove: func(t *testing.T) {
			t.Helper()
			_, err := e.client.Namespaces().Delete(namespace.Name, &api.WriteOptions{Partition: partition})
			must(t, err, "delete namespace")
		},
	}
}

// namespaceReads are those of namespaces of a partition.
func namespaceReads(partition string) []blockingRead {
	inside := func(q *api.QueryOptions) *api.QueryOptions {
		if q == nil {
			q = &api.QueryOptions{}
		}
		copied := *q
		copied.Partition = partition
		return copied.WithContext(q.Context())
	}
	return []blockingRead{
		{
			name: "Namespaces().Read", kind: aNamespace,
			ask: func(e *env, of subject, q *api.QueryOptions) (any, *api.QueryMeta, error) {
				return e.client.Namespaces().Read(of.name, inside(q))
			},
		},
		{
			name: "Namespaces().List", kind: aNamespace, isList: true,
			ask: func(e *env, _ subject, q *api.QueryOptions) (any, *api.QueryMeta, error) {
				return e.client.Namespaces().List(inside(q))
			},
		},
	}
}

func TestBlockingNamespaces(t *testing.T) {
	eachEngineAlone(t, func(t *testing.T, e *env) {
		for where, partition := range map[string]string{"the default partition": "default", "another partition": e.partition().Name} {
			for _, read := range namespaceReads(partition) {
				t.Run("wakes with what it shows and with nothing else, in "+where+": "+read.name, func(t *testing.T) {
					subjects := map[kind]subject{aNamespace: e.namespaceSubject(partition)}
					a := wait(t, e, subjects, []blockingRead{read})[0]
					e.policy(place{"default", partition}.policy)
					e.token(place{a.of.name, partition}.token)
					e.namespaceSubject(e.partition().Name)
					if !read.isList {
						e.namespaceSubject(partition)
					}
					stillWait(t, a)
					index := a.of.describe(t, "changed")
					o := a.wantNews(t, index, "changed")
					if o.meta.RequestTime < quiet {
						t.Errorf("it was answered after %s by the client's own count", o.meta.RequestTime)
					}
				})
				t.Run("is answered at once when there is news already, in "+where+": "+read.name, func(t *testing.T) {
					of := e.namespaceSubject(partition)
					_, before, err := read.ask(e, of, nil)
					wantMeta(t, before, err)
					index := of.describe(t, "changed")
					a := &armed{blockingRead: read, of: of, before: before}
					a.begin(func() (any, *api.QueryMeta, error) { return read.ask(e, of, since(t, before.LastIndex)) })
					a.wantNews(t, index, "changed")
				})
				t.Run("answers the same when its time is over, in "+where+": "+read.name, func(t *testing.T) {
					subjects := map[kind]subject{aNamespace: e.namespaceSubject(partition)}
					a := arm(t, e, subjects, []blockingRead{read}, func(last uint64) *api.QueryOptions {
						return &api.QueryOptions{WaitIndex: last, WaitTime: 100 * time.Millisecond}
					})[0]
					o := a.outcome(t)
					wantMeta(t, o.meta, o.err)
					equal(t, "index", o.meta.LastIndex, a.before.LastIndex)
					wantDescription(t, o.answer, a.of, "for a test")
				})
			}
		}
		t.Run("a list wakes for a new one and shows it", func(t *testing.T) {
			a := wait(t, e, map[kind]subject{aNamespace: e.namespaceSubject("default")}, namespaceReads("default")[1:])[0]
			made := e.namespace()
			o := a.wantNews(t, made.ModifyIndex, "for a test")
			same(t, "the new one", find(o.answer.([]*api.Namespace), byName(made.Name)), made)
		})
		t.Run("a missing one is waited for, and is nil when the time is over", func(t *testing.T) {
			name := unique("to-come")
			client := e.client.Namespaces()
			none, before, err := client.Read(name, nil)
			wantMeta(t, before, err)
			if none != nil {
				t.Fatalf("got %v", none)
			}
			a := &armed{blockingRead: blockingRead{name: "Namespaces().Read"}, before: before}
			a.begin(func() (any, *api.QueryMeta, error) { return client.Read(name, since(t, before.LastIndex)) })
			e.awaitWaiting(t, 1)
			e.namespace()
			stillWait(t, a)
			made := e.namespace(func(n *api.Namespace) { n.Name = name })
			o := a.outcome(t)
			wantMeta(t, o.meta, o.err)
			same(t, "the new one", o.answer, any(made))
			if o.meta.LastIndex < made.ModifyIndex {
				t.Errorf("the index is %d, and the change had %d", o.meta.LastIndex, made.ModifyIndex)
			}
			_, before, err = client.Read(unique("missing"), nil)
			wantMeta(t, before, err)
			missing, meta, err := client.Read(unique("missing"), &api.QueryOptions{WaitIndex: before.LastIndex, WaitTime: 100 * time.Millisecond})
			wantMeta(t, meta, err)
			if missing != nil {
				t.Errorf("got %v", missing)
			}
			equal(t, "index", meta.LastIndex, before.LastIndex)
		})
	})
}

// Who waits is told of the mark, and then of the end; each time with a greater index.
func TestBlockingNamespaceDeletion(t *testing.T) {
	eachEngineAlone(t, func(t *testing.T, e *env) {
		for where, partition := range map[string]string{"the default partition": "default", "another partition": e.partition().Name} {
			for _, read := range namespaceReads(partition) {
				t.Run("is told of the end of a namespace, in "+where+": "+read.name, func(t *testing.T) {
					of := e.namespaceSubject(partition)
					e.manyTokens(place{of.name, partition}, 100)
					_, meta, err := read.ask(e, of, nil)
					wantMeta(t, meta, err)
					a := &armed{blockingRead: read, of: of, before: meta}
					ask := func() {
						a.begin(func() (any, *api.QueryMeta, error) { return read.ask(e, of, since(t, a.before.LastIndex)) })
					}
					ask()
					e.awaitWaiting(t, 1)
					of.remove(t)
					var marks []time.Time
					for {
						o := a.outcome(t)
						wantMeta(t, o.meta, o.err)
						if o.meta.LastIndex <= a.before.LastIndex {
							t.Fatalf("the index is %d after %d", o.meta.LastIndex, a.before.LastIndex)
						}
						shown := namespaceIn(o.answer, of.name)
						if shown == nil {
							break
						}
						if shown.DeletedAt == nil {
							t.Fatal("it was woken without the mark")
						}
						marks = append(marks, *shown.DeletedAt)
						a.before = o.meta
						ask()
					}
					if len(marks) != 1 {
						t.Errorf("it was shown with its mark %d times: %v", len(marks), marks)
					}
				})
			}
		}
	})
}

func namespaceIn(answer any, name string) *api.Namespace {
	switch shown := answer.(type) {
	case *api.Namespace:
		return shown
	case []*api.Namespace:
		return find(shown, byName(name))
	}
	return nil
}
