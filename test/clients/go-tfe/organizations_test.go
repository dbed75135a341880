package gotfe

import (
	"slices"
	"strings"
	"testing"
	"time"

	tfe "github.com/hashicorp/go-tfe"
)

func TestOrganizationsCreate(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		t.Run("with name and email", func(t *testing.T) {
			e := e.sub(t)
			name, email := "tst-"+randomHex(8), randomHex(8)+"@example.test"
			org, err := e.Organizations.Create(e.ctx, tfe.OrganizationCreateOptions{Name: &name, Email: &email})
			must(t, err, "create")
			e.deleteLater(name)

			equal(t, "name", org.Name, name)
			equal(t, "email", org.Email, email)
			equal(t, "default execution mode", org.DefaultExecutionMode, "remote")
			equal(t, "collaborator auth policy", org.CollaboratorAuthPolicy, tfe.AuthPolicyPassword)
			equal(t, "session timeout", org.SessionTimeout, 0)
			equal(t, "session remember", org.SessionRemember, 0)
			if org.DefaultAgentPool != nil {
				t.Errorf("default agent pool is %+v", org.DefaultAgentPool)
			}
			if org.UserTokensEnabled == nil || !*org.UserTokensEnabled {
				t.Errorf("user tokens enabled: %v", org.UserTokensEnabled)
			}
			if !strings.HasPrefix(org.ExternalID, "org-") {
				t.Errorf("external ID is %q", org.ExternalID)
			}
			if age := time.Since(org.CreatedAt); age < -time.Minute || age > time.Minute {
				t.Errorf("created at %s", org.CreatedAt)
			}
			if !org.TrialExpiresAt.IsZero() {
				t.Errorf("trial expires at %s", org.TrialExpiresAt)
			}
			if org.RemainingTestableCount <= 1 {
				t.Errorf("remaining testable count is %d", org.RemainingTestableCount)
			}
			if org.Permissions == nil || !org.Permissions.CanDestroy || !org.Permissions.CanUpdate || !org.Permissions.CanCreateWorkspace || !org.Permissions.CanCreateProject {
				t.Errorf("permissions are %+v", org.Permissions)
			}
		})

		t.Run("with every option", func(t *testing.T) {
			e := e.sub(t)
			org := e.organization(func(o *tfe.OrganizationCreateOptions) {
				o.AssessmentsEnforced = tfe.Bool(true)
				o.SessionRemember = tfe.Int(3600)
				o.SessionTimeout = tfe.Int(1800)
				o.CollaboratorAuthPolicy = tfe.AuthPolicy(tfe.AuthPolicyTwoFactor)
				o.CostEstimationEnabled = tfe.Bool(true)
				o.AggregatedCommitStatusEnabled = tfe.Bool(true)
				o.SendPassingStatusesForUntriggeredSpeculativePlans = tfe.Bool(false)
				o.SpeculativePlanManagementEnabled = tfe.Bool(true)
				o.AllowForceDeleteWorkspaces = tfe.Bool(true)
				o.DefaultExecutionMode = tfe.String("local")
				o.StacksEnabled = tfe.Bool(true)
				o.UserTokensEnabled = tfe.Bool(false)
				o.MaxTTLEnabled = tfe.Bool(true)
			})
			check := func(org *tfe.Organization) {
				t.Helper()
				equal(t, "assessments enforced", org.AssessmentsEnforced, true)
				equal(t, "session remember", org.SessionRemember, 3600)
				equal(t, "session timeout", org.SessionTimeout, 1800)
				equal(t, "collaborator auth policy", org.CollaboratorAuthPolicy, tfe.AuthPolicyTwoFactor)
				equal(t, "cost estimation", org.CostEstimationEnabled, true)
				equal(t, "aggregated commit status", org.AggregatedCommitStatusEnabled, true)
				equal(t, "passing statuses", org.SendPassingStatusesForUntriggeredSpeculativePlans, false)
				equal(t, "speculative plan management", org.SpeculativePlanManagementEnabled, true)
				equal(t, "force delete", org.AllowForceDeleteWorkspaces, true)
				equal(t, "default execution mode", org.DefaultExecutionMode, "local")
				equal(t, "stacks", org.StacksEnabled, true)
				equal(t, "max TTL", org.MaxTTLEnabled, true)
				if org.UserTokensEnabled == nil || *org.UserTokensEnabled {
					t.Errorf("user tokens enabled: %v", org.UserTokensEnabled)
				}
			}
			check(org)
			read, err := e.Organizations.Read(e.ctx, org.Name)
			must(t, err, "read")
			check(read)
			same(t, "read organization", read, org)
		})

		t.Run("passing statuses", func(t *testing.T) {
			org := e.sub(t).organization(func(o *tfe.OrganizationCreateOptions) {
				o.SendPassingStatusesForUntriggeredSpeculativePlans = tfe.Bool(true)
			})
			equal(t, "passing statuses", org.SendPassingStatusesForUntriggeredSpeculativePlans, true)
		})

		taken := e.organization()
		email := tfe.String("somebody@example.test")
		refused := []struct {
			name    string
			options tfe.OrganizationCreateOptions
			texts   []string
		}{
			{"name taken", tfe.OrganizationCreateOptions{Name: &taken.Name, Email: email}, []string{"invalid attribute\n\nName has already been taken"}},
			{"name taken in another case", tfe.OrganizationCreateOptions{Name: tfe.String(strings.ToUpper(taken.Name)), Email: email}, []string{"invalid attribute\n\nName has already been taken"}},
			{"name with a dot", tfe.OrganizationCreateOptions{Name: tfe.String("dotted.name-" + randomHex(4)), Email: email}, []string{"invalid attribute\n\n"}},
			{"unknown execution mode", tfe.OrganizationCreateOptions{Name: tfe.String("tst-" + randomHex(8)), Email: email, DefaultExecutionMode: tfe.String("nowhere")}, []string{"invalid attribute\n\n"}},
			{"name missing (checked by the client)", tfe.OrganizationCreateOptions{Email: email}, []string{tfe.ErrRequiredName.Error()}},
		}
		for _, test := range refused {
			t.Run(test.name, func(t *testing.T) {
				org, err := e.Organizations.Create(e.ctx, test.options)
				if err == nil {
					e.sub(t).deleteLater(org.Name)
				}
				wantErrorText(t, err, test.texts...)
			})
		}
	})
}

