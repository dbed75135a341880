package gotfe

import (
	"slices"
	"strings"
	"testing"

	tfe "github.com/hashicorp/go-tfe"
	"github.com/hashicorp/jsonapi"
)

func TestProjectsCreate(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		org := e.organization()

		t.Run("with a name", func(t *testing.T) {
			project, err := e.Projects.Create(e.ctx, org.Name, tfe.ProjectCreateOptions{Name: "Team Blue_1-x"})
			must(t, err, "create")
			equal(t, "name", project.Name, "Team Blue_1-x")
			equal(t, "description", project.Description, "")
			equal(t, "default execution mode", project.DefaultExecutionMode, "remote")
			if !strings.HasPrefix(project.ID, "prj-") {
				t.Errorf("the ID is %q", project.ID)
			}
			if project.Organization == nil || project.Organization.Name != org.Name {
				t.Errorf("the organization is %+v", project.Organization)
			}
			same(t, "setting overwrites", project.SettingOverwrites, &tfe.ProjectSettingOverwrites{ExecutionMode: tfe.Bool(false), AgentPool: tfe.Bool(false)})
			read, err := e.Projects.Read(e.ctx, project.ID)
			must(t, err, "read")
			same(t, "read project", read, project)
		})

		t.Run("with every option", func(t *testing.T) {
			project, err := e.Projects.Create(e.ctx, org.Name, tfe.ProjectCreateOptions{
				Name:                        "everything",
				Description:                 tfe.String("A description"),
				AutoDestroyActivityDuration: jsonapi.NewNullableAttrWithValue("14d"),
				DefaultExecutionMode:        tfe.String("local"),
			})
			must(t, err, "create")
			equal(t, "description", project.Description, "A description")
			equal(t, "default execution mode", project.DefaultExecutionMode, "local")
			same(t, "auto destroy activity duration", project.AutoDestroyActivityDuration, jsonapi.NewNullableAttrWithValue("14d"))
			if o := project.SettingOverwrites; o == nil || o.ExecutionMode == nil || !*o.ExecutionMode {
				t.Errorf("setting overwrites are %+v", o)
			}
			read, err := e.Projects.Read(e.ctx, project.ID)
			must(t, err, "read")
			same(t, "read project", read, project)

			t.Run("its workspaces inherit the execution mode", func(t *testing.T) {
				e := e.sub(t)
				equal(t, "execution mode", e.workspace(org.Name, inProject(project)).ExecutionMode, "local")
				equal(t, "execution mode outside", e.workspace(org.Name).ExecutionMode, "remote")
			})
		})

		t.Run("names of 3 and of 40 characters", func(t *testing.T) {
			for _, name := range []string{"abc", strings.Repeat("n", 40)} {
				project, err := e.Projects.Create(e.ctx, org.Name, tfe.ProjectCreateOptions{Name: name})
				must(t, err, "create")
				equal(t, "name", project.Name, name)
			}
		})

		const bad = "invalid attribute\n\nName may only contain"
		refused := []struct{ name, project, text string }{
			{"bad characters", "no/slash", bad},
			{"a dot", "no.dot", bad},
			{"an exclamation mark", "Invalid!", bad},
			{"beyond ASCII", "Ünicode", bad},
			{"too short", "ab", "invalid attribute\n\n"},
			{"too long", strings.Repeat("n", 41), "invalid attribute\n\n"},
			{"a blank at the start", " blank", "invalid attribute\n\n"},
			{"a blank at the end", "blank ", "invalid attribute\n\n"},
			{"taken", "everything", "invalid attribute\n\nName has already been taken"},
			{"name of the default project", "Default Project", "invalid attribute\n\nName has already been taken"},
		}
		for _, test := range refused {
			t.Run("refused: "+test.name, func(t *testing.T) {
				_, err := e.Projects.Create(e.ctx, org.Name, tfe.ProjectCreateOptions{Name: test.project})
				wantErrorText(t, err, test.text)
			})
		}
		t.Run("refused: a long description", func(t *testing.T) {
			_, err := e.Projects.Create(e.ctx, org.Name, tfe.ProjectCreateOptions{Name: "described", Description: tfe.String(strings.Repeat("d", 257))})
			wantInvalid(t, err)
		})

		t.Run("unknown organization", func(t *testing.T) {
			_, err := e.Projects.Create(e.ctx, "unknown-"+org.Name, tfe.ProjectCreateOptions{Name: "orphan"})
			wantError(t, err, tfe.ErrResourceNotFound)
		})
	})
}

