/** Forms that look like others, dialogs, and what stands where nothing can be shown: looked at, with a picture of the forms alone. */
import type { Page } from "playwright-core";
import { more } from "./forms.ts";
import type { ListedPage } from "./listed-page.ts";

const ACCESS = "access/default/default";
const DELETED: Readonly<Record<string, string>> = {
  token: `${ACCESS}/tokens/{token}`,
  policy: `${ACCESS}/policies/{policy}`,
  "auth-method": `${ACCESS}/auth-methods/{method}`,
  "binding-rule": `${ACCESS}/binding-rules/{rule}`,
  namespace: `${ACCESS}/namespaces/payments`,
  partition: "partitions/subsidiary",
  tag: "org/acme/tags/{tag}",
  "reserved-key": "org/acme/reserved-tag-keys/{reservedKey}",
  webhook: "org/acme/tag-webhooks/{webhook}",
};

const FORMS: readonly ListedPage[] = [
  { name: "role-new", path: `${ACCESS}/roles/new` },
  { name: "auth-method-edit", path: `${ACCESS}/auth-methods/{method}/edit` },
  { name: "binding-rule-new", path: `${ACCESS}/binding-rules/new` },
  { name: "namespace-edit", path: `${ACCESS}/namespaces/payments/edit` },
  { name: "partition-new", path: "partitions/new" },
  { name: "partition-edit", path: "partitions/subsidiary/edit" },
  { name: "tags-new", path: "org/acme/tags/new" },
  { name: "workspace-edit", path: "org/acme/workspaces/{workspace}/edit" },
  { name: "reserved-key-edit", path: "org/acme/reserved-tag-keys/{reservedKey}/edit" },
  { name: "views", path: `${ACCESS}/roles`, prepare: async (page) => opens(page, "Views") },
  { name: "webhook-edit", path: "org/acme/tag-webhooks/{webhook}/edit" },
];

const DIALOGS: readonly ListedPage[] = [
  ...Object.entries(DELETED).map(([kind, path]): ListedPage => ({
    name: `${kind}-delete`,
    path,
    async prepare(page) {
      await more(page, "Delete");
      await page.getByRole("dialog").getByRole("button", { name: "Delete" }).waitFor();
    },
  })),
  { name: "workspace-delete", path: "org/acme/workspaces/{workspace}", prepare: async (page) => opens(page, "Delete") },
  { name: "tag-rules-delete", path: "org/acme/tag-rules", prepare: async (page) => opens(page, "Delete") },
  { name: "tag-rename", path: "org/acme/tags/{tag}", prepare: async (page) => opens(page, "Rename") },
  { name: "tag-put-on", path: "org/acme/tags/{tag}", prepare: async (page) => opens(page, "Add to workspaces") },
  {
    name: "leaving",
    path: `${ACCESS}/roles/{role}/edit`,
    async prepare(page) {
      await page.getByLabel("Description").fill("Not saved");
      await page.getByRole("link", { name: "Role", exact: true }).click();
      await page.getByRole("dialog", { name: "Leave without saving?" }).waitFor();
    },
  },
  {
    name: "token-made",
    path: `${ACCESS}/tokens/new`,
    async prepare(page) {
      await page.getByLabel("Description").fill("Made to be looked at");
      await page.getByRole("button", { name: "Create token" }).click();
      await page.locator("[data-secret]").waitFor();
    },
  },
  {
    name: "race",
    path: `${ACCESS}/roles/{role}/edit`,
    async prepare(page) {
      await page.getByLabel("Description").fill("Mine");
      // By somebody else, behind the back of the form.
      await page.evaluate(`(async () => {
        const role = location.pathname.split("/").at(-2);
        const headers = { "content-type": "application/json", "x-tessera-console": "1" };
        const body = JSON.stringify({ Description: "Theirs, " + new Date().toISOString() });
        await (await fetch("/v1/acl/role/" + role, { method: "PATCH", headers, body })).text();
      })()`);
      await page.getByRole("alert").filter({ hasText: "Conflict: object has changed" }).waitFor();
    },
  },
];

const NOTHING: readonly ListedPage[] = [
  { name: "roles-empty", path: "access/default/data/roles", prepare: async (page) => says(page, "No roles yet") },
  { name: "projects-none", path: "org/acme/projects?q=nobody-has-this" },
  { name: "not-found", path: "nowhere/to/be/found", prepare: async (page) => says(page, "Page not found") },
  answering("refused", `${ACCESS}/policies`, "**/v1/acl/policies**", 403),
  answering("failed", `${ACCESS}/roles`, "**/v1/acl/roles**", 500),
  {
    name: "offline",
    path: `${ACCESS}/policies`,
    async prepare(page) {
      await page.context().setOffline(true);
      await says(page, "You are offline.");
    },
    leave: async (page) => page.context().setOffline(false),
  },
];

export const FORM_PAGES = FORMS;

export const STATE_PAGES: readonly ListedPage[] = [...DIALOGS, ...NOTHING].map((page) => ({
  ...page,
  pictures: "none",
}));

/** A page that is not given what it reads. */
function answering(name: string, path: string, asked: string, status: number): ListedPage {
  const headers = { "x-request-id": "0123456789ab-1z", "content-type": "text/plain" };
  return {
    name,
    path,
    async prepare(page) {
      await page.route(asked, async (route) => route.fulfill({ status, headers, body: "lacks the right" }));
      await page.reload();
      await page.getByRole("main").getByRole("alert").waitFor();
    },
    leave: async (page) => page.unroute(asked),
  };
}

async function says(page: Page, text: string): Promise<void> {
  await page.getByText(text).first().waitFor();
}

async function opens(page: Page, button: string): Promise<void> {
  await page.getByRole("button", { name: button }).click();
  await page.getByRole("dialog").waitFor();
}
