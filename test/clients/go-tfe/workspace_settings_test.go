package gotfe

import (
	"testing"
	"time"

	tfe "github.com/hashicorp/go-tfe"
	"github.com/hashicorp/jsonapi"
)

// overwrites are both flags, as the provider sends them.
func overwrites(own bool) *tfe.WorkspaceSettingOverwritesOptions {
	return &tfe.WorkspaceSettingOverwritesOptions{ExecutionMode: tfe.Bool(own), AgentPool: tfe.Bool(own)}
}

func TestWorkspaceSettingOverwrites(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		org := e.organization(func(o *tfe.OrganizationCreateOptions) { o.DefaultExecutionMode = tfe.String("local") })
		ws := e.workspace(org.Name)
		// What the provider's workspace settings send when they are created, changed and destroyed.
		steps := []struct {
			name    string
			options tfe.WorkspaceUpdateOptions
			mode    string
			own     bool
		}{
			{"a mode", tfe.WorkspaceUpdateOptions{ExecutionMode: tfe.String("remote"), AgentPoolID: tfe.String(""), SettingOverwrites: overwrites(true)}, "remote", true},
			{"the same", tfe.WorkspaceUpdateOptions{ExecutionMode: tfe.String("remote"), AgentPoolID: tfe.String(""), SettingOverwrites: overwrites(true)}, "remote", true},
			{"no mode", tfe.WorkspaceUpdateOptions{SettingOverwrites: overwrites(false)}, "local", false},
			{"a mode alone", tfe.WorkspaceUpdateOptions{ExecutionMode: tfe.String("remote")}, "remote", true},
			{"a mode that is denied", tfe.WorkspaceUpdateOptions{ExecutionMode: tfe.String("remote"), SettingOverwrites: overwrites(false)}, "local", false},
		}
		for _, step := range steps {
			updated, err := e.Workspaces.UpdateByID(e.ctx, ws.ID, step.options)
			must(t, err, step.name)
			equal(t, step.name, updated.ExecutionMode, step.mode)
			same(t, step.name, updated.SettingOverwrites, &tfe.WorkspaceSettingOverwrites{ExecutionMode: tfe.Bool(step.own), AgentPool: tfe.Bool(step.own)})
			e.sameEverywhere(updated)
		}

		both := &tfe.ProjectSettingOverwrites{ExecutionMode: tfe.Bool(true), AgentPool: tfe.Bool(false)}
		_, err := e.Projects.Create(e.ctx, org.Name, tfe.ProjectCreateOptions{Name: "foo", DefaultExecutionMode: tfe.String("remote"), SettingOverwrites: both})
		wantErrorText(t, err, "invalid attribute\n\n", "If agent-pool and execution-mode are both included in setting-overwrites, their values must be the same.")
	})
}

func TestWorkspaceTriggers(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		ws := e.workspace(e.organization().Name, func(o *tfe.WorkspaceCreateOptions) { o.TriggerPrefixes = []string{"/modules"} })
		update := func(options tfe.WorkspaceUpdateOptions, prefixes, patterns []string) {
			t.Helper()
			updated, err := e.Workspaces.UpdateByID(e.ctx, ws.ID, options)
			must(t, err, "update")
			equal(t, "prefixes", updated.TriggerPrefixes, prefixes)
			equal(t, "patterns", updated.TriggerPatterns, patterns)
			e.sameEverywhere(updated)
		}
		update(tfe.WorkspaceUpdateOptions{TriggerPatterns: []string{"/**/x"}}, []string{}, []string{"/**/x"})
		update(tfe.WorkspaceUpdateOptions{TriggerPrefixes: []string{}, TriggerPatterns: []string{"/**/y"}}, []string{}, []string{"/**/y"})
		update(tfe.WorkspaceUpdateOptions{TriggerPrefixes: []string{"/shared"}}, []string{"/shared"}, []string{})
	})
}

