package gotfe

import (
	"testing"

	tfe "github.com/hashicorp/go-tfe"
)

// consumers lists the IDs of the workspaces that may read a workspace's state, over all pages.
func (e *env) consumers(workspace string) []string {
	e.t.Helper()
	return names(allPages(e.t, func(page tfe.ListOptions) ([]*tfe.Workspace, *tfe.Pagination, error) {
		page.PageSize = 2
		list, err := e.Workspaces.ListRemoteStateConsumers(e.ctx, workspace, &tfe.RemoteStateConsumersListOptions{ListOptions: page})
		if err != nil {
			return nil, nil, err
		}
		return list.Items, list.Pagination, nil
	}), workspaceID)
}

func TestRemoteStateConsumers(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		org := e.organization()
		ws := e.workspace(org.Name)
		a, b, c := e.workspace(org.Name, named("a")), e.workspace(org.Name, named("b")), e.workspace(org.Name, named("c"))
		add := func(consumers ...*tfe.Workspace) error {
			return e.Workspaces.AddRemoteStateConsumers(e.ctx, ws.ID, tfe.WorkspaceAddRemoteStateConsumersOptions{Workspaces: consumers})
		}
		replace := func(consumers ...*tfe.Workspace) error {
			return e.Workspaces.UpdateRemoteStateConsumers(e.ctx, ws.ID, tfe.WorkspaceUpdateRemoteStateConsumersOptions{Workspaces: consumers})
		}
		remove := func(consumers ...*tfe.Workspace) error {
			return e.Workspaces.RemoveRemoteStateConsumers(e.ctx, ws.ID, tfe.WorkspaceRemoveRemoteStateConsumersOptions{Workspaces: consumers})
		}
		equal(t, "none", e.consumers(ws.ID), []string{})
		must(t, add(c, a, b), "add")
		must(t, add(a), "add again")
		equal(t, "all, over two pages", e.consumers(ws.ID), []string{a.ID, b.ID, c.ID})

		list, err := e.Workspaces.ListRemoteStateConsumers(e.ctx, ws.ID, nil)
		must(t, err, "list")
		same(t, "as they are read", list.Items, []*tfe.Workspace{a, b, c})

		must(t, remove(b), "remove")
		equal(t, "without one", e.consumers(ws.ID), []string{a.ID, c.ID})
		must(t, replace(b, c), "replace")
		equal(t, "replaced", e.consumers(ws.ID), []string{b.ID, c.ID})

		must(t, e.Workspaces.DeleteByID(e.ctx, c.ID), "delete a consumer")
		equal(t, "without the deleted one", e.consumers(ws.ID), []string{b.ID})
		// As the provider does when both went in one plan.
		must(t, remove(c), "remove the deleted one")

		foreign := e.workspace(e.organization().Name)
		for _, change := range []func(...*tfe.Workspace) error{add, replace} {
			wantError(t, change(a, foreign), tfe.ErrResourceNotFound)
			wantError(t, change(a, &tfe.Workspace{ID: "ws-unknownunknown00"}), tfe.ErrResourceNotFound)
			wantErrorText(t, change(a, ws), "cannot be a remote state consumer of itself")
		}
		equal(t, "after refusals", e.consumers(ws.ID), []string{b.ID})
		_, err = e.Workspaces.ListRemoteStateConsumers(e.ctx, "ws-unknownunknown00", nil)
		wantError(t, err, tfe.ErrResourceNotFound)
	})
}
