package gotfe

import (
	"context"
	"errors"
	"testing"

	tfe "github.com/hashicorp/go-tfe"
)

// bindings are given as keys and values in turn.
func bindings(keysAndValues ...string) []*tfe.TagBinding {
	list := make([]*tfe.TagBinding, 0, len(keysAndValues)/2)
	for i := 0; i < len(keysAndValues); i += 2 {
		list = append(list, &tfe.TagBinding{Key: keysAndValues[i], Value: keysAndValues[i+1]})
	}
	return list
}

func shown(list []*tfe.TagBinding) []string {
	return names(list, func(b *tfe.TagBinding) string { return b.Key + "=" + b.Value })
}

func effective(list []*tfe.EffectiveTagBinding) []string {
	return names(list, func(b *tfe.EffectiveTagBinding) string {
		text := b.Key + "=" + b.Value
		if b.Links != nil {
			text += " inherited"
		}
		return text
	})
}

// A holder is a workspace or a project, by the same methods.
type holder struct {
	id        string
	list      func(context.Context, string) ([]*tfe.TagBinding, error)
	effective func(context.Context, string) ([]*tfe.EffectiveTagBinding, error)
	add       func(context.Context, string, []*tfe.TagBinding) ([]*tfe.TagBinding, error)
	deleteAll func(context.Context, string) error
	// replace updates the holder itself.
	replace func(context.Context, string, []*tfe.TagBinding) error
}

func (e *env) workspaceHolder(id string) holder {
	return holder{
		id, e.Workspaces.ListTagBindings, e.Workspaces.ListEffectiveTagBindings,
		func(ctx context.Context, id string, list []*tfe.TagBinding) ([]*tfe.TagBinding, error) {
			return e.Workspaces.AddTagBindings(ctx, id, tfe.WorkspaceAddTagBindingsOptions{TagBindings: list})
		},
		e.Workspaces.DeleteAllTagBindings,
		func(ctx context.Context, id string, list []*tfe.TagBinding) error {
			_, err := e.Workspaces.UpdateByID(ctx, id, tfe.WorkspaceUpdateOptions{TagBindings: list})
			return err
		},
	}
}

func (e *env) projectHolder(id string) holder {
	return holder{
		id, e.Projects.ListTagBindings, e.Projects.ListEffectiveTagBindings,
		func(ctx context.Context, id string, list []*tfe.TagBinding) ([]*tfe.TagBinding, error) {
			return e.Projects.AddTagBindings(ctx, id, tfe.ProjectAddTagBindingsOptions{TagBindings: list})
		},
		e.Projects.DeleteAllTagBindings,
		func(ctx context.Context, id string, list []*tfe.TagBinding) error {
			_, err := e.Projects.Update(ctx, id, tfe.ProjectUpdateOptions{TagBindings: list})
			return err
		},
	}
}

func TestTagBindings(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		org := e.organization()
		holders := map[string]holder{
			"workspace": e.workspaceHolder(e.workspace(org.Name).ID),
			"project":   e.projectHolder(e.project(org.Name).ID),
		}
		for name, h := range holders {
			t.Run(name, func(t *testing.T) {
				now := func(want ...string) {
					t.Helper()
					list, err := h.list(e.ctx, h.id)
					must(t, err, "list")
					equal(t, "bindings", shown(list), want)
					all, err := h.effective(e.ctx, h.id)
					must(t, err, "list those that apply")
					sameSet(t, "effective bindings", effective(all), want)
				}
				now([]string{}...)
				added, err := h.add(e.ctx, h.id, bindings("env", "prod", "team", "net"))
				must(t, err, "add")
				equal(t, "answer", shown(added), []string{"env=prod", "team=net"})
				for _, binding := range added {
					if binding.ID == "" {
						t.Errorf("%s has no ID", binding.Key)
					}
				}
				_, err = h.add(e.ctx, h.id, bindings("env", "dev", "Cost.Center", "a@b:c=+"))
				must(t, err, "add more")
				now("env=dev", "team=net", "Cost.Center=a@b:c=+")
				must(t, h.replace(e.ctx, h.id, bindings("only", "")), "replace")
				now("only=")
				must(t, h.replace(e.ctx, h.id, nil), "update without a word of bindings")
				now("only=")
				many := numbered("k", 26)
				pairs := []string{}
				for _, key := range many {
					pairs = append(pairs, key, "v")
				}
				_, err = h.add(e.ctx, h.id, bindings(pairs...))
				wantErrorText(t, err, "cannot exceed 10 bindings per resource")
				_, err = h.add(e.ctx, h.id, bindings("hcp:mine", "x"))
				wantInvalid(t, err)
				now("only=")
				must(t, h.deleteAll(e.ctx, h.id), "delete all")
				now([]string{}...)
			})
		}
	})
}

