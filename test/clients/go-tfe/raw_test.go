package gotfe

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
)

const mediaType = "application/vnd.api+json"

// An answer is what the server said to a request that this client's library would not send.
type answer struct {
	status int
	header http.Header
	body   []byte
}

type apiError struct {
	Status string `json:"status"`
	Title  string `json:"title"`
	Detail string `json:"detail"`
	Source struct {
		Pointer string `json:"pointer"`
	} `json:"source"`
}

func (a answer) errors(t *testing.T) []apiError {
	t.Helper()
	var document struct {
		Errors []apiError `json:"errors"`
	}
	if err := json.Unmarshal(a.body, &document); err != nil || len(document.Errors) == 0 {
		t.Fatalf("status %d without an error document: %.300s", a.status, a.body)
	}
	if got := a.header.Get("Content-Type"); !strings.HasPrefix(got, mediaType) {
		t.Errorf("content type of the error is %q", got)
	}
	for _, e := range document.Errors {
		equal(t, "status inside the error", e.Status, fmt.Sprint(a.status))
		if e.Title == "" {
			t.Error("the error has no title")
		}
	}
	return document.Errors
}

// send makes one request; header entries with an empty value are left out.
func (e *env) send(method, path, body string, header map[string]string) answer {
	e.t.Helper()
	request, err := http.NewRequestWithContext(e.ctx, method, e.srv.address+path, strings.NewReader(body))
	must(e.t, err, "make request")
	request.Header.Set("Authorization", "Bearer "+e.srv.token)
	request.Header.Set("Content-Type", mediaType)
	for name, value := range header {
		request.Header.Del(name)
		if value != "" {
			request.Header.Set(name, value)
		}
	}
	response, err := http.DefaultClient.Do(request)
	must(e.t, err, method+" "+path)
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	must(e.t, err, "read answer")
	return answer{response.StatusCode, response.Header, content}
}

// wantNoCycle wants the included objects of an answer not to lead back to themselves by their relationships.
// The client's library follows every link into the included objects without end, which ends its user's process.
func (e *env) wantNoCycle(path string) {
	e.t.Helper()
	type linkage struct{ Type, ID string }
	type resource struct {
		linkage
		Relationships map[string]struct {
			Data json.RawMessage `json:"data"`
		} `json:"relationships"`
	}
	var document struct {
		Included []resource `json:"included"`
	}
	got := e.send("GET", path, "", nil)
	must(e.t, json.Unmarshal(got.body, &document), "decode")
	included := map[linkage]resource{}
	for _, r := range document.Included {
		included[r.linkage] = r
	}
	var follow func(at linkage, trail []string)
	follow = func(at linkage, trail []string) {
		r, present := included[at]
		if !present {
			return
		}
		trail = append(trail, at.Type)
		if len(trail) > len(included) {
			e.t.Fatalf("%s: the included objects form a cycle: %s", path, strings.Join(trail, " > "))
		}
		for _, relation := range r.Relationships {
			var one linkage
			var many []linkage
			if json.Unmarshal(relation.Data, &one) == nil {
				many = []linkage{one}
			} else if json.Unmarshal(relation.Data, &many) != nil {
				continue
			}
			for _, next := range many {
				follow(next, trail)
			}
		}
	}
	for at := range included {
		follow(at, nil)
	}
}

func atLeast(version string, major, minor int) bool {
	var gotMajor, gotMinor int
	if _, err := fmt.Sscanf(version, "%d.%d", &gotMajor, &gotMinor); err != nil {
		return false
	}
	return gotMajor > major || gotMajor == major && gotMinor >= minor
}

