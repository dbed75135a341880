package consulapi

import (
	"testing"
	"time"

	"github.com/hashicorp/consul/api"
)

func TestPartitionDeletion(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		partitions, ctx := e.client.Partitions(), t.Context()
		made := e.partition()
		inside := place{e.namespace(func(n *api.Namespace) { n.Partition = made.Name }).Name, made.Name}
		places := []place{{"default", made.Name}, inside}
		tenants := []tenant{e.tenant(places[0]), e.tenant(places[1])}
		for _, at := range places {
			e.manyTokens(at, 250)
		}
		bystander := e.tenant(place{"default", e.partition().Name})
		_, err := partitions.Delete(ctx, made.Name, nil)
		must(t, err, "delete")
		marked := e.readPartition(t, made.Name)
		t.Run("it is read with the time of its mark until it is gone, then nil", func(t *testing.T) {
			if marked == nil || marked.DeletedAt == nil {
				t.Fatalf("got %v", marked)
			}
			if age := time.Since(*marked.DeletedAt); age < -time.Minute || age > 15*time.Minute {
				t.Errorf("it was marked at %s", marked.DeletedAt)
			}
			want := *made
			want.DeletedAt, want.ModifyIndex = marked.DeletedAt, marked.ModifyIndex
			same(t, "marked", marked, &want)
			for _, of := range tenants {
				_, _, err := e.as(of.token.SecretID).TokenReadSelf(nil)
				wantRefusal(t, err, 403, "ACL not found")
			}
			awaitEnd(t, func() *api.Partition { return e.readPartition(t, made.Name) }, marked)
			list, _, err := partitions.List(ctx, nil)
			must(t, err, "list")
			if entry := find(list, partitionCalled(made.Name)); entry != nil {
				t.Errorf("the list shows %v", entry)
			}
			namespaces, _, err := e.client.Namespaces().List(&api.QueryOptions{Partition: made.Name})
			must(t, err, "list namespaces")
			same(t, "namespaces", namespaces, []*api.Namespace{})
		})
		t.Run("incident 13: the name is free again, and no old credential works", func(t *testing.T) {
			for _, of := range tenants {
				e.wantGone(t, of)
			}
			again, _, err := partitions.Create(ctx, &api.Partition{Name: made.Name}, nil)
			must(t, err, "create again")
			same(t, "created again", again, &api.Partition{Name: made.Name, CreateIndex: again.CreateIndex, ModifyIndex: again.CreateIndex})
			if again.CreateIndex <= marked.ModifyIndex {
				t.Errorf("the CreateIndex is %d after %d", again.CreateIndex, marked.ModifyIndex)
			}
			if got := e.readNamespace(t, inside); got != nil {
				t.Errorf("its namespace is there again: %v", got)
			}
			_, _, err = e.client.Namespaces().Create(&api.Namespace{Name: inside.namespace}, inside.write())
			must(t, err, "create namespace again")
			for _, of := range tenants {
				e.wantGone(t, of)
			}
			self, _, err := e.as(bystander.token.SecretID).TokenReadSelf(nil)
			must(t, err, "self of another partition")
			same(t, "token of another partition", self, bystander.token)
		})
		for name, write := range map[string]func(of tenant) error{
			"Partitions().Update": func(of tenant) error {
				_, _, err := partitions.Update(ctx, &api.Partition{Name: of.partition}, nil)
				return err
			},
			"Namespaces().Create": func(of tenant) error {
				_, _, err := e.client.Namespaces().Create(&api.Namespace{Name: unique("ns")}, of.write())
				return err
			},
			"TokenCreate":  func(of tenant) error { _, _, err := e.TokenCreate(&api.ACLToken{}, of.write()); return err },
			"PolicyUpdate": func(of tenant) error { _, _, err := e.PolicyUpdate(of.policy, nil); return err },
			"RoleUpdate":   func(of tenant) error { _, _, err := e.RoleUpdate(of.role, nil); return err },
		} {
			t.Run("writes into a marked one are refused in words that name the state: "+name, func(t *testing.T) {
				whileMarked(t, func() (bool, func()) {
					of := e.tenant(place{"default", e.partition().Name})
					_, err := partitions.Delete(ctx, of.partition, nil)
					must(t, err, "delete")
					first := e.readPartition(t, of.partition)
					written := write(of)
					_, again := partitions.Delete(ctx, of.partition, nil)
					after := e.readPartition(t, of.partition)
					return after != nil && after.DeletedAt != nil, func() {
						wantRefusal(t, written, 409, `Partition "`+of.partition+`" is marked for deletion`)
						must(t, again, "second delete")
						same(t, "after the second delete", after, first)
					}
				})
			})
		}
	})
}
