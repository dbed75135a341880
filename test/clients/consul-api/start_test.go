package consulapi

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashicorp/consul/api"
)

// What clients ask a server before they begin.
func TestStart(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		address := strings.TrimPrefix(e.srv.address, "http://")
		for _, caller := range []struct{ name, token string }{{"with a token", e.srv.token}, {"without one", ""}, {"with an unknown one", newUUID()}} {
			t.Run("leader, peers and replication "+caller.name, func(t *testing.T) {
				client := e.as(caller.token).client
				leader, err := client.Status().Leader()
				must(t, err, "leader")
				equal(t, "leader", leader, address)
				peers, err := client.Status().Peers()
				must(t, err, "peers")
				equal(t, "peers", peers, []string{address})
				replication, _, err := client.ACL().Replication(nil)
				must(t, err, "replication")
				same(t, "replication", replication, &api.ACLReplicationStatus{})
			})
		}
		t.Run("the agent tells datacenter, version and name", func(t *testing.T) {
			self, err := e.client.Agent().Self()
			must(t, err, "self")
			for key, want := range map[string]any{"Datacenter": "dc1", "PrimaryDatacenter": "dc1", "Server": true, "Version": "1.21.0+ent"} {
				equal(t, key, self["Config"][key], want)
			}
			name, err := e.client.Agent().NodeName()
			must(t, err, "node name")
			if name == "" {
				t.Error("the node has no name")
			}
			equal[any](t, "name of the member", self["Member"]["Name"], name)
		})
		t.Run("the agent is for those who may read it", func(t *testing.T) {
			name, err := e.client.Agent().NodeName()
			must(t, err, "node name")
			stranger := e.tokenWith("")
			_, err = e.as(stranger.SecretID).client.Agent().Self()
			wantRefusal(t, err, 403, "Permission denied: token with AccessorID '"+stranger.AccessorID+`' lacks permission 'agent:read' on "`+name+`"`)
			_, err = e.as(e.tokenWith(`agent "` + name + `" { policy = "read" }`).SecretID).client.Agent().Self()
			must(t, err, "self of one who may")
			_, err = e.as("").client.Agent().Self()
			wantRefusal(t, err, 403, `Permission denied: anonymous token lacks permission 'agent:read' on "`+name+`". The anonymous token is used implicitly when a request does not specify a token.`)
			_, err = e.as(newUUID()).client.Agent().Self()
			wantRefusal(t, err, 403, "ACL not found")
		})
		t.Run("paths that nobody knows are refused in the client's words", func(t *testing.T) {
			_, err := e.client.Raw().Query("/v1/nowhere", nil, nil)
			wantRefusal(t, err, 404, "Invalid URL path: not a recognized HTTP API endpoint")
			_, err = e.client.Raw().Delete("/v1/acl/policies", nil)
			wantRefusal(t, err, 405, "method DELETE not allowed")
		})
	})
}

// Every place in which the client takes a token from. It changes the environment, so it runs alone.
func TestTokenSources(t *testing.T) {
	for _, in := range installations {
		t.Run(in.engine, func(t *testing.T) {
			e := newEnv(t, in, in.server)
			given := e.token(func(t *api.ACLToken) { t.Description = "given" })
			other := e.token(func(t *api.ACLToken) { t.Description = "other" })
			file := filepath.Join(t.TempDir(), "token")
			must(t, os.WriteFile(file, []byte(given.SecretID+"\n"), 0o600), "write token file")

			wantGiven := func(t *testing.T, config *api.Config, options *api.QueryOptions) {
				t.Helper()
				if os.Getenv(api.HTTPAddrEnvName) == "" {
					config.Address = e.srv.address
				}
				client, err := api.NewClient(config)
				must(t, err, "new client")
				self, meta, err := client.ACL().TokenReadSelf(options)
				wantMeta(t, meta, err)
				same(t, "self", self, given)
			}
			t.Run("Config.Token", func(t *testing.T) {
				wantGiven(t, &api.Config{Token: given.SecretID}, nil)
			})
			t.Run("Config.TokenFile", func(t *testing.T) {
				wantGiven(t, &api.Config{TokenFile: file}, nil)
			})
			t.Run("QueryOptions.Token wins over Config.Token", func(t *testing.T) {
				wantGiven(t, &api.Config{Token: other.SecretID}, &api.QueryOptions{Token: given.SecretID})
			})
			t.Run("SetHeaders", func(t *testing.T) {
				for name, value := range map[string]string{
					"X-Service-Token": given.SecretID,
					"X-Consul-Token":  given.SecretID,
					"Authorization":   "Bearer " + given.SecretID,
				} {
					client, err := newClient(e.srv, "")
					must(t, err, "new client")
					client.SetHeaders(map[string][]string{name: {value}})
					self, _, err := client.ACL().TokenReadSelf(nil)
					must(t, err, name)
					same(t, name, self, given)
				}
			})
			t.Run("CONSUL_HTTP_TOKEN", func(t *testing.T) {
				t.Setenv(api.HTTPTokenEnvName, given.SecretID)
				wantGiven(t, &api.Config{}, nil)
				wantGiven(t, api.DefaultConfig(), nil)
			})
			t.Run("CONSUL_HTTP_TOKEN_FILE and CONSUL_HTTP_ADDR", func(t *testing.T) {
				t.Setenv(api.HTTPTokenFileEnvName, file)
				t.Setenv(api.HTTPAddrEnvName, e.srv.address)
				wantGiven(t, api.DefaultConfig(), nil)
			})
			t.Run("Config with namespace and partition", func(t *testing.T) {
				wantGiven(t, &api.Config{Token: given.SecretID, Namespace: "default", Partition: "default"}, nil)
			})
			t.Run("none has no token to read", func(t *testing.T) {
				_, _, err := e.as("").TokenReadSelf(nil)
				if body, ok := refusal(t, err, 403); ok {
					equal(t, "body", body, "ACL not found")
				}
			})
			t.Run("CONSUL_NAMESPACE and CONSUL_PARTITION", func(t *testing.T) {
				t.Setenv(api.HTTPNamespaceEnvName, "default")
				t.Setenv(api.HTTPPartitionEnvName, "default")
				wantGiven(t, &api.Config{Token: given.SecretID}, nil)
				partition := e.partition().Name
				at := place{e.namespace(func(n *api.Namespace) { n.Partition = partition }).Name, partition}
				t.Setenv(api.HTTPNamespaceEnvName, at.namespace)
				t.Setenv(api.HTTPPartitionEnvName, at.partition)
				wantGiven(t, &api.Config{Token: given.SecretID}, nil)
				policy, _, err := e.as(e.srv.token).PolicyCreate(&api.ACLPolicy{Name: unique("policy")}, nil)
				must(t, err, "create policy")
				equal(t, "place of a policy", place{policy.Namespace, policy.Partition}, at)
			})
		})
	}
}