// Bodies that the client's library refuses to send, or cannot express.
func TestRawBodies(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		org := e.organization()
		ws := e.workspace(org.Name, tagged("present"))
		tag := e.mustPoolTag(org.Name, "present")
		project := e.project(org.Name)

		organizations := "/api/v2/organizations"
		tags := organizations + "/" + org.Name + "/tags"
		tagWorkspaces := "/api/v2/tags/" + tag.ID + "/relationships/workspaces"
		workspaceTags := "/api/v2/workspaces/" + ws.ID + "/relationships/tags"
		workspaces := organizations + "/" + org.Name + "/workspaces"
		projects := organizations + "/" + org.Name + "/projects"

		repeated := func(count int, item string) string {
			return `{"data":[` + strings.TrimSuffix(strings.Repeat(item+",", count), ",") + `]}`
		}
		bulk := []struct{ name, method, path, kind string }{
			{"delete tags", "DELETE", tags, "tags"},
			{"add workspaces to a tag", "POST", tagWorkspaces, "workspaces"},
			{"add tags to a workspace", "POST", workspaceTags, "tags"},
			{"remove tags from a workspace", "DELETE", workspaceTags, "tags"},
		}
		type test struct {
			name, method, path, body string
			status                   int
			title                    string
		}
		var tests []test
		for _, b := range bulk {
			id := tag.ID
			if b.kind == "workspaces" {
				id = ws.ID
			}
			for _, bad := range []struct {
				name, body string
				status     int
			}{
				{"empty body", ``, 422},
				{"no JSON", `{"data":[`, 422},
				{"null", `null`, 422},
				{"array", `[]`, 422},
				{"text", `"data"`, 422},
				{"number", `1`, 422},
				{"no data", `{}`, 422},
				{"data null", `{"data":null}`, 422},
				{"data empty", `{"data":[]}`, 422},
				{"data is an object", `{"data":{"type":"` + b.kind + `","id":"` + id + `"}}`, 422},
				{"data is text", `{"data":"tags"}`, 422},
				{"entry is text", `{"data":["` + id + `"]}`, 422},
				{"entry is null", `{"data":[null]}`, 422},
				{"entry is an array", `{"data":[[]]}`, 422},
				{"entry without type", `{"data":[{"id":"` + id + `"}]}`, 422},
				{"entry of another type", `{"data":[{"type":"projects","id":"` + id + `"}]}`, 422},
				{"entry without id", `{"data":[{"type":"` + b.kind + `"}]}`, 422},
				{"id is a number", `{"data":[{"type":"` + b.kind + `","id":7}]}`, 422},
				{"id is null", `{"data":[{"type":"` + b.kind + `","id":null}]}`, 422},
				{"id is an object", `{"data":[{"type":"` + b.kind + `","id":{"__proto__":1}}]}`, 422},
				{"a good entry and a bad one", `{"data":[{"type":"` + b.kind + `","id":"` + id + `"},{"type":"` + b.kind + `"}]}`, 422},
				{"1001 entries", repeated(1001, `{"type":"`+b.kind+`","id":"`+id+`"}`), 422},
				{"deeply nested", strings.Repeat(`{"data":`, 5000) + `1` + strings.Repeat(`}`, 5000), 422},
			} {
				tests = append(tests, test{b.name + "/" + bad.name, b.method, b.path, bad.body, bad.status, ""})
			}
			tests = append(tests,
				test{b.name + "/2 MiB", b.method, b.path, `{"data":[{"type":"` + strings.Repeat("x", 2<<20) + `"}]}`, 413, ""})
		}
		workspace := func(attributes string) string {
			return `{"data":{"type":"workspaces","attributes":{` + attributes + `}}}`
		}
		tests = append(tests,
			test{"add tags/name is a number", "POST", workspaceTags, `{"data":[{"type":"tags","attributes":{"name":1}}]}`, 422, ""},
			test{"add tags/name is empty", "POST", workspaceTags, `{"data":[{"type":"tags","attributes":{"name":""}}]}`, 422, ""},
			test{"add tags/name is a lone surrogate", "POST", workspaceTags, `{"data":[{"type":"tags","attributes":{"name":"a\ud800b"}}]}`, 422, ""},
			test{"create workspace/no name", "POST", workspaces, workspace(``), 422, ""},
			test{"create workspace/name is a number", "POST", workspaces, workspace(`"name":5`), 422, ""},
			test{"create workspace/name with a blank", "POST", workspaces, workspace(`"name":"a b"`), 422, "invalid attribute"},
			test{"create workspace/name with a slash", "POST", workspaces, workspace(`"name":"a/b"`), 422, "invalid attribute"},
			test{"create workspace/name with NUL", "POST", workspaces, workspace(`"name":"a\u0000b"`), 422, "invalid attribute"},
			test{"create workspace/switch is text", "POST", workspaces, workspace(`"name":"typed","auto-apply":"yes"`), 422, ""},
			test{"create workspace/text is a number", "POST", workspaces, workspace(`"name":"typed","description":5`), 422, ""},
			test{"create workspace/list is text", "POST", workspaces, workspace(`"name":"typed","trigger-prefixes":"/a"`), 422, ""},
			test{"create workspace/execution mode agent", "POST", workspaces, workspace(`"name":"typed","execution-mode":"agent"`), 422, "invalid attribute"},
			test{"create workspace/another type", "POST", workspaces, `{"data":{"type":"projects","attributes":{"name":"typed"}}}`, 422, ""},
			test{"create workspace/data is an array", "POST", workspaces, `{"data":[{"type":"workspaces","attributes":{"name":"typed"}}]}`, 422, ""},
			test{"create workspace/1001 tags", "POST", workspaces, `{"data":{"type":"workspaces","attributes":{"name":"typed"},"relationships":{"tags":` + repeated(1001, `{"type":"tags","attributes":{"name":"many"}}`) + `}}}`, 422, ""},
			test{"update workspace/locked cannot be a number", "PATCH", "/api/v2/workspaces/" + ws.ID, workspace(`"auto-apply":1`), 422, ""},
			test{"create organization/no email", "POST", organizations, `{"data":{"type":"organizations","attributes":{"name":"no-email-` + randomHex(4) + `"}}}`, 422, ""},
			test{"create organization/no name", "POST", organizations, `{"data":{"type":"organizations","attributes":{"email":"a@example.test"}}}`, 422, ""},
			test{"create organization/name with a blank", "POST", organizations, `{"data":{"type":"organizations","attributes":{"name":"a b","email":"a@example.test"}}}`, 422, "invalid attribute"},
			test{"update organization/session timeout is text", "PATCH", organizations + "/" + org.Name, `{"data":{"type":"organizations","attributes":{"session-timeout":"long"}}}`, 422, ""},
			test{"create project/no name", "POST", projects, `{"data":{"type":"projects","attributes":{}}}`, 422, ""},
			test{"update project/name is null", "PATCH", "/api/v2/projects/" + project.ID, `{"data":{"type":"projects","attributes":{"name":[]}}}`, 422, ""},
		)

		poolBefore, namesBefore := e.pool(org.Name), e.tagNames(ws.ID)
		listBefore, err := e.Workspaces.List(e.ctx, org.Name, nil)
		must(t, err, "list")
		for _, test := range tests {
			t.Run(test.name, func(t *testing.T) {
				got := e.sub(t).send(test.method, test.path, test.body, nil)
				if got.status != test.status {
					t.Fatalf("status is %d, want %d: %.300s", got.status, test.status, got.body)
				}
				if errors := got.errors(t); test.title != "" {
					equal(t, "title", errors[0].Title, test.title)
				}
			})
		}
		same(t, "the pool", e.pool(org.Name), poolBefore)
		equal(t, "tag-names", e.tagNames(ws.ID), namesBefore)
		listAfter, err := e.Workspaces.List(e.ctx, org.Name, nil)
		must(t, err, "list")
		same(t, "the workspaces", listAfter.Items, listBefore.Items)

		t.Run("unknown attributes and members are ignored", func(t *testing.T) {
			e := e.sub(t)
			got := e.send("POST", workspaces, `{"data":{"type":"workspaces","id":"ws-mine","attributes":{"name":"newer-client","from-the-future":{"a":[1]}},"links":{}},"included":[],"meta":{}}`, nil)
			equal(t, "status", got.status, 201)
			read, err := e.Workspaces.Read(e.ctx, org.Name, "newer-client")
			must(t, err, "read")
			equal(t, "locked", read.Locked, false)
			if read.ID == "ws-mine" {
				t.Error("the client chose the ID")
			}
		})

		t.Run("a member named __proto__ changes nothing", func(t *testing.T) {
			e := e.sub(t)
			got := e.send("POST", workspaces, `{"data":{"type":"workspaces","attributes":{"name":"proto","__proto__":{"auto-apply":true}},"__proto__":{"id":"ws-mine"}},"__proto__":{}}`, nil)
			if got.status != 201 && got.status != 422 {
				t.Fatalf("status is %d: %.300s", got.status, got.body)
			}
			if got.status == 422 {
				got.errors(t)
				return
			}
			read, err := e.Workspaces.Read(e.ctx, org.Name, "proto")
			must(t, err, "read")
			equal(t, "auto apply", read.AutoApply, false)
		})

		t.Run("1000 entries are accepted", func(t *testing.T) {
			got := e.sub(t).send("POST", tagWorkspaces, repeated(1000, `{"type":"workspaces","id":"`+ws.ID+`"}`), nil)
			equal(t, "status", got.status, 204)
			equal(t, "instance count", e.mustPoolTag(org.Name, "present").InstanceCount, 1)
		})

		t.Run("names taken twice point at the name", func(t *testing.T) {
			got := e.sub(t).send("POST", workspaces, workspace(`"name":"`+ws.Name+`"`), nil)
			equal(t, "status", got.status, 422)
			first := got.errors(t)[0]
			equal(t, "title", first.Title, "invalid attribute")
			equal(t, "detail", first.Detail, "Name has already been taken")
			equal(t, "pointer", first.Source.Pointer, "/data/attributes/name")
		})
	})
}