func TestOrganizationsRead(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		org := e.organization(func(o *tfe.OrganizationCreateOptions) { o.Name = tfe.String("Tst-Read-" + randomHex(6)) })

		read, err := e.Organizations.Read(e.ctx, org.Name)
		must(t, err, "read")
		same(t, "read organization", read, org)

		t.Run("in another case", func(t *testing.T) {
			read, err := e.Organizations.Read(e.ctx, strings.ToLower(org.Name))
			must(t, err, "read")
			same(t, "read organization", read, org)
		})

		t.Run("with its default project", func(t *testing.T) {
			read, err := e.Organizations.ReadWithOptions(e.ctx, org.Name, tfe.OrganizationReadOptions{Include: []tfe.OrganizationIncludeOpt{tfe.OrganizationDefaultProject}})
			must(t, err, "read")
			if read.DefaultProject == nil {
				t.Fatal("no default project")
			}
			equal(t, "name of the default project", read.DefaultProject.Name, "Default Project")
			project, err := e.Projects.Read(e.ctx, read.DefaultProject.ID)
			must(t, err, "read project")
			same(t, "included project", read.DefaultProject.SettingOverwrites, project.SettingOverwrites)
			equal(t, "project", project.Name, "Default Project")
		})

		t.Run("with an unknown include", func(t *testing.T) {
			_, err := e.Organizations.ReadWithOptions(e.ctx, org.Name, tfe.OrganizationReadOptions{Include: []tfe.OrganizationIncludeOpt{"nonsense"}})
			wantError(t, err, tfe.ErrInvalidIncludeValue)
		})

		t.Run("unknown", func(t *testing.T) {
			_, err := e.Organizations.Read(e.ctx, "unknown-"+org.Name)
			wantError(t, err, tfe.ErrResourceNotFound)
		})

		t.Run("entitlements", func(t *testing.T) {
			set, err := e.Organizations.ReadEntitlements(e.ctx, org.Name)
			must(t, err, "read entitlements")
			equal(t, "ID", set.ID, org.ExternalID)
		})
	})
}

