package gotfev2

import (
	"testing"

	tfe "github.com/hashicorp/go-tfe/v2"
	"github.com/hashicorp/go-tfe/v2/api/models"
	"github.com/hashicorp/go-tfe/v2/api/organizations"
	"github.com/hashicorp/go-tfe/v2/api/workspaces"
)

func TestWorkspace(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		organization := e.organization()
		project := e.project(organization, "home")
		id := e.workspace(organization, "prod", inProject(project), func(workspace models.Workspacesable) {
			attributes := workspace.GetAttributes()
			attributes.SetDescription(new("What is live"))
			attributes.SetAutoApply(new(true))
			attributes.SetTerraformVersion(new("1.11.4"))
			attributes.SetExecutionMode(new(models.LOCAL_WORKSPACES_ATTRIBUTES_EXECUTIONMODE))
		})
		byID, err := e.ws(id).Get(e.ctx, nil)
		must(t, err, "read by id")
		byName, err := e.org(organization).Workspaces().ByWorkspace_name("prod").Get(e.ctx, nil)
		must(t, err, "read by name")
		for _, workspace := range []models.Workspacesable{byID.GetData(), byName.GetData()} {
			attributes := workspace.GetAttributes()
			equal(t, "id", value(workspace.GetId()), id)
			equal(t, "self", value(workspace.GetLinks().GetSelf()), "/api/v2/organizations/"+organization+"/workspaces/prod")
			equal(t, "description", value(attributes.GetDescription()), "What is live")
			equal(t, "auto-apply", value(attributes.GetAutoApply()), true)
			equal(t, "terraform-version", value(attributes.GetTerraformVersion()), "1.11.4")
			equal(t, "mode", value(attributes.GetExecutionMode()), models.LOCAL_WORKSPACES_ATTRIBUTES_EXECUTIONMODE)
			equal(t, "its own mode", value(attributes.GetSettingOverwrites().GetExecutionMode()), true)
			equal(t, "can-destroy", value(attributes.GetPermissions().GetCanDestroy()), true)
			equal(t, "project", value(workspace.GetRelationships().GetProject().GetData().GetId()), project)
			equal(t, "organization", value(workspace.GetRelationships().GetOrganization().GetData().GetId()), organization)
		}

		body := workspaceBody("")
		body.GetData().GetAttributes().SetDescription(new("What was live"))
		patched, err := e.ws(id).Patch(e.ctx, body, nil)
		must(t, err, "patch by id")
		equal(t, "description", value(patched.GetData().GetAttributes().GetDescription()), "What was live")
		renamed, err := e.org(organization).Workspaces().ByWorkspace_name("prod").Patch(e.ctx, workspaceBody("live"), nil)
		must(t, err, "patch by name")
		equal(t, "name", value(renamed.GetData().GetAttributes().GetName()), "live")

		must(t, e.ws(id).Delete(e.ctx, typed()), "delete by id")
		_, err = e.ws(id).Get(e.ctx, nil)
		refused(t, err, tfe.ErrNotFound, "not found")
		e.workspace(organization, "second")
		must(t, e.org(organization).Workspaces().ByWorkspace_name("second").Delete(e.ctx, typed()), "delete by name")
	})
}

func TestWorkspaceLocks(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		organization := e.organization()
		id := e.workspace(organization, "guarded")
		actions := e.ws(id).Actions()
		reason := models.NewActionReason()
		reason.SetReason(new("a change is under way"))
		conflict := &tfe.APIError{StatusCode: 409}

		locked, err := actions.Lock().Post(e.ctx, reason, nil)
		must(t, err, "lock")
		equal(t, "locked", value(locked.GetData().GetAttributes().GetLocked()), true)
		equal(t, "reason", value(locked.GetData().GetAttributes().GetLockedReason()), "a change is under way")
		if value(locked.GetData().GetRelationships().GetLockedBy().GetData().GetId()) == "" {
			t.Error("nobody has locked it")
		}
		_, err = actions.Lock().Post(e.ctx, reason, nil)
		refused(t, err, conflict, "conflict")
		refused(t, actions.SafeDelete().Post(e.ctx, typed()), conflict, "locked")
		unlocked, err := actions.Unlock().Post(e.ctx, typed())
		must(t, err, "unlock")
		equal(t, "unlocked", value(unlocked.GetData().GetAttributes().GetLocked()), false)
		_, err = actions.Unlock().Post(e.ctx, typed())
		refused(t, err, conflict, "conflict")

		_, err = actions.Lock().Post(e.ctx, reason, nil)
		must(t, err, "lock again")
		forced, err := actions.ForceUnlock().Post(e.ctx, typed())
		must(t, err, "force-unlock")
		equal(t, "forced", value(forced.GetData().GetAttributes().GetLocked()), false)
		must(t, actions.SafeDelete().Post(e.ctx, typed()), "safe-delete by id")
		e.workspace(organization, "second")
		byName := e.org(organization).Workspaces().ByWorkspace_name("second")
		must(t, byName.Actions().SafeDelete().Post(e.ctx, typed()), "safe-delete by name")
		_, err = byName.Get(e.ctx, nil)
		refused(t, err, tfe.ErrNotFound, "not found")
	})
}

