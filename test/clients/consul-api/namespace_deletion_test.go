package consulapi

import (
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/hashicorp/consul/api"
)

// manyTokens makes so many tokens in a place that their deletion takes its time.
func (e *env) manyTokens(at place, count int) []*api.ACLToken {
	e.t.Helper()
	const clients = 8
	tokens, errs := make([]*api.ACLToken, count), make([]error, clients)
	var all sync.WaitGroup
	for first := range clients {
		all.Go(func() {
			for i := first; i < count && errs[first] == nil; i += clients {
				tokens[i], _, errs[first] = e.TokenCreate(&api.ACLToken{}, at.write())
			}
		})
	}
	all.Wait()
	must(e.t, errors.Join(errs...), "create tokens")
	return tokens
}

// A tenant is what lies in a place: one of each kind that a deletion has to find, linked to each other.
type tenant struct {
	place
	policy *api.ACLPolicy
	role   *api.ACLRole
	token  *api.ACLToken
	method *api.ACLAuthMethod
	rule   *api.ACLBindingRule
	// login is a token that the method made.
	login *api.ACLToken
}

// ids are those of all that it has.
func (of tenant) ids() []string {
	return []string{of.policy.ID, of.role.ID, of.token.AccessorID, of.method.Name, of.rule.ID, of.login.AccessorID}
}

func (e *env) tenant(at place) tenant {
	e.t.Helper()
	policy := e.policy(at.policy, ruled(`acl = "write"`))
	role := e.role(at.role, func(r *api.ACLRole) { r.Policies = links(policy.ID) })
	token := e.token(at.token, func(t *api.ACLToken) { t.Policies, t.Roles = links(policy.ID), links(role.ID) })
	method := e.method(at.method)
	rule := e.rule(method, binds(toRole, role.Name, ""))
	return tenant{at, policy, role, token, method, rule, e.login(method, jwt(e.t, nil))}
}

// wantGone wants that nothing of a tenant is left that anybody could use or read.
func (e *env) wantGone(t *testing.T, of tenant) {
	t.Helper()
	_, _, err := e.as(of.token.SecretID).TokenReadSelf(nil)
	wantRefusal(t, err, 403, "ACL not found")
	_, _, err = e.TokenRead(of.token.AccessorID, of.read())
	wantRefusal(t, err, 404, "token does not exist: ACL not found")
	_, _, err = e.as(of.login.SecretID).TokenReadSelf(nil)
	wantRefusal(t, err, 403, "ACL not found")
	_, err = e.tryLogin(of.method, jwt(t, nil))
	refusal(t, err, 403)
	_, _, err = e.PolicyRead(of.policy.ID, of.read())
	refusal(t, err, 404)
	policy, meta, err := e.PolicyReadByName(of.policy.Name, of.read())
	wantMeta(t, meta, err)
	role, meta, err := e.RoleRead(of.role.ID, of.read())
	wantMeta(t, meta, err)
	method, meta, err := e.AuthMethodRead(of.method.Name, of.read())
	wantMeta(t, meta, err)
	rule, meta, err := e.BindingRuleRead(of.rule.ID, of.read())
	wantMeta(t, meta, err)
	if policy != nil || role != nil || method != nil || rule != nil {
		t.Errorf("left are %v, %v, %v and %v", policy, role, method, rule)
	}
	methods, meta, err := e.AuthMethodList(of.read())
	wantMeta(t, meta, err)
	same(t, "auth methods", methods, []*api.ACLAuthMethodListEntry{})
	rules, meta, err := e.BindingRuleList("", of.read())
	wantMeta(t, meta, err)
	same(t, "binding rules", rules, []*api.ACLBindingRule{})
	tokens, meta, err := e.TokenList(of.read())
	wantMeta(t, meta, err)
	same(t, "tokens", tokens, []*api.ACLTokenListEntry{})
	roles, meta, err := e.RoleList(of.read())
	wantMeta(t, meta, err)
	same(t, "roles", roles, []*api.ACLRole{})
}

// awaitEnd follows the reads of what is being deleted until it is gone. All of them show the same.
func awaitEnd[T any](t *testing.T, read func() *T, want *T) {
	t.Helper()
	for deadline := time.Now().Add(patience); ; time.Sleep(time.Millisecond) {
		got := read()
		if got == nil {
			return
		}
		same(t, "while it is deleted", got, want)
		if time.Now().After(deadline) || t.Failed() {
			t.Fatalf("it is still there, or changed, after %s", patience)
		}
	}
}