func TestOrganizationsList(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		prefix := "lst-" + randomHex(6)
		var created []*tfe.Organization
		for _, suffix := range []string{"-a", "-b", "-c"} {
			created = append(created, e.organization(func(o *tfe.OrganizationCreateOptions) { o.Name = tfe.String(prefix + suffix) }))
		}

		t.Run("without options", func(t *testing.T) {
			list, err := e.Organizations.List(e.ctx, nil)
			must(t, err, "list")
			for _, org := range created {
				index := slices.IndexFunc(list.Items, func(o *tfe.Organization) bool { return o.Name == org.Name })
				if index < 0 {
					t.Fatalf("%s is not listed", org.Name)
				}
				same(t, "listed organization", list.Items[index], org)
			}
		})

		for _, test := range []struct {
			name, query string
			want        []string
		}{
			{"name", created[1].Name, []string{created[1].Name}},
			{"part of the name", prefix, []string{created[0].Name, created[1].Name, created[2].Name}},
			{"name in another case", strings.ToUpper(created[2].Name), []string{created[2].Name}},
			{"email", created[0].Email, []string{created[0].Name}},
			{"nothing", "nothing-" + prefix, []string{}},
		} {
			t.Run("q by "+test.name, func(t *testing.T) {
				list, err := e.Organizations.List(e.ctx, &tfe.OrganizationListOptions{Query: test.query, ListOptions: tfe.ListOptions{PageNumber: 1, PageSize: 50}})
				must(t, err, "list")
				equal(t, "names", names(list.Items, organizationName), test.want)
				equal(t, "total count", list.TotalCount, len(test.want))
			})
		}

		t.Run("paging to the end", func(t *testing.T) {
			list, err := e.Organizations.List(e.ctx, &tfe.OrganizationListOptions{Query: prefix, ListOptions: tfe.ListOptions{PageSize: 2}})
			must(t, err, "list")
			equal(t, "pagination", *list.Pagination, tfe.Pagination{CurrentPage: 1, NextPage: 2, TotalPages: 2, TotalCount: 3})
			equal(t, "names", names(list.Items, organizationName), []string{created[0].Name, created[1].Name})
			list, err = e.Organizations.List(e.ctx, &tfe.OrganizationListOptions{Query: prefix, ListOptions: tfe.ListOptions{PageNumber: 2, PageSize: 2}})
			must(t, err, "list")
			equal(t, "pagination", *list.Pagination, tfe.Pagination{CurrentPage: 2, PreviousPage: 1, TotalPages: 2, TotalCount: 3})
			equal(t, "names", names(list.Items, organizationName), []string{created[2].Name})
		})

		t.Run("page past the end", func(t *testing.T) {
			list, err := e.Organizations.List(e.ctx, &tfe.OrganizationListOptions{Query: prefix, ListOptions: tfe.ListOptions{PageNumber: 999, PageSize: 100}})
			must(t, err, "list")
			equal(t, "items", len(list.Items), 0)
			equal(t, "current page", list.CurrentPage, 999)
			equal(t, "total count", list.TotalCount, 3)
		})
	})
}

