package gotfev2

import (
	"testing"

	tfe "github.com/hashicorp/go-tfe/v2"
	"github.com/hashicorp/go-tfe/v2/api/models"
	"github.com/hashicorp/go-tfe/v2/api/organizations"
)

func TestProject(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		organization := e.organization()
		body := projectBody("Platform")
		body.GetData().GetAttributes().SetDescription(new("What all rest on"))
		made, err := e.org(organization).Projects().Post(e.ctx, body, nil)
		must(t, err, "create")
		id := value(made.GetData().GetId())
		attributes := made.GetData().GetAttributes()
		equal(t, "name", value(attributes.GetName()), "Platform")
		equal(t, "description", value(attributes.GetDescription()), "What all rest on")
		equal(t, "workspace-count", value(attributes.GetWorkspaceCount()), 0)
		relationships := made.GetData().GetRelationships()
		equal(t, "tag-bindings", value(relationships.GetTagBindings().GetLinks().GetRelated()), "/api/v2/projects/"+id+"/tag-bindings")

		read, err := e.prj(id).Get(e.ctx, nil)
		must(t, err, "read")
		equal(t, "read name", value(read.GetData().GetAttributes().GetName()), "Platform")
		equal(t, "mode", value(read.GetData().GetAttributes().GetDefaultExecutionMode()), models.REMOTE_PROJECTS_ATTRIBUTES_DEFAULTEXECUTIONMODE)

		patched, err := e.prj(id).Patch(e.ctx, projectBody("Network"), nil)
		must(t, err, "patch")
		equal(t, "new name", value(patched.GetData().GetAttributes().GetName()), "Network")
		equal(t, "description stays", value(patched.GetData().GetAttributes().GetDescription()), "What all rest on")

		_, err = e.prj(id).Patch(e.ctx, projectBody("n/o"), nil)
		refused(t, err, tfe.ErrUnprocessableEntity, "Name may only contain")
		must(t, e.prj(id).Delete(e.ctx, typed()), "delete")
		_, err = e.prj(id).Get(e.ctx, nil)
		refused(t, err, tfe.ErrNotFound, "not found")
	})
}

func TestProjectList(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		organization := e.organization()
		e.project(organization, "beta")
		e.project(organization, "alpha")
		type query = organizations.ItemProjectsRequestBuilderGetQueryParameters
		names := func(asked query) []string {
			list, err := e.org(organization).Projects().Get(e.ctx, asking(asked))
			must(t, err, "list")
			found := []string{}
			for _, project := range list.GetData() {
				found = append(found, value(project.GetAttributes().GetName()))
			}
			return found
		}
		same(t, "by name", names(query{Sort: new("name")}), []string{"alpha", "beta", "Default Project"})
		same(t, "backwards", names(query{Sort: new("-name")}), []string{"Default Project", "beta", "alpha"})
		same(t, "by their names", names(query{Filternames: new("ALPHA,beta"), Sort: new("name")}), []string{"alpha", "beta"})
		same(t, "those that may be changed", names(query{Filterpermissionsupdate: new(true), FilterpermissionscreateWorkspace: new(true), Sort: new("name")}), []string{"alpha", "beta", "Default Project"})
		same(t, "those that may not", names(query{Filterpermissionsupdate: new(false)}), []string{})
		same(t, "a page", names(query{Sort: new("name"), Pagenumber: new(int32(2)), Pagesize: new(int32(1))}), []string{"beta"})
	})
}

func TestProjectTagBindings(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		id := e.project(e.organization(), "tagged")
		bound := e.prj(id).Relationships().TagBindings()
		shown := func() []string {
			list, err := bound.Get(e.ctx, nil)
			must(t, err, "list")
			return pairs(list)
		}
		same(t, "new", shown(), []string{})
		must(t, bound.Post(e.ctx, bindings("env=prod", "team=net"), nil), "add")
		must(t, bound.Post(e.ctx, bindings("env=dev"), nil), "another value")
		same(t, "added", shown(), []string{"env=dev", "team=net"})
		must(t, bound.Patch(e.ctx, bindings("cost", "env=dev"), nil), "replace")
		same(t, "replaced", shown(), []string{"env=dev", "cost="})
		must(t, bound.Patch(e.ctx, bindings(), nil), "clear")
		same(t, "cleared", shown(), []string{})
		refused(t, bound.Post(e.ctx, bindings("no key=x"), nil), tfe.ErrUnprocessableEntity, "Key")
		refused(t, e.prj("prj-nobody").Relationships().TagBindings().Post(e.ctx, bindings("a=b"), nil), tfe.ErrNotFound, "")
	})
}

func TestProjectTakesWorkspaces(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		organization := e.organization()
		id := e.project(organization, "target")
		first, second := e.workspace(organization, "first"), e.workspace(organization, "second")
		moved := e.prj(id).Relationships().Workspaces()
		refused(t, moved.Post(e.ctx, workspaceIDs(first, "ws-nobody"), nil), tfe.ErrNotFound, "")
		must(t, moved.Post(e.ctx, workspaceIDs(first, second), nil), "move")
		for _, workspace := range []string{first, second} {
			read, err := e.ws(workspace).Get(e.ctx, nil)
			must(t, err, "read")
			equal(t, "project", value(read.GetData().GetRelationships().GetProject().GetData().GetId()), id)
		}
		if err := e.prj(id).Delete(e.ctx, typed()); err == nil {
			t.Error("a project that has workspaces is deleted")
		}
	})
}
