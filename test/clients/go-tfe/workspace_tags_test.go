package gotfe

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	tfe "github.com/hashicorp/go-tfe"
)

func TestWorkspacesAddTags(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		org := e.organization()
		ws := e.workspace(org.Name)
		e.addTags(ws.ID, "tag1", "tag2", "tag3")

		read, err := e.Workspaces.Read(e.ctx, org.Name, ws.Name)
		must(t, err, "read by name")
		equal(t, "tag-names", read.TagNames, []string{"tag1", "tag2", "tag3"})

		e.addTags(ws.ID, "tag4")
		equal(t, "tag-names", e.tagNames(ws.ID), []string{"tag1", "tag2", "tag3", "tag4"})
		list, err := e.Workspaces.ListTags(e.ctx, ws.ID, nil)
		must(t, err, "list tags")
		equal(t, "tags", names(list.Items, tagName), []string{"tag1", "tag2", "tag3", "tag4"})
		equal(t, "pagination", *list.Pagination, tfe.Pagination{CurrentPage: 1, TotalPages: 1, TotalCount: 4})

		t.Run("by ID", func(t *testing.T) {
			e := e.sub(t)
			e.workspace(org.Name, tagged("tagbyid"))
			tag := e.mustPoolTag(org.Name, "tagbyid")
			must(t, e.Workspaces.AddTags(e.ctx, ws.ID, tfe.WorkspaceAddTagsOptions{Tags: []*tfe.Tag{{ID: tag.ID}}}), "add by ID")
			list, err := e.Workspaces.ListTags(e.ctx, ws.ID, nil)
			must(t, err, "list tags")
			if !slices.ContainsFunc(list.Items, func(got *tfe.Tag) bool { return *got == tfe.Tag{ID: tag.ID, Name: "tagbyid"} }) {
				t.Errorf("the tag is not on the workspace: %v", names(list.Items, tagName))
			}
			equal(t, "instance count", e.mustPoolTag(org.Name, "tagbyid").InstanceCount, 2)
		})

		t.Run("by ID and by name in one request", func(t *testing.T) {
			e := e.sub(t)
			target := e.workspace(org.Name)
			tag := e.mustPoolTag(org.Name, "tag2")
			must(t, e.Workspaces.AddTags(e.ctx, target.ID, tfe.WorkspaceAddTagsOptions{Tags: []*tfe.Tag{{Name: "mixed"}, {ID: tag.ID}}}), "add")
			sameSet(t, "tag-names", e.tagNames(target.ID), []string{"mixed", "tag2"})
		})

		t.Run("tag-names keep the order of adding", func(t *testing.T) {
			e := e.sub(t)
			target := e.workspace(org.Name, tagged("zulu", "mike"))
			e.addTags(target.ID, "yankee", "alpha")
			equal(t, "tag-names", e.tagNames(target.ID), []string{"zulu", "mike", "yankee", "alpha"})
		})

		t.Run("again and repeated", func(t *testing.T) {
			e := e.sub(t)
			target := e.workspace(org.Name)
			e.addTags(target.ID, "once", "once")
			e.addTags(target.ID, "once")
			tag := e.mustPoolTag(org.Name, "once")
			must(t, e.Workspaces.AddTags(e.ctx, target.ID, tfe.WorkspaceAddTagsOptions{Tags: []*tfe.Tag{{ID: tag.ID}, {Name: "once"}}}), "add")
			equal(t, "tag-names", e.tagNames(target.ID), []string{"once"})
			equal(t, "instance count", e.mustPoolTag(org.Name, "once").InstanceCount, 1)
		})

		t.Run("upper case is folded", func(t *testing.T) {
			e := e.sub(t)
			target := e.workspace(org.Name)
			e.addTags(target.ID, "Mixed-Case", "MIXED-case")
			equal(t, "tag-names", e.tagNames(target.ID), []string{"mixed-case"})
			found, err := e.Workspaces.List(e.ctx, org.Name, &tfe.WorkspaceListOptions{Tags: "MIXED-CASE"})
			must(t, err, "search")
			equal(t, "workspaces", names(found.Items, workspaceID), []string{target.ID})
		})

		t.Run("good names", func(t *testing.T) {
			e := e.sub(t)
			good := []string{"a", "1", "h1", "1h", "hello-world", "new_cap-laugh", "env:prod", "a--b__c::d", strings.Repeat("n", 255)}
			target := e.workspace(org.Name)
			e.addTags(target.ID, good...)
			equal(t, "tag-names", e.tagNames(target.ID), good)
		})

		bad := []string{"-start", "end-", "_start", "end:", ":", "two words", "slash/ed", "dot.ted", "ünder", "emoji😀", "nul\x00", "new\nline", strings.Repeat("n", 256), " trim "}
		for _, name := range bad {
			t.Run(fmt.Sprintf("bad name %.20q", name), func(t *testing.T) {
				e := e.sub(t)
				target := e.workspace(org.Name)
				wantInvalid(t, e.Workspaces.AddTags(e.ctx, target.ID, tfe.WorkspaceAddTagsOptions{Tags: tagsNamed("fine-one", name)}))
				equal(t, "tag-names", len(e.tagNames(target.ID)), 0)
				if e.poolTag(org.Name, "fine-one") != nil {
					t.Error("the good name of the refused request is in the pool")
				}
				_, err := e.Workspaces.Create(e.ctx, org.Name, tfe.WorkspaceCreateOptions{Name: tfe.String("w-" + randomHex(4)), Tags: tagsNamed(name)})
				wantInvalid(t, err)
			})
		}

		foreign := e.organization()
		e.workspace(foreign.Name, tagged("theirs"))
		refused := []struct {
			name, workspace string
			tags            []*tfe.Tag
			want            error
		}{
			{"unknown tag ID", ws.ID, []*tfe.Tag{{Name: "not-added"}, {ID: "tag-unknownunknown00"}}, tfe.ErrResourceNotFound},
			{"tag ID of another organization", ws.ID, []*tfe.Tag{{Name: "not-added"}, {ID: e.mustPoolTag(foreign.Name, "theirs").ID}}, tfe.ErrResourceNotFound},
			{"unknown workspace", "ws-unknownunknown00", tagsNamed("not-added"), tfe.ErrResourceNotFound},
			{"no tags (checked by the client)", ws.ID, nil, tfe.ErrMissingTagIdentifier},
			{"neither ID nor name (checked by the client)", ws.ID, []*tfe.Tag{{}}, tfe.ErrMissingTagIdentifier},
		}
		for _, test := range refused {
			t.Run(test.name, func(t *testing.T) {
				e := e.sub(t)
				before := e.tagNames(ws.ID)
				wantError(t, e.Workspaces.AddTags(e.ctx, test.workspace, tfe.WorkspaceAddTagsOptions{Tags: test.tags}), test.want)
				equal(t, "tag-names", e.tagNames(ws.ID), before)
				if e.poolTag(org.Name, "not-added") != nil {
					t.Error("a name of the refused request is in the pool")
				}
			})
		}
	})
}

