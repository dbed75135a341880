package gotfe

import (
	"strings"
	"testing"

	tfe "github.com/hashicorp/go-tfe"
)

// A subject names the things that a call is about.
type subject struct{ org, workspaceName, workspaceID, projectID, tagID string }

// calls lists every method that the server offers to this client.
var calls = []struct {
	name string
	// general: the call is about no particular object.
	general bool
	do      func(*env, subject) error
}{
	{"OrganizationTags.List", false, func(e *env, s subject) error { _, err := e.OrganizationTags.List(e.ctx, s.org, nil); return err }},
	{"OrganizationTags.Delete", false, func(e *env, s subject) error {
		return e.OrganizationTags.Delete(e.ctx, s.org, tfe.OrganizationTagsDeleteOptions{IDs: []string{s.tagID}})
	}},
	{"OrganizationTags.AddWorkspaces", false, func(e *env, s subject) error {
		return e.OrganizationTags.AddWorkspaces(e.ctx, s.tagID, tfe.AddWorkspacesToTagOptions{WorkspaceIDs: []string{s.workspaceID}})
	}},
	{"Workspaces.ListTags", false, func(e *env, s subject) error { _, err := e.Workspaces.ListTags(e.ctx, s.workspaceID, nil); return err }},
	{"Workspaces.AddTags", false, func(e *env, s subject) error {
		return e.Workspaces.AddTags(e.ctx, s.workspaceID, tfe.WorkspaceAddTagsOptions{Tags: tagsNamed("added")})
	}},
	{"Workspaces.RemoveTags", false, func(e *env, s subject) error {
		return e.Workspaces.RemoveTags(e.ctx, s.workspaceID, tfe.WorkspaceRemoveTagsOptions{Tags: tagsNamed("present")})
	}},
	{"Workspaces.ListRemoteStateConsumers", false, func(e *env, s subject) error {
		_, err := e.Workspaces.ListRemoteStateConsumers(e.ctx, s.workspaceID, nil)
		return err
	}},
	{"Workspaces.UpdateRemoteStateConsumers", false, func(e *env, s subject) error {
		return e.Workspaces.UpdateRemoteStateConsumers(e.ctx, s.workspaceID, tfe.WorkspaceUpdateRemoteStateConsumersOptions{Workspaces: []*tfe.Workspace{{ID: s.workspaceID}}})
	}},
	{"Workspaces.List", false, func(e *env, s subject) error { _, err := e.Workspaces.List(e.ctx, s.org, nil); return err }},
	{"Workspaces.Create", false, func(e *env, s subject) error {
		_, err := e.Workspaces.Create(e.ctx, s.org, tfe.WorkspaceCreateOptions{Name: tfe.String("created")})
		return err
	}},
	{"Workspaces.Read", false, func(e *env, s subject) error { _, err := e.Workspaces.Read(e.ctx, s.org, s.workspaceName); return err }},
	{"Workspaces.ReadByID", false, func(e *env, s subject) error { _, err := e.Workspaces.ReadByID(e.ctx, s.workspaceID); return err }},
	{"Workspaces.ReadWithOptions", false, func(e *env, s subject) error {
		_, err := e.Workspaces.ReadWithOptions(e.ctx, s.org, s.workspaceName, &tfe.WorkspaceReadOptions{Include: []tfe.WSIncludeOpt{tfe.WSOrganization}})
		return err
	}},
	{"Workspaces.ReadByIDWithOptions", false, func(e *env, s subject) error {
		_, err := e.Workspaces.ReadByIDWithOptions(e.ctx, s.workspaceID, &tfe.WorkspaceReadOptions{Include: []tfe.WSIncludeOpt{tfe.WSOrganization}})
		return err
	}},
	{"Workspaces.Update", false, func(e *env, s subject) error {
		_, err := e.Workspaces.Update(e.ctx, s.org, s.workspaceName, tfe.WorkspaceUpdateOptions{Description: tfe.String("changed")})
		return err
	}},
	{"Workspaces.UpdateByID", false, func(e *env, s subject) error {
		_, err := e.Workspaces.UpdateByID(e.ctx, s.workspaceID, tfe.WorkspaceUpdateOptions{Description: tfe.String("changed")})
		return err
	}},
	{"Workspaces.Lock", false, func(e *env, s subject) error {
		_, err := e.Workspaces.Lock(e.ctx, s.workspaceID, tfe.WorkspaceLockOptions{})
		return err
	}},
	{"Workspaces.Unlock", false, func(e *env, s subject) error { _, err := e.Workspaces.Unlock(e.ctx, s.workspaceID); return err }},
	{"Workspaces.ForceUnlock", false, func(e *env, s subject) error { _, err := e.Workspaces.ForceUnlock(e.ctx, s.workspaceID); return err }},
	{"Workspaces.Delete", false, func(e *env, s subject) error { return e.Workspaces.Delete(e.ctx, s.org, s.workspaceName) }},
	{"Workspaces.DeleteByID", false, func(e *env, s subject) error { return e.Workspaces.DeleteByID(e.ctx, s.workspaceID) }},
	{"Workspaces.SafeDelete", false, func(e *env, s subject) error { return e.Workspaces.SafeDelete(e.ctx, s.org, s.workspaceName) }},
	{"Workspaces.SafeDeleteByID", false, func(e *env, s subject) error { return e.Workspaces.SafeDeleteByID(e.ctx, s.workspaceID) }},
	{"Organizations.List", true, func(e *env, _ subject) error { _, err := e.Organizations.List(e.ctx, nil); return err }},
	{"Organizations.Create", true, func(e *env, s subject) error {
		_, err := e.Organizations.Create(e.ctx, tfe.OrganizationCreateOptions{Name: tfe.String("created-" + s.org), Email: tfe.String("a@example.test")})
		return err
	}},
	{"Organizations.Read", false, func(e *env, s subject) error { _, err := e.Organizations.Read(e.ctx, s.org); return err }},
	{"Organizations.ReadWithOptions", false, func(e *env, s subject) error {
		_, err := e.Organizations.ReadWithOptions(e.ctx, s.org, tfe.OrganizationReadOptions{Include: []tfe.OrganizationIncludeOpt{tfe.OrganizationDefaultProject}})
		return err
	}},
	{"Organizations.ReadEntitlements", false, func(e *env, s subject) error { _, err := e.Organizations.ReadEntitlements(e.ctx, s.org); return err }},
	{"Organizations.Update", false, func(e *env, s subject) error {
		_, err := e.Organizations.Update(e.ctx, s.org, tfe.OrganizationUpdateOptions{Email: tfe.String("changed@example.test")})
		return err
	}},
	{"Organizations.Delete", false, func(e *env, s subject) error { return e.Organizations.Delete(e.ctx, s.org) }},
	{"Projects.List", false, func(e *env, s subject) error { _, err := e.Projects.List(e.ctx, s.org, nil); return err }},
	{"Projects.Create", false, func(e *env, s subject) error {
		_, err := e.Projects.Create(e.ctx, s.org, tfe.ProjectCreateOptions{Name: "created"})
		return err
	}},
	{"Projects.Read", false, func(e *env, s subject) error { _, err := e.Projects.Read(e.ctx, s.projectID); return err }},
	{"Projects.Update", false, func(e *env, s subject) error {
		_, err := e.Projects.Update(e.ctx, s.projectID, tfe.ProjectUpdateOptions{Description: tfe.String("changed")})
		return err
	}},
	{"Projects.Delete", false, func(e *env, s subject) error { return e.Projects.Delete(e.ctx, s.projectID) }},
	{"Users.ReadCurrent", true, func(e *env, _ subject) error { _, err := e.Users.ReadCurrent(e.ctx); return err }},
}

