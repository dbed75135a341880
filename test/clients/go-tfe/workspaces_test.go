package gotfe

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	tfe "github.com/hashicorp/go-tfe"
	"github.com/hashicorp/jsonapi"
)

// sameEverywhere wants a workspace to look the same by name, by ID and in the list.
func (e *env) sameEverywhere(want *tfe.Workspace) {
	e.t.Helper()
	org := want.Organization.Name
	byName, err := e.Workspaces.Read(e.ctx, org, want.Name)
	must(e.t, err, "read by name")
	same(e.t, "workspace by name", byName, want)
	byID, err := e.Workspaces.ReadByID(e.ctx, want.ID)
	must(e.t, err, "read by ID")
	same(e.t, "workspace by ID", byID, want)
	list, err := e.Workspaces.List(e.ctx, org, &tfe.WorkspaceListOptions{Search: want.Name})
	must(e.t, err, "list")
	index := slices.IndexFunc(list.Items, func(ws *tfe.Workspace) bool { return ws.ID == want.ID })
	if index < 0 {
		e.t.Fatalf("%s is not listed", want.Name)
	}
	same(e.t, "listed workspace", list.Items[index], want)
}

func TestWorkspacesCreate(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		org := e.organization()
		project := e.project(org.Name)
		destroyAt := time.Now().UTC().Add(48 * time.Hour).Truncate(time.Second)

		creates := []struct {
			name   string
			change func(*tfe.WorkspaceCreateOptions)
			check  func(*testing.T, *tfe.Workspace)
		}{
			{
				"with a name",
				func(*tfe.WorkspaceCreateOptions) {},
				func(t *testing.T, ws *tfe.Workspace) {
					if !strings.HasPrefix(ws.ID, "ws-") {
						t.Errorf("the ID is %q", ws.ID)
					}
					equal(t, "execution mode", ws.ExecutionMode, "remote")
					equal(t, "operations", ws.Operations, true)
					same(t, "setting overwrites", ws.SettingOverwrites, &tfe.WorkspaceSettingOverwrites{ExecutionMode: tfe.Bool(false), AgentPool: tfe.Bool(false)})
					equal(t, "environment", ws.Environment, "default")
					equal(t, "source", ws.Source, tfe.WorkspaceSourceAPI)
					equal(t, "locked", ws.Locked, false)
					equal(t, "resource count", ws.ResourceCount, 0)
					equal(t, "auto apply", ws.AutoApply, false)
					same(t, "tag-names", ws.TagNames, []string{})
					same(t, "trigger prefixes", ws.TriggerPrefixes, []string{})
					same(t, "trigger patterns", ws.TriggerPatterns, []string{})
					if ws.VCSRepo != nil || ws.AgentPool != nil || ws.CurrentRun != nil || ws.CurrentStateVersion != nil || ws.SSHKey != nil || ws.LockedBy != nil {
						t.Errorf("something is related that is not there: %+v", ws)
					}
					if ws.TerraformVersion == "" {
						t.Error("there is no Terraform version")
					}
					if ws.Project == nil || ws.Project.ID == project.ID {
						t.Errorf("the project is %+v", ws.Project)
					}
					if age := time.Since(ws.CreatedAt); age < -time.Minute || age > time.Minute {
						t.Errorf("created at %s", ws.CreatedAt)
					}
					equal(t, "updated at", ws.UpdatedAt, ws.CreatedAt)
				},
			},
			{
				"with texts, tags and trigger prefixes",
				func(o *tfe.WorkspaceCreateOptions) {
					o.Description = tfe.String("Deploys the »front« end <b>&amp;</b>")
					o.ExecutionMode = tfe.String("remote")
					o.MigrationEnvironment = tfe.String("legacy/production")
					o.SourceName = tfe.String("my-app")
					o.SourceURL = tfe.String("https://my-app.example.test/x?y=1&z=2")
					o.TerraformVersion = tfe.String("0.11.0")
					o.TriggerPrefixes = []string{"/modules", "/shared"}
					o.WorkingDirectory = tfe.String("bar/")
					o.Tags = tagsNamed("tag1", "tag2")
				},
				func(t *testing.T, ws *tfe.Workspace) {
					equal(t, "description", ws.Description, "Deploys the »front« end <b>&amp;</b>")
					equal(t, "execution mode", ws.ExecutionMode, "remote")
					same(t, "mode of its own", ws.SettingOverwrites.ExecutionMode, tfe.Bool(true))
					equal(t, "migration environment", ws.MigrationEnvironment, "legacy/production")
					equal(t, "source name", ws.SourceName, "my-app")
					equal(t, "source URL", ws.SourceURL, "https://my-app.example.test/x?y=1&z=2")
					equal(t, "terraform version", ws.TerraformVersion, "0.11.0")
					equal(t, "trigger prefixes", ws.TriggerPrefixes, []string{"/modules", "/shared"})
					equal(t, "working directory", ws.WorkingDirectory, "bar/")
					equal(t, "tag-names", ws.TagNames, []string{"tag1", "tag2"})
				},
			},
			{
				"with every switch turned from its default",
				func(o *tfe.WorkspaceCreateOptions) {
					o.AllowDestroyPlan = tfe.Bool(false)
					o.AssessmentsEnabled = tfe.Bool(true)
					o.AutoApply = tfe.Bool(true)
					o.AutoApplyRunTrigger = tfe.Bool(true)
					o.FileTriggersEnabled = tfe.Bool(false)
					o.GlobalRemoteState = tfe.Bool(true)
					o.InheritsProjectAutoDestroy = tfe.Bool(false)
					o.QueueAllRuns = tfe.Bool(true)
					o.SpeculativeEnabled = tfe.Bool(false)
					o.StructuredRunOutputEnabled = tfe.Bool(false)
					o.HYOKEnabled = tfe.Bool(true)
				},
				func(t *testing.T, ws *tfe.Workspace) {
					equal(t, "allow destroy plan", ws.AllowDestroyPlan, false)
					equal(t, "assessments", ws.AssessmentsEnabled, true)
					equal(t, "auto apply", ws.AutoApply, true)
					equal(t, "auto apply run trigger", ws.AutoApplyRunTrigger, true)
					equal(t, "file triggers", ws.FileTriggersEnabled, false)
					equal(t, "global remote state", ws.GlobalRemoteState, true)
					equal(t, "inherits auto destroy", ws.InheritsProjectAutoDestroy, false)
					equal(t, "queue all runs", ws.QueueAllRuns, true)
					equal(t, "speculative", ws.SpeculativeEnabled, false)
					equal(t, "structured run output", ws.StructuredRunOutputEnabled, false)
					same(t, "HYOK", ws.HYOKEnabled, tfe.Bool(true))
				},
			},
			{
				"with every switch the other way",
				func(o *tfe.WorkspaceCreateOptions) {
					o.AllowDestroyPlan = tfe.Bool(true)
					o.AssessmentsEnabled = tfe.Bool(false)
					o.AutoApply = tfe.Bool(false)
					o.AutoApplyRunTrigger = tfe.Bool(false)
					o.FileTriggersEnabled = tfe.Bool(true)
					o.GlobalRemoteState = tfe.Bool(false)
					o.InheritsProjectAutoDestroy = tfe.Bool(true)
					o.ProjectRemoteState = tfe.Bool(true)
					o.QueueAllRuns = tfe.Bool(false)
					o.SpeculativeEnabled = tfe.Bool(true)
					o.StructuredRunOutputEnabled = tfe.Bool(true)
					o.HYOKEnabled = tfe.Bool(false)
				},
				func(t *testing.T, ws *tfe.Workspace) {
					equal(t, "allow destroy plan", ws.AllowDestroyPlan, true)
					equal(t, "assessments", ws.AssessmentsEnabled, false)
					equal(t, "auto apply", ws.AutoApply, false)
					equal(t, "auto apply run trigger", ws.AutoApplyRunTrigger, false)
					equal(t, "file triggers", ws.FileTriggersEnabled, true)
					equal(t, "global remote state", ws.GlobalRemoteState, false)
					equal(t, "inherits auto destroy", ws.InheritsProjectAutoDestroy, true)
					equal(t, "project remote state", ws.ProjectRemoteState, true)
					equal(t, "queue all runs", ws.QueueAllRuns, false)
					equal(t, "speculative", ws.SpeculativeEnabled, true)
					equal(t, "structured run output", ws.StructuredRunOutputEnabled, true)
					same(t, "HYOK", ws.HYOKEnabled, tfe.Bool(false))
				},
			},
			{
				"with a time of destruction",
				func(o *tfe.WorkspaceCreateOptions) { o.AutoDestroyAt = jsonapi.NewNullableAttrWithValue(destroyAt) },
				func(t *testing.T, ws *tfe.Workspace) {
					same(t, "auto destroy at", ws.AutoDestroyAt, jsonapi.NewNullableAttrWithValue(destroyAt))
				},
			},
			{
				"with a period of inactivity",
				func(o *tfe.WorkspaceCreateOptions) {
					o.AutoDestroyActivityDuration = jsonapi.NewNullableAttrWithValue("14d")
				},
				func(t *testing.T, ws *tfe.Workspace) {
					same(t, "auto destroy activity duration", ws.AutoDestroyActivityDuration, jsonapi.NewNullableAttrWithValue("14d"))
				},
			},
			{
				"with trigger patterns",
				func(o *tfe.WorkspaceCreateOptions) { o.TriggerPatterns = []string{"/modules/**/*", "/**/networking/*"} },
				func(t *testing.T, ws *tfe.Workspace) {
					equal(t, "trigger patterns", ws.TriggerPatterns, []string{"/modules/**/*", "/**/networking/*"})
				},
			},
			{
				"with operations switched off",
				func(o *tfe.WorkspaceCreateOptions) { o.Operations = tfe.Bool(false) },
				func(t *testing.T, ws *tfe.Workspace) {
					equal(t, "operations", ws.Operations, false)
					equal(t, "execution mode", ws.ExecutionMode, "local")
				},
			},
			{
				"with local execution",
				func(o *tfe.WorkspaceCreateOptions) {
					o.ExecutionMode = tfe.String("local")
					o.SettingOverwrites = &tfe.WorkspaceSettingOverwritesOptions{ExecutionMode: tfe.Bool(true)}
				},
				func(t *testing.T, ws *tfe.Workspace) {
					equal(t, "execution mode", ws.ExecutionMode, "local")
					equal(t, "operations", ws.Operations, false)
					if o := ws.SettingOverwrites; o == nil || o.ExecutionMode == nil || !*o.ExecutionMode {
						t.Errorf("setting overwrites are %+v", o)
					}
				},
			},
			{
				"in a project",
				func(o *tfe.WorkspaceCreateOptions) { o.Project = project },
				func(t *testing.T, ws *tfe.Workspace) { equal(t, "project", ws.Project.ID, project.ID) },
			},
			{
				"with the version latest",
				func(o *tfe.WorkspaceCreateOptions) { o.TerraformVersion = tfe.String("latest") },
				func(t *testing.T, ws *tfe.Workspace) { equal(t, "terraform version", ws.TerraformVersion, "latest") },
			},
			{
				"with a version constraint",
				func(o *tfe.WorkspaceCreateOptions) { o.TerraformVersion = tfe.String("~> 1.5.0") },
				func(t *testing.T, ws *tfe.Workspace) { equal(t, "terraform version", ws.TerraformVersion, "~> 1.5.0") },
			},
			{
				"with a name of all kinds of characters",
				func(o *tfe.WorkspaceCreateOptions) { o.Name = tfe.String("All_Kinds-0f-" + randomHex(3)) },
				func(t *testing.T, ws *tfe.Workspace) {
					if !strings.HasPrefix(ws.Name, "All_Kinds-0f-") {
						t.Errorf("the name is %q", ws.Name)
					}
				},
			},
		}
		for _, test := range creates {
			t.Run(test.name, func(t *testing.T) {
				e := e.sub(t)
				ws := e.workspace(org.Name, test.change)
				test.check(t, ws)
				e.sameEverywhere(ws)
			})
		}

		t.Run("the execution mode of the organization is inherited", func(t *testing.T) {
			e := e.sub(t)
			local := e.organization(func(o *tfe.OrganizationCreateOptions) { o.DefaultExecutionMode = tfe.String("local") })
			ws := e.workspace(local.Name)
			equal(t, "execution mode", ws.ExecutionMode, "local")
			equal(t, "operations", ws.Operations, false)
			same(t, "setting overwrites", ws.SettingOverwrites, &tfe.WorkspaceSettingOverwrites{ExecutionMode: tfe.Bool(false), AgentPool: tfe.Bool(false)})
			e.sameEverywhere(ws)
			own := e.workspace(local.Name, func(o *tfe.WorkspaceCreateOptions) { o.ExecutionMode = tfe.String("remote") })
			equal(t, "execution mode of its own", own.ExecutionMode, "remote")

			_, err := e.Organizations.Update(e.ctx, local.Name, tfe.OrganizationUpdateOptions{DefaultExecutionMode: tfe.String("remote")})
			must(t, err, "update organization")
			read, err := e.Workspaces.ReadByID(e.ctx, ws.ID)
			must(t, err, "read")
			equal(t, "execution mode after a change of the organization", read.ExecutionMode, "remote")
		})

		taken := e.workspace(org.Name)
		t.Run("the same name in another organization", func(t *testing.T) {
			e := e.sub(t)
			e.workspace(e.organization().Name, named(taken.Name))
		})

		foreignProject := e.project(e.organization().Name)
		refused := []struct {
			name    string
			options tfe.WorkspaceCreateOptions
			texts   []string
		}{
			{"name taken", tfe.WorkspaceCreateOptions{Name: &taken.Name}, []string{"invalid attribute\n\nName has already been taken"}},
			{"unknown Terraform version", tfe.WorkspaceCreateOptions{TerraformVersion: tfe.String("nonexisting")}, []string{"invalid attribute\n\n"}},
			{"unknown execution mode", tfe.WorkspaceCreateOptions{ExecutionMode: tfe.String("nowhere")}, []string{"invalid attribute\n\n"}},
			{"execution mode agent", tfe.WorkspaceCreateOptions{ExecutionMode: tfe.String("agent"), AgentPoolID: tfe.String("apool-unknownunknown")}, []string{"invalid attribute\n\n"}},
			{"name with a blank (checked by the client)", tfe.WorkspaceCreateOptions{Name: tfe.String("two words")}, []string{tfe.ErrInvalidName.Error()}},
			{"name with a dot", tfe.WorkspaceCreateOptions{Name: tfe.String("dotted.name")}, []string{"invalid attribute\n\n"}},
			{"name missing (checked by the client)", tfe.WorkspaceCreateOptions{Name: tfe.String("")}, []string{tfe.ErrRequiredName.Error()}},
			{"operations and execution mode (checked by the client)", tfe.WorkspaceCreateOptions{Operations: tfe.Bool(true), ExecutionMode: tfe.String("remote")}, []string{tfe.ErrUnsupportedOperations.Error()}},
			{"trigger prefixes and patterns (checked by the client)", tfe.WorkspaceCreateOptions{TriggerPrefixes: []string{"/a"}, TriggerPatterns: []string{"/b"}}, []string{tfe.ErrUnsupportedBothTriggerPatternsAndPrefixes.Error()}},
			{"unknown project", tfe.WorkspaceCreateOptions{Project: &tfe.Project{ID: "prj-unknownunknown00"}}, []string{""}},
			{"project of another organization", tfe.WorkspaceCreateOptions{Project: foreignProject}, []string{""}},
		}
		for _, test := range refused {
			t.Run("refused: "+test.name, func(t *testing.T) {
				if test.options.Name == nil {
					test.options.Name = tfe.String("refused-" + randomHex(4))
				}
				before, err := e.Workspaces.List(e.ctx, org.Name, nil)
				must(t, err, "list")
				_, err = e.Workspaces.Create(e.ctx, org.Name, test.options)
				wantErrorText(t, err, test.texts...)
				after, err := e.Workspaces.List(e.ctx, org.Name, nil)
				must(t, err, "list")
				equal(t, "number of workspaces", after.TotalCount, before.TotalCount)
			})
		}

		t.Run("refused: unknown organization", func(t *testing.T) {
			_, err := e.Workspaces.Create(e.ctx, "unknown-"+org.Name, tfe.WorkspaceCreateOptions{Name: tfe.String("orphan")})
			wantError(t, err, tfe.ErrResourceNotFound)
		})
	})
}

