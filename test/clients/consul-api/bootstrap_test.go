package consulapi

import (
	"fmt"
	"regexp"
	"sync"
	"testing"
	"time"

	"github.com/hashicorp/consul/api"
)

// TestMain has bootstrapped the server by Bootstrap.
func TestBootstrap(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		t.Run("before it a token is told what is missing", func(t *testing.T) {
			wantRefusal(t, e.in.beforeBootstrap, 403, "ACL system must be bootstrapped before making any requests that require authorization: ACL not found")
		})
		t.Run("the token holds the management policy", func(t *testing.T) {
			token := e.in.bootstrapped
			wantHash(t, token.Hash)
			same(t, "token", token, &api.ACLToken{
				AccessorID:  token.AccessorID,
				SecretID:    e.srv.token,
				Description: "Bootstrap Token (Global Management)",
				Policies:    []*api.ACLLink{{ID: managementID, Name: "global-management"}},
				CreateTime:  token.CreateTime,
				CreateIndex: token.CreateIndex,
				ModifyIndex: token.CreateIndex,
				Hash:        token.Hash,
				Namespace:   "default",
				Partition:   "default",
			})
			if age := time.Since(token.CreateTime); age < -time.Minute || age > 15*time.Minute {
				t.Errorf("created at %s", token.CreateTime)
			}
		})
		t.Run("it reads itself back", func(t *testing.T) {
			self, _, err := e.TokenReadSelf(nil)
			must(t, err, "read self")
			same(t, "self", self, e.in.bootstrapped)
			read, _, err := e.TokenRead(self.AccessorID, nil)
			must(t, err, "read")
			same(t, "read", read, e.in.bootstrapped)
		})
		t.Run("a second bootstrap is refused", func(t *testing.T) {
			_, _, err := e.Bootstrap()
			wantNoLongerAllowed(t, err)
			_, _, err = e.as("").Bootstrap()
			wantNoLongerAllowed(t, err)
			_, _, err = e.as("").BootstrapWithToken(newUUID())
			wantNoLongerAllowed(t, err)
			_, _, err = e.as("").BootstrapWithToken(e.srv.token)
			wantNoLongerAllowed(t, err)
		})
	})
}

func wantNoLongerAllowed(t *testing.T, err error) {
	t.Helper()
	body, ok := refusal(t, err, 403)
	if ok && !regexp.MustCompile(`^Permission denied: ACL bootstrap no longer allowed \(reset index: [1-9]\d*\)$`).MatchString(body) {
		t.Errorf("want that bootstrap is no longer allowed, got %q", body)
	}
}

// The server of the community edition is still to be bootstrapped.
func TestCommunity(t *testing.T) {
	t.Parallel()
	for _, in := range installations {
		t.Run(in.engine, func(t *testing.T) {
			t.Parallel()
			e := newEnv(t, in, in.community)
			t.Run("a bootstrap with what is no UUID is refused", func(t *testing.T) {
				_, _, err := e.BootstrapWithToken("too-short")
				wantRefusalLike(t, err, 400, "")
				_, _, err = e.BootstrapWithToken("allow")
				wantRefusalLike(t, err, 400, "")
			})
			t.Run("of many that bootstrap at once exactly one wins", func(t *testing.T) { bootstrapAtOnce(t, e) })
			if e.srv.token == "" {
				t.Fatal("there is no token")
			}
			testCommunity(t, e.as(e.srv.token))
		})
	}
}

// bootstrapAtOnce lets 20 clients bootstrap the server, each with a secret of its own.
func bootstrapAtOnce(t *testing.T, e *env) {
	type outcome struct {
		secret string
		token  *api.ACLToken
		err    error
	}
	outcomes := make([]outcome, 20)
	var all sync.WaitGroup
	for i := range outcomes {
		all.Go(func() {
			secret := newUUID()
			token, _, err := e.BootstrapWithToken(secret)
			outcomes[i] = outcome{secret, token, err}
		})
	}
	all.Wait()
	for _, o := range outcomes {
		if o.err != nil {
			wantNoLongerAllowed(t, o.err)
			continue
		}
		if e.srv.token != "" {
			t.Error("more than one bootstrap succeeded")
		}
		equal(t, "SecretID", o.token.SecretID, o.secret)
		e.srv.token = o.secret
		remember(o.secret)
	}
}