func TestRawHeaders(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		org := e.organization()
		ws := e.workspace(org.Name, tagged("present"))
		read := "/api/v2/workspaces/" + ws.ID
		tags := read + "/relationships/tags"
		body := `{"data":[{"type":"tags","attributes":{"name":"sent"}}]}`

		tests := []struct {
			name, method, path, body string
			header                   map[string]string
			status                   int
			title                    string
		}{
			{"plain JSON", "POST", tags, body, map[string]string{"Content-Type": "application/json"}, 415, "invalid content type"},
			{"form", "DELETE", tags, body, map[string]string{"Content-Type": "application/x-www-form-urlencoded"}, 415, "invalid content type"},
			{"no content type", "PATCH", read, `{"data":{"type":"workspaces"}}`, map[string]string{"Content-Type": ""}, 415, "invalid content type"},
			{"no token", "GET", read, "", map[string]string{"Authorization": ""}, 401, "unauthorized"},
			{"another scheme", "GET", read, "", map[string]string{"Authorization": "Basic " + e.srv.token}, 401, "unauthorized"},
			{"unknown route", "GET", "/api/v2/nowhere", "", nil, 404, "not found"},
			{"unknown route, bad token", "GET", "/api/v2/nowhere", "", map[string]string{"Authorization": "Bearer bad"}, 404, "not found"},
			{"unknown include", "GET", read + "?include=nonsense", "", nil, 400, ""},
		}
		for _, test := range tests {
			t.Run(test.name, func(t *testing.T) {
				got := e.sub(t).send(test.method, test.path, test.body, test.header)
				if got.status != test.status {
					t.Fatalf("status is %d, want %d: %.300s", got.status, test.status, got.body)
				}
				if errors := got.errors(t); test.title != "" {
					equal(t, "title", errors[0].Title, test.title)
				}
			})
		}
		equal(t, "tag-names", e.tagNames(ws.ID), []string{"present"})

		t.Run("a charset is harmless, a GET needs no content type", func(t *testing.T) {
			e := e.sub(t)
			equal(t, "status", e.send("POST", tags, body, map[string]string{"Content-Type": mediaType + "; charset=utf-8"}).status, 204)
			got := e.send("GET", read, "", map[string]string{"Content-Type": ""})
			equal(t, "status", got.status, 200)
			if contentType := got.header.Get("Content-Type"); !strings.HasPrefix(contentType, mediaType) {
				t.Errorf("content type is %q", contentType)
			}
		})

		t.Run("an unknown tag and a tag of nobody look the same", func(t *testing.T) {
			e := e.sub(t)
			unknownTag := e.send("POST", "/api/v2/tags/tag-unknownunknown00/relationships/workspaces", `{"data":[{"type":"workspaces","id":"`+ws.ID+`"}]}`, nil)
			nonsense := e.send("POST", "/api/v2/tags/nonsense/relationships/workspaces", `{"data":[{"type":"workspaces","id":"`+ws.ID+`"}]}`, nil)
			equal(t, "status", unknownTag.status, 404)
			if !bytes.Equal(unknownTag.body, nonsense.body) {
				t.Errorf("bodies differ:\n%s\n%s", unknownTag.body, nonsense.body)
			}
		})

		for name, body := range map[string]string{
			"plain":     `{"reason":"Because"}`,
			"wrapped":   `{"data":{"type":"workspaces","attributes":{"reason":"Because"}}}`,
			"no reason": ``,
		} {
			t.Run("lock body: "+name, func(t *testing.T) {
				e := e.sub(t)
				target := e.workspace(org.Name)
				got := e.send("POST", "/api/v2/workspaces/"+target.ID+"/actions/lock", body, nil)
				equal(t, "status", got.status, 200)
				var document struct {
					Data struct {
						Attributes struct {
							Locked bool    `json:"locked"`
							Reason *string `json:"locked-reason"`
						} `json:"attributes"`
					} `json:"data"`
				}
				must(t, json.Unmarshal(got.body, &document), "decode")
				equal(t, "locked", document.Data.Attributes.Locked, true)
				if reason := document.Data.Attributes.Reason; body != "" && (reason == nil || *reason != "Because") {
					t.Errorf("the reason is %v", reason)
				}
			})
		}
	})
}