func TestBadToken(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		org := e.organization()
		project := e.project(org.Name)
		ws := e.workspace(org.Name, tagged("present"))
		existing := subject{org.Name, ws.Name, ws.ID, project.ID, e.mustPoolTag(org.Name, "present").ID}
		missing := subject{"unknown-" + org.Name, "unknown", "ws-unknownunknown00", "prj-unknownunknown00", "tag-unknownunknown00"}

		before, err := e.Workspaces.ReadByID(e.ctx, ws.ID)
		must(t, err, "read")
		for name, token := range map[string]string{
			"unknown": "00000000-0000-4000-8000-000000000000",
			"no UUID": "not.atlasv1." + strings.Repeat("x", 40),
		} {
			stranger := *e
			stranger.Client = newClient(t, e.srv, token)
			for _, call := range calls {
				t.Run(name+"/"+call.name, func(t *testing.T) {
					wantError(t, call.do(&stranger, existing), tfe.ErrUnauthorized)
					wantError(t, call.do(&stranger, missing), tfe.ErrUnauthorized)
				})
			}
		}

		after, err := e.Workspaces.ReadByID(e.ctx, ws.ID)
		must(t, err, "read")
		same(t, "workspace", after, before)
		equal(t, "pool", names(e.pool(org.Name), orgTagName), []string{"present"})
		list, err := e.Workspaces.List(e.ctx, org.Name, nil)
		must(t, err, "list")
		equal(t, "workspaces", list.TotalCount, 1)
	})
}

func TestMissingObjects(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		missing := subject{"unknown-" + randomHex(8), "unknown", "ws-unknownunknown00", "prj-unknownunknown00", "tag-unknownunknown00"}
		for _, call := range calls {
			if call.general {
				continue
			}
			t.Run(call.name, func(t *testing.T) {
				wantError(t, call.do(e, missing), tfe.ErrResourceNotFound)
			})
		}
	})
}

// What is not offered yet looks absent to the client, which is how clients probe for it.
func TestNotOffered(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		org := e.organization()
		ws := e.workspace(org.Name)
		probes := map[string]func() error{
			"Workspaces.AssignSSHKey": func() error {
				_, err := e.Workspaces.AssignSSHKey(e.ctx, ws.ID, tfe.WorkspaceAssignSSHKeyOptions{SSHKeyID: tfe.String("sshkey-unknown")})
				return err
			},
			"Workspaces.UnassignSSHKey": func() error { _, err := e.Workspaces.UnassignSSHKey(e.ctx, ws.ID); return err },
		}
		for name, probe := range probes {
			t.Run(name, func(t *testing.T) { wantError(t, probe(), tfe.ErrResourceNotFound) })
		}
	})
}

func TestUsersReadCurrent(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		user, err := e.Users.ReadCurrent(e.ctx)
		must(t, err, "read the current user")
		if user.ID == "" || user.Username == "" || user.TwoFactor == nil {
			t.Errorf("the current user is %+v", user)
		}
		again, err := newClient(t, e.srv, e.srv.token).Users.ReadCurrent(e.ctx)
		must(t, err, "read the current user")
		same(t, "user", again, user)
	})
}

func TestClientStartUp(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		if version := e.RemoteAPIVersion(); !atLeast(version, 2, 5) {
			t.Errorf("the API version is %q, Terraform wants 2.5 or later", version)
		}
		if e.IsCloud() == e.IsEnterprise() {
			t.Error("the server is both the cloud and an enterprise")
		}
	})
}
