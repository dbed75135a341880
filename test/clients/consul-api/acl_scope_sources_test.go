package consulapi

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/hashicorp/consul/api"
)

// A source is one of the ways in which a client says where it wants to work, in order of precedence.
type source int

const (
	byBody source = iota
	byOptions
	byHeader
	byToken
	sources
)

// A naming is which sources name a place, each another one.
type naming struct {
	of map[source]string
	on func(source) bool
}

func (n naming) name(s source) string {
	if n.on(s) {
		return n.of[s]
	}
	return ""
}

// first is the name that counts.
func (n naming) first(all ...source) string {
	for _, s := range all {
		if name := n.name(s); name != "" {
			return name
		}
	}
	return "default"
}

func (n naming) String() string {
	said := []string{}
	for s, name := range []string{"body", "options", "header", "token"} {
		if n.on(source(s)) {
			said = append(said, name)
		}
	}
	if len(said) == 0 {
		return "nothing"
	}
	return strings.Join(said, ", ")
}

// eachNaming is every combination of sources.
func eachNaming(t *testing.T, of map[source]string, test func(t *testing.T, n naming)) {
	t.Helper()
	for bits := range 1 << sources {
		n := naming{of, func(s source) bool { return bits&(1<<s) != 0 }}
		t.Run(n.String(), func(t *testing.T) { test(t, n) })
	}
}

// withHeader is the client of a token, which sends a header too when it has a value.
func (e *env) withHeader(secretID, name, value string) *env {
	e.t.Helper()
	client := e.as(secretID)
	if value != "" {
		client.client.SetHeaders(http.Header{name: {value}})
		client.client.AddHeader("X-Consul-Token", secretID)
	}
	return client
}

// creates are the methods that make an object of access control, and where it lies then.
func creates(e *env, body place, options *api.WriteOptions) map[string]func() (place, error) {
	return map[string]func() (place, error){
		"PolicyCreate": func() (place, error) {
			sent := &api.ACLPolicy{Name: unique("policy")}
			body.policy(sent)
			made, _, err := e.PolicyCreate(sent, options)
			if err != nil {
				return place{}, err
			}
			return place{made.Namespace, made.Partition}, nil
		},
		"RoleCreate": func() (place, error) {
			sent := &api.ACLRole{Name: unique("role")}
			body.role(sent)
			made, _, err := e.RoleCreate(sent, options)
			if err != nil {
				return place{}, err
			}
			return place{made.Namespace, made.Partition}, nil
		},
		"TokenCreate": func() (place, error) {
			sent := &api.ACLToken{}
			body.token(sent)
			made, _, err := e.TokenCreate(sent, options)
			if err != nil {
				return place{}, err
			}
			return place{made.Namespace, made.Partition}, nil
		},
		"AuthMethodCreate": func() (place, error) {
			sent := &api.ACLAuthMethod{Name: unique("method"), Type: "jwt", Config: sparse(staticConfig().RenderToConfig())}
			body.method(sent)
			made, _, err := e.AuthMethodCreate(sent, options)
			if err != nil {
				return place{}, err
			}
			rule := &api.ACLBindingRule{AuthMethod: made.Name, BindType: toService, BindName: "web", Namespace: body.namespace, Partition: body.partition}
			// Of a method elsewhere there is no rule, so this one lies where its method does.
			written, _, err := e.BindingRuleCreate(rule, options)
			if err != nil {
				return place{}, err
			}
			return place{written.Namespace, written.Partition}, nil
		},
	}
}

func TestNamespaceSources(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		// A token has rights outside of its namespace by the defaults of that only.
		everywhere := e.policy(ruled(`acl = "write" namespace_prefix "" { acl = "write" }`))
		own := e.namespace(func(n *api.Namespace) { n.ACLs = defaults(links(everywhere.ID), nil) }).Name
		tenant := e.token(place{own, "default"}.token)
		of := map[source]string{byBody: e.namespace().Name, byOptions: e.namespace().Name, byHeader: e.namespace().Name, byToken: own}
		for _, header := range []string{"X-Service-Namespace", "X-Consul-Namespace"} {
			t.Run("body, options, header and token count in this order: "+header, func(t *testing.T) {
				eachNaming(t, of, func(t *testing.T, n naming) {
					secret := e.srv.token
					if n.on(byToken) {
						secret = tenant.SecretID
					}
					client := e.withHeader(secret, header, n.name(byHeader))
					for name, create := range creates(client, place{n.name(byBody), ""}, &api.WriteOptions{Namespace: n.name(byOptions)}) {
						at, err := create()
						must(t, err, name)
						equal(t, name, at, place{n.first(byBody, byOptions, byHeader, byToken), "default"})
					}
					if n.on(byBody) {
						return
					}
					want := n.first(byOptions, byHeader, byToken)
					list, _, err := client.PolicyList(&api.QueryOptions{Namespace: n.name(byOptions)})
					must(t, err, "list policies")
					for _, entry := range list {
						equal(t, "namespace of an entry", entry.Namespace, want)
					}
				})
			})
		}
		t.Run("Config.Namespace counts like options, which win over it", func(t *testing.T) {
			client, err := api.NewClient(&api.Config{Address: e.srv.address, Token: e.srv.token, Namespace: of[byHeader]})
			must(t, err, "new client")
			policy, _, err := client.ACL().PolicyCreate(&api.ACLPolicy{Name: unique("policy")}, nil)
			must(t, err, "create")
			equal(t, "by the configuration", policy.Namespace, of[byHeader])
			policy, _, err = client.ACL().PolicyCreate(&api.ACLPolicy{Name: unique("policy")}, &api.WriteOptions{Namespace: of[byOptions]})
			must(t, err, "create")
			equal(t, "by options", policy.Namespace, of[byOptions])
			read, _, err := client.ACL().PolicyRead(policy.ID, &api.QueryOptions{Namespace: of[byOptions]})
			must(t, err, "read")
			same(t, "read", read, policy)
		})
		t.Run("a token works in its own namespace without naming it", func(t *testing.T) {
			client := e.as(tenant.SecretID)
			policy, _, err := client.PolicyCreate(&api.ACLPolicy{Name: unique("policy")}, nil)
			must(t, err, "create")
			same(t, "place", place{policy.Namespace, policy.Partition}, place{own, "default"})
			read, _, err := client.PolicyRead(policy.ID, nil)
			must(t, err, "read")
			same(t, "read", read, policy)
			_, _, err = e.PolicyRead(policy.ID, nil)
			wantRefusal(t, err, 404, "Requested policy does not exist: ACL not found")
		})
		t.Run("where another partition is named, the token's namespace does not count", func(t *testing.T) {
			partition := e.partition().Name
			_, _, err := e.as(tenant.SecretID).PolicyList(&api.QueryOptions{Partition: partition})
			wantRefusal(t, err, 403, lacksText(tenant, "acl:read")+fmt.Sprintf(" in partition %q", partition))
		})
	})
}