func TestRawPages(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		org := e.organization()
		e.workspace(org.Name, tagged(numbered("raw", 25)...))
		tags := "/api/v2/organizations/" + org.Name + "/tags"

		type page struct {
			Data []json.RawMessage `json:"data"`
			Meta struct {
				Pagination map[string]*int `json:"pagination"`
			} `json:"meta"`
			Links map[string]*string `json:"links"`
		}
		read := func(t *testing.T, query string) page {
			t.Helper()
			got := e.sub(t).send("GET", tags+query, "", nil)
			equal(t, "status", got.status, 200)
			var document page
			must(t, json.Unmarshal(got.body, &document), "decode")
			return document
		}

		for _, test := range []struct {
			query            string
			items, number, n int
		}{
			{"", 20, 1, 20},
			{"?page%5Bnumber%5D=2&page%5Bsize%5D=10", 10, 2, 10},
			{"?page[number]=2&page[size]=10", 10, 2, 10},
			{"?page[number]=3&page[size]=10", 5, 3, 10},
			{"?page[number]=0", 20, 1, 20},
			{"?page[number]=-1", 20, 1, 20},
			{"?page[number]=abc", 20, 1, 20},
			{"?page[size]=0", 20, 1, 20},
			{"?page[size]=-5", 20, 1, 20},
			{"?page[size]=abc", 20, 1, 20},
			{"?page[size]=1000000000000", 25, 1, 100},
			{"?page[number]=1000", 0, 1000, 20},
			{"?nonsense=1&other=2", 20, 1, 20},
		} {
			t.Run("query "+test.query, func(t *testing.T) {
				document := read(t, test.query)
				equal(t, "items", len(document.Data), test.items)
				for key, want := range map[string]int{"current-page": test.number, "page-size": test.n, "total-count": 25, "total-pages": (25 + test.n - 1) / test.n} {
					if got := document.Meta.Pagination[key]; got == nil || *got != want {
						t.Errorf("%s: got %s, want %d", key, text(got), want)
					}
				}
			})
		}

		t.Run("links and nulls", func(t *testing.T) {
			first, last := read(t, "?q=raw&page[size]=10"), read(t, "?q=raw&page[size]=10&page[number]=3")
			for key, wantNull := range map[string]bool{"prev-page": true, "next-page": false} {
				if got, present := first.Meta.Pagination[key]; !present || (got == nil) != wantNull {
					t.Errorf("first page, %s: %s", key, text(got))
				}
				if got, present := last.Meta.Pagination[key]; !present || (got == nil) == wantNull {
					t.Errorf("last page, %s: %s", key, text(got))
				}
			}
			for key, number := range map[string]string{"self": "1", "first": "1", "next": "2", "last": "3"} {
				link := first.Links[key]
				if link == nil {
					t.Errorf("the link %s is missing", key)
					continue
				}
				for _, part := range []string{e.srv.address + tags, "page%5Bnumber%5D=" + number, "page%5Bsize%5D=10", "q=raw"} {
					if !strings.Contains(*link, part) {
						t.Errorf("the link %s lacks %s: %s", key, part, *link)
					}
				}
			}
			if link, present := first.Links["prev"]; !present || link != nil {
				t.Error("the link prev of the first page is not null")
			}
			if link, present := last.Links["next"]; !present || link != nil {
				t.Error("the link next of the last page is not null")
			}
		})
	})
}

func text(number *int) string {
	if number == nil {
		return "null"
	}
	return fmt.Sprint(*number)
}

// The first documents that Terraform asks a host for.
func TestRawDiscovery(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		got := e.send("GET", "/.well-known/terraform.json", "", map[string]string{"Content-Type": "", "Authorization": ""})
		equal(t, "status", got.status, 200)
		if contentType := got.header.Get("Content-Type"); contentType != "application/json" {
			t.Errorf("content type is %q", contentType)
		}
		var services map[string]any
		must(t, json.Unmarshal(got.body, &services), "decode")
		for _, service := range []string{"tfe.v2", "tfe.v2.1", "tfe.v2.2"} {
			equal[any](t, service, services[service], "/api/v2/")
		}

		ping := e.send("GET", "/api/v2/ping", "", map[string]string{"Content-Type": ""})
		equal(t, "status of ping", ping.status, 204)
		if version := ping.header.Get("TFP-API-Version"); !atLeast(version, 2, 5) {
			t.Errorf("TFP-API-Version is %q", version)
		}
	})
}