func TestOrganizationsUpdate(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		t.Run("rename and settings", func(t *testing.T) {
			e := e.sub(t)
			org := e.organization()
			ws := e.workspace(org.Name, tagged("kept"))
			newName, newEmail := "tst-new-"+randomHex(8), "new-"+randomHex(4)+"@example.test"
			updated, err := e.Organizations.Update(e.ctx, org.Name, tfe.OrganizationUpdateOptions{
				Name:                 &newName,
				Email:                &newEmail,
				SessionTimeout:       tfe.Int(3600),
				SessionRemember:      tfe.Int(3600),
				DefaultExecutionMode: tfe.String("local"),
			})
			must(t, err, "update")
			e.deleteLater(newName)

			read, err := e.Organizations.Read(e.ctx, newName)
			must(t, err, "read by the new name")
			same(t, "read organization", read, updated)
			equal(t, "name", read.Name, newName)
			equal(t, "email", read.Email, newEmail)
			equal(t, "session timeout", read.SessionTimeout, 3600)
			equal(t, "session remember", read.SessionRemember, 3600)
			equal(t, "default execution mode", read.DefaultExecutionMode, "local")
			equal(t, "external ID", read.ExternalID, org.ExternalID)
			equal(t, "created at", read.CreatedAt, org.CreatedAt)

			_, err = e.Organizations.Read(e.ctx, org.Name)
			wantError(t, err, tfe.ErrResourceNotFound)
			moved, err := e.Workspaces.Read(e.ctx, newName, ws.Name)
			must(t, err, "read workspace by the new name")
			equal(t, "workspace", moved.ID, ws.ID)
			equal(t, "organization of the workspace", moved.Organization.Name, newName)
			equal(t, "organization of the tag", e.mustPoolTag(newName, "kept").Organization.Name, newName)
			_, err = e.Workspaces.Read(e.ctx, org.Name, ws.Name)
			wantError(t, err, tfe.ErrResourceNotFound)

			t.Run("the old name is free", func(t *testing.T) {
				e.sub(t).organization(func(o *tfe.OrganizationCreateOptions) { o.Name = tfe.String(org.Name) })
			})
		})

		t.Run("an empty update keeps everything", func(t *testing.T) {
			e := e.sub(t)
			org := e.organization(func(o *tfe.OrganizationCreateOptions) {
				o.SessionTimeout = tfe.Int(1234)
				o.CostEstimationEnabled = tfe.Bool(true)
				o.DefaultExecutionMode = tfe.String("local")
			})
			updated, err := e.Organizations.Update(e.ctx, org.Name, tfe.OrganizationUpdateOptions{})
			must(t, err, "update")
			same(t, "organization", updated, org)
			read, err := e.Organizations.Read(e.ctx, org.Name)
			must(t, err, "read")
			same(t, "organization", read, org)
		})

		t.Run("only the case of the name", func(t *testing.T) {
			e := e.sub(t)
			org := e.organization()
			upper := strings.ToUpper(org.Name)
			updated, err := e.Organizations.Update(e.ctx, org.Name, tfe.OrganizationUpdateOptions{Name: &upper})
			must(t, err, "update")
			equal(t, "name", updated.Name, upper)
		})

		org := e.organization()
		fields := []struct {
			name    string
			options tfe.OrganizationUpdateOptions
			change  func(*tfe.Organization)
		}{
			{"email", tfe.OrganizationUpdateOptions{Email: tfe.String("changed@example.test")}, func(o *tfe.Organization) { o.Email = "changed@example.test" }},
			{"assessments enforced", tfe.OrganizationUpdateOptions{AssessmentsEnforced: tfe.Bool(true)}, func(o *tfe.Organization) { o.AssessmentsEnforced = true }},
			{"session remember", tfe.OrganizationUpdateOptions{SessionRemember: tfe.Int(60)}, func(o *tfe.Organization) { o.SessionRemember = 60 }},
			{"session timeout", tfe.OrganizationUpdateOptions{SessionTimeout: tfe.Int(61)}, func(o *tfe.Organization) { o.SessionTimeout = 61 }},
			{"collaborator auth policy", tfe.OrganizationUpdateOptions{CollaboratorAuthPolicy: tfe.AuthPolicy(tfe.AuthPolicyTwoFactor)}, func(o *tfe.Organization) { o.CollaboratorAuthPolicy = tfe.AuthPolicyTwoFactor }},
			{"cost estimation", tfe.OrganizationUpdateOptions{CostEstimationEnabled: tfe.Bool(true)}, func(o *tfe.Organization) { o.CostEstimationEnabled = true }},
			{"passing statuses", tfe.OrganizationUpdateOptions{SendPassingStatusesForUntriggeredSpeculativePlans: tfe.Bool(true)}, func(o *tfe.Organization) { o.SendPassingStatusesForUntriggeredSpeculativePlans = true }},
			{"speculative plan management", tfe.OrganizationUpdateOptions{SpeculativePlanManagementEnabled: tfe.Bool(true)}, func(o *tfe.Organization) { o.SpeculativePlanManagementEnabled = true }},
			{"force delete on", tfe.OrganizationUpdateOptions{AllowForceDeleteWorkspaces: tfe.Bool(true)}, func(o *tfe.Organization) { o.AllowForceDeleteWorkspaces = true }},
			{"force delete off", tfe.OrganizationUpdateOptions{AllowForceDeleteWorkspaces: tfe.Bool(false)}, func(o *tfe.Organization) { o.AllowForceDeleteWorkspaces = false }},
			{"stacks", tfe.OrganizationUpdateOptions{StacksEnabled: tfe.Bool(true)}, func(o *tfe.Organization) { o.StacksEnabled = true }},
			{"user tokens off", tfe.OrganizationUpdateOptions{UserTokensEnabled: tfe.Bool(false)}, func(o *tfe.Organization) { o.UserTokensEnabled = tfe.Bool(false) }},
			{"user tokens on", tfe.OrganizationUpdateOptions{UserTokensEnabled: tfe.Bool(true)}, func(o *tfe.Organization) { o.UserTokensEnabled = tfe.Bool(true) }},
			{"max TTL", tfe.OrganizationUpdateOptions{MaxTTLEnabled: tfe.Bool(true)}, func(o *tfe.Organization) { o.MaxTTLEnabled = true }},
			{"default execution mode", tfe.OrganizationUpdateOptions{DefaultExecutionMode: tfe.String("local")}, func(o *tfe.Organization) { o.DefaultExecutionMode = "local" }},
		}
		for _, field := range fields {
			t.Run("only "+field.name, func(t *testing.T) {
				want, err := e.Organizations.Read(e.ctx, org.Name)
				must(t, err, "read")
				updated, err := e.Organizations.Update(e.ctx, org.Name, field.options)
				must(t, err, "update")
				field.change(want)
				same(t, "updated organization", updated, want)
				read, err := e.Organizations.Read(e.ctx, org.Name)
				must(t, err, "read")
				same(t, "read organization", read, want)
			})
		}

		taken := e.organization()
		refused := []struct {
			name, org string
			options   tfe.OrganizationUpdateOptions
			text      string
		}{
			{"a taken name", org.Name, tfe.OrganizationUpdateOptions{Name: &taken.Name}, "invalid attribute\n\nName has already been taken"},
			{"a bad name", org.Name, tfe.OrganizationUpdateOptions{Name: tfe.String("no spaces")}, "invalid attribute\n\n"},
			{"an agent pool outside agent mode", org.Name, tfe.OrganizationUpdateOptions{DefaultAgentPool: &tfe.AgentPool{ID: "apool-unknownunknown"}}, "must not be specified unless using 'agent' execution mode"},
			{"unknown organization", "unknown-" + org.Name, tfe.OrganizationUpdateOptions{Email: tfe.String("a@example.test")}, tfe.ErrResourceNotFound.Error()},
		}
		for _, test := range refused {
			t.Run(test.name, func(t *testing.T) {
				before, err := e.Organizations.Read(e.ctx, org.Name)
				must(t, err, "read")
				_, err = e.Organizations.Update(e.ctx, test.org, test.options)
				wantErrorText(t, err, test.text)
				after, err := e.Organizations.Read(e.ctx, org.Name)
				must(t, err, "read")
				same(t, "organization", after, before)
			})
		}
	})
}

