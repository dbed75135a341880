package consulapi

import (
	"testing"

	"github.com/hashicorp/consul/api"
)

// communityWithoutScopes wants that the community edition knows no endpoint of namespaces and partitions, whoever asks.
func communityWithoutScopes(t *testing.T, e *env) {
	const unknown = "Invalid URL path: not a recognized HTTP API endpoint"
	ctx := t.Context()
	namespace, partition := &api.Namespace{Name: "team-a"}, &api.Partition{Name: "eu"}
	for who, asker := range map[string]*env{"the management token": e, "no token": e.as(""), "an unknown token": e.as(newUUID())} {
		namespaces, partitions := asker.client.Namespaces(), asker.client.Partitions()
		for name, call := range map[string]func() error{
			// In words that Terraform looks for.
			"Namespaces().List":   func() error { _, _, err := namespaces.List(nil); return err },
			"Namespaces().Create": func() error { _, _, err := namespaces.Create(namespace, nil); return err },
			"Namespaces().Update": func() error { _, _, err := namespaces.Update(namespace, nil); return err },
			"Namespaces().Delete": func() error { _, err := namespaces.Delete("team-a", nil); return err },
			"Namespaces().Create by parameters that are refused elsewhere": func() error {
				_, _, err := namespaces.Create(namespace, &api.WriteOptions{Namespace: "default", Partition: "default"})
				return err
			},
			"Partitions().List":   func() error { _, _, err := partitions.List(ctx, nil); return err },
			"Partitions().Create": func() error { _, _, err := partitions.Create(ctx, partition, nil); return err },
			"Partitions().Update": func() error { _, _, err := partitions.Update(ctx, partition, nil); return err },
			"Partitions().Delete": func() error { _, err := partitions.Delete(ctx, "eu", nil); return err },
		} {
			t.Run("the endpoint is unknown to "+who+": "+name, func(t *testing.T) { wantRefusal(t, call(), 404, unknown) })
		}
		t.Run("whatever is read is missing to "+who, func(t *testing.T) {
			readNamespace, _, err := namespaces.Read("default", nil)
			must(t, err, "read namespace")
			readPartition, _, err := partitions.Read(ctx, "default", nil)
			must(t, err, "read partition")
			if readNamespace != nil || readPartition != nil {
				t.Errorf("got %v and %v", readNamespace, readPartition)
			}
		})
	}
	for _, what := range []string{"Namespace", "Partition"} {
		for _, header := range []string{"X-Consul-" + what, "X-Service-" + what} {
			t.Run("refused: the header "+header, func(t *testing.T) {
				_, _, err := e.withHeader(e.srv.token, header, "default").PolicyList(nil)
				wantRefusal(t, err, 400, `Invalid header: "`+header+`" - `+what+`s are a Consul Enterprise feature`)
			})
		}
	}
	t.Run("refused in this order: namespace by header and by parameter, partition by header and by parameter", func(t *testing.T) {
		asker := e.withHeader(e.srv.token, "X-Consul-Partition", "default")
		_, _, err := asker.RoleList(&api.QueryOptions{Namespace: "default", Partition: "default"})
		wantRefusal(t, err, 400, `Invalid query parameter: "ns" - Namespaces are a Consul Enterprise feature`)
		_, _, err = asker.RoleList(&api.QueryOptions{Partition: "default"})
		wantRefusal(t, err, 400, `Invalid header: "X-Consul-Partition" - Partitions are a Consul Enterprise feature`)
		asker = e.withHeader(e.srv.token, "X-Consul-Namespace", "default")
		_, _, err = asker.RoleList(&api.QueryOptions{Namespace: "default"})
		wantRefusal(t, err, 400, `Invalid header: "X-Consul-Namespace" - Namespaces are a Consul Enterprise feature`)
	})
}