func TestTagBindingsAreInherited(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		org := e.organization()
		project, err := e.Projects.Create(e.ctx, org.Name, tfe.ProjectCreateOptions{Name: "tagged", TagBindings: bindings("env", "prod", "team", "net")})
		must(t, err, "create project")
		ws := e.workspace(org.Name, inProject(project), func(o *tfe.WorkspaceCreateOptions) { o.TagBindings = bindings("env", "dev", "own", "1") })
		want := []string{"env=dev", "own=1", "team=net inherited"}

		list, err := e.Workspaces.ListEffectiveTagBindings(e.ctx, ws.ID)
		must(t, err, "list")
		sameSet(t, "list", effective(list), want)
		include := []tfe.WSIncludeOpt{tfe.WSEffectiveTagBindings}
		read, err := e.Workspaces.ReadByIDWithOptions(e.ctx, ws.ID, &tfe.WorkspaceReadOptions{Include: include})
		must(t, err, "read with what applies")
		sameSet(t, "workspace", effective(read.EffectiveTagBindings), want)
		all, err := e.Workspaces.List(e.ctx, org.Name, &tfe.WorkspaceListOptions{Include: include})
		must(t, err, "list with what applies")
		sameSet(t, "list of workspaces", effective(all.Items[0].EffectiveTagBindings), want)

		readProject, err := e.Projects.ReadWithOptions(e.ctx, project.ID, tfe.ProjectReadOptions{Include: []tfe.ProjectIncludeOpt{tfe.ProjectEffectiveTagBindings}})
		must(t, err, "read project with what applies")
		sameSet(t, "project", effective(readProject.EffectiveTagBindings), []string{"env=prod", "team=net"})
		equal(t, "organization", readProject.Organization.Name, org.Name)
		projects, err := e.Projects.List(e.ctx, org.Name, &tfe.ProjectListOptions{Include: []tfe.ProjectIncludeOpt{tfe.ProjectEffectiveTagBindings}})
		must(t, err, "list projects with what applies")
		for _, p := range projects.Items {
			want := map[string][]string{"tagged": {"env=prod", "team=net"}}[p.Name]
			sameSet(t, "bindings of "+p.Name, effective(p.EffectiveTagBindings), want)
		}
	})
}

func TestTagBindingsFilter(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		org := e.organization()
		bound := func(name string, list ...string) {
			e.workspace(org.Name, named(name), func(o *tfe.WorkspaceCreateOptions) { o.TagBindings = bindings(list...) })
		}
		bound("one", "key1", "value1", "key2", "value2a")
		bound("two", "key2", "value2b", "key3", "value3")
		bound("three")
		tests := []struct {
			name   string
			filter []*tfe.TagBinding
			want   []string
		}{
			{"a key", bindings("key1", ""), []string{"one"}},
			{"a key with any value", bindings("key2", ""), []string{"one", "two"}},
			{"a key with a value", bindings("key2", "value2b"), []string{"two"}},
			{"two keys", bindings("key2", "", "key3", "value3"), []string{"two"}},
			{"two keys that no one has both of", bindings("key1", "", "key3", ""), []string{}},
		}
		for _, test := range tests {
			t.Run(test.name, func(t *testing.T) {
				list, err := e.Workspaces.List(e.ctx, org.Name, &tfe.WorkspaceListOptions{TagBindings: test.filter})
				must(t, err, "list")
				sameSet(t, "names", names(list.Items, workspaceName), test.want)
				equal(t, "total", list.TotalCount, len(test.want))
			})
		}
		_, err := e.Projects.Create(e.ctx, org.Name, tfe.ProjectCreateOptions{Name: "bound", TagBindings: bindings("key1", "value1")})
		must(t, err, "create project")
		for name, filter := range map[string][]*tfe.TagBinding{"a key": bindings("key1", ""), "a value": bindings("key1", "value1")} {
			projects, err := e.Projects.List(e.ctx, org.Name, &tfe.ProjectListOptions{TagBindings: filter})
			must(t, err, "list projects by "+name)
			equal(t, "projects by "+name, names(projects.Items, projectName), []string{"bound"})
		}
	})
}