func TestWorkspacesRemoveTags(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		org := e.organization()
		ws := e.workspace(org.Name)
		e.addTags(ws.ID, "tag1", "tag2", "tag3")
		equal(t, "tag-names", e.tagNames(ws.ID), []string{"tag1", "tag2", "tag3"})
		e.removeTags(ws.ID, "tag1", "tag2")
		equal(t, "tag-names", e.tagNames(ws.ID), []string{"tag3"})
		list, err := e.Workspaces.ListTags(e.ctx, ws.ID, nil)
		must(t, err, "list tags")
		equal(t, "tags", names(list.Items, tagName), []string{"tag3"})

		t.Run("an unknown name is ignored", func(t *testing.T) {
			e := e.sub(t)
			e.removeTags(ws.ID, "NonExistentTag")
			equal(t, "tag-names", e.tagNames(ws.ID), []string{"tag3"})
			e.addTags(ws.ID, "leaving")
			e.removeTags(ws.ID, "NonExistentTag", "leaving")
			equal(t, "tag-names", e.tagNames(ws.ID), []string{"tag3"})
		})

		t.Run("by ID, folded and repeated", func(t *testing.T) {
			e := e.sub(t)
			e.addTags(ws.ID, "by-id", "by-name")
			tag := e.mustPoolTag(org.Name, "by-id")
			must(t, e.Workspaces.RemoveTags(e.ctx, ws.ID, tfe.WorkspaceRemoveTagsOptions{
				Tags: []*tfe.Tag{{ID: tag.ID}, {Name: "BY-NAME"}, {Name: "by-id"}, {Name: "by-name"}},
			}), "remove")
			equal(t, "tag-names", e.tagNames(ws.ID), []string{"tag3"})
		})

		t.Run("a tag that the workspace does not carry", func(t *testing.T) {
			e := e.sub(t)
			other := e.workspace(org.Name, tagged("elsewhere"))
			tag := e.mustPoolTag(org.Name, "elsewhere")
			e.removeTags(ws.ID, "elsewhere")
			must(t, e.Workspaces.RemoveTags(e.ctx, ws.ID, tfe.WorkspaceRemoveTagsOptions{Tags: []*tfe.Tag{{ID: tag.ID}}}), "remove by ID")
			equal(t, "the other's tag-names", e.tagNames(other.ID), []string{"elsewhere"})
			equal(t, "instance count", e.mustPoolTag(org.Name, "elsewhere").InstanceCount, 1)
		})

		t.Run("the last use takes the tag out of the pool", func(t *testing.T) {
			e := e.sub(t)
			other := e.workspace(org.Name, tagged("dwindling"))
			e.addTags(ws.ID, "dwindling")
			first := e.mustPoolTag(org.Name, "dwindling")
			equal(t, "instance count", first.InstanceCount, 2)
			e.removeTags(ws.ID, "dwindling")
			equal(t, "instance count", e.mustPoolTag(org.Name, "dwindling").InstanceCount, 1)
			e.removeTags(other.ID, "dwindling")
			if e.poolTag(org.Name, "dwindling") != nil {
				t.Error("the tag is still in the pool")
			}
			wantError(t, e.Workspaces.AddTags(e.ctx, ws.ID, tfe.WorkspaceAddTagsOptions{Tags: []*tfe.Tag{{ID: first.ID}}}), tfe.ErrResourceNotFound)
			e.addTags(other.ID, "dwindling")
			if again := e.mustPoolTag(org.Name, "dwindling"); again.ID == first.ID {
				t.Error("the ID of a tag that had left the pool came back")
			}
		})

		t.Run("all tags, one by one", func(t *testing.T) {
			e := e.sub(t)
			target := e.workspace(org.Name, tagged("one", "two"))
			e.removeTags(target.ID, "one")
			e.removeTags(target.ID, "two")
			read, err := e.Workspaces.ReadByID(e.ctx, target.ID)
			must(t, err, "read")
			// An empty array, not null: the client tells them apart.
			same(t, "tag-names", read.TagNames, []string{})
		})

		foreign := e.organization()
		e.workspace(foreign.Name, tagged("theirs"))
		refused := []struct {
			name, workspace string
			tags            []*tfe.Tag
			want            error
		}{
			{"unknown tag ID", ws.ID, []*tfe.Tag{{Name: "tag3"}, {ID: "tag-unknownunknown00"}}, tfe.ErrResourceNotFound},
			{"tag ID of another organization", ws.ID, []*tfe.Tag{{Name: "tag3"}, {ID: e.mustPoolTag(foreign.Name, "theirs").ID}}, tfe.ErrResourceNotFound},
			{"unknown workspace", "ws-unknownunknown00", tagsNamed("tag3"), tfe.ErrResourceNotFound},
			{"no tags (checked by the client)", ws.ID, nil, tfe.ErrMissingTagIdentifier},
		}
		for _, test := range refused {
			t.Run(test.name, func(t *testing.T) {
				e := e.sub(t)
				wantError(t, e.Workspaces.RemoveTags(e.ctx, test.workspace, tfe.WorkspaceRemoveTagsOptions{Tags: test.tags}), test.want)
				equal(t, "tag-names", e.tagNames(ws.ID), []string{"tag3"})
			})
		}
	})
}

