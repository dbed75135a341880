package gotfe

import (
	"slices"
	"strings"
	"testing"

	tfe "github.com/hashicorp/go-tfe"
)

func TestOrganizationTagsList(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		org := e.organization()
		ws := e.workspace(org.Name)
		e.addTags(ws.ID, "tag0", "tag1", "tag2", "tag3", "tag4", "tag5", "tag6", "tag7", "tag8", "tag9")
		e.addTags(e.workspace(org.Name).ID, "tag0", "tag1")

		list, err := e.OrganizationTags.List(e.ctx, org.Name, nil)
		must(t, err, "list")
		equal(t, "names", names(list.Items, orgTagName), []string{"tag0", "tag1", "tag2", "tag3", "tag4", "tag5", "tag6", "tag7", "tag8", "tag9"})
		equal(t, "pagination", *list.Pagination, tfe.Pagination{CurrentPage: 1, TotalPages: 1, TotalCount: 10})
		for i, tag := range list.Items {
			if !strings.HasPrefix(tag.ID, "tag-") {
				t.Errorf("%s has the ID %q", tag.Name, tag.ID)
			}
			uses := 1
			if i < 2 {
				uses = 2
			}
			equal(t, tag.Name+": instance count", tag.InstanceCount, uses)
			if tag.Organization == nil || tag.Organization.Name != org.Name {
				t.Errorf("%s: organization is %+v", tag.Name, tag.Organization)
			}
		}

		foreign := e.workspace(e.organization().Name, tagged("tag0", "tag1"))
		lists := []struct {
			name    string
			options tfe.OrganizationTagsListOptions
			want    []string
			total   int
		}{
			{"q finds one", tfe.OrganizationTagsListOptions{Query: "tag0"}, []string{"tag0"}, 1},
			{"q ignores case", tfe.OrganizationTagsListOptions{Query: "TAG7"}, []string{"tag7"}, 1},
			{"q matches inside a name", tfe.OrganizationTagsListOptions{Query: "g3"}, []string{"tag3"}, 1},
			{"q matches one character", tfe.OrganizationTagsListOptions{Query: "5"}, []string{"tag5"}, 1},
			{"q without a match", tfe.OrganizationTagsListOptions{Query: "nothing"}, []string{}, 0},
			{"q with a percent sign", tfe.OrganizationTagsListOptions{Query: "tag%"}, []string{}, 0},
			{"q with an underscore", tfe.OrganizationTagsListOptions{Query: "tag_"}, []string{}, 0},
			{"q with a page", tfe.OrganizationTagsListOptions{Query: "tag0", ListOptions: tfe.ListOptions{PageNumber: 1, PageSize: 5}}, []string{"tag0"}, 1},
			{"q with paging to its end", tfe.OrganizationTagsListOptions{Query: "tag", ListOptions: tfe.ListOptions{PageNumber: 4, PageSize: 3}}, []string{"tag9"}, 10},
			{"exclude: the tags of a workspace are left out", tfe.OrganizationTagsListOptions{Filter: ws.ID}, []string{}, 0},
			{"exclude: the ID of a tag leaves nothing out", tfe.OrganizationTagsListOptions{Filter: list.Items[0].ID, ListOptions: tfe.ListOptions{PageNumber: 1, PageSize: 5}}, []string{"tag0", "tag1", "tag2", "tag3", "tag4"}, 10},
			{"exclude: an unknown workspace leaves nothing out", tfe.OrganizationTagsListOptions{Filter: "ws-unknownunknown00", ListOptions: tfe.ListOptions{PageSize: 2}}, []string{"tag0", "tag1"}, 10},
			{"exclude: a workspace of another organization leaves nothing out", tfe.OrganizationTagsListOptions{Filter: foreign.ID, ListOptions: tfe.ListOptions{PageSize: 2}}, []string{"tag0", "tag1"}, 10},
			{"page past the end", tfe.OrganizationTagsListOptions{ListOptions: tfe.ListOptions{PageNumber: 999, PageSize: 100}}, []string{}, 10},
		}
		for _, test := range lists {
			t.Run(test.name, func(t *testing.T) {
				list, err := e.OrganizationTags.List(e.ctx, org.Name, &test.options)
				must(t, err, "list")
				equal(t, "names", names(list.Items, orgTagName), test.want)
				equal(t, "total count", list.TotalCount, test.total)
				equal(t, "current page", list.CurrentPage, max(1, test.options.PageNumber))
				for _, tag := range list.Items {
					if tag.Organization == nil {
						t.Errorf("%s has no organization", tag.Name)
					}
				}
			})
		}

		t.Run("exclude and q both apply", func(t *testing.T) {
			e := e.sub(t)
			other := e.workspace(org.Name, tagged("tag2", "extra"))
			list, err := e.OrganizationTags.List(e.ctx, org.Name, &tfe.OrganizationTagsListOptions{Filter: other.ID, Query: "tag"})
			must(t, err, "list")
			equal(t, "names", names(list.Items, orgTagName), []string{"tag0", "tag1", "tag3", "tag4", "tag5", "tag6", "tag7", "tag8", "tag9"})
			list, err = e.OrganizationTags.List(e.ctx, org.Name, &tfe.OrganizationTagsListOptions{Filter: ws.ID})
			must(t, err, "list")
			equal(t, "names", names(list.Items, orgTagName), []string{"extra"})
		})

		t.Run("an organization without tags", func(t *testing.T) {
			list, err := e.OrganizationTags.List(e.ctx, e.sub(t).organization().Name, nil)
			must(t, err, "list")
			equal(t, "items", len(list.Items), 0)
			equal(t, "pagination", *list.Pagination, tfe.Pagination{CurrentPage: 1, TotalPages: 1})
		})
	})
}

