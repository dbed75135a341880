package consulapi

import "github.com/hashicorp/consul/api"

type kind string

const (
	aPolicy    kind = "policy"
	aRole      kind = "role"
	aToken     kind = "token"
	aMethod    kind = "auth method"
	aRule      kind = "binding rule"
	aNamespace kind = "namespace"
)

// strangers makes objects that a read does not show: of the other kinds, and for one object another of its own kind.
func (e *env) strangers(read blockingRead) {
	if read.kind != aPolicy || !read.isList {
		e.policy()
	}
	if read.kind != aRole || !read.isList {
		e.role()
	}
	if read.kind != aToken || !read.isList {
		e.token()
	}
	if read.kind != aRule || !read.isList {
		e.rule(e.in.bystander)
	}
	if read.kind != aMethod || !read.isList {
		e.method()
	}
}

// A blockingRead is one of the client's reads that can wait.
type blockingRead struct {
	name   string
	kind   kind
	isList bool
	ask    func(e *env, of subject, q *api.QueryOptions) (any, *api.QueryMeta, error)
	// How it is refused when its subject is deleted; without a code the answer just shows it no more.
	goneCode int
	goneText string
}

var blockingReads = []blockingRead{
	{
		name: "PolicyRead", kind: aPolicy, goneCode: 404, goneText: "Requested policy does not exist: ACL not found",
		ask: func(e *env, of subject, q *api.QueryOptions) (any, *api.QueryMeta, error) {
			return e.PolicyRead(of.id, q)
		},
	},
	{
		name: "PolicyReadByName", kind: aPolicy,
		ask: func(e *env, of subject, q *api.QueryOptions) (any, *api.QueryMeta, error) {
			return e.PolicyReadByName(of.name, q)
		},
	},
	{
		name: "PolicyList", kind: aPolicy, isList: true,
		ask: func(e *env, _ subject, q *api.QueryOptions) (any, *api.QueryMeta, error) { return e.PolicyList(q) },
	},
	{
		name: "RoleRead", kind: aRole,
		ask: func(e *env, of subject, q *api.QueryOptions) (any, *api.QueryMeta, error) {
			return e.RoleRead(of.id, q)
		},
	},
	{
		name: "RoleReadByName", kind: aRole,
		ask: func(e *env, of subject, q *api.QueryOptions) (any, *api.QueryMeta, error) {
			return e.RoleReadByName(of.name, q)
		},
	},
	{
		name: "RoleList", kind: aRole, isList: true,
		ask: func(e *env, _ subject, q *api.QueryOptions) (any, *api.QueryMeta, error) { return e.RoleList(q) },
	},
	{
		name: "TokenRead", kind: aToken, goneCode: 404, goneText: "token does not exist: ACL not found",
		ask: func(e *env, of subject, q *api.QueryOptions) (any, *api.QueryMeta, error) {
			return e.TokenRead(of.id, q)
		},
	},
	{
		name: "TokenReadExpanded", kind: aToken, goneCode: 404, goneText: "token does not exist: ACL not found",
		ask: func(e *env, of subject, q *api.QueryOptions) (any, *api.QueryMeta, error) {
			return e.TokenReadExpanded(of.id, q)
		},
	},
	{
		name: "TokenReadSelf", kind: aToken, goneCode: 403, goneText: "ACL not found",
		ask: func(e *env, of subject, q *api.QueryOptions) (any, *api.QueryMeta, error) {
			return e.as(of.secret).TokenReadSelf(q)
		},
	},
	{
		name: "TokenList", kind: aToken, isList: true,
		ask: func(e *env, _ subject, q *api.QueryOptions) (any, *api.QueryMeta, error) { return e.TokenList(q) },
	},
	{
		name: "TokenListFiltered", kind: aToken, isList: true,
		ask: func(e *env, of subject, q *api.QueryOptions) (any, *api.QueryMeta, error) {
			return e.TokenListFiltered(api.ACLTokenFilterOptions{Policy: of.policy}, q)
		},
	},
	{
		name: "AuthMethodRead", kind: aMethod,
		ask: func(e *env, of subject, q *api.QueryOptions) (any, *api.QueryMeta, error) {
			return e.AuthMethodRead(of.name, q)
		},
	},
	{
		name: "AuthMethodList", kind: aMethod, isList: true,
		ask: func(e *env, _ subject, q *api.QueryOptions) (any, *api.QueryMeta, error) { return e.AuthMethodList(q) },
	},
	{
		name: "BindingRuleRead", kind: aRule,
		ask: func(e *env, of subject, q *api.QueryOptions) (any, *api.QueryMeta, error) {
			return e.BindingRuleRead(of.id, q)
		},
	},
	{
		name: "BindingRuleList", kind: aRule, isList: true,
		ask: func(e *env, _ subject, q *api.QueryOptions) (any, *api.QueryMeta, error) {
			return e.BindingRuleList("", q)
		},
	},
	{
		name: "BindingRuleList of a method", kind: aRule, isList: true,
		ask: func(e *env, of subject, q *api.QueryOptions) (any, *api.QueryMeta, error) {
			return e.BindingRuleList(of.name, q)
		},
	},
}

// descriptionIn is the description of the object with an ID, if the answer of a blockingRead shows that object.
func descriptionIn(answer any, id string) (description string, ok bool) {
	switch shown := answer.(type) {
	case *api.ACLPolicy:
		if shown != nil && shown.ID == id {
			return shown.Description, true
		}
	case *api.ACLRole:
		if shown != nil && shown.ID == id {
			return shown.Description, true
		}
	case *api.ACLToken:
		if shown != nil && shown.AccessorID == id {
			return shown.Description, true
		}
	case *api.ACLTokenExpanded:
		if shown != nil && shown.AccessorID == id {
			return shown.Description, true
		}
	case *api.ACLAuthMethod:
		if shown != nil && shown.Name == id {
			return shown.Description, true
		}
	case *api.ACLBindingRule:
		if shown != nil && shown.ID == id {
			return shown.Description, true
		}
	case []*api.ACLAuthMethodListEntry:
		if entry := find(shown, func(m *api.ACLAuthMethodListEntry) bool { return m.Name == id }); entry != nil {
			return entry.Description, true
		}
	case []*api.ACLBindingRule:
		if entry := find(shown, func(r *api.ACLBindingRule) bool { return r.ID == id }); entry != nil {
			return entry.Description, true
		}
	case *api.Namespace:
		if shown != nil && shown.Name == id {
			return shown.Description, true
		}
	case []*api.Namespace:
		if entry := find(shown, byName(id)); entry != nil {
			return entry.Description, true
		}
	case []*api.ACLPolicyListEntry:
		if entry := find(shown, func(p *api.ACLPolicyListEntry) bool { return p.ID == id }); entry != nil {
			return entry.Description, true
		}
	case []*api.ACLRole:
		if entry := find(shown, func(r *api.ACLRole) bool { return r.ID == id }); entry != nil {
			return entry.Description, true
		}
	case []*api.ACLTokenListEntry:
		if entry := find(shown, func(t *api.ACLTokenListEntry) bool { return t.AccessorID == id }); entry != nil {
			return entry.Description, true
		}
	}
	return "", false
}
