package consulapi

import (
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/consul/api"
)

const (
	toService   = api.BindingRuleBindTypeService
	toNode      = api.BindingRuleBindTypeNode
	toRole      = api.BindingRuleBindTypeRole
	toPolicy    = api.BindingRuleBindTypePolicy
	toTemplated = api.BindingRuleBindTypeTemplatedPolicy
)

// bindsTemplated is a rule for a templated policy; without a name its variables are left out.
func bindsTemplated(template, name string) func(*api.ACLBindingRule) {
	return func(r *api.ACLBindingRule) {
		r.BindType, r.BindName = toTemplated, template
		if name != "" {
			r.BindVars = &api.ACLTemplatedPolicyVariables{Name: name}
		}
	}
}

// writtenRule is what reads must answer: what was sent, with what the server made of its own.
func writtenRule(t *testing.T, sent, made *api.ACLBindingRule) *api.ACLBindingRule {
	t.Helper()
	equal(t, "length of the ID", len(made.ID), 36)
	want := *sent
	want.ID, want.CreateIndex, want.ModifyIndex = made.ID, made.CreateIndex, made.ModifyIndex
	if want.Namespace == "" {
		want.Namespace, want.Partition = "default", "default"
	}
	return &want
}

func ruleIDs(list []*api.ACLBindingRule) []string {
	return names(list, func(r *api.ACLBindingRule) string { return r.ID })
}

func TestBindingRules(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		method := e.method()
		for name, change := range map[string]func(*api.ACLBindingRule){
			"service":                              binds(toService, "web", ""),
			"service, computed":                    binds(toService, "${value.team}-${value.name}", `value.team == "a" and "admins" in list.groups`),
			"node":                                 binds(toNode, "node-${value.name}", `value.name matches "^n-[0-9]+$"`),
			"role":                                 binds(toRole, "Role_${value.name}", `value["team"] != "" and list.groups is not empty`),
			"a role that is not there":             binds(toRole, unique("nothing"), ""),
			"policy":                               binds(toPolicy, "read-${value.team}", `not ("guests" in list.groups)`),
			"templated policy":                     bindsTemplated("builtin/service", "${value.name}"),
			"templated policy with a literal name": bindsTemplated("builtin/node", "node-1"),
			"templated policy without variables":   bindsTemplated("builtin/dns", ""),
			"special characters": func(r *api.ACLBindingRule) {
				r.Description, r.Selector = "<b> & \"more\" 日本語", "value.team == `<&>` or value.team == \"\\u65e5\""
			},
		} {
			t.Run("reads back deeply equal: "+name, func(t *testing.T) {
				sent := &api.ACLBindingRule{AuthMethod: method.Name, Description: "sent", BindType: toService, BindName: "web"}
				change(sent)
				made, _, err := e.BindingRuleCreate(sent, nil)
				must(t, err, "create")
				want := writtenRule(t, sent, made)
				same(t, "created", made, want)
				read, meta, err := e.BindingRuleRead(made.ID, nil)
				wantMeta(t, meta, err)
				same(t, "read", read, want)
				read, _, err = e.BindingRuleRead(strings.ToUpper(made.ID), nil)
				must(t, err, "read")
				same(t, "read by an ID in capitals", read, want)
				for _, filter := range []string{"", method.Name, strings.ToUpper(method.Name)} {
					list, meta, err := e.BindingRuleList(filter, nil)
					wantMeta(t, meta, err)
					same(t, "list entry", find(list, func(r *api.ACLBindingRule) bool { return r.ID == made.ID }), want)
				}
				again, _, err := e.BindingRuleUpdate(read, nil)
				must(t, err, "write back what was read")
				want.ModifyIndex = again.ModifyIndex
				same(t, "written back", again, want)
				_, err = e.BindingRuleDelete(made.ID, nil)
				must(t, err, "delete")
				gone, meta, err := e.BindingRuleRead(made.ID, nil)
				wantMeta(t, meta, err)
				if gone != nil {
					t.Errorf("after the delete: %v", gone)
				}
				_, err = e.BindingRuleDelete(made.ID, nil)
				wantRefusal(t, err, 404, "Cannot find binding rule to delete")
			})
		}
		t.Run("an update replaces every field, and keeps the auth method when it names none", func(t *testing.T) {
			rule := e.rule(method, bindsTemplated("builtin/service", "${value.name}"), func(r *api.ACLBindingRule) { r.Selector = `value.team == "a"` })
			update := &api.ACLBindingRule{ID: rule.ID, BindType: toNode, BindName: "n"}
			changed, _, err := e.BindingRuleUpdate(update, nil)
			must(t, err, "update")
			want := writtenRule(t, update, changed)
			want.AuthMethod, want.CreateIndex = method.Name, rule.CreateIndex
			same(t, "updated", changed, want)
			read, _, err := e.BindingRuleRead(rule.ID, nil)
			must(t, err, "read")
			same(t, "read", read, changed)
		})
		t.Run("the name of the method may be in any case on create", func(t *testing.T) {
			made, _, err := e.BindingRuleCreate(&api.ACLBindingRule{AuthMethod: strings.ToUpper(method.Name), BindType: toService, BindName: "web"}, nil)
			must(t, err, "create")
			list, _, err := e.BindingRuleList(method.Name, nil)
			must(t, err, "list")
			if !slices.Contains(ruleIDs(list), made.ID) {
				t.Error("it is not a rule of that method")
			}
		})
		t.Run("rules that say the same are two rules, and lists are in order of IDs", func(t *testing.T) {
			own, other := e.method(), e.method()
			var want []string
			for range 5 {
				want = append(want, e.rule(own).ID)
			}
			stranger := e.rule(other)
			slices.Sort(want)
			list, meta, err := e.BindingRuleList(own.Name, nil)
			wantMeta(t, meta, err)
			same(t, "rules of the method", ruleIDs(list), want)
			all, meta, err := e.BindingRuleList("", nil)
			wantMeta(t, meta, err)
			shown := ruleIDs(all)
			if !slices.IsSorted(shown) || !slices.Contains(shown, stranger.ID) || !slices.Contains(shown, want[0]) {
				t.Errorf("all rules are %v", shown)
			}
		})
		t.Run("rules of a method that is not there are none", func(t *testing.T) {
			list, meta, err := e.BindingRuleList("nothing", nil)
			wantMeta(t, meta, err)
			same(t, "list", list, []*api.ACLBindingRule{})
		})
		t.Run("rules go with their method", func(t *testing.T) {
			gone, kept := e.method(), e.method()
			rule, other := e.rule(gone), e.rule(kept)
			_, err := e.AuthMethodDelete(gone.Name, nil)
			must(t, err, "delete method")
			read, _, err := e.BindingRuleRead(rule.ID, nil)
			must(t, err, "read")
			if read != nil {
				t.Errorf("got %v", read)
			}
			read, _, err = e.BindingRuleRead(other.ID, nil)
			must(t, err, "read")
			same(t, "rule of another method", read, other)
			_, _, err = e.AuthMethodCreate(&api.ACLAuthMethod{Name: gone.Name, Type: "jwt", Config: gone.Config}, nil)
			must(t, err, "create method again")
			list, _, err := e.BindingRuleList(gone.Name, nil)
			must(t, err, "list")
			same(t, "rules of the new one", list, []*api.ACLBindingRule{})
		})
	})
}
