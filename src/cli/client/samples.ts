/** Sample data: an organization with workspaces and tags, and access control for two teams. */
import type { Client } from "@tessera-server/client";

const ORGANIZATION = "acme";
const WORKSPACES: readonly [name: string, tags: string[], bindings: Record<string, string>][] = [
  ["prod-network", ["network", "prod"], { env: "prod", owner: "platform" }],
  ["prod-payments", ["payments", "prod"], { env: "prod", owner: "payments" }],
  ["stage-payments", ["payments", "stage"], { env: "stage", owner: "payments" }],
  ["dev-sandbox", ["dev"], { env: "dev" }],
];
const POLICIES: readonly [name: string, rules: string][] = [
  [
    "tags-read",
    `organization "${ORGANIZATION}" {\n  policy = "read"\n}\nworkspace_prefix "${ORGANIZATION}/" {\n  policy = "read"\n}\n`,
  ],
  [
    "payments-write",
    `organization "${ORGANIZATION}" {\n  policy = "read"\n}\nworkspace "${ORGANIZATION}/prod-payments" {\n  policy = "write"\n}\nworkspace "${ORGANIZATION}/stage-payments" {\n  policy = "write"\n}\n`,
  ],
];

/** Fills an empty server. @throws TesseraError when it does not take them */
export async function addSamples(client: Client): Promise<void> {
  await client.request("createOrganization", {
    body: { data: { type: "organizations", attributes: { name: ORGANIZATION, email: "platform@acme.example" } } },
  });
  for (const [name, tags, bindings] of WORKSPACES) {
    const data = {
      type: "workspaces",
      attributes: { name },
      relationships: {
        tags: { data: tags.map((tag) => ({ type: "tags", attributes: { name: tag } })) },
        "tag-bindings": {
          data: Object.entries(bindings).map(([key, value]) => ({ type: "tag-bindings", attributes: { key, value } })),
        },
      },
    };
    await client.request("createWorkspace", { path: { organization_name: ORGANIZATION }, body: { data } });
  }
  for (const [Name, Rules] of POLICIES) await client.request("createPolicy", { body: { Name, Rules } });
  await client.request("createRole", { body: { Name: "payments-team", Policies: [{ Name: "payments-write" }] } });
  await client.request("createToken", { body: { Description: "A reader of tags", Policies: [{ Name: "tags-read" }] } });
  await client.request("createToken", {
    body: { Description: "The payments team", Roles: [{ Name: "payments-team" }] },
  });
}
