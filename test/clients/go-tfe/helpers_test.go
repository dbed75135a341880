package gotfe

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	tfe "github.com/hashicorp/go-tfe"
)

// An env is what one test works with on one storage engine.
type env struct {
	*tfe.Client

	t   *testing.T
	ctx context.Context
	srv *server
}

// eachEngine runs a test once per storage engine, at the same time as others.
func eachEngine(t *testing.T, test func(t *testing.T, e *env)) {
	t.Helper()
	t.Parallel()
	for _, srv := range servers {
		t.Run(srv.engine, func(t *testing.T) {
			t.Parallel()
			test(t, newEnv(t, srv))
		})
	}
}

func newEnv(t *testing.T, srv *server) *env {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	t.Cleanup(cancel)
	return &env{Client: newClient(t, srv, srv.token), t: t, ctx: ctx, srv: srv}
}

// sub is the same environment whose helpers report to a subtest.
func (e *env) sub(t *testing.T) *env {
	copied := *e
	copied.t = t
	return &copied
}

// newClient makes a client that reports a 5xx at once instead of retrying it.
func newClient(t *testing.T, srv *server, token string) *tfe.Client {
	t.Helper()
	client, err := tfe.NewClient(&tfe.Config{
		Address:           srv.address,
		Token:             token,
		RetryServerErrors: false,
	})
	if err != nil {
		t.Fatalf("new client: %v", err)
	}
	return client
}

func randomHex(bytes int) string {
	buffer := make([]byte, bytes)
	_, _ = rand.Read(buffer)
	return hex.EncodeToString(buffer)
}

// ---- Fixtures: each fails the test when the server refuses it.

func (e *env) organization(change ...func(*tfe.OrganizationCreateOptions)) *tfe.Organization {
	e.t.Helper()
	options := tfe.OrganizationCreateOptions{
		Name:  tfe.String("tst-" + randomHex(8)),
		Email: tfe.String(randomHex(8) + "@example.test"),
	}
	for _, apply := range change {
		apply(&options)
	}
	org, err := e.Organizations.Create(e.ctx, options)
	must(e.t, err, "create organization")
	e.deleteLater(org.Name)
	return org
}

// deleteLater removes an organization when the test ends, unless the test did.
func (e *env) deleteLater(organization string) {
	t := e.t
	t.Cleanup(func() {
		// The test's own context is cancelled by the time clean-up runs.
		ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
		defer cancel()
		if err := e.Organizations.Delete(ctx, organization); err != nil && !errors.Is(err, tfe.ErrResourceNotFound) {
			t.Errorf("clean-up: delete organization %s: %v", organization, err)
		}
	})
}

func (e *env) workspace(organization string, change ...func(*tfe.WorkspaceCreateOptions)) *tfe.Workspace {
	e.t.Helper()
	options := tfe.WorkspaceCreateOptions{Name: tfe.String("ws-" + randomHex(8))}
	for _, apply := range change {
		apply(&options)
	}
	ws, err := e.Workspaces.Create(e.ctx, organization, options)
	must(e.t, err, "create workspace")
	return ws
}

func named(name string) func(*tfe.WorkspaceCreateOptions) {
	return func(o *tfe.WorkspaceCreateOptions) { o.Name = tfe.String(name) }
}

func tagged(names ...string) func(*tfe.WorkspaceCreateOptions) {
	return func(o *tfe.WorkspaceCreateOptions) { o.Tags = tagsNamed(names...) }
}

func inProject(p *tfe.Project) func(*tfe.WorkspaceCreateOptions) {
	return func(o *tfe.WorkspaceCreateOptions) { o.Project = p }
}

func (e *env) project(organization string) *tfe.Project {
	e.t.Helper()
	p, err := e.Projects.Create(e.ctx, organization, tfe.ProjectCreateOptions{Name: randomHex(16)})
	must(e.t, err, "create project")
	return p
}

func (e *env) addTags(workspaceID string, names ...string) {
	e.t.Helper()
	must(e.t, e.Workspaces.AddTags(e.ctx, workspaceID, tfe.WorkspaceAddTagsOptions{Tags: tagsNamed(names...)}), "add tags")
}

func (e *env) removeTags(workspaceID string, names ...string) {
	e.t.Helper()
	must(e.t, e.Workspaces.RemoveTags(e.ctx, workspaceID, tfe.WorkspaceRemoveTagsOptions{Tags: tagsNamed(names...)}), "remove tags")
}

func tagsNamed(names ...string) []*tfe.Tag {
	tags := make([]*tfe.Tag, 0, len(names))
	for _, name := range names {
		tags = append(tags, &tfe.Tag{Name: name})
	}
	return tags
}

