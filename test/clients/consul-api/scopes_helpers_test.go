package consulapi

import (
	"testing"

	"github.com/hashicorp/consul/api"
)

// A place is a namespace of a partition.
type place struct{ namespace, partition string }

var defaultPlace = place{"default", "default"}

func (p place) read() *api.QueryOptions {
	return &api.QueryOptions{Namespace: p.namespace, Partition: p.partition}
}

func (p place) write() *api.WriteOptions {
	return &api.WriteOptions{Namespace: p.namespace, Partition: p.partition}
}

// policy, role and token let a fixture lie here.
func (p place) policy(made *api.ACLPolicy) { made.Namespace, made.Partition = p.namespace, p.partition }
func (p place) role(made *api.ACLRole)     { made.Namespace, made.Partition = p.namespace, p.partition }
func (p place) token(made *api.ACLToken)   { made.Namespace, made.Partition = p.namespace, p.partition }

func (e *env) namespace(change ...func(*api.Namespace)) *api.Namespace {
	e.t.Helper()
	namespace := &api.Namespace{Name: unique("ns"), Description: "for a test"}
	for _, apply := range change {
		apply(namespace)
	}
	made, _, err := e.client.Namespaces().Create(namespace, nil)
	must(e.t, err, "create namespace")
	return made
}

func (e *env) partition(change ...func(*api.Partition)) *api.Partition {
	e.t.Helper()
	partition := &api.Partition{Name: unique("ap"), Description: "for a test"}
	for _, apply := range change {
		apply(partition)
	}
	made, _, err := e.client.Partitions().Create(e.t.Context(), partition, nil)
	must(e.t, err, "create partition")
	return made
}

// newPlace is a new namespace of the default partition.
func (e *env) newPlace() place {
	e.t.Helper()
	return place{e.namespace().Name, "default"}
}

// elsewhere are new places of every kind but the one where all lies that says nothing else.
func (e *env) elsewhere() map[string]place {
	e.t.Helper()
	partition := e.partition().Name
	inside := e.namespace(func(n *api.Namespace) { n.Partition = partition }).Name
	return map[string]place{
		"a namespace":                           e.newPlace(),
		"another partition":                     {"default", partition},
		"a namespace of another partition":      {inside, partition},
		"that name in the default partition":    {e.namespace(func(n *api.Namespace) { n.Name = inside }).Name, "default"},
		"the place where all lies, by its name": defaultPlace,
	}
}

// readNamespace wants that a read of a namespace succeeds; nil stands for a missing one.
func (e *env) readNamespace(t *testing.T, at place) *api.Namespace {
	t.Helper()
	namespace, meta, err := e.client.Namespaces().Read(at.namespace, &api.QueryOptions{Partition: at.partition})
	wantMeta(t, meta, err)
	return namespace
}

func (e *env) readPartition(t *testing.T, name string) *api.Partition {
	t.Helper()
	partition, meta, err := e.client.Partitions().Read(t.Context(), name, nil)
	wantMeta(t, meta, err)
	return partition
}

func namespaceLinks(links ...*api.ACLLink) []api.ACLLink {
	result := make([]api.ACLLink, 0, len(links))
	for _, link := range links {
		result = append(result, *link)
	}
	return result
}

// defaults are ACLs of a namespace with these links.
func defaults(policies []*api.ACLLink, roles []*api.ACLLink) *api.NamespaceACLConfig {
	return &api.NamespaceACLConfig{PolicyDefaults: namespaceLinks(policies...), RoleDefaults: namespaceLinks(roles...)}
}

// lacksText is how a token is refused that lacks a right.
func lacksText(token *api.ACLToken, right string) string {
	return "Permission denied: token with AccessorID '" + token.AccessorID + "' lacks permission '" + right + "'"
}