func testCommunity(t *testing.T, e *env) {
	sub := func(name string, test func(t *testing.T, e *env)) {
		t.Run(name, func(t *testing.T) {
			copied := *e
			copied.t = t
			test(t, &copied)
		})
	}
	sub("answers carry neither namespace nor partition", func(t *testing.T, e *env) {
		policy, role, token := e.policy(), e.role(), e.token()
		equal(t, "namespaces", policy.Namespace+role.Namespace+token.Namespace, "")
		equal(t, "partitions", policy.Partition+role.Partition+token.Partition, "")
		read, meta, err := e.TokenRead(token.AccessorID, nil)
		wantMeta(t, meta, err)
		same(t, "token", read, token)
	})
	sub("namespaces and partitions are refused by parameter, default too", func(t *testing.T, e *env) {
		for _, name := range []string{"default", "team-a"} {
			_, _, err := e.PolicyList(&api.QueryOptions{Namespace: name})
			wantRefusal(t, err, 400, `Invalid query parameter: "ns" - Namespaces are a Consul Enterprise feature`)
			_, _, err = e.PolicyList(&api.QueryOptions{Partition: name})
			wantRefusal(t, err, 400, `Invalid query parameter: "partition" - Partitions are a Consul Enterprise feature`)
			_, _, err = e.RoleCreate(&api.ACLRole{Name: unique("role")}, &api.WriteOptions{Namespace: name})
			wantRefusal(t, err, 400, `Invalid query parameter: "ns" - Namespaces are a Consul Enterprise feature`)
		}
	})
	sub("namespaces and partitions are refused in bodies", func(t *testing.T, e *env) {
		_, _, err := e.PolicyCreate(&api.ACLPolicy{Name: unique("policy"), Namespace: "default"}, nil)
		wantRefusal(t, err, 400, `Policy decoding failed: json: unknown field "Namespace" - Namespaces are a Consul Enterprise feature`)
		_, _, err = e.RoleCreate(&api.ACLRole{Name: unique("role"), Partition: "default"}, nil)
		wantRefusal(t, err, 400, `Role decoding failed: json: unknown field "Partition"`)
		_, _, err = e.TokenCreate(&api.ACLToken{Namespace: "default"}, nil)
		wantRefusal(t, err, 400, `Token decoding failed: json: unknown field "Namespace" - Namespaces are a Consul Enterprise feature`)
	})
	sub("there are neither namespaces nor partitions", communityWithoutScopes)
	sub("logins are without namespaces", communityLogins)
	sub("the version says so", func(t *testing.T, e *env) {
		self, err := e.client.Agent().Self()
		must(t, err, "self")
		equal[any](t, "version", self["Config"]["Version"], "1.21.0")
	})
	sub("what the anonymous token is given holds for clients without a token", func(t *testing.T, e *env) {
		anyone := e.as("")
		_, err := anyone.client.Agent().Self()
		wantRefusalLike(t, err, 403, "Permission denied: anonymous token lacks permission 'agent:read' on ")
		policy := e.policy(ruled(`agent_prefix "" { policy = "read" }`))
		anonymous, _, err := e.TokenRead(anonymousID, nil)
		must(t, err, "read")
		equal(t, "description", anonymous.Description, "Anonymous Token")
		equal(t, "SecretID", anonymous.SecretID, "anonymous")
		anonymous.Policies = links(policy.ID)
		_, _, err = e.TokenUpdate(anonymous, nil)
		must(t, err, "update")
		_, err = anyone.client.Agent().Self()
		must(t, err, "self without a token")
	})
	sub("a bootstrap after the first is refused", func(t *testing.T, e *env) {
		_, _, err := e.as("").Bootstrap()
		wantNoLongerAllowed(t, err)
	})
}

// 16 clients that make the same thing at once.
func TestOneNameAtOnce(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		name := unique("contended")
		errs := make([]error, 16)
		var all sync.WaitGroup
		for i := range errs {
			all.Go(func() { _, _, errs[i] = e.PolicyCreate(&api.ACLPolicy{Name: name}, nil) })
		}
		all.Wait()
		made := 0
		for _, err := range errs {
			if err == nil {
				made++
			} else {
				wantRefusal(t, err, 500, fmt.Sprintf("Invalid Policy: A Policy with Name %q already exists", name))
			}
		}
		equal(t, "policies made", made, 1)
	})
}