func numbered(prefix string, count int) []string {
	names := make([]string, 0, count)
	for i := range count {
		names = append(names, fmt.Sprintf("%s%03d", prefix, i))
	}
	return names
}

// pool returns every tag of an organization, over all pages.
func (e *env) pool(organization string) []*tfe.OrganizationTag {
	e.t.Helper()
	return allPages(e.t, func(page tfe.ListOptions) ([]*tfe.OrganizationTag, *tfe.Pagination, error) {
		list, err := e.OrganizationTags.List(e.ctx, organization, &tfe.OrganizationTagsListOptions{ListOptions: page})
		if err != nil {
			return nil, nil, err
		}
		return list.Items, list.Pagination, nil
	})
}

// poolTag returns the pool's tag of that name, or nil.
func (e *env) poolTag(organization, name string) *tfe.OrganizationTag {
	e.t.Helper()
	for _, tag := range e.pool(organization) {
		if tag.Name == name {
			return tag
		}
	}
	return nil
}

func (e *env) mustPoolTag(organization, name string) *tfe.OrganizationTag {
	e.t.Helper()
	tag := e.poolTag(organization, name)
	if tag == nil {
		e.t.Fatalf("organization %s has no tag %q", organization, name)
	}
	return tag
}

// tagNames reads the names that a workspace carries, in the server's order.
func (e *env) tagNames(workspaceID string) []string {
	e.t.Helper()
	ws, err := e.Workspaces.ReadByID(e.ctx, workspaceID)
	must(e.t, err, "read workspace")
	return ws.TagNames
}

// allPages walks a list as the client's users do: until the current page is the last.
func allPages[T any](t *testing.T, fetch func(tfe.ListOptions) ([]T, *tfe.Pagination, error)) []T {
	t.Helper()
	var all []T
	page := tfe.ListOptions{PageSize: 100}
	for range 100 {
		items, pagination, err := fetch(page)
		must(t, err, "list")
		all = append(all, items...)
		if pagination == nil || pagination.CurrentPage >= pagination.TotalPages {
			return all
		}
		page.PageNumber = pagination.NextPage
	}
	t.Fatal("the list has no end")
	return nil
}

func names[T any](items []T, name func(T) string) []string {
	result := make([]string, 0, len(items))
	for _, item := range items {
		result = append(result, name(item))
	}
	return result
}

func orgTagName(tag *tfe.OrganizationTag) string { return tag.Name }
func tagName(tag *tfe.Tag) string                { return tag.Name }
func workspaceName(ws *tfe.Workspace) string     { return ws.Name }
func workspaceID(ws *tfe.Workspace) string       { return ws.ID }
func projectName(p *tfe.Project) string          { return p.Name }
func organizationName(o *tfe.Organization) string {
	return o.Name
}

// ---- Assertions.

func must(t *testing.T, err error, doing string) {
	t.Helper()
	if err != nil {
		t.Fatalf("%s: %v", doing, err)
	}
}

func wantError(t *testing.T, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("want error %q, got %v", want, err)
	}
}

func wantErrorText(t *testing.T, err error, texts ...string) {
	t.Helper()
	if err == nil {
		t.Errorf("want an error that says %q, got none", texts)
		return
	}
	for _, text := range texts {
		if !strings.Contains(err.Error(), text) {
			t.Errorf("want an error that says %q, got %q", text, err)
		}
	}
}

// wantInvalid wants a refusal of the server over one attribute: not a client-side check, not a 404, not a 5xx.
func wantInvalid(t *testing.T, err error) {
	t.Helper()
	wantErrorText(t, err, "invalid attribute\n\n")
}

// wantRefused wants the server to say no to something that exists, with words of its own.
func wantRefused(t *testing.T, err error) {
	t.Helper()
	switch {
	case err == nil:
		t.Error("want a refusal, got none")
	case errors.Is(err, tfe.ErrResourceNotFound), errors.Is(err, tfe.ErrUnauthorized), regexp.MustCompile(`^5\d\d|^context|internal`).MatchString(err.Error()):
		t.Errorf("want a refusal, got %q", err)
	}
}

func equal[T any](t *testing.T, what string, got, want T) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

// same compares whole structures, as the client's own users do.
func same[T any](t *testing.T, what string, got, want T) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s differs (-want +got):\n%s", what, cmp.Diff(want, got))
	}
}

func sameSet(t *testing.T, what string, got, want []string) {
	t.Helper()
	got, want = slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(want))
	if !slices.Equal(got, want) {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}