func TestOrganizationTagsPaging(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		const count = 123
		want := numbered("paged-", count)
		org := e.organization()
		ws := e.workspace(org.Name)
		reversed := slices.Clone(want)
		slices.Reverse(reversed)
		e.addTags(ws.ID, reversed...)

		walks := []struct {
			name         string
			size, actual int
		}{
			{"default size", 0, 20},
			{"a small size", 7, 7},
			{"a size that divides the count", 41, 41},
			{"all on one page of the maximum and a rest", 100, 100},
			{"a size over the maximum is capped", 5000, 100},
		}
		for _, walk := range walks {
			t.Run(walk.name, func(t *testing.T) {
				var got []string
				pages := (count + walk.actual - 1) / walk.actual
				options := &tfe.OrganizationTagsListOptions{ListOptions: tfe.ListOptions{PageSize: walk.size}}
				for page := 1; ; page++ {
					list, err := e.OrganizationTags.List(e.ctx, org.Name, options)
					must(t, err, "list")
					next := page + 1
					if page == pages {
						next = 0
					}
					equal(t, "pagination", *list.Pagination, tfe.Pagination{
						CurrentPage: page, PreviousPage: page - 1, NextPage: next, TotalPages: pages, TotalCount: count,
					})
					if page < pages && len(list.Items) != walk.actual {
						t.Fatalf("page %d holds %d tags, want %d", page, len(list.Items), walk.actual)
					}
					got = append(got, names(list.Items, orgTagName)...)
					if list.CurrentPage >= list.TotalPages || page > pages {
						break
					}
					options.PageNumber = list.NextPage
				}
				equal(t, "all names", got, want)
			})
		}
	})
}

func TestOrganizationTagsDelete(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		org := e.organization()
		ws := e.workspace(org.Name, tagged(numbered("tag", 10)...))
		before := e.pool(org.Name)
		equal(t, "tags before", len(before), 10)

		ids := names(before[:5], func(tag *tfe.OrganizationTag) string { return tag.ID })
		// A repeated ID counts once.
		must(t, e.OrganizationTags.Delete(e.ctx, org.Name, tfe.OrganizationTagsDeleteOptions{IDs: append(ids, ids[0])}), "delete")

		left := numbered("tag", 10)[5:]
		equal(t, "pool", names(e.pool(org.Name), orgTagName), left)
		sameSet(t, "tag-names", e.tagNames(ws.ID), left)
		carried, err := e.Workspaces.ListTags(e.ctx, ws.ID, nil)
		must(t, err, "list workspace tags")
		sameSet(t, "workspace tags", names(carried.Items, tagName), left)
		equal(t, "total of workspace tags", carried.TotalCount, 5)
		for name, want := range map[string]int{"tag000": 0, "tag005": 1} {
			found, err := e.Workspaces.List(e.ctx, org.Name, &tfe.WorkspaceListOptions{Tags: name})
			must(t, err, "search by tag")
			equal(t, "workspaces with "+name, found.TotalCount, want)
		}

		t.Run("a deleted name is free and gets a new ID", func(t *testing.T) {
			e := e.sub(t)
			e.addTags(ws.ID, before[0].Name)
			again := e.mustPoolTag(org.Name, before[0].Name)
			if again.ID == before[0].ID {
				t.Error("the ID of a deleted tag came back")
			}
			equal(t, "instance count", again.InstanceCount, 1)
		})

		foreignOrg := e.organization()
		e.workspace(foreignOrg.Name, tagged("theirs"))
		foreign := e.mustPoolTag(foreignOrg.Name, "theirs")
		present := e.mustPoolTag(org.Name, "tag009")
		refused := []struct {
			name, org string
			ids       []string
			want      error
		}{
			{"one unknown ID", org.Name, []string{present.ID, "tag-unknownunknown00"}, tfe.ErrResourceNotFound},
			{"a tag deleted before", org.Name, []string{present.ID, before[1].ID}, tfe.ErrResourceNotFound},
			{"a tag of another organization", org.Name, []string{present.ID, foreign.ID}, tfe.ErrResourceNotFound},
			{"the ID of a workspace", org.Name, []string{present.ID, ws.ID}, tfe.ErrResourceNotFound},
			{"unknown organization", "unknown-" + org.Name, []string{present.ID}, tfe.ErrResourceNotFound},
			{"no IDs (checked by the client)", org.Name, nil, tfe.ErrRequiredTagID},
		}
		for _, test := range refused {
			t.Run(test.name, func(t *testing.T) {
				e := e.sub(t)
				pool := e.pool(org.Name)
				wantError(t, e.OrganizationTags.Delete(e.ctx, test.org, tfe.OrganizationTagsDeleteOptions{IDs: test.ids}), test.want)
				same(t, "the pool", e.pool(org.Name), pool)
				e.mustPoolTag(foreignOrg.Name, "theirs")
			})
		}
	})
}