func TestProjectsList(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		org := e.organization()
		one, two := e.project(org.Name), e.project(org.Name)
		all := []string{one.Name, two.Name, "Default Project"}

		lists := []struct {
			name    string
			options *tfe.ProjectListOptions
			want    []string
			total   int
		}{
			{"without options", nil, all, 3},
			{"with a page", &tfe.ProjectListOptions{ListOptions: tfe.ListOptions{PageNumber: 1, PageSize: 100}}, all, 3},
			{"past the end", &tfe.ProjectListOptions{ListOptions: tfe.ListOptions{PageNumber: 999, PageSize: 100}}, []string{}, 3},
			{"q", &tfe.ProjectListOptions{Query: "Default"}, []string{"Default Project"}, 1},
			{"q in another case", &tfe.ProjectListOptions{Query: "default proj"}, []string{"Default Project"}, 1},
			{"q without a match", &tfe.ProjectListOptions{Query: "nothing"}, []string{}, 0},
			{"one name", &tfe.ProjectListOptions{Name: one.Name}, []string{one.Name}, 1},
			{"two names, another case", &tfe.ProjectListOptions{Name: strings.ToUpper(two.Name) + ",default project"}, []string{two.Name, "Default Project"}, 2},
			{"part of a name is no name", &tfe.ProjectListOptions{Name: "Default"}, []string{}, 0},
			{"q and names both apply", &tfe.ProjectListOptions{Name: one.Name, Query: "Default"}, []string{}, 0},
		}
		for _, test := range lists {
			t.Run(test.name, func(t *testing.T) {
				list, err := e.Projects.List(e.ctx, org.Name, test.options)
				must(t, err, "list")
				sameSet(t, "names", names(list.Items, projectName), test.want)
				equal(t, "total count", list.TotalCount, test.total)
			})
		}

		t.Run("listed as created", func(t *testing.T) {
			list, err := e.Projects.List(e.ctx, org.Name, nil)
			must(t, err, "list")
			for _, created := range []*tfe.Project{one, two} {
				index := slices.IndexFunc(list.Items, func(p *tfe.Project) bool { return p.ID == created.ID })
				if index < 0 {
					t.Fatalf("%s is not listed", created.Name)
				}
				same(t, "listed project", list.Items[index], created)
			}
		})

		t.Run("paging to the end", func(t *testing.T) {
			var got []string
			options := &tfe.ProjectListOptions{ListOptions: tfe.ListOptions{PageSize: 2}}
			for range 3 {
				list, err := e.Projects.List(e.ctx, org.Name, options)
				must(t, err, "list")
				got = append(got, names(list.Items, projectName)...)
				if list.CurrentPage >= list.TotalPages {
					break
				}
				options.PageNumber = list.NextPage
			}
			sameSet(t, "names", got, all)
		})

		t.Run("unknown organization", func(t *testing.T) {
			_, err := e.Projects.List(e.ctx, "unknown-"+org.Name, nil)
			wantError(t, err, tfe.ErrResourceNotFound)
		})
	})
}

