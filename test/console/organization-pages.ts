/** The pages of what an organization has, beside its tags and workspaces. */
import type { ListedPage } from "./listed-page.ts";

export const ORGANIZATION_PAGES: readonly ListedPage[] = [
  { name: "tag-history", path: "org/acme/tags/{tag}?tab=history", pictures: "light" },
  { name: "workspace-history", path: "org/acme/workspaces/{workspace}?tab=history", pictures: "light" },
  { name: "workspace-new", path: "org/acme/workspaces/new" },
  { name: "falling-short", path: "org/acme/tag-policies" },
  {
    name: "tag-governance",
    path: "org/acme/tag-governance",
    prepare: async (page) => page.getByRole("table").first().waitFor(),
  },
  { name: "tag-governance-projects", path: "org/acme/tag-governance/projects" },
  { name: "projects", path: "org/acme/projects" },
  { name: "project", path: "org/acme/projects/{project}" },
  { name: "project-history", path: "org/acme/projects/{project}?tab=history", pictures: "light" },
  { name: "project-new", path: "org/acme/projects/new" },
  {
    name: "project-edit",
    path: "org/acme/projects/{project}/edit",
    async prepare(page) {
      await page.getByLabel("Description").fill("Cards, ledgers and invoices");
    },
  },
  { name: "organizations", path: "organizations" },
  { name: "organization", path: "org/acme/settings" },
  { name: "organization-history", path: "org/acme/settings?tab=history", pictures: "light" },
  { name: "organization-new", path: "organizations/new" },
  {
    name: "organization-edit",
    path: "org/acme/settings/edit",
    async prepare(page) {
      await page.getByLabel("Email").fill("platform@acme.example");
    },
  },
  {
    name: "organization-delete",
    path: "org/acme/settings",
    pictures: "light",
    async prepare(page) {
      await page.getByRole("button", { name: "More" }).click();
      await page.getByRole("menuitem", { name: "Delete" }).click();
      await page.getByRole("dialog").getByText("This cannot be undone.").waitFor();
    },
  },
  { name: "tag-rules", path: "org/acme/tag-rules" },
  { name: "tag-rules-history", path: "org/acme/tag-rules?tab=history", pictures: "light" },
  {
    name: "tag-rules-edit",
    path: "org/acme/tag-rules/edit",
    async prepare(page) {
      await page.getByRole("group", { name: "stages" }).getByLabel("Allowed values").fill("preview");
      await page.keyboard.press("Enter");
      await page.getByRole("region", { name: "Changes", exact: true }).getByText("preview").waitFor();
    },
  },
  { name: "reserved-keys", path: "org/acme/reserved-tag-keys" },
  { name: "reserved-key", path: "org/acme/reserved-tag-keys/{reservedKey}" },
  { name: "reserved-key-new", path: "org/acme/reserved-tag-keys/new" },
  { name: "webhooks", path: "org/acme/tag-webhooks" },
  { name: "webhook", path: "org/acme/tag-webhooks/{webhook}" },
  { name: "webhook-new", path: "org/acme/tag-webhooks/new" },
  {
    name: "webhook-test",
    path: "org/acme/tag-webhooks/{webhook}",
    pictures: "light",
    async prepare(page) {
      await page.getByRole("button", { name: "Test" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Send test" }).waitFor();
    },
  },
];
