/** What is asked of the routes of `/api/v2`; see `requests.ts`. */

/** Bodies that each route takes; none where it takes none. In them `{policy}` and so on stand for the victim's. */
export type Bodies = readonly (object | undefined)[];

export const NONE: Bodies = [undefined];

const attributes = (type: string, content: object) => ({ data: { type, attributes: content } });
const list = (type: string, id: string) => ({ data: [{ type, id }] });
const TAG_NAME = { data: [{ type: "tags", attributes: { name: "victim" } }] };
const BINDINGS = { data: [{ type: "tag-bindings", attributes: { key: "victim", value: "mine" } }] };
const RESERVED = attributes("reserved-tag-keys", { key: "mine" });

export const TAG_BODIES: Readonly<Record<string, Bodies>> = {
  "GET /api/v2/ping": NONE,
  "GET /api/v2/account/details": NONE,
  "GET /api/v2/organizations": NONE,
  "POST /api/v2/organizations": [attributes("organizations", { name: "victim", email: "a@example.com" })],
  "GET /api/v2/organizations/{organization_name}": NONE,
  "PATCH /api/v2/organizations/{organization_name}": [attributes("organizations", { email: "a@example.com" })],
  "PUT /api/v2/organizations/{organization_name}": [attributes("organizations", { email: "a@example.com" })],
  "DELETE /api/v2/organizations/{organization_name}": NONE,
  "GET /api/v2/organizations/{organization_name}/entitlement-set": NONE,
  "GET /api/v2/organizations/{organization_name}/projects": NONE,
  "POST /api/v2/organizations/{organization_name}/projects": [attributes("projects", { name: "mine" })],
  "GET /api/v2/projects/{project_id}": NONE,
  "PATCH /api/v2/projects/{project_id}": [attributes("projects", { name: "mine" })],
  "DELETE /api/v2/projects/{project_id}": NONE,
  "POST /api/v2/projects/{project_id}/relationships/workspaces": [list("workspaces", "{workspace}")],
  "GET /api/v2/organizations/{organization_name}/tags": NONE,
  "POST /api/v2/organizations/{organization_name}/tags": [TAG_NAME],
  "DELETE /api/v2/organizations/{organization_name}/tags": [list("tags", "{tag}")],
  "GET /api/v2/organizations/{organization_name}/tags/alike": NONE,
  "GET /api/v2/organizations/{organization_name}/tags/export": NONE,
  "POST /api/v2/organizations/{organization_name}/tag-imports": [
    { kind: "workspace", name: "victim", tags: ["mine"] },
    { kind: "tag", name: "victim" },
    { kind: "no kind" },
  ],
  "GET /api/v2/tags/{tag_id}": NONE,
  "PATCH /api/v2/tags/{tag_id}": [attributes("tags", { name: "mine" })],
  "GET /api/v2/organizations/{organization_name}/workspaces": NONE,
  "POST /api/v2/organizations/{organization_name}/workspaces": [attributes("workspaces", { name: "victim" })],
  "GET /api/v2/workspaces/{workspace_id}": NONE,
  "PATCH /api/v2/workspaces/{workspace_id}": [attributes("workspaces", { description: "mine" })],
  "DELETE /api/v2/workspaces/{workspace_id}": NONE,
  "POST /api/v2/workspaces/{workspace_id}/actions/safe-delete": NONE,
  "GET /api/v2/organizations/{organization_name}/workspaces/{workspace_name}": NONE,
  "PATCH /api/v2/organizations/{organization_name}/workspaces/{workspace_name}": [
    attributes("workspaces", { description: "mine" }),
  ],
  "DELETE /api/v2/organizations/{organization_name}/workspaces/{workspace_name}": NONE,
  "POST /api/v2/organizations/{organization_name}/workspaces/{workspace_name}/actions/safe-delete": NONE,
  "POST /api/v2/workspaces/{workspace_id}/actions/lock": [{ reason: "mine" }],
  "POST /api/v2/workspaces/{workspace_id}/actions/unlock": NONE,
  "POST /api/v2/workspaces/{workspace_id}/actions/force-unlock": NONE,
  "GET /api/v2/workspaces/{workspace_id}/relationships/remote-state-consumers": NONE,
  "POST /api/v2/workspaces/{workspace_id}/relationships/remote-state-consumers": [list("workspaces", "{workspace}")],
  "PATCH /api/v2/workspaces/{workspace_id}/relationships/remote-state-consumers": [
    list("workspaces", "{workspace}"),
    { data: [] },
  ],
  "DELETE /api/v2/workspaces/{workspace_id}/relationships/remote-state-consumers": [list("workspaces", "{workspace}")],
  "GET /api/v2/workspaces/{workspace_id}/relationships/tags": NONE,
  "POST /api/v2/workspaces/{workspace_id}/relationships/tags": [TAG_NAME, list("tags", "{tag}")],
  "DELETE /api/v2/workspaces/{workspace_id}/relationships/tags": [TAG_NAME, list("tags", "{tag}")],
  "GET /api/v2/tags/{tag_id}/relationships/workspaces": NONE,
  "POST /api/v2/tags/{tag_id}/relationships/workspaces": [list("workspaces", "{workspace}")],
  "DELETE /api/v2/tags/{tag_id}/relationships/workspaces": [list("workspaces", "{workspace}")],
  "GET /api/v2/organizations/{organization_name}/tag-bindings": NONE,
  "GET /api/v2/organizations/{organization_name}/reserved-tag-keys": NONE,
  "POST /api/v2/organizations/{organization_name}/reserved-tag-keys": [RESERVED],
  "PATCH /api/v2/reserved-tag-keys/{reserved_tag_key_id}": [RESERVED],
  "DELETE /api/v2/reserved-tag-keys/{reserved_tag_key_id}": NONE,
  "PATCH /api/v2/reserved-tags/{reserved_tag_key_id}": [RESERVED],
  "DELETE /api/v2/reserved-tags/{reserved_tag_key_id}": NONE,
  "GET /api/v2/workspaces/{workspace_id}/tag-bindings": NONE,
  "PATCH /api/v2/workspaces/{workspace_id}/tag-bindings": [BINDINGS],
  "GET /api/v2/workspaces/{workspace_id}/effective-tag-bindings": NONE,
  "GET /api/v2/workspaces/{workspace_id}/relationships/tag-bindings": NONE,
  "POST /api/v2/workspaces/{workspace_id}/relationships/tag-bindings": [BINDINGS],
  "PATCH /api/v2/workspaces/{workspace_id}/relationships/tag-bindings": [BINDINGS],
  "GET /api/v2/projects/{project_id}/tag-bindings": NONE,
  "PATCH /api/v2/projects/{project_id}/tag-bindings": [BINDINGS],
  "GET /api/v2/projects/{project_id}/effective-tag-bindings": NONE,
  "GET /api/v2/projects/{project_id}/relationships/tag-bindings": NONE,
  "POST /api/v2/projects/{project_id}/relationships/tag-bindings": [BINDINGS],
  "PATCH /api/v2/projects/{project_id}/relationships/tag-bindings": [BINDINGS],
  "GET /api/v2/organizations/{organization_name}/events": NONE,
  "GET /api/v2/organizations/{organization_name}/tag-webhooks": NONE,
  "POST /api/v2/organizations/{organization_name}/tag-webhooks": [
    attributes("tag-webhooks", { name: "mine", url: "https://hooks.example.com/" }),
  ],
  "GET /api/v2/tag-webhooks/{webhook_id}": NONE,
  "PATCH /api/v2/tag-webhooks/{webhook_id}": [attributes("tag-webhooks", { name: "mine" })],
  "DELETE /api/v2/tag-webhooks/{webhook_id}": NONE,
  "POST /api/v2/tag-webhooks/{webhook_id}/actions/verify": NONE,
};
