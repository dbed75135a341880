package consulapi

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/consul/api"
)

func TestPartitionRefusals(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		partitions, ctx := e.client.Partitions(), t.Context()
		refuses := func(t *testing.T, name, beginning string) {
			t.Helper()
			_, _, err := partitions.Create(ctx, &api.Partition{Name: name}, nil)
			wantRefusalLike(t, err, 400, beginning)
			_, _, err = partitions.Update(ctx, &api.Partition{Name: name}, nil)
			wantRefusalLike(t, err, 400, beginning)
		}
		for _, name := range []string{strings.Repeat("x", 64), "-a", "a-", "a.b", "a b", "*", "é", "ｒｏｏｔ", "default."} {
			t.Run(fmt.Sprintf("incidents 10 and 14: a name that is no label of DNS is refused: %.20q", name), func(t *testing.T) {
				refuses(t, name, "Invalid Partition: invalid Name ")
			})
		}
		for _, name := range []string{"system", "universal", "operator", "root", "ROOT"} {
			t.Run("incidents 10 and 14: a reserved name is refused in any case: "+name, func(t *testing.T) {
				refuses(t, name, fmt.Sprintf("Partition %q is reserved for future ", strings.ToLower(name)))
			})
		}
		t.Run("without a name nothing is sent, and nothing made", func(t *testing.T) {
			_, _, err := partitions.Create(ctx, &api.Partition{}, nil)
			wantLocal(t, err)
			_, _, err = partitions.Update(ctx, &api.Partition{}, nil)
			wantLocal(t, err)
			_, err = e.client.Raw().Write("/v1/partition", &api.Partition{}, nil, nil)
			wantRefusal(t, err, 400, "Invalid Partition: no Name is set")
		})
		t.Run("another name in the body, and unknown fields", func(t *testing.T) {
			path := "/v1/partition/" + unique("ap")
			_, err := e.client.Raw().Write(path, &api.Partition{Name: unique("other")}, nil, nil)
			wantRefusal(t, err, 400, "Partition name in URL and payload do not match")
			_, err = e.client.Raw().Write(path, map[string]any{"Meta": map[string]string{}}, nil, nil)
			wantRefusal(t, err, 400, `Partition decoding failed: json: unknown field "Meta"`)
		})
		there := e.partition()
		inThere := e.token(place{"default", there.Name}.token, func(t *api.ACLToken) { t.Policies = linksTo("namespace-management") })
		for who, token := range map[string]*api.ACLToken{
			"of one without rights":         e.token(),
			"of one who reads operator":     e.tokenWith(`operator = "read"`),
			"of one who writes all else":    e.tokenWith(fmt.Sprintf(`acl = "write" partition %q { policy = "write" acl = "write" }`, there.Name)),
			"of one with every right in it": inThere,
		} {
			t.Run("without operator:write nothing is told and done, "+who, func(t *testing.T) {
				client := e.as(token.SecretID).client.Partitions()
				for _, name := range []string{there.Name, unique("missing"), "default"} {
					_, _, err := client.Create(ctx, &api.Partition{Name: name}, nil)
					wantRefusal(t, err, 403, lacksText(token, "operator:write"))
					_, _, err = client.Update(ctx, &api.Partition{Name: name}, nil)
					wantRefusal(t, err, 403, lacksText(token, "operator:write"))
					_, err = client.Delete(ctx, name, nil)
					wantRefusal(t, err, 403, lacksText(token, "operator:write"))
				}
				same(t, "what was there", e.readPartition(t, there.Name), there)
			})
		}
		t.Run("a token reads its own partition, and no other without operator:read", func(t *testing.T) {
			client := e.as(inThere.SecretID).client.Partitions()
			read, _, err := client.Read(ctx, there.Name, nil)
			must(t, err, "read")
			same(t, "its own", read, there)
			_, _, err = client.Read(ctx, "default", nil)
			wantRefusal(t, err, 403, lacksText(inThere, "operator:read"))
			_, _, err = client.Read(ctx, unique("missing"), nil)
			wantRefusal(t, err, 403, lacksText(inThere, "operator:read"))
			list, meta, err := client.List(ctx, nil)
			must(t, err, "list")
			same(t, "list", list, []*api.Partition{there})
			equal(t, "filtered", meta.ResultsFilteredByACLs, true)
			list, meta, err = e.as(e.tokenWith(`operator = "read"`).SecretID).client.Partitions().List(ctx, nil)
			must(t, err, "list")
			same(t, "list entry", find(list, partitionCalled(there.Name)), there)
			equal(t, "filtered", meta.ResultsFilteredByACLs, false)
		})
		t.Run("the anonymous token reads none", func(t *testing.T) {
			for _, name := range []string{"default", there.Name} {
				_, _, err := e.as("").client.Partitions().Read(ctx, name, nil)
				wantRefusal(t, err, 403, "Permission denied: anonymous token lacks permission 'operator:read'"+anonymousHint)
			}
			list, meta, err := e.as("").client.Partitions().List(ctx, nil)
			must(t, err, "list")
			same(t, "list", list, []*api.Partition{})
			equal(t, "filtered", meta.ResultsFilteredByACLs, true)
		})
	})
}
