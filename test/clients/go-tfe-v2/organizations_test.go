package gotfev2

import (
	"testing"

	tfe "github.com/hashicorp/go-tfe/v2"
	"github.com/hashicorp/go-tfe/v2/api/models"
	"github.com/hashicorp/go-tfe/v2/api/organizations"
	abstractions "github.com/microsoft/kiota-abstractions-go"
)

// asking wraps what the query of a request says.
func asking[Q any](query Q) *abstractions.RequestConfiguration[Q] {
	return &abstractions.RequestConfiguration[Q]{QueryParameters: &query}
}

func TestOrganization(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		name := "tst-" + randomHex(8)
		made, err := e.API.Organizations().Post(e.ctx, organizationBody(name), nil)
		must(t, err, "create")
		e.deleteLater(name)
		organization := made.GetData()
		equal(t, "id", value(organization.GetId()), name)
		equal(t, "type", value(organization.GetTypeEscaped()), models.ORGANIZATIONS_ORGANIZATIONS_TYPE)
		equal(t, "self", value(organization.GetLinks().GetSelf()), "/api/v2/organizations/"+name)
		attributes := organization.GetAttributes()
		equal(t, "email", value(attributes.GetEmail()), name+"@example.test")
		equal(t, "mode", value(attributes.GetDefaultExecutionMode()), models.REMOTE_ORGANIZATIONS_ATTRIBUTES_DEFAULTEXECUTIONMODE)
		equal(t, "can-destroy", value(attributes.GetPermissions().GetCanDestroy()), true)
		if attributes.GetCreatedAt() == nil || value(attributes.GetExternalId()) == "" {
			t.Errorf("created-at %v, external-id %v", attributes.GetCreatedAt(), attributes.GetExternalId())
		}

		read, err := e.org(name).Get(e.ctx, nil)
		must(t, err, "read")
		equal(t, "external-id", value(read.GetData().GetAttributes().GetExternalId()), value(attributes.GetExternalId()))

		body := organizationBody("")
		body.GetData().GetAttributes().SetEmail(new("second@example.test"))
		body.GetData().GetAttributes().SetSessionTimeout(new(int32(60)))
		patched, err := e.org(name).Patch(e.ctx, body, nil)
		must(t, err, "patch")
		equal(t, "email", value(patched.GetData().GetAttributes().GetEmail()), "second@example.test")
		equal(t, "session-timeout", value(patched.GetData().GetAttributes().GetSessionTimeout()), 60)
		put, err := e.org(name).Put(e.ctx, organizationBody(""), nil)
		must(t, err, "put")
		equal(t, "email after put", value(put.GetData().GetAttributes().GetEmail()), "second@example.test")

		must(t, e.org(name).Delete(e.ctx, typed()), "delete")
		_, err = e.org(name).Get(e.ctx, nil)
		refused(t, err, tfe.ErrNotFound, "not found")
	})
}

func TestOrganizationList(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		first, second := e.organization(), e.organization()
		all, err := e.API.Organizations().Get(e.ctx, nil)
		must(t, err, "list")
		found := map[string]bool{}
		for _, organization := range all.GetData() {
			found[value(organization.GetId())] = true
		}
		equal(t, "both are listed", found[first] && found[second], true)

		type query = organizations.OrganizationsRequestBuilderGetQueryParameters
		for what, asked := range map[string]query{
			"q":        {Q: &first, Pagenumber: new(int32(1)), Pagesize: new(int32(5))},
			"q[name]":  {Qname: &first, Pagenumber: new(int32(1))},
			"q[email]": {Qemail: new(first + "@example.test"), Pagenumber: new(int32(1))},
		} {
			list, err := e.API.Organizations().Get(e.ctx, asking(asked))
			must(t, err, what)
			equal(t, what, len(list.GetData()), 1)
			equal(t, what+": id", value(list.GetData()[0].GetId()), first)
			equal(t, what+": total", value(list.GetMeta().GetPagination().GetTotalCount()), 1)
		}
	})
}

func TestOrganizationRefusals(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		name := e.organization()
		_, err := e.API.Organizations().Post(e.ctx, organizationBody(name), nil)
		refused(t, err, tfe.ErrUnprocessableEntity, "invalid attribute: Name has already been taken")
		_, err = e.org("tst-nobody").Patch(e.ctx, organizationBody(""), nil)
		refused(t, err, tfe.ErrNotFound, "not found")
		stranger := newClient(t, e.srv, "no-such-token")
		_, err = stranger.API.Organizations().ByOrganization_name(name).Get(e.ctx, nil)
		refused(t, err, tfe.ErrUnauthorized, "unauthorized")
	})
}

// The client sends no media type with a request without a body.
func TestDeleteWithoutMediaType(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		name := e.organization()
		must(t, e.org(name).Delete(e.ctx, nil), "delete")
		_, err := e.org(name).Get(e.ctx, nil)
		refused(t, err, &tfe.APIError{StatusCode: 404}, "not found")
	})
}

func TestAccount(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		details, err := e.API.Account().Details().Get(e.ctx, nil)
		must(t, err, "details")
		attributes := details.GetData().GetAttributes()
		if value(details.GetData().GetId()) == "" || value(attributes.GetUsername()) == "" || value(attributes.GetEmail()) == "" {
			t.Errorf("id, username and email: %v", attributes)
		}
	})
}