func TestNamespaceDeletion(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		namespaces := e.client.Namespaces()
		policy := e.policy()
		made := e.namespace(func(n *api.Namespace) {
			n.ACLs, n.Meta = defaults(links(policy.ID), nil), map[string]string{"owner": "me"}
		})
		at := place{made.Name, "default"}
		of := e.tenant(at)
		e.manyTokens(at, 500)
		bystander := e.tenant(e.newPlace())
		before := time.Now().Add(-time.Second)

		meta, err := namespaces.Delete(made.Name, nil)
		must(t, err, "delete")
		if meta.RequestTime <= 0 {
			t.Errorf("request time is %s", meta.RequestTime)
		}
		marked := e.readNamespace(t, at)
		t.Run("it is read with the time of its mark until it is gone, then nil", func(t *testing.T) {
			if marked == nil || marked.DeletedAt == nil {
				t.Fatalf("got %v", marked)
			}
			if at := *marked.DeletedAt; at.Before(before) || at.After(time.Now().Add(time.Second)) {
				t.Errorf("it was marked at %s", at)
			}
			want := *made
			want.DeletedAt, want.ModifyIndex = marked.DeletedAt, marked.ModifyIndex
			same(t, "marked", marked, &want)
			if marked.ModifyIndex <= made.ModifyIndex {
				t.Errorf("the ModifyIndex is %d after %d", marked.ModifyIndex, made.ModifyIndex)
			}
			_, _, err := e.as(of.token.SecretID).TokenReadSelf(nil)
			wantRefusal(t, err, 403, "ACL not found")
			_, _, err = e.as(of.token.SecretID).PolicyList(at.read())
			wantRefusal(t, err, 403, "ACL not found")
			awaitEnd(t, func() *api.Namespace { return e.readNamespace(t, at) }, marked)
			list, _, err := namespaces.List(nil)
			must(t, err, "list")
			if entry := find(list, byName(made.Name)); entry != nil {
				t.Errorf("the list shows %v", entry)
			}
		})
		t.Run("nothing of it is left", func(t *testing.T) {
			e.wantGone(t, of)
			policies, meta, err := e.PolicyList(at.read())
			wantMeta(t, meta, err)
			same(t, "policies", policies, []*api.ACLPolicyListEntry{})
			_, err = namespaces.Delete(made.Name, nil)
			refusal(t, err, 404)
			_, _, err = e.TokenCreate(&api.ACLToken{}, at.write())
			wantRefusal(t, err, 400, `Namespace "`+made.Name+`" does not exist`)
		})
		t.Run("incident 13: the name is free again, and no old credential works", func(t *testing.T) {
			again, _, err := namespaces.Create(&api.Namespace{Name: made.Name}, nil)
			must(t, err, "create again")
			same(t, "created again", again, &api.Namespace{Name: made.Name, Partition: "default", CreateIndex: again.CreateIndex, ModifyIndex: again.CreateIndex})
			if again.CreateIndex <= marked.ModifyIndex {
				t.Errorf("the CreateIndex is %d after %d", again.CreateIndex, marked.ModifyIndex)
			}
			e.wantGone(t, of)
			policies, _, err := e.PolicyList(at.read())
			must(t, err, "list policies")
			equal(t, "policies", len(policies), 1)
			e.tenant(at)
		})
		t.Run("what lies elsewhere is as it was", func(t *testing.T) {
			self, _, err := e.as(bystander.token.SecretID).TokenReadSelf(nil)
			must(t, err, "self")
			same(t, "token", self, bystander.token)
			kept, _, err := e.PolicyRead(policy.ID, nil)
			must(t, err, "read policy")
			same(t, "the policy that was a default", kept, policy)
		})
	})
}

// The end may come while a test still asks, and then its answers prove nothing: it is tried with another place.
func whileMarked(t *testing.T, attempt func() (isMarked bool, judge func())) {
	t.Helper()
	for range 10 {
		if isMarked, judge := attempt(); isMarked {
			judge()
			return
		}
	}
	t.Fatal("every deletion was over before it could be asked about")
}

