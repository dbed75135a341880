package consulapi

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/hashicorp/consul/api"
)

// A read that waits is answered by the primary, whatever it allows.
func TestBlockingOptions(t *testing.T) {
	eachEngineAlone(t, func(t *testing.T, e *env) {
		for name, options := range map[string]api.QueryOptions{
			"AllowStale":                     {AllowStale: true},
			"RequireConsistent":              {RequireConsistent: true},
			"UseCache":                       {UseCache: true},
			"UseCache and MaxAge":            {UseCache: true, MaxAge: time.Hour, StaleIfError: time.Hour},
			"UseCache and AllowStale":        {UseCache: true, MaxAge: time.Hour, AllowStale: true},
			"UseCache and RequireConsistent": {UseCache: true, MaxAge: time.Hour, RequireConsistent: true},
			"WaitHash":                       {WaitHash: "0123456789abcdef"},
			"namespace and partition":        {Namespace: "default", Partition: "default"},
		} {
			subjects := e.subjects()
			all := arm(t, e, subjects, blockingReads, func(last uint64) *api.QueryOptions {
				waiting := options
				waiting.WaitIndex, waiting.WaitTime = last, longWait
				return waiting.WithContext(t.Context())
			})
			e.awaitWaiting(t, len(all))
			stillWait(t, all...)
			indexes := map[kind]uint64{}
			for kind, of := range subjects {
				indexes[kind] = of.describe(t, "changed")
			}
			for _, a := range all {
				t.Run("waits with "+name+": "+a.name, func(t *testing.T) {
					o := a.wantNews(t, indexes[a.kind], "changed")
					wantUncached(t, o.meta)
				})
			}
		}
	})
}

// Without an index nothing waits, and what may be old holds all the same what the client has written before.
func TestReadsThatDoNotWait(t *testing.T) {
	eachEngineAlone(t, func(t *testing.T, e *env) {
		for name, options := range map[string]*api.QueryOptions{
			"AllowStale":          {AllowStale: true},
			"RequireConsistent":   {RequireConsistent: true},
			"UseCache and MaxAge": {UseCache: true, MaxAge: time.Hour, StaleIfError: time.Hour},
			"WaitTime alone":      {WaitTime: longWait},
			"WaitHash alone":      {WaitHash: "0123456789abcdef", WaitTime: longWait},
		} {
			subjects := e.subjects()
			for _, read := range blockingReads {
				t.Run(name+": "+read.name, func(t *testing.T) {
					of := subjects[read.kind]
					index := of.describe(t, name)
					answer, meta, err := read.ask(e, of, options)
					wantMeta(t, meta, err)
					wantUncached(t, meta)
					wantDescription(t, answer, of, name)
					if meta.LastIndex < index {
						t.Errorf("the index is %d, and the change had %d", meta.LastIndex, index)
					}
				})
			}
		}
	})
}

// wantUncached wants nothing of an agent's cache, and no hash to wait for instead of an index.
func wantUncached(t *testing.T, meta *api.QueryMeta) {
	t.Helper()
	equal(t, "cache hit", meta.CacheHit, false)
	equal(t, "cache age", meta.CacheAge, 0)
	equal(t, "content hash", meta.LastContentHash, "")
}

func TestBlockingRefusals(t *testing.T) {
	eachEngineAlone(t, func(t *testing.T, e *env) {
		subjects := e.subjects()
		all := arm(t, e, subjects, blockingReads, func(last uint64) *api.QueryOptions {
			return &api.QueryOptions{WaitIndex: last, WaitTime: longWait, AllowStale: true, RequireConsistent: true}
		})
		for _, a := range all {
			t.Run("stale and consistent at once: "+a.name, func(t *testing.T) {
				wantRefusal(t, a.outcome(t).err, 400, "Cannot specify ?stale with ?consistent, conflicting semantics.")
			})
		}
	})
}

func TestBlockingCancelled(t *testing.T) {
	eachEngineAlone(t, func(t *testing.T, e *env) {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		all := arm(t, e, e.subjects(), blockingReads, func(last uint64) *api.QueryOptions { return since(t, last).WithContext(ctx) })
		e.awaitWaiting(t, len(all))
		stillWait(t, all...)
		cancel()
		for _, a := range all {
			t.Run("returns to who cancels it: "+a.name, func(t *testing.T) {
				if o := a.outcome(t); !errors.Is(o.err, context.Canceled) {
					t.Errorf("got %v", o.err)
				}
			})
		}
		t.Run("nobody waits at the server any more", func(t *testing.T) { e.awaitWaiting(t, 0) })
	})
}

func TestBlockingDeadline(t *testing.T) {
	eachEngineAlone(t, func(t *testing.T, e *env) {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		all := arm(t, e, e.subjects(), blockingReads, func(last uint64) *api.QueryOptions { return since(t, last).WithContext(ctx) })
		for _, a := range all {
			t.Run("returns at the deadline of its context: "+a.name, func(t *testing.T) {
				if o := a.outcome(t); !errors.Is(o.err, context.DeadlineExceeded) {
					t.Errorf("got %v", o.err)
				}
			})
		}
		t.Run("nobody waits at the server any more", func(t *testing.T) { e.awaitWaiting(t, 0) })
	})
}