func TestPartitionSources(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		own := e.partition().Name
		tenant := e.token(place{"default", own}.token, func(t *api.ACLToken) { t.Policies = linksTo("namespace-management") })
		of := map[source]string{byBody: e.partition().Name, byOptions: e.partition().Name, byHeader: e.partition().Name, byToken: own}
		for _, header := range []string{"X-Service-Partition", "X-Consul-Partition"} {
			t.Run("body, options, header and token count in this order: "+header, func(t *testing.T) {
				eachNaming(t, of, func(t *testing.T, n naming) {
					want := n.first(byBody, byOptions, byHeader, byToken)
					secret := e.srv.token
					if n.on(byToken) {
						secret = tenant.SecretID
					}
					client := e.withHeader(secret, header, n.name(byHeader))
					for name, create := range creates(client, place{"", n.name(byBody)}, &api.WriteOptions{Partition: n.name(byOptions)}) {
						at, err := create()
						if n.on(byToken) && want != own {
							wantRefusal(t, err, 403, lacksText(tenant, "acl:write")+fmt.Sprintf(" in partition %q", want))
							continue
						}
						must(t, err, name)
						equal(t, name, at, place{"default", want})
					}
				})
			})
		}
		t.Run("Config.Partition counts like options, which win over it", func(t *testing.T) {
			client, err := api.NewClient(&api.Config{Address: e.srv.address, Token: e.srv.token, Partition: of[byHeader]})
			must(t, err, "new client")
			role, _, err := client.ACL().RoleCreate(&api.ACLRole{Name: unique("role")}, nil)
			must(t, err, "create")
			equal(t, "by the configuration", role.Partition, of[byHeader])
			namespace, _, err := client.Namespaces().Create(&api.Namespace{Name: unique("ns")}, nil)
			must(t, err, "create namespace")
			equal(t, "namespace by the configuration", namespace.Partition, of[byHeader])
			role, _, err = client.ACL().RoleCreate(&api.ACLRole{Name: unique("role")}, &api.WriteOptions{Partition: of[byOptions]})
			must(t, err, "create")
			equal(t, "by options", role.Partition, of[byOptions])
		})
		t.Run("a namespace lies in the partition of its body, then of the options, then of the token", func(t *testing.T) {
			made, _, err := e.client.Namespaces().Create(&api.Namespace{Name: unique("ns"), Partition: of[byBody]}, &api.WriteOptions{Partition: of[byOptions]})
			must(t, err, "create")
			equal(t, "by body", made.Partition, of[byBody])
			same(t, "read", e.readNamespace(t, place{made.Name, of[byBody]}), made)
			if got := e.readNamespace(t, place{made.Name, of[byOptions]}); got != nil {
				t.Errorf("it is there too: %v", got)
			}
			made, _, err = e.client.Namespaces().Create(&api.Namespace{Name: unique("ns")}, &api.WriteOptions{Partition: of[byOptions]})
			must(t, err, "create")
			equal(t, "by options", made.Partition, of[byOptions])
			read, _, err := e.as(tenant.SecretID).client.Namespaces().Read("default", nil)
			must(t, err, "read")
			equal(t, "by token", read.Partition, own)
		})
		t.Run("both from the configuration", func(t *testing.T) {
			at := place{e.namespace(func(n *api.Namespace) { n.Partition = own }).Name, own}
			client, err := api.NewClient(&api.Config{Address: e.srv.address, Token: e.srv.token, Namespace: at.namespace, Partition: at.partition})
			must(t, err, "new client")
			for name, create := range creates(&env{ACL: client.ACL()}, place{}, nil) {
				got, err := create()
				must(t, err, name)
				equal(t, name, got, at)
			}
		})
	})
}
