package consulapi

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/consul/api"
)

func partitionCalled(name string) func(*api.Partition) bool {
	return func(p *api.Partition) bool { return p.Name == name }
}

func TestPartitions(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		partitions, ctx := e.client.Partitions(), t.Context()
		for name, sent := range map[string]*api.Partition{
			"all fields":       {Name: unique("full"), Description: "A <b>partition</b> & \"more\" 日本語", DisableGossip: true},
			"a name only":      {Name: unique("name-only")},
			"the longest name": {Name: unique("m") + strings.Repeat("x", 49)},
		} {
			t.Run("reads back deeply equal: "+name, func(t *testing.T) {
				made, meta, err := partitions.Create(ctx, sent, nil)
				must(t, err, "create")
				if meta.RequestTime <= 0 {
					t.Errorf("request time is %s", meta.RequestTime)
				}
				want := *sent
				want.CreateIndex, want.ModifyIndex = made.CreateIndex, made.CreateIndex
				same(t, "created", made, &want)
				if made.CreateIndex == 0 {
					t.Error("the CreateIndex is 0")
				}
				same(t, "read", e.readPartition(t, made.Name), &want)
				list, listMeta, err := partitions.List(ctx, nil)
				wantMeta(t, listMeta, err)
				same(t, "list entry", find(list, partitionCalled(made.Name)), &want)

				again, _, err := partitions.Update(ctx, made, nil)
				must(t, err, "write back what was read")
				if again.ModifyIndex <= made.ModifyIndex {
					t.Errorf("an update that changes nothing leaves the ModifyIndex at %d", again.ModifyIndex)
				}
				want.ModifyIndex = again.ModifyIndex
				same(t, "written back", again, &want)
			})
		}
		for name, write := range map[string]func(context.Context, *api.Partition, *api.WriteOptions) (*api.Partition, *api.WriteMeta, error){
			"Create": partitions.Create, "Update": partitions.Update,
		} {
			t.Run(name+" makes what is missing and replaces what is there", func(t *testing.T) {
				made, _, err := write(ctx, &api.Partition{Name: unique("ap"), Description: "new", DisableGossip: true}, nil)
				must(t, err, "write")
				changed, _, err := write(ctx, &api.Partition{Name: made.Name}, nil)
				must(t, err, "write again")
				same(t, "changed", changed, &api.Partition{Name: made.Name, CreateIndex: made.CreateIndex, ModifyIndex: changed.ModifyIndex})
				if changed.ModifyIndex <= made.ModifyIndex {
					t.Errorf("the ModifyIndex is %d after %d", changed.ModifyIndex, made.ModifyIndex)
				}
				same(t, "read", e.readPartition(t, made.Name), changed)
			})
		}
		t.Run("a new one has a namespace called default, with its policy", func(t *testing.T) {
			partition := e.partition()
			list, meta, err := e.client.Namespaces().List(&api.QueryOptions{Partition: partition.Name})
			wantMeta(t, meta, err)
			same(t, "namespaces", list, []*api.Namespace{{
				Name: "default", Description: "Builtin Default Namespace", Partition: partition.Name, CreateIndex: list[0].CreateIndex, ModifyIndex: list[0].CreateIndex,
			}})
			policies, _, err := e.PolicyList(&api.QueryOptions{Partition: partition.Name})
			must(t, err, "list policies")
			equal(t, "policies", len(policies), 1)
			equal(t, "policy", policies[0].Name, "namespace-management")
		})
		t.Run("the one called default is always there and cannot be deleted", func(t *testing.T) {
			read := e.readPartition(t, "Default")
			equal(t, "name and description", []string{read.Name, read.Description}, []string{"default", "Builtin Default Partition"})
			_, err := partitions.Delete(ctx, "default", nil)
			wantRefusal(t, err, 400, `Delete operation not permitted on the builtin Partition "default"`)
		})
		t.Run("a missing one is nil", func(t *testing.T) {
			for _, name := range []string{unique("missing"), "not a name"} {
				if got := e.readPartition(t, name); got != nil {
					t.Errorf("got %v", got)
				}
			}
			_, err := partitions.Delete(ctx, "Nothing", nil)
			wantRefusal(t, err, 404, `Cannot find partition "nothing" to delete`)
		})
		t.Run("capitals are folded", func(t *testing.T) {
			name := unique("Eu")
			made, _, err := partitions.Create(ctx, &api.Partition{Name: strings.ToUpper(name)}, nil)
			must(t, err, "create")
			equal(t, "name", made.Name, strings.ToLower(name))
			same(t, "read", e.readPartition(t, name), made)
		})
		t.Run("the list is in order of names", func(t *testing.T) {
			list, _, err := partitions.List(ctx, nil)
			must(t, err, "list")
			if !slices.IsSortedFunc(list, func(a, b *api.Partition) int { return strings.Compare(a.Name, b.Name) }) {
				t.Errorf("got %v", list)
			}
		})
		t.Run("what a read or a list is asked with besides does not matter, and nothing waits", func(t *testing.T) {
			made := e.partition()
			for _, options := range []*api.QueryOptions{
				{Namespace: "nowhere"}, {Partition: "nowhere"}, {Datacenter: "dc1"}, {RequireConsistent: true}, {WaitIndex: 1 << 40, WaitTime: longWait},
			} {
				read, _, err := partitions.Read(ctx, made.Name, options)
				must(t, err, "read")
				same(t, "read", read, made)
				list, _, err := partitions.List(ctx, options)
				must(t, err, "list")
				same(t, "list entry", find(list, partitionCalled(made.Name)), made)
			}
		})
		t.Run("a context that has ended ends a call", func(t *testing.T) {
			ended, cancel := context.WithCancel(ctx)
			cancel()
			if _, _, err := partitions.List(ended, nil); !errors.Is(err, context.Canceled) {
				t.Errorf("got %v", err)
			}
		})
	})
}