func TestWorkspacesListTags(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		want := numbered("listed-", 45)
		org := e.organization()
		ws := e.workspace(org.Name, tagged(want...))
		e.workspace(org.Name, tagged("listed-elsewhere"))

		t.Run("paging to the end", func(t *testing.T) {
			var got []string
			options := &tfe.WorkspaceTagListOptions{}
			for page := 1; ; page++ {
				list, err := e.Workspaces.ListTags(e.ctx, ws.ID, options)
				must(t, err, "list tags")
				equal(t, "current page", list.CurrentPage, page)
				equal(t, "total pages", list.TotalPages, 3)
				equal(t, "total count", list.TotalCount, 45)
				got = append(got, names(list.Items, tagName)...)
				if list.CurrentPage >= list.TotalPages || page > 3 {
					break
				}
				options.PageNumber = list.NextPage
			}
			equal(t, "names", got, want)
		})

		for _, test := range []struct {
			name, query string
			total       int
		}{
			{"part of a name", "listed-04", 5},
			{"the whole name", "listed-017", 1},
			{"another workspace's tag", "elsewhere", 0},
		} {
			t.Run("name filter: "+test.name, func(t *testing.T) {
				list, err := e.Workspaces.ListTags(e.ctx, ws.ID, &tfe.WorkspaceTagListOptions{Query: &test.query})
				must(t, err, "list tags")
				equal(t, "items", len(list.Items), test.total)
				equal(t, "total count", list.TotalCount, test.total)
			})
		}

		t.Run("page past the end", func(t *testing.T) {
			list, err := e.Workspaces.ListTags(e.ctx, ws.ID, &tfe.WorkspaceTagListOptions{ListOptions: tfe.ListOptions{PageNumber: 999}})
			must(t, err, "list tags")
			equal(t, "items", len(list.Items), 0)
			equal(t, "current page", list.CurrentPage, 999)
			equal(t, "total count", list.TotalCount, 45)
		})

		t.Run("no tags", func(t *testing.T) {
			list, err := e.Workspaces.ListTags(e.ctx, e.sub(t).workspace(org.Name).ID, nil)
			must(t, err, "list tags")
			equal(t, "items", len(list.Items), 0)
			equal(t, "pagination", *list.Pagination, tfe.Pagination{CurrentPage: 1, TotalPages: 1})
		})

		t.Run("unknown workspace", func(t *testing.T) {
			_, err := e.Workspaces.ListTags(e.ctx, "ws-unknownunknown00", nil)
			wantError(t, err, tfe.ErrResourceNotFound)
		})
	})
}