func TestOrganizationsDelete(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		org := e.organization()
		ws := e.workspace(org.Name, tagged("doomed"))
		project := e.project(org.Name)
		tag := e.mustPoolTag(org.Name, "doomed")

		must(t, e.Organizations.Delete(e.ctx, org.Name), "delete")

		_, err := e.Organizations.Read(e.ctx, org.Name)
		wantError(t, err, tfe.ErrResourceNotFound)
		wantError(t, e.Organizations.Delete(e.ctx, org.Name), tfe.ErrResourceNotFound)
		_, err = e.Workspaces.ReadByID(e.ctx, ws.ID)
		wantError(t, err, tfe.ErrResourceNotFound)
		_, err = e.Projects.Read(e.ctx, project.ID)
		wantError(t, err, tfe.ErrResourceNotFound)
		_, err = e.OrganizationTags.List(e.ctx, org.Name, nil)
		wantError(t, err, tfe.ErrResourceNotFound)
		wantError(t, e.OrganizationTags.AddWorkspaces(e.ctx, tag.ID, tfe.AddWorkspacesToTagOptions{WorkspaceIDs: []string{ws.ID}}), tfe.ErrResourceNotFound)

		t.Run("the name is free at once and nothing comes back", func(t *testing.T) {
			e := e.sub(t)
			again := e.organization(func(o *tfe.OrganizationCreateOptions) { o.Name = tfe.String(org.Name) })
			if again.ExternalID == org.ExternalID {
				t.Error("the external ID came back")
			}
			equal(t, "pool", len(e.pool(again.Name)), 0)
			list, err := e.Workspaces.List(e.ctx, again.Name, nil)
			must(t, err, "list workspaces")
			equal(t, "workspaces", list.TotalCount, 0)
			e.workspace(again.Name, named(ws.Name), tagged("doomed"))
			equal(t, "instance count", e.mustPoolTag(again.Name, "doomed").InstanceCount, 1)
		})
	})
}