func TestWorkspaceTags(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		organization := e.organization()
		id, other := e.workspace(organization, "one"), e.workspace(organization, "other")
		tagged := e.ws(id).Relationships().Tags()
		must(t, tagged.Post(e.ctx, tags("net", "Prod"), nil), "add")
		list, err := tagged.Get(e.ctx, nil)
		must(t, err, "list")
		names, byName := []string{}, map[string]string{}
		for _, tag := range list.GetData() {
			name := value(tag.GetAttributes().GetName())
			names = append(names, name)
			byName[name] = value(tag.GetId())
		}
		same(t, "tags", names, []string{"net", "prod"})

		byID := models.NewTagsCreateArrayDocument_data()
		byID.SetId(new(byName["net"]))
		byID.SetTypeEscaped(new(models.TAGS_TAGSCREATEARRAYDOCUMENT_DATA_TYPE))
		body := models.NewTagsCreateArrayDocument()
		body.SetData([]models.TagsCreateArrayDocument_dataable{byID})
		must(t, e.ws(other).Relationships().Tags().Post(e.ctx, body, nil), "add by id")
		read, err := e.ws(other).Get(e.ctx, nil)
		must(t, err, "read")
		same(t, "tag-names", read.GetData().GetAttributes().GetTagNames(), []string{"net"})

		// Its body of a removal has ids, and no names.
		gone := models.NewTagsRemoveArrayDocument_data()
		gone.SetId(new(byName["net"]))
		gone.SetTypeEscaped(new(models.TAGS_TAGSREMOVEARRAYDOCUMENT_DATA_TYPE))
		removal := models.NewTagsRemoveArrayDocument()
		removal.SetData([]models.TagsRemoveArrayDocument_dataable{gone})
		must(t, tagged.Delete(e.ctx, removal, nil), "remove")
		left, err := e.ws(id).Get(e.ctx, nil)
		must(t, err, "read")
		same(t, "left", left.GetData().GetAttributes().GetTagNames(), []string{"prod"})
		refused(t, tagged.Post(e.ctx, tags("-bad"), nil), tfe.ErrUnprocessableEntity, "invalid attribute")
	})
}

func TestWorkspaceTagBindings(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		organization := e.organization()
		project := e.project(organization, "home")
		id := e.workspace(organization, "bound", inProject(project))
		bound := e.ws(id).Relationships().TagBindings()
		shown := func() []string {
			list, err := bound.Get(e.ctx, nil)
			must(t, err, "list")
			return pairs(list)
		}
		must(t, bound.Post(e.ctx, bindings("env=prod", "net"), nil), "add")
		must(t, bound.Post(e.ctx, bindings("env=dev"), nil), "another value")
		same(t, "added", shown(), []string{"env=dev", "net="})
		must(t, e.prj(project).Relationships().TagBindings().Post(e.ctx, bindings("env=prod", "team=core"), nil), "add to the project")

		include := workspaces.WithWorkspace_ItemRequestBuilderGetQueryParameters{Include: new("effective_tag_bindings,project")}
		read, err := e.ws(id).Get(e.ctx, asking(include))
		must(t, err, "read with what applies")
		equal(t, "included", len(read.GetIncluded()), 4)

		must(t, bound.Patch(e.ctx, bindings("only=this"), nil), "replace")
		same(t, "replaced", shown(), []string{"only=this"})
		must(t, bound.Patch(e.ctx, bindings(), nil), "clear")
		same(t, "cleared", shown(), []string{})
		refused(t, bound.Post(e.ctx, bindings("hc:mine=x"), nil), tfe.ErrUnprocessableEntity, "")
		eleven := []string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k"}
		refused(t, bound.Patch(e.ctx, bindings(eleven...), nil), tfe.ErrUnprocessableEntity, "cannot exceed 10 bindings per resource")
		same(t, "nothing has changed", shown(), []string{})
	})
}

func TestWorkspaceList(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		organization := e.organization()
		project := e.project(organization, "home")
		app := e.workspace(organization, "app-prod", inProject(project))
		e.workspace(organization, "web-prod")
		must(t, e.ws(app).Relationships().TagBindings().Post(e.ctx, bindings("env=prod"), nil), "bind")
		type query = organizations.ItemWorkspacesRequestBuilderGetQueryParameters
		names := func(asked query) []string {
			list, err := e.org(organization).Workspaces().Get(e.ctx, asking(asked))
			must(t, err, "list")
			found := []string{}
			for _, workspace := range list.GetData() {
				found = append(found, value(workspace.GetAttributes().GetName()))
			}
			equal(t, "total", int(value(list.GetMeta().GetPagination().GetTotalCount())), len(found))
			return found
		}
		same(t, "all", names(query{}), []string{"app-prod", "web-prod"})
		same(t, "backwards", names(query{Sort: new("-name")}), []string{"web-prod", "app-prod"})
		same(t, "by a part of the name", names(query{Searchname: new("web")}), []string{"web-prod"})
		same(t, "by wildcard", names(query{SearchwildcardName: new("app-*")}), []string{"app-prod"})
		same(t, "of a project", names(query{Filterprojectid: &project}), []string{"app-prod"})
		list, err := e.org(organization).Workspaces().Get(e.ctx, asking(query{Include: new("effective_tag_bindings")}))
		must(t, err, "list with what applies")
		equal(t, "included", len(list.GetIncluded()), 1)
		next, err := e.org(organization).Workspaces().Get(e.ctx, asking(query{Pagesize: new(int32(1)), Pagenumber: new(int32(2))}))
		must(t, err, "second page")
		equal(t, "second", value(next.GetData()[0].GetAttributes().GetName()), "web-prod")
		equal(t, "last page", value(next.GetMeta().GetPagination().GetTotalPages()), 2)
	})
}