func TestWorkspacesRead(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		org := e.organization()
		ws := e.workspace(org.Name, tagged("read"))
		e.sameEverywhere(ws)

		t.Run("links", func(t *testing.T) {
			equal[any](t, "self", ws.Links["self"], fmt.Sprintf("/api/v2/organizations/%s/workspaces/%s", org.Name, ws.Name))
			equal[any](t, "self-html", ws.Links["self-html"], fmt.Sprintf("/app/%s/workspaces/%s", org.Name, ws.Name))
		})

		t.Run("permissions and actions", func(t *testing.T) {
			p := ws.Permissions
			if p == nil || !p.CanDestroy || !p.CanUpdate || !p.CanLock || !p.CanUnlock || !p.CanForceUnlock || !p.CanReadSettings {
				t.Fatalf("permissions are %+v", p)
			}
			if p.CanForceDelete == nil || !*p.CanForceDelete {
				t.Errorf("can-force-delete is %v", p.CanForceDelete)
			}
			if ws.Actions == nil || !ws.Actions.IsDestroyable {
				t.Errorf("actions are %+v", ws.Actions)
			}
		})

		t.Run("the organization is related by its name", func(t *testing.T) {
			equal(t, "organization", ws.Organization.Name, org.Name)
			equal(t, "email, as nothing is included", ws.Organization.Email, "")
		})

		t.Run("include", func(t *testing.T) {
			e.sub(t).wantNoCycle("/api/v2/workspaces/" + ws.ID + "?include=organization,project")
			options := &tfe.WorkspaceReadOptions{Include: []tfe.WSIncludeOpt{tfe.WSOrganization, tfe.WSProject}}
			byName, err := e.Workspaces.ReadWithOptions(e.ctx, org.Name, ws.Name, options)
			must(t, err, "read by name")
			equal(t, "ID", byName.ID, ws.ID)
			equal(t, "email", byName.Organization.Email, org.Email)
			equal(t, "project", byName.Project.Name, "Default Project")
			byID, err := e.Workspaces.ReadByIDWithOptions(e.ctx, ws.ID, options)
			must(t, err, "read by ID")
			same(t, "workspace by ID", byID, byName)
		})

		t.Run("include one at a time", func(t *testing.T) {
			withOrganization, err := e.Workspaces.ReadByIDWithOptions(e.ctx, ws.ID, &tfe.WorkspaceReadOptions{Include: []tfe.WSIncludeOpt{tfe.WSOrganization}})
			must(t, err, "read with the organization")
			equal(t, "email", withOrganization.Organization.Email, org.Email)
			withProject, err := e.Workspaces.ReadWithOptions(e.ctx, org.Name, ws.Name, &tfe.WorkspaceReadOptions{Include: []tfe.WSIncludeOpt{tfe.WSProject}})
			must(t, err, "read with the project")
			equal(t, "project", withProject.Project.Name, "Default Project")
		})

		t.Run("include nonsense", func(t *testing.T) {
			options := &tfe.WorkspaceReadOptions{Include: []tfe.WSIncludeOpt{"nonsense"}}
			_, err := e.Workspaces.ReadWithOptions(e.ctx, org.Name, ws.Name, options)
			wantError(t, err, tfe.ErrInvalidIncludeValue)
			_, err = e.Workspaces.ReadByIDWithOptions(e.ctx, ws.ID, options)
			wantError(t, err, tfe.ErrInvalidIncludeValue)
			_, err = e.Workspaces.List(e.ctx, org.Name, &tfe.WorkspaceListOptions{Include: options.Include})
			wantError(t, err, tfe.ErrInvalidIncludeValue)
		})

		for _, missing := range []struct{ name, org, workspace string }{
			{"workspace", org.Name, "unknown"},
			{"organization", "unknown-" + org.Name, ws.Name},
		} {
			t.Run("unknown "+missing.name, func(t *testing.T) {
				_, err := e.Workspaces.Read(e.ctx, missing.org, missing.workspace)
				wantError(t, err, tfe.ErrResourceNotFound)
			})
		}
		t.Run("unknown ID", func(t *testing.T) {
			_, err := e.Workspaces.ReadByID(e.ctx, "ws-unknownunknown00")
			wantError(t, err, tfe.ErrResourceNotFound)
		})
	})
}

