package consulapi

import (
	"fmt"
	"testing"

	"github.com/hashicorp/consul/api"
)

// TokenRead, TokenReadExpanded and TokenReadSelf read the very token that is revoked.
func TestBlockingRevoked(t *testing.T) {
	eachEngineAlone(t, func(t *testing.T, e *env) {
		subjects := e.subjects()
		all := wait(t, e.as(subjects[aToken].secret), subjects, blockingReads)
		stillWait(t, all...)
		subjects[aToken].remove(t)
		for _, a := range all {
			t.Run("is refused when its token is revoked: "+a.name, func(t *testing.T) {
				wantRefusal(t, a.outcome(t).err, 403, "ACL not found")
			})
		}
	})
}

// Rights are asked for again when there is news, so that nobody is shown what they may no longer read.
func TestBlockingRightsLost(t *testing.T) {
	eachEngineAlone(t, func(t *testing.T, e *env) {
		subjects := e.subjects()
		policy := e.policy(ruled(`acl = "read"`))
		reader := e.token(func(t *api.ACLToken) { t.Policies = links(policy.ID) })
		all := wait(t, e.as(reader.SecretID), subjects, blockingReads)
		policy.Rules = ""
		_, _, err := e.PolicyUpdate(policy, nil)
		must(t, err, "update policy")
		for _, of := range subjects {
			of.describe(t, "secret")
		}
		for _, a := range all {
			t.Run("is refused when its token may no longer read: "+a.name, func(t *testing.T) {
				o := a.outcome(t)
				if a.name == "TokenReadSelf" {
					wantMeta(t, o.meta, o.err)
					wantDescription(t, o.answer, a.of, "secret")
					return
				}
				wantRefusal(t, o.err, 403, fmt.Sprintf("Permission denied: token with AccessorID '%s' lacks permission 'acl:read'", reader.AccessorID))
			})
		}
	})
}

func TestManyWaitForOneChange(t *testing.T) {
	const waiters = 200
	eachEngineAlone(t, func(t *testing.T, e *env) {
		// Half of them have other rights, and so another answer than the rest might be given.
		askers := []*env{e, e.as(e.tokenSubject().secret)}
		before, meta, err := e.PolicyList(nil)
		wantMeta(t, meta, err)
		all := make([]*armed, waiters)
		for i := range all {
			asker := askers[i%len(askers)]
			a := &armed{blockingRead: blockingRead{name: fmt.Sprintf("PolicyList %d", i)}, before: meta}
			a.begin(func() (any, *api.QueryMeta, error) { return asker.PolicyList(since(t, meta.LastIndex)) })
			all[i] = a
		}
		e.awaitWaiting(t, waiters)
		stillWait(t, all...)
		a := e.policy()
		after, meta, err := e.PolicyList(nil)
		wantMeta(t, meta, err)
		equal(t, "policies", len(after), len(before)+1)
		want := outcome{answer: after, meta: meta}
		for _, each := range all {
			each.of.id = a.ID
			o := each.wantNews(t, a.ModifyIndex, a.Description)
			same(t, each.name, o.answer, want.answer)
			equal(t, "index", o.meta.LastIndex, want.meta.LastIndex)
		}
		e.awaitWaiting(t, 0)
	})
}