func TestNamespaceMarked(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		namespaces := e.client.Namespaces()
		refused := map[string]func(of tenant) error{
			"Namespaces().Create": func(of tenant) error {
				_, _, err := namespaces.Create(&api.Namespace{Name: of.namespace}, nil)
				return err
			},
			"Namespaces().Update": func(of tenant) error {
				_, _, err := namespaces.Update(&api.Namespace{Name: of.namespace, Description: "alive"}, nil)
				return err
			},
			"PolicyCreate": func(of tenant) error {
				_, _, err := e.PolicyCreate(&api.ACLPolicy{Name: unique("policy")}, of.write())
				return err
			},
			"PolicyUpdate": func(of tenant) error { _, _, err := e.PolicyUpdate(of.policy, nil); return err },
			"RoleCreate": func(of tenant) error {
				_, _, err := e.RoleCreate(&api.ACLRole{Name: unique("role")}, of.write())
				return err
			},
			"RoleUpdate":  func(of tenant) error { _, _, err := e.RoleUpdate(of.role, nil); return err },
			"TokenCreate": func(of tenant) error { _, _, err := e.TokenCreate(&api.ACLToken{}, of.write()); return err },
			"TokenUpdate": func(of tenant) error { _, _, err := e.TokenUpdate(of.token, nil); return err },
			"TokenClone":  func(of tenant) error { _, _, err := e.TokenClone(of.token.AccessorID, "", of.write()); return err },
			"AuthMethodCreate": func(of tenant) error {
				_, _, err := e.AuthMethodCreate(&api.ACLAuthMethod{Name: unique("method"), Type: "jwt", Config: of.method.Config}, of.write())
				return err
			},
			"AuthMethodUpdate":  func(of tenant) error { _, _, err := e.AuthMethodUpdate(of.method, nil); return err },
			"BindingRuleUpdate": func(of tenant) error { _, _, err := e.BindingRuleUpdate(of.rule, nil); return err },
		}
		deleted := map[string]func(of tenant) error{
			"PolicyDelete":      func(of tenant) error { _, err := e.PolicyDelete(of.policy.ID, of.write()); return err },
			"RoleDelete":        func(of tenant) error { _, err := e.RoleDelete(of.role.ID, of.write()); return err },
			"TokenDelete":       func(of tenant) error { _, err := e.TokenDelete(of.token.AccessorID, of.write()); return err },
			"AuthMethodDelete":  func(of tenant) error { _, err := e.AuthMethodDelete(of.method.Name, of.write()); return err },
			"BindingRuleDelete": func(of tenant) error { _, err := e.BindingRuleDelete(of.rule.ID, of.write()); return err },
		}
		for name, remove := range deleted {
			t.Run("what lies in it may be deleted, or is gone already: "+name, func(t *testing.T) {
				whileMarked(t, func() (bool, func()) {
					of := e.tenant(e.newPlace())
					_, err := namespaces.Delete(of.namespace, nil)
					must(t, err, "delete")
					removed := remove(of)
					after := e.readNamespace(t, of.place)
					return after != nil && after.DeletedAt != nil, func() {
						if removed != nil {
							refusal(t, removed, 404)
						}
					}
				})
			})
		}
		for name, write := range refused {
			t.Run("writes into it are refused in words that name the state: "+name, func(t *testing.T) {
				whileMarked(t, func() (bool, func()) {
					of := e.tenant(e.newPlace())
					_, err := namespaces.Delete(of.namespace, nil)
					must(t, err, "delete")
					written := write(of)
					after := e.readNamespace(t, of.place)
					return after != nil && after.DeletedAt != nil, func() {
						wantRefusal(t, written, 409, `Namespace "`+of.namespace+`" is marked for deletion`)
					}
				})
			})
		}
		t.Run("a second delete changes nothing", func(t *testing.T) {
			whileMarked(t, func() (bool, func()) {
				of := e.tenant(e.newPlace())
				_, err := namespaces.Delete(of.namespace, nil)
				must(t, err, "delete")
				first := e.readNamespace(t, of.place)
				_, again := namespaces.Delete(of.namespace, nil)
				second := e.readNamespace(t, of.place)
				return second != nil, func() {
					must(t, again, "second delete")
					same(t, "after it", second, first)
				}
			})
		})
		t.Run("the list shows it with its mark", func(t *testing.T) {
			whileMarked(t, func() (bool, func()) {
				of := e.tenant(e.newPlace())
				_, err := namespaces.Delete(of.namespace, nil)
				must(t, err, "delete")
				list, _, err := namespaces.List(nil)
				must(t, err, "list")
				marked := e.readNamespace(t, of.place)
				return marked != nil, func() { same(t, "list entry", find(list, byName(of.namespace)), marked) }
			})
		})
	})
}