func TestWorkspacesList(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		org := e.organization()
		project, empty := e.project(org.Name), e.project(org.Name)
		// Created out of the order of their names.
		beta := e.workspace(org.Name, named("acme-Beta-prod"), tagged("bar", "both"))
		alpha := e.workspace(org.Name, named("acme-alpha-prod"), tagged("foo", "both", "t1"), inProject(project))
		gamma := e.workspace(org.Name, named("hashi_gamma"), tagged("foo"), inProject(project))

		prod := []string{"acme-alpha-prod", "acme-Beta-prod"}
		all := append(slices.Clone(prod), "hashi_gamma")
		lists := []struct {
			name    string
			options *tfe.WorkspaceListOptions
			want    []string
		}{
			{"without options", nil, all},
			{"search a whole name", &tfe.WorkspaceListOptions{Search: "hashi_gamma"}, []string{gamma.Name}},
			{"search the beginning of a name", &tfe.WorkspaceListOptions{Search: "acme-alpha"}, []string{alpha.Name}},
			{"search inside names", &tfe.WorkspaceListOptions{Search: "-prod"}, prod},
			{"search in another case", &tfe.WorkspaceListOptions{Search: "ACME-BETA"}, []string{beta.Name}},
			{"search without a match", &tfe.WorkspaceListOptions{Search: "nonexisting"}, []string{}},
			{"search with a percent sign", &tfe.WorkspaceListOptions{Search: "acme%prod"}, []string{}},
			{"search with an underscore", &tfe.WorkspaceListOptions{Search: "acme_alpha"}, []string{}},
			{"one tag", &tfe.WorkspaceListOptions{Tags: "t1"}, []string{alpha.Name}},
			{"a tag in upper case", &tfe.WorkspaceListOptions{Tags: "T1"}, []string{alpha.Name}},
			{"all of several tags", &tfe.WorkspaceListOptions{Tags: "foo,both"}, []string{alpha.Name}},
			{"a tag and an unknown one", &tfe.WorkspaceListOptions{Tags: "foo,unknown"}, []string{}},
			{"a part of a tag is no tag", &tfe.WorkspaceListOptions{Tags: "fo"}, []string{}},
			{"without a tag", &tfe.WorkspaceListOptions{ExcludeTags: "foo"}, []string{beta.Name}},
			{"without any of several tags", &tfe.WorkspaceListOptions{ExcludeTags: "t1,bar"}, []string{gamma.Name}},
			{"without an unknown tag", &tfe.WorkspaceListOptions{ExcludeTags: "unknown"}, all},
			{"with one tag, without another", &tfe.WorkspaceListOptions{Tags: "foo", ExcludeTags: "both"}, []string{gamma.Name}},
			{"the same tag on both sides", &tfe.WorkspaceListOptions{Tags: "foo", ExcludeTags: "foo"}, []string{}},
			{"name and tag", &tfe.WorkspaceListOptions{Search: "acme", Tags: "foo"}, []string{alpha.Name}},
			{"wildcard at the start", &tfe.WorkspaceListOptions{WildcardName: "*-prod"}, prod},
			{"wildcard at the start without a match", &tfe.WorkspaceListOptions{WildcardName: "*-dev"}, []string{}},
			{"wildcard at the end", &tfe.WorkspaceListOptions{WildcardName: "hashi*"}, []string{gamma.Name}},
			{"wildcard on both sides", &tfe.WorkspaceListOptions{WildcardName: "*alpha*"}, []string{alpha.Name}},
			{"no wildcard is a whole name", &tfe.WorkspaceListOptions{WildcardName: "hashi_gamma"}, []string{gamma.Name}},
			{"no wildcard is no part of a name", &tfe.WorkspaceListOptions{WildcardName: "hashi"}, []string{}},
			{"wildcard and an underscore", &tfe.WorkspaceListOptions{WildcardName: "acme_alpha*"}, []string{}},
			{"project", &tfe.WorkspaceListOptions{ProjectID: project.ID}, []string{alpha.Name, gamma.Name}},
			{"empty project", &tfe.WorkspaceListOptions{ProjectID: empty.ID}, []string{}},
			{"unknown project", &tfe.WorkspaceListOptions{ProjectID: "prj-unknownunknown00"}, []string{}},
			{"project and tag", &tfe.WorkspaceListOptions{ProjectID: project.ID, Tags: "t1"}, []string{alpha.Name}},
			{"a key that nothing has", &tfe.WorkspaceListOptions{TagBindings: []*tfe.TagBinding{{Key: "unbound"}}}, []string{}},
			{"page past the end", &tfe.WorkspaceListOptions{ListOptions: tfe.ListOptions{PageNumber: 999, PageSize: 100}}, nil},
		}
		for _, test := range lists {
			t.Run(test.name, func(t *testing.T) {
				list, err := e.Workspaces.List(e.ctx, org.Name, test.options)
				must(t, err, "list")
				if test.want == nil {
					equal(t, "items", len(list.Items), 0)
					equal(t, "current page", list.CurrentPage, 999)
					equal(t, "total count", list.TotalCount, 3)
					return
				}
				sameSet(t, "names", names(list.Items, workspaceName), test.want)
				equal(t, "total count", list.TotalCount, len(test.want))
				equal(t, "current page", list.CurrentPage, 1)
			})
		}

		t.Run("listed as created", func(t *testing.T) {
			list, err := e.Workspaces.List(e.ctx, org.Name, nil)
			must(t, err, "list")
			for _, created := range []*tfe.Workspace{alpha, beta, gamma} {
				index := slices.IndexFunc(list.Items, func(ws *tfe.Workspace) bool { return ws.ID == created.ID })
				if index < 0 {
					t.Fatalf("%s is not listed", created.Name)
				}
				same(t, "listed workspace", list.Items[index], created)
			}
		})

		t.Run("include the organization", func(t *testing.T) {
			e.sub(t).wantNoCycle("/api/v2/organizations/" + org.Name + "/workspaces?include=organization,project")
			list, err := e.Workspaces.List(e.ctx, org.Name, &tfe.WorkspaceListOptions{Include: []tfe.WSIncludeOpt{tfe.WSOrganization, tfe.WSProject}})
			must(t, err, "list")
			equal(t, "items", len(list.Items), 3)
			for _, ws := range list.Items {
				equal(t, ws.Name+": email", ws.Organization.Email, org.Email)
				if ws.Project.Name == "" {
					t.Errorf("%s: the project has no name", ws.Name)
				}
			}
		})

		t.Run("unknown organization", func(t *testing.T) {
			_, err := e.Workspaces.List(e.ctx, "unknown-"+org.Name, nil)
			wantError(t, err, tfe.ErrResourceNotFound)
		})
	})
}