// The public service is known to fail here: several writers that bring the same new name at once.
func TestConcurrentUseOfANewTag(t *testing.T) {
	const writers = 50
	eachEngine(t, func(t *testing.T, e *env) {
		// A client of its own for each writer: one client alone keeps to the announced rate limit.
		clients := make([]*tfe.Client, writers)
		for i := range clients {
			clients[i] = newClient(t, e.srv, e.srv.token)
		}
		atOnce := func(t *testing.T, write func(i int) error) {
			t.Helper()
			failures := make([]error, writers)
			start := make(chan struct{})
			var running sync.WaitGroup
			for i := range writers {
				running.Go(func() {
					<-start
					failures[i] = write(i)
				})
			}
			close(start)
			running.Wait()
			must(t, errors.Join(failures...), "concurrent writes")
		}
		wantOneTag := func(t *testing.T, e *env, org, name string, uses int) {
			t.Helper()
			pool := e.pool(org)
			equal(t, "pool", names(pool, orgTagName), []string{name})
			if len(pool) == 1 {
				equal(t, "instance count", pool[0].InstanceCount, uses)
			}
			found, err := e.Workspaces.List(e.ctx, org, &tfe.WorkspaceListOptions{Tags: name})
			must(t, err, "search by tag")
			equal(t, "workspaces that carry it", found.TotalCount, uses)
		}

		t.Run("added to different workspaces", func(t *testing.T) {
			e := e.sub(t)
			org := e.organization()
			workspaces := make([]*tfe.Workspace, writers)
			for i := range workspaces {
				workspaces[i] = e.workspace(org.Name)
			}
			atOnce(t, func(i int) error {
				return clients[i].Workspaces.AddTags(e.ctx, workspaces[i].ID, tfe.WorkspaceAddTagsOptions{Tags: tagsNamed("brand-new")})
			})
			wantOneTag(t, e, org.Name, "brand-new", writers)

			// And all uses end at once.
			atOnce(t, func(i int) error {
				return clients[i].Workspaces.RemoveTags(e.ctx, workspaces[i].ID, tfe.WorkspaceRemoveTagsOptions{Tags: tagsNamed("brand-new")})
			})
			equal(t, "pool", len(e.pool(org.Name)), 0)
		})

		t.Run("added to one workspace", func(t *testing.T) {
			e := e.sub(t)
			org := e.organization()
			ws := e.workspace(org.Name)
			atOnce(t, func(i int) error {
				return clients[i].Workspaces.AddTags(e.ctx, ws.ID, tfe.WorkspaceAddTagsOptions{Tags: tagsNamed("brand-new")})
			})
			wantOneTag(t, e, org.Name, "brand-new", 1)
			equal(t, "tag-names", e.tagNames(ws.ID), []string{"brand-new"})
		})

		t.Run("given to new workspaces", func(t *testing.T) {
			e := e.sub(t)
			org := e.organization()
			atOnce(t, func(i int) error {
				_, err := clients[i].Workspaces.Create(e.ctx, org.Name, tfe.WorkspaceCreateOptions{
					Name: tfe.String(fmt.Sprintf("parallel-%d", i)), Tags: tagsNamed("brand-new"),
				})
				return err
			})
			wantOneTag(t, e, org.Name, "brand-new", writers)
		})
	})
}
