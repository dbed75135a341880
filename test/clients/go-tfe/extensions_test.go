package gotfe

import (
	"encoding/json"
	"testing"

	tfe "github.com/hashicorp/go-tfe"
)

// What Tessera offers beyond the client's methods must look right through them.
func TestTagsBroughtIntoThePoolDirectly(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		org := e.organization()
		ws := e.workspace(org.Name, tagged("by-use"))
		pool := "/api/v2/organizations/" + org.Name + "/tags"
		type document struct {
			Data []struct {
				ID         string `json:"id"`
				Attributes struct {
					Name string `json:"name"`
				} `json:"attributes"`
			} `json:"data"`
		}
		create := func(t *testing.T, body string) []string {
			t.Helper()
			got := e.sub(t).send("POST", pool, body, nil)
			if got.status != 201 {
				t.Fatalf("status is %d: %.300s", got.status, got.body)
			}
			var created document
			must(t, json.Unmarshal(got.body, &created), "decode")
			ids := make([]string, 0, len(created.Data))
			for _, tag := range created.Data {
				ids = append(ids, tag.ID)
			}
			return ids
		}

		before := e.mustPoolTag(org.Name, "by-use")
		ids := create(t, `{"data":[{"type":"tags","attributes":{"name":"Direct"}},{"type":"tags","attributes":{"name":"by-use"}}]}`)
		direct := e.mustPoolTag(org.Name, "direct")
		sameSet(t, "IDs", ids, []string{direct.ID, before.ID})
		equal(t, "instance count", direct.InstanceCount, 0)

		t.Run("it stays after its last use, as does a tag that was pinned later", func(t *testing.T) {
			e := e.sub(t)
			must(t, e.OrganizationTags.AddWorkspaces(e.ctx, direct.ID, tfe.AddWorkspacesToTagOptions{WorkspaceIDs: []string{ws.ID}}), "add workspaces")
			e.removeTags(ws.ID, "direct", "by-use")
			equal(t, "pool", names(e.pool(org.Name), orgTagName), []string{"by-use", "direct"})
			equal(t, "ID", e.mustPoolTag(org.Name, "by-use").ID, before.ID)
		})

		t.Run("it can be renamed, and its links stay", func(t *testing.T) {
			e := e.sub(t)
			e.addTags(ws.ID, "direct")
			got := e.send("PATCH", "/api/v2/tags/"+direct.ID, `{"data":{"type":"tags","id":"`+direct.ID+`","attributes":{"name":"renamed"}}}`, nil)
			equal(t, "status", got.status, 200)
			equal(t, "tag-names", e.tagNames(ws.ID), []string{"renamed"})
			equal(t, "ID", e.mustPoolTag(org.Name, "renamed").ID, direct.ID)
			taken := e.send("PATCH", "/api/v2/tags/"+direct.ID, `{"data":{"type":"tags","id":"`+direct.ID+`","attributes":{"name":"by-use"}}}`, nil)
			equal(t, "status of a taken name", taken.status, 422)
			equal(t, "detail", taken.errors(t)[0].Detail, "Name has already been taken")
		})

		t.Run("workspaces can be taken off it", func(t *testing.T) {
			e := e.sub(t)
			relationship := "/api/v2/tags/" + direct.ID + "/relationships/workspaces"
			var carrying document
			must(t, json.Unmarshal(e.send("GET", relationship, "", nil).body, &carrying), "decode")
			if len(carrying.Data) != 1 || carrying.Data[0].ID != ws.ID {
				t.Errorf("the tag is on %+v", carrying.Data)
			}
			got := e.send("DELETE", relationship, `{"data":[{"type":"workspaces","id":"`+ws.ID+`"}]}`, nil)
			equal(t, "status", got.status, 204)
			equal(t, "tag-names", len(e.tagNames(ws.ID)), 0)
		})

		t.Run("it can be deleted", func(t *testing.T) {
			e := e.sub(t)
			must(t, e.OrganizationTags.Delete(e.ctx, org.Name, tfe.OrganizationTagsDeleteOptions{IDs: []string{direct.ID, before.ID}}), "delete")
			equal(t, "pool", len(e.pool(org.Name)), 0)
		})
	})
}