func TestWorkspacesListSortAndPaging(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		org := e.organization()
		created := []string{"w3", "w1", "w5", "w2", "w4"}
		for _, name := range created {
			e.workspace(org.Name, named(name), tagged("paged"))
		}
		up := slices.Sorted(slices.Values(created))
		down := slices.Clone(up)
		slices.Reverse(down)

		for sort, want := range map[string][]string{"": up, "name": up, "-name": down} {
			t.Run("sort by "+sort, func(t *testing.T) {
				var got []string
				options := &tfe.WorkspaceListOptions{Sort: sort, Tags: "paged", ListOptions: tfe.ListOptions{PageSize: 2}}
				for page := 1; ; page++ {
					list, err := e.Workspaces.List(e.ctx, org.Name, options)
					must(t, err, "list")
					next := page + 1
					if page == 3 {
						next = 0
					}
					equal(t, "pagination", *list.Pagination, tfe.Pagination{CurrentPage: page, PreviousPage: page - 1, NextPage: next, TotalPages: 3, TotalCount: 5})
					got = append(got, names(list.Items, workspaceName)...)
					if list.CurrentPage >= list.TotalPages || page > 3 {
						break
					}
					options.PageNumber = list.NextPage
				}
				equal(t, "names", got, want)
			})
		}
	})
}