func TestProjectsUpdate(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		org := e.organization()
		project := e.project(org.Name)

		updates := []struct {
			name    string
			options tfe.ProjectUpdateOptions
			change  func(*tfe.Project)
		}{
			{"nothing", tfe.ProjectUpdateOptions{}, func(*tfe.Project) {}},
			{"name", tfe.ProjectUpdateOptions{Name: tfe.String("Renamed project")}, func(p *tfe.Project) { p.Name = "Renamed project" }},
			{"description", tfe.ProjectUpdateOptions{Description: tfe.String("Described")}, func(p *tfe.Project) { p.Description = "Described" }},
			{"auto destroy", tfe.ProjectUpdateOptions{AutoDestroyActivityDuration: jsonapi.NewNullableAttrWithValue("3d")}, func(p *tfe.Project) { p.AutoDestroyActivityDuration = jsonapi.NewNullableAttrWithValue("3d") }},
			{"description to nothing", tfe.ProjectUpdateOptions{Description: tfe.String("")}, func(p *tfe.Project) { p.Description = "" }},
			{"execution mode", tfe.ProjectUpdateOptions{DefaultExecutionMode: tfe.String("local")}, func(p *tfe.Project) {
				p.DefaultExecutionMode = "local"
				p.SettingOverwrites.ExecutionMode = tfe.Bool(true)
				p.SettingOverwrites.AgentPool = tfe.Bool(true)
			}},
			{"execution mode back to the organization's", tfe.ProjectUpdateOptions{SettingOverwrites: &tfe.ProjectSettingOverwrites{ExecutionMode: tfe.Bool(false)}}, func(p *tfe.Project) {
				p.DefaultExecutionMode = "remote"
				p.SettingOverwrites.ExecutionMode = tfe.Bool(false)
				p.SettingOverwrites.AgentPool = tfe.Bool(false)
			}},
		}
		for _, test := range updates {
			t.Run("only "+test.name, func(t *testing.T) {
				want, err := e.Projects.Read(e.ctx, project.ID)
				must(t, err, "read")
				updated, err := e.Projects.Update(e.ctx, project.ID, test.options)
				must(t, err, "update")
				test.change(want)
				same(t, "updated project", updated, want)
				read, err := e.Projects.Read(e.ctx, project.ID)
				must(t, err, "read")
				same(t, "read project", read, want)
			})
		}

		t.Run("the default project may be renamed", func(t *testing.T) {
			e := e.sub(t)
			org := e.organization()
			byDefault := e.workspace(org.Name).Project
			_, err := e.Projects.Update(e.ctx, byDefault.ID, tfe.ProjectUpdateOptions{Name: tfe.String("Home")})
			must(t, err, "rename")
			equal(t, "project of a new workspace", e.workspace(org.Name).Project.ID, byDefault.ID)
			wantRefused(t, e.Projects.Delete(e.ctx, byDefault.ID))
		})

		for name, text := range map[string]string{
			"bad!name":        "invalid attribute\n\nName may only contain",
			"Default Project": "invalid attribute\n\nName has already been taken",
		} {
			t.Run("refused: "+name, func(t *testing.T) {
				_, err := e.Projects.Update(e.ctx, project.ID, tfe.ProjectUpdateOptions{Name: tfe.String(name)})
				wantErrorText(t, err, text)
			})
		}

		t.Run("unknown", func(t *testing.T) {
			_, err := e.Projects.Update(e.ctx, "prj-unknownunknown00", tfe.ProjectUpdateOptions{Name: tfe.String("nobody")})
			wantError(t, err, tfe.ErrResourceNotFound)
		})
	})
}

func TestProjectsReadWithOptions(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		org := e.organization()
		project := e.project(org.Name)
		read, err := e.Projects.ReadWithOptions(e.ctx, project.ID, tfe.ProjectReadOptions{})
		must(t, err, "read")
		same(t, "read project", read, project)

		_, err = e.Projects.Read(e.ctx, "prj-unknownunknown00")
		wantError(t, err, tfe.ErrResourceNotFound)
	})
}

func TestProjectsDelete(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		org := e.organization()

		t.Run("empty", func(t *testing.T) {
			project := e.sub(t).project(org.Name)
			must(t, e.Projects.Delete(e.ctx, project.ID), "delete")
			_, err := e.Projects.Read(e.ctx, project.ID)
			wantError(t, err, tfe.ErrResourceNotFound)
			wantError(t, e.Projects.Delete(e.ctx, project.ID), tfe.ErrResourceNotFound)
		})

		t.Run("refused while workspaces remain", func(t *testing.T) {
			e := e.sub(t)
			project := e.project(org.Name)
			ws := e.workspace(org.Name, inProject(project))
			wantRefused(t, e.Projects.Delete(e.ctx, project.ID))
			read, err := e.Workspaces.ReadByID(e.ctx, ws.ID)
			must(t, err, "read workspace")
			equal(t, "project", read.Project.ID, project.ID)

			must(t, e.Workspaces.DeleteByID(e.ctx, ws.ID), "delete workspace")
			must(t, e.Projects.Delete(e.ctx, project.ID), "delete")
		})

		t.Run("the default project is never deleted", func(t *testing.T) {
			read, err := e.Organizations.Read(e.ctx, org.Name)
			must(t, err, "read")
			wantRefused(t, e.Projects.Delete(e.ctx, read.DefaultProject.ID))
			_, err = e.Projects.Read(e.ctx, read.DefaultProject.ID)
			must(t, err, "read project")
		})
	})
}