func TestOrganizationTagsAddWorkspaces(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		org := e.organization()
		e.workspace(org.Name, tagged("first", "second"))
		tag := e.mustPoolTag(org.Name, "first")
		one, two := e.workspace(org.Name), e.workspace(org.Name)

		add := func(t *testing.T, ids ...string) {
			t.Helper()
			must(t, e.OrganizationTags.AddWorkspaces(e.ctx, tag.ID, tfe.AddWorkspacesToTagOptions{WorkspaceIDs: ids}), "add workspaces")
		}
		add(t, one.ID, two.ID)
		for _, ws := range []*tfe.Workspace{one, two} {
			carried, err := e.Workspaces.ListTags(e.ctx, ws.ID, nil)
			must(t, err, "list workspace tags")
			same(t, "tags", carried.Items, []*tfe.Tag{{ID: tag.ID, Name: "first"}})
			equal(t, "tag-names", e.tagNames(ws.ID), []string{"first"})
		}
		equal(t, "instance count", e.mustPoolTag(org.Name, "first").InstanceCount, 3)

		t.Run("again, partly and repeated", func(t *testing.T) {
			e := e.sub(t)
			three := e.workspace(org.Name)
			add(t, one.ID, three.ID, three.ID)
			equal(t, "instance count", e.mustPoolTag(org.Name, "first").InstanceCount, 4)
			equal(t, "tag-names", e.tagNames(three.ID), []string{"first"})
			add(t, one.ID, three.ID)
			equal(t, "instance count", e.mustPoolTag(org.Name, "first").InstanceCount, 4)
		})

		foreign := e.workspace(e.organization().Name)
		untouched := e.workspace(org.Name)
		refused := []struct {
			name, tag string
			ids       []string
			want      error
		}{
			{"an unknown workspace", tag.ID, []string{untouched.ID, "ws-unknownunknown00"}, tfe.ErrResourceNotFound},
			{"a workspace of another organization", tag.ID, []string{untouched.ID, foreign.ID}, tfe.ErrResourceNotFound},
			{"the ID of a tag", tag.ID, []string{untouched.ID, tag.ID}, tfe.ErrResourceNotFound},
			{"an unknown tag", "tag-unknownunknown00", []string{untouched.ID}, tfe.ErrResourceNotFound},
			{"the ID of a workspace as the tag", untouched.ID, []string{untouched.ID}, tfe.ErrResourceNotFound},
			{"no workspaces (checked by the client)", tag.ID, nil, tfe.ErrRequiredTagWorkspaceID},
		}
		for _, test := range refused {
			t.Run(test.name, func(t *testing.T) {
				e := e.sub(t)
				wantError(t, e.OrganizationTags.AddWorkspaces(e.ctx, test.tag, tfe.AddWorkspacesToTagOptions{WorkspaceIDs: test.ids}), test.want)
				equal(t, "tag-names", len(e.tagNames(untouched.ID)), 0)
				equal(t, "tag-names of the foreign workspace", len(e.tagNames(foreign.ID)), 0)
				equal(t, "instance count", e.mustPoolTag(org.Name, "first").InstanceCount, 4)
			})
		}
	})
}

// A workspace that is deleted gives its uses back, whether it was tagged from either side.
func TestOrganizationTagsFollowDeletedWorkspaces(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		org := e.organization()
		one := e.workspace(org.Name, tagged("shared", "alone"))
		two := e.workspace(org.Name, tagged("shared"))

		must(t, e.Workspaces.DeleteByID(e.ctx, one.ID), "delete workspace")
		equal(t, "pool", names(e.pool(org.Name), orgTagName), []string{"shared"})
		equal(t, "instance count", e.mustPoolTag(org.Name, "shared").InstanceCount, 1)

		must(t, e.Workspaces.SafeDeleteByID(e.ctx, two.ID), "delete workspace")
		equal(t, "pool", len(e.pool(org.Name)), 0)
	})
}