func TestWorkspacesUpdate(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		org := e.organization()
		project := e.project(org.Name)
		destroyAt := time.Now().UTC().Add(72 * time.Hour).Truncate(time.Second)
		ws := e.workspace(org.Name, tagged("kept"), func(o *tfe.WorkspaceCreateOptions) {
			o.Description = tfe.String("before")
			o.SourceName = tfe.String("source")
			o.TriggerPrefixes = []string{"/before"}
			o.WorkingDirectory = tfe.String("before/")
			o.TerraformVersion = tfe.String("1.4.0")
			o.AutoApply = tfe.Bool(true)
		})
		equal(t, "tag-names", ws.TagNames, []string{"kept"})

		overwritten := func(ws *tfe.Workspace, mode string, overwrites bool) {
			ws.ExecutionMode = mode
			ws.Operations = mode == "remote"
			ws.SettingOverwrites = &tfe.WorkspaceSettingOverwrites{ExecutionMode: tfe.Bool(overwrites), AgentPool: tfe.Bool(overwrites)}
		}
		updates := []struct {
			name    string
			options tfe.WorkspaceUpdateOptions
			change  func(*tfe.Workspace)
		}{
			{"nothing", tfe.WorkspaceUpdateOptions{}, func(*tfe.Workspace) {}},
			{"description", tfe.WorkspaceUpdateOptions{Description: tfe.String("after")}, func(ws *tfe.Workspace) { ws.Description = "after" }},
			{"description to nothing", tfe.WorkspaceUpdateOptions{Description: tfe.String("")}, func(ws *tfe.Workspace) { ws.Description = "" }},
			{"allow destroy plan", tfe.WorkspaceUpdateOptions{AllowDestroyPlan: tfe.Bool(false)}, func(ws *tfe.Workspace) { ws.AllowDestroyPlan = false }},
			{"assessments", tfe.WorkspaceUpdateOptions{AssessmentsEnabled: tfe.Bool(true)}, func(ws *tfe.Workspace) { ws.AssessmentsEnabled = true }},
			{"auto apply", tfe.WorkspaceUpdateOptions{AutoApply: tfe.Bool(false)}, func(ws *tfe.Workspace) { ws.AutoApply = false }},
			{"auto apply run trigger", tfe.WorkspaceUpdateOptions{AutoApplyRunTrigger: tfe.Bool(true)}, func(ws *tfe.Workspace) { ws.AutoApplyRunTrigger = true }},
			{"auto destroy at", tfe.WorkspaceUpdateOptions{AutoDestroyAt: jsonapi.NewNullableAttrWithValue(destroyAt)}, func(ws *tfe.Workspace) {
				ws.AutoDestroyAt = jsonapi.NewNullableAttrWithValue(destroyAt)
				ws.InheritsProjectAutoDestroy = false
			}},
			{"auto destroy at to nothing", tfe.WorkspaceUpdateOptions{AutoDestroyAt: jsonapi.NewNullNullableAttr[time.Time]()}, func(now *tfe.Workspace) {
				now.AutoDestroyAt = ws.AutoDestroyAt
				now.InheritsProjectAutoDestroy = true
			}},
			{"auto destroy activity duration", tfe.WorkspaceUpdateOptions{AutoDestroyActivityDuration: jsonapi.NewNullableAttrWithValue("24h")}, func(ws *tfe.Workspace) {
				ws.AutoDestroyActivityDuration = jsonapi.NewNullableAttrWithValue("24h")
				ws.InheritsProjectAutoDestroy = false
			}},
			{"auto destroy activity duration to nothing", tfe.WorkspaceUpdateOptions{AutoDestroyActivityDuration: jsonapi.NewNullNullableAttr[string]()}, func(now *tfe.Workspace) {
				now.AutoDestroyActivityDuration = ws.AutoDestroyActivityDuration
			}},
			{"inherits auto destroy", tfe.WorkspaceUpdateOptions{InheritsProjectAutoDestroy: tfe.Bool(true)}, func(ws *tfe.Workspace) { ws.InheritsProjectAutoDestroy = true }},
			{"inherits auto destroy no more", tfe.WorkspaceUpdateOptions{InheritsProjectAutoDestroy: tfe.Bool(false)}, func(ws *tfe.Workspace) { ws.InheritsProjectAutoDestroy = false }},
			{"execution mode", tfe.WorkspaceUpdateOptions{ExecutionMode: tfe.String("local")}, func(ws *tfe.Workspace) { overwritten(ws, "local", true) }},
			{"execution mode back to the organization's", tfe.WorkspaceUpdateOptions{SettingOverwrites: &tfe.WorkspaceSettingOverwritesOptions{ExecutionMode: tfe.Bool(false), AgentPool: tfe.Bool(false)}}, func(ws *tfe.Workspace) { overwritten(ws, "remote", false) }},
			{"operations", tfe.WorkspaceUpdateOptions{Operations: tfe.Bool(false)}, func(ws *tfe.Workspace) { overwritten(ws, "local", true) }},
			{"operations on", tfe.WorkspaceUpdateOptions{Operations: tfe.Bool(true)}, func(ws *tfe.Workspace) { overwritten(ws, "remote", true) }},
			{"file triggers", tfe.WorkspaceUpdateOptions{FileTriggersEnabled: tfe.Bool(false)}, func(ws *tfe.Workspace) { ws.FileTriggersEnabled = false }},
			{"global remote state", tfe.WorkspaceUpdateOptions{GlobalRemoteState: tfe.Bool(true)}, func(ws *tfe.Workspace) { ws.GlobalRemoteState = true }},
			{"global remote state off", tfe.WorkspaceUpdateOptions{GlobalRemoteState: tfe.Bool(false)}, func(ws *tfe.Workspace) { ws.GlobalRemoteState = false }},
			{"project remote state", tfe.WorkspaceUpdateOptions{ProjectRemoteState: tfe.Bool(true)}, func(ws *tfe.Workspace) { ws.ProjectRemoteState = true }},
			{"queue all runs", tfe.WorkspaceUpdateOptions{QueueAllRuns: tfe.Bool(true)}, func(ws *tfe.Workspace) { ws.QueueAllRuns = true }},
			{"speculative", tfe.WorkspaceUpdateOptions{SpeculativeEnabled: tfe.Bool(false)}, func(ws *tfe.Workspace) { ws.SpeculativeEnabled = false }},
			{"structured run output", tfe.WorkspaceUpdateOptions{StructuredRunOutputEnabled: tfe.Bool(false)}, func(ws *tfe.Workspace) { ws.StructuredRunOutputEnabled = false }},
			{"terraform version", tfe.WorkspaceUpdateOptions{TerraformVersion: tfe.String("1.5.7")}, func(ws *tfe.Workspace) { ws.TerraformVersion = "1.5.7" }},
			{"trigger prefixes", tfe.WorkspaceUpdateOptions{TriggerPrefixes: []string{"/a", "/b"}}, func(ws *tfe.Workspace) { ws.TriggerPrefixes = []string{"/a", "/b"} }},
			{"working directory", tfe.WorkspaceUpdateOptions{WorkingDirectory: tfe.String("after/")}, func(ws *tfe.Workspace) { ws.WorkingDirectory = "after/" }},
			{"HYOK", tfe.WorkspaceUpdateOptions{HYOKEnabled: tfe.Bool(true)}, func(ws *tfe.Workspace) { ws.HYOKEnabled = tfe.Bool(true) }},
			{"project", tfe.WorkspaceUpdateOptions{Project: project}, func(ws *tfe.Workspace) { ws.Project = &tfe.Project{ID: project.ID} }},
			{"name", tfe.WorkspaceUpdateOptions{Name: tfe.String("renamed")}, func(ws *tfe.Workspace) {
				ws.Name = "renamed"
				ws.Links = map[string]any{
					"self":      "/api/v2/organizations/" + org.Name + "/workspaces/renamed",
					"self-html": "/app/" + org.Name + "/workspaces/renamed",
				}
			}},
		}
		// Each update goes out by name and by ID in turn; the other fields stay.
		for i, test := range updates {
			t.Run("only "+test.name, func(t *testing.T) {
				e := e.sub(t)
				want, err := e.Workspaces.ReadByID(e.ctx, ws.ID)
				must(t, err, "read")
				var updated *tfe.Workspace
				if i%2 == 0 {
					updated, err = e.Workspaces.UpdateByID(e.ctx, ws.ID, test.options)
				} else {
					updated, err = e.Workspaces.Update(e.ctx, org.Name, want.Name, test.options)
				}
				must(t, err, "update")
				if updated.UpdatedAt.Before(want.UpdatedAt) {
					t.Errorf("updated at %s, before %s", updated.UpdatedAt, want.UpdatedAt)
				}
				test.change(want)
				want.UpdatedAt = updated.UpdatedAt
				same(t, "updated workspace", updated, want)
				e.sameEverywhere(updated)
			})
		}

		t.Run("the old name is free", func(t *testing.T) {
			_, err := e.Workspaces.Read(e.ctx, org.Name, ws.Name)
			wantError(t, err, tfe.ErrResourceNotFound)
			e.sub(t).workspace(org.Name, named(ws.Name))
		})

		t.Run("moved out of the default project", func(t *testing.T) {
			list, err := e.Workspaces.List(e.ctx, org.Name, &tfe.WorkspaceListOptions{ProjectID: project.ID})
			must(t, err, "list")
			equal(t, "workspaces of the project", names(list.Items, workspaceID), []string{ws.ID})
		})

		taken := e.workspace(org.Name)
		foreignProject := e.project(e.organization().Name)
		refused := []struct {
			name    string
			options tfe.WorkspaceUpdateOptions
			texts   []string
		}{
			{"taken name", tfe.WorkspaceUpdateOptions{Name: &taken.Name}, []string{"invalid attribute\n\nName has already been taken"}},
			{"bad name", tfe.WorkspaceUpdateOptions{Name: tfe.String("dotted.name")}, []string{"invalid attribute\n\n"}},
			{"unknown Terraform version", tfe.WorkspaceUpdateOptions{TerraformVersion: tfe.String("nonexisting")}, []string{"invalid attribute\n\n"}},
			{"execution mode agent", tfe.WorkspaceUpdateOptions{ExecutionMode: tfe.String("agent"), AgentPoolID: tfe.String("apool-unknownunknown")}, []string{"invalid attribute\n\n"}},
			{"unknown project", tfe.WorkspaceUpdateOptions{Project: &tfe.Project{ID: "prj-unknownunknown00"}}, []string{""}},
			{"project of another organization", tfe.WorkspaceUpdateOptions{Project: foreignProject}, []string{""}},
		}
		for _, test := range refused {
			t.Run("refused: "+test.name, func(t *testing.T) {
				before, err := e.Workspaces.ReadByID(e.ctx, ws.ID)
				must(t, err, "read")
				test.options.Description = tfe.String("must not be stored")
				_, err = e.Workspaces.UpdateByID(e.ctx, ws.ID, test.options)
				wantErrorText(t, err, test.texts...)
				_, err = e.Workspaces.Update(e.ctx, org.Name, before.Name, test.options)
				wantErrorText(t, err, test.texts...)
				after, err := e.Workspaces.ReadByID(e.ctx, ws.ID)
				must(t, err, "read")
				same(t, "workspace", after, before)
			})
		}

		t.Run("unknown workspace", func(t *testing.T) {
			options := tfe.WorkspaceUpdateOptions{Description: tfe.String("nobody")}
			_, err := e.Workspaces.UpdateByID(e.ctx, "ws-unknownunknown00", options)
			wantError(t, err, tfe.ErrResourceNotFound)
			_, err = e.Workspaces.Update(e.ctx, org.Name, "unknown", options)
			wantError(t, err, tfe.ErrResourceNotFound)
		})
	})
}