func TestReservedTagKeys(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		org := e.organization()
		project := e.project(org.Name)
		key, err := e.ReservedTagKeys.Create(e.ctx, org.Name, tfe.ReservedTagKeyCreateOptions{Key: "env", DisableOverrides: tfe.Bool(true)})
		must(t, err, "create")
		equal(t, "key", key.Key, "env")
		equal(t, "disable-overrides", key.DisableOverrides, true)
		list, err := e.ReservedTagKeys.List(e.ctx, org.Name, nil)
		must(t, err, "list")
		equal(t, "list", names(list.Items, func(k *tfe.ReservedTagKey) string { return k.ID + k.Key }), []string{key.ID + "env"})
		equal(t, "total", list.TotalCount, 1)

		_, err = e.Projects.AddTagBindings(e.ctx, project.ID, tfe.ProjectAddTagBindingsOptions{TagBindings: bindings("env", "prod")})
		must(t, err, "bind the project")
		ws := e.workspace(org.Name, inProject(project))
		_, err = e.Workspaces.AddTagBindings(e.ctx, ws.ID, tfe.WorkspaceAddTagBindingsOptions{TagBindings: bindings("env", "dev")})
		if err == nil {
			applies, err := e.Workspaces.ListEffectiveTagBindings(e.ctx, ws.ID)
			must(t, err, "list what applies")
			sameSet(t, "what applies", effective(applies), []string{"env=prod inherited"})
		} else if errors.Is(err, tfe.ErrResourceNotFound) {
			t.Errorf("want the value or a refusal, got %v", err)
		}

		_, err = e.ReservedTagKeys.Create(e.ctx, org.Name, tfe.ReservedTagKeyCreateOptions{Key: "env"})
		wantErrorText(t, err, "invalid attribute\n\nKey has already been taken")
		_, err = e.ReservedTagKeys.Create(e.ctx, org.Name, tfe.ReservedTagKeyCreateOptions{Key: "no good"})
		wantErrorText(t, err, "invalid attribute\n\nKey is invalid")
		_, err = e.ReservedTagKeys.Create(e.ctx, "unknown-"+org.Name, tfe.ReservedTagKeyCreateOptions{Key: "other"})
		wantError(t, err, tfe.ErrResourceNotFound)

		updated, err := e.ReservedTagKeys.Update(e.ctx, key.ID, tfe.ReservedTagKeyUpdateOptions{Key: tfe.String("stage"), DisableOverrides: tfe.Bool(false)})
		must(t, err, "update")
		equal(t, "new key", updated.Key, "stage")
		equal(t, "overrides", updated.DisableOverrides, false)
		must(t, e.ReservedTagKeys.Delete(e.ctx, key.ID), "delete")
		wantError(t, e.ReservedTagKeys.Delete(e.ctx, key.ID), tfe.ErrResourceNotFound)
		_, err = e.ReservedTagKeys.Update(e.ctx, key.ID, tfe.ReservedTagKeyUpdateOptions{Key: tfe.String("again")})
		wantError(t, err, tfe.ErrResourceNotFound)
	})
}
