package consulapi

import "testing"

// A subject is what a test changes while reads of it wait.
type subject struct {
	id, name string
	// secret and policy are those of a token: it may read access control.
	secret, policy string
	// describe gives it another description, and returns the index of that change.
	describe func(t *testing.T, text string) uint64
	remove   func(t *testing.T)
}

// subjects makes one of each kind; none has to do with another.
func (e *env) subjects() map[kind]subject {
	if e.in.bystander == nil {
		e.in.bystander = e.method()
	}
	return map[kind]subject{
		aPolicy: e.policySubject(), aRole: e.roleSubject(), aToken: e.tokenSubject(), aMethod: e.methodSubject(), aRule: e.ruleSubject(),
	}
}

func (e *env) policySubject() subject {
	policy := e.policy()
	return subject{
		id: policy.ID, name: policy.Name,
		describe: func(t *testing.T, text string) uint64 {
			t.Helper()
			policy.Description = text
			changed, _, err := e.PolicyUpdate(policy, nil)
			must(t, err, "update policy")
			return changed.ModifyIndex
		},
		remove: func(t *testing.T) {
			t.Helper()
			_, err := e.PolicyDelete(policy.ID, nil)
			must(t, err, "delete policy")
		},
	}
}

func (e *env) roleSubject() subject {
	role := e.role()
	return subject{
		id: role.ID, name: role.Name,
		describe: func(t *testing.T, text string) uint64 {
			t.Helper()
			role.Description = text
			changed, _, err := e.RoleUpdate(role, nil)
			must(t, err, "update role")
			return changed.ModifyIndex
		},
		remove: func(t *testing.T) {
			t.Helper()
			_, err := e.RoleDelete(role.ID, nil)
			must(t, err, "delete role")
		},
	}
}

func (e *env) tokenSubject() subject {
	token := e.tokenWith(`acl = "read"`)
	return subject{
		id: token.AccessorID, secret: token.SecretID, policy: token.Policies[0].ID,
		describe: func(t *testing.T, text string) uint64 {
			t.Helper()
			token.Description = text
			changed, _, err := e.TokenUpdate(token, nil)
			must(t, err, "update token")
			return changed.ModifyIndex
		},
		remove: func(t *testing.T) {
			t.Helper()
			_, err := e.TokenDelete(token.AccessorID, nil)
			must(t, err, "delete token")
		},
	}
}

func (e *env) methodSubject() subject {
	method := e.method()
	return subject{
		id: method.Name, name: method.Name,
		describe: func(t *testing.T, text string) uint64 {
			t.Helper()
			method.Description = text
			changed, _, err := e.AuthMethodUpdate(method, nil)
			must(t, err, "update auth method")
			return changed.ModifyIndex
		},
		remove: func(t *testing.T) {
			t.Helper()
			_, err := e.AuthMethodDelete(method.Name, nil)
			must(t, err, "delete auth method")
		},
	}
}

func (e *env) ruleSubject() subject {
	rule := e.rule(e.method())
	return subject{
		id: rule.ID, name: rule.AuthMethod,
		describe: func(t *testing.T, text string) uint64 {
			t.Helper()
			rule.Description = text
			changed, _, err := e.BindingRuleUpdate(rule, nil)
			must(t, err, "update binding rule")
			return changed.ModifyIndex
		},
		remove: func(t *testing.T) {
			t.Helper()
			_, err := e.BindingRuleDelete(rule.ID, nil)
			must(t, err, "delete binding rule")
		},
	}
}