func TestWorkspacesDelete(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		org := e.organization()
		deletes := []struct {
			name   string
			safe   bool
			delete func(*tfe.Workspace) error
		}{
			{"by name", false, func(ws *tfe.Workspace) error { return e.Workspaces.Delete(e.ctx, org.Name, ws.Name) }},
			{"by ID", false, func(ws *tfe.Workspace) error { return e.Workspaces.DeleteByID(e.ctx, ws.ID) }},
			{"safely by name", true, func(ws *tfe.Workspace) error { return e.Workspaces.SafeDelete(e.ctx, org.Name, ws.Name) }},
			{"safely by ID", true, func(ws *tfe.Workspace) error { return e.Workspaces.SafeDeleteByID(e.ctx, ws.ID) }},
		}
		for _, test := range deletes {
			wantGone := func(t *testing.T, ws *tfe.Workspace) {
				t.Helper()
				_, err := e.Workspaces.Read(e.ctx, org.Name, ws.Name)
				wantError(t, err, tfe.ErrResourceNotFound)
				_, err = e.Workspaces.ReadByID(e.ctx, ws.ID)
				wantError(t, err, tfe.ErrResourceNotFound)
				wantError(t, test.delete(ws), tfe.ErrResourceNotFound)
			}
			t.Run(test.name, func(t *testing.T) {
				e := e.sub(t)
				ws := e.workspace(org.Name)
				must(t, test.delete(ws), "delete")
				wantGone(t, ws)
				again := e.workspace(org.Name, named(ws.Name))
				if again.ID == ws.ID {
					t.Error("the ID came back")
				}
				equal(t, "tag-names", len(again.TagNames), 0)
			})
			t.Run(test.name+", locked", func(t *testing.T) {
				e := e.sub(t)
				ws := e.workspace(org.Name)
				_, err := e.Workspaces.Lock(e.ctx, ws.ID, tfe.WorkspaceLockOptions{})
				must(t, err, "lock")
				if test.safe {
					wantError(t, test.delete(ws), tfe.ErrWorkspaceLockedCannotDelete)
					_, err = e.Workspaces.Unlock(e.ctx, ws.ID)
					must(t, err, "unlock")
				}
				must(t, test.delete(ws), "delete")
				wantGone(t, ws)
			})
		}
	})
}

