// Uses what was generated against a server: in both families.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"

	"tessera/generators/client"
)

const name = "golang"

func main() {
	token := os.Getenv("TESSERA_TOKEN")
	authorize := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+token)
		return nil
	}
	api, err := client.NewClientWithResponses(os.Getenv("TESSERA_ADDRESS"), client.WithRequestEditorFn(authorize))
	check(err)
	ctx := context.Background()

	var organization client.CreateOrganizationApplicationVndAPIPlusJSONRequestBody
	fill(&organization, `{"data":{"type":"organizations","attributes":{"name":"golang","email":"a@example.com"}}}`)
	created, err := api.CreateOrganizationWithApplicationVndAPIPlusJSONBodyWithResponse(ctx, organization)
	check(err)
	expect(created.StatusCode(), http.StatusCreated, created.Body)

	var tags client.CreateTagsApplicationVndAPIPlusJSONRequestBody
	fill(&tags, `{"data":[{"type":"tags","attributes":{"name":"network"}}]}`)
	made, err := api.CreateTagsWithApplicationVndAPIPlusJSONBodyWithResponse(ctx, name, tags)
	check(err)
	expect(made.StatusCode(), http.StatusCreated, made.Body)
	if made.ApplicationvndApiJSON201.Data[0].Attributes.Name != "network" {
		panic("the tag was not made")
	}

	nothing := client.DeleteOrganizationApplicationVndAPIPlusJSONRequestBody{}
	gone, err := api.DeleteOrganizationWithApplicationVndAPIPlusJSONBodyWithResponse(ctx, name, nothing)
	check(err)
	expect(gone.StatusCode(), http.StatusNoContent, gone.Body)

	policyName, rules := name, `service "web" { policy = "read" }`
	body := client.CreatePolicyJSONRequestBody{Name: &policyName, Rules: &rules}
	policy, err := api.CreatePolicyWithResponse(ctx, &client.CreatePolicyParams{}, body)
	check(err)
	expect(policy.StatusCode(), http.StatusOK, policy.Body)
	deleted, err := api.DeletePolicyWithResponse(ctx, policy.JSON200.ID, &client.DeletePolicyParams{})
	check(err)
	expect(deleted.StatusCode(), http.StatusOK, deleted.Body)
}

func fill(body any, text string) {
	check(json.Unmarshal([]byte(text), body))
}

func expect(status, wanted int, body []byte) {
	if status != wanted {
		panic(fmt.Sprintf("%d instead of %d: %s", status, wanted, body))
	}
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
