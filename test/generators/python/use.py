"""Uses what was generated against a server: in both families."""

import os

from client import AuthenticatedClient
from client.api.organization_tags import create_tags, list_tags
from client.api.organizations import create_organization, delete_organization
from client.api.policies import create_policy, delete_policy
from client.models import CreateOrganizationBody, CreateTagsBody, Nothing, PolicyBody

NAME = "python"
client = AuthenticatedClient(
    base_url=os.environ["TESSERA_ADDRESS"], token=os.environ["TESSERA_TOKEN"], raise_on_unexpected_status=True
)

organization = {"data": {"type": "organizations", "attributes": {"name": NAME, "email": "a@example.com"}}}
answer = create_organization.sync_detailed(client=client, body=CreateOrganizationBody.from_dict(organization))
assert answer.status_code == 201, answer
tags = {"data": [{"type": "tags", "attributes": {"name": "network"}}]}
made = create_tags.sync_detailed(NAME, client=client, body=CreateTagsBody.from_dict(tags))
assert made.status_code == 201 and made.parsed.data[0].attributes.name == "network", made
page = list_tags.sync(NAME, client=client)
assert page.meta.pagination.total_count == 1, page
# A body that says nothing, so that the media type is sent.
gone = delete_organization.sync_detailed(NAME, client=client, body=Nothing())
assert gone.status_code == 204, gone

policy = create_policy.sync(client=client, body=PolicyBody(name=NAME, rules='service "web" { policy = "read" }'))
assert policy.name == NAME, policy
assert delete_policy.sync_detailed(policy.id, client=client).status_code == 200