func TestWorkspacesLock(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		org := e.organization()
		user, err := e.Users.ReadCurrent(e.ctx)
		must(t, err, "read the current user")

		lock := func(t *testing.T, id string) *tfe.Workspace {
			t.Helper()
			ws, err := e.Workspaces.Lock(e.ctx, id, tfe.WorkspaceLockOptions{Reason: tfe.String("Maintenance")})
			must(t, err, "lock")
			return ws
		}
		unlocks := map[string]func(id string) (*tfe.Workspace, error){
			"unlock":       func(id string) (*tfe.Workspace, error) { return e.Workspaces.Unlock(e.ctx, id) },
			"force unlock": func(id string) (*tfe.Workspace, error) { return e.Workspaces.ForceUnlock(e.ctx, id) },
		}
		for name, unlock := range unlocks {
			t.Run("lock and "+name, func(t *testing.T) {
				e := e.sub(t)
				ws := e.workspace(org.Name)
				_, err := unlock(ws.ID)
				wantError(t, err, tfe.ErrWorkspaceNotLocked)

				locked := lock(t, ws.ID)
				equal(t, "ID", locked.ID, ws.ID)
				equal(t, "locked", locked.Locked, true)
				if by := locked.LockedBy; by == nil || by.User == nil || by.Run != nil || by.Team != nil {
					t.Errorf("locked by %+v", by)
				} else {
					equal(t, "locked by", by.User.ID, user.ID)
				}
				read, err := e.Workspaces.ReadByID(e.ctx, ws.ID)
				must(t, err, "read")
				same(t, "read workspace", read, locked)

				_, err = e.Workspaces.Lock(e.ctx, ws.ID, tfe.WorkspaceLockOptions{})
				wantError(t, err, tfe.ErrWorkspaceLocked)

				unlocked, err := unlock(ws.ID)
				must(t, err, name)
				equal(t, "locked", unlocked.Locked, false)
				if unlocked.LockedBy != nil {
					t.Errorf("locked by %+v", unlocked.LockedBy)
				}
				e.sameEverywhere(unlocked)
				_, err = unlock(ws.ID)
				wantError(t, err, tfe.ErrWorkspaceNotLocked)
			})
		}

		t.Run("without a reason", func(t *testing.T) {
			ws, err := e.Workspaces.Lock(e.ctx, e.sub(t).workspace(org.Name).ID, tfe.WorkspaceLockOptions{})
			must(t, err, "lock")
			equal(t, "locked", ws.Locked, true)
		})

		t.Run("who locked it can be included", func(t *testing.T) {
			ws := e.sub(t).workspace(org.Name)
			lock(t, ws.ID)
			read, err := e.Workspaces.ReadByIDWithOptions(e.ctx, ws.ID, &tfe.WorkspaceReadOptions{Include: []tfe.WSIncludeOpt{tfe.WSLockedBy}})
			must(t, err, "read")
			if read.LockedBy == nil || read.LockedBy.User == nil {
				t.Fatalf("locked by %+v", read.LockedBy)
			}
			equal(t, "user name", read.LockedBy.User.Username, user.Username)
		})

		t.Run("a locked workspace can be tagged and updated", func(t *testing.T) {
			e := e.sub(t)
			ws := e.workspace(org.Name)
			lock(t, ws.ID)
			e.addTags(ws.ID, "while-locked")
			updated, err := e.Workspaces.UpdateByID(e.ctx, ws.ID, tfe.WorkspaceUpdateOptions{Description: tfe.String("while locked")})
			must(t, err, "update")
			equal(t, "locked", updated.Locked, true)
			equal(t, "tag-names", updated.TagNames, []string{"while-locked"})
		})
	})
}