func TestWorkspaceAutoDestroy(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		org := e.organization()
		duration := jsonapi.NewNullableAttrWithValue[string]
		project, err := e.Projects.Create(e.ctx, org.Name, tfe.ProjectCreateOptions{Name: "short-lived", AutoDestroyActivityDuration: duration("3d")})
		must(t, err, "create project")
		ws := e.workspace(org.Name, inProject(project))
		check := func(what string, ws *tfe.Workspace, inherits bool, at jsonapi.NullableAttr[time.Time], after jsonapi.NullableAttr[string]) {
			t.Helper()
			equal(t, what+": inherits", ws.InheritsProjectAutoDestroy, inherits)
			same(t, what+": at", ws.AutoDestroyAt, at)
			same(t, what+": duration", ws.AutoDestroyActivityDuration, after)
			e.sameEverywhere(ws)
		}
		update := func(options tfe.WorkspaceUpdateOptions) *tfe.Workspace {
			t.Helper()
			updated, err := e.Workspaces.UpdateByID(e.ctx, ws.ID, options)
			must(t, err, "update")
			return updated
		}
		check("a new workspace", ws, true, nil, duration("3d"))
		at := jsonapi.NewNullableAttrWithValue(time.Date(2031, 1, 2, 0, 0, 0, 0, time.UTC))
		check("a time", update(tfe.WorkspaceUpdateOptions{AutoDestroyAt: at}), false, at, nil)
		check("a duration", update(tfe.WorkspaceUpdateOptions{AutoDestroyActivityDuration: duration("14d")}), false, nil, duration("14d"))
		null := jsonapi.NewNullNullableAttr[string]()
		none := tfe.WorkspaceUpdateOptions{AutoDestroyActivityDuration: null, InheritsProjectAutoDestroy: tfe.Bool(false)}
		check("none", update(none), false, nil, nil)
		check("inherited", update(tfe.WorkspaceUpdateOptions{InheritsProjectAutoDestroy: tfe.Bool(true)}), true, nil, duration("3d"))

		_, err = e.Projects.Update(e.ctx, project.ID, tfe.ProjectUpdateOptions{AutoDestroyActivityDuration: duration("36h")})
		must(t, err, "update project")
		read, err := e.Workspaces.ReadByID(e.ctx, ws.ID)
		must(t, err, "read")
		check("the project's of now", read, true, nil, duration("36h"))
		moved := update(tfe.WorkspaceUpdateOptions{Project: e.project(org.Name)})
		check("in another project", moved, true, nil, nil)

		_, err = e.Workspaces.UpdateByID(e.ctx, ws.ID, tfe.WorkspaceUpdateOptions{AutoDestroyActivityDuration: duration("9d"), InheritsProjectAutoDestroy: tfe.Bool(true)})
		wantInvalid(t, err)
	})
}

// In full, as the client's own tests ask it of an enterprise server.
func TestWorkspaceRemoteStateOptions(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		org := e.organization()
		project, other := e.project(org.Name), e.project(org.Name)
		ws := e.workspace(org.Name, inProject(project))
		near, far := e.workspace(org.Name, inProject(project)), e.workspace(org.Name, inProject(other))
		must(t, e.Workspaces.AddRemoteStateConsumers(e.ctx, ws.ID, tfe.WorkspaceAddRemoteStateConsumersOptions{Workspaces: []*tfe.Workspace{near, far}}), "add")
		sameSet(t, "consumers", e.consumers(ws.ID), []string{near.ID, far.ID})
		_, err := e.Workspaces.UpdateByID(e.ctx, ws.ID, tfe.WorkspaceUpdateOptions{ProjectRemoteState: tfe.Bool(true)})
		must(t, err, "share with the project")
		sameSet(t, "consumers of the project", e.consumers(ws.ID), []string{near.ID})
		for _, options := range []tfe.WorkspaceUpdateOptions{
			{ProjectRemoteState: tfe.Bool(true), GlobalRemoteState: tfe.Bool(true)},
			{GlobalRemoteState: tfe.Bool(true)},
		} {
			_, err = e.Workspaces.UpdateByID(e.ctx, ws.ID, options)
			wantErrorText(t, err, tfe.ErrInvalidRemoteStateOptions.Error())
		}
	})
}
