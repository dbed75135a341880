/** The pages of the console: each is looked at in both schemes, on a desk and on a phone. */
import type { Page } from "playwright-core";
import type { ListedPage } from "./listed-page.ts";
import { askOfDraft, typeRules } from "./draft-rules.ts";
import { EFFECTIVE_PAGES } from "./effective-pages.ts";
import { choose, option } from "./forms.ts";
import { ORGANIZATION_PAGES } from "./organization-pages.ts";
import type { Seeded } from "./seed.ts";
import { FORM_PAGES, STATE_PAGES } from "./states.ts";

export const PAGES: readonly ListedPage[] = [
  { name: "home", path: "" },
  { name: "tokens", path: "access/default/default/tokens" },
  { name: "tokens-none", path: "access/default/default/tokens?q=nobody-has-this" },
  {
    name: "tokens-selected",
    path: "access/default/default/tokens",
    async prepare(page) {
      for (const index of [1, 2, 4]) await page.locator(`[data-index="${index}"] input`).click();
    },
  },
  { name: "token", path: "access/default/default/tokens/{token}" },
  ...EFFECTIVE_PAGES,
  { name: "own-permissions", path: "access/default/default/permissions", pictures: "none" },
  {
    name: "roles-panel",
    path: "access/default/default/roles",
    async prepare(page) {
      await page.getByRole("row", { name: /web-team/ }).waitFor();
      const panel = page.getByRole("button", { name: "Show details in a side panel" });
      if (!(await panel.isVisible())) return;
      await panel.click();
      await page.keyboard.press("j");
    },
  },
  { name: "token-history", path: "access/default/default/tokens/{token}?tab=history" },
  { name: "token-new", path: "access/default/default/tokens/new" },
  {
    name: "token-edit",
    path: "access/default/default/tokens/{token}/edit",
    async prepare(page) {
      await page.getByLabel("Description").fill("Amara Okafor, desk");
      await choose(page, "Roles", "web-team");
      await page.getByRole("region", { name: "Impact" }).getByText("Gain permissions:").waitFor();
    },
  },
  { name: "tags", path: "org/acme/tags" },
  { name: "tag", path: "org/acme/tags/{tag}" },
  { name: "tags-alike", path: "org/acme/tags/alike" },
  { name: "tags-files", path: "org/acme/tags/files" },
  { name: "workspaces", path: "org/acme/workspaces" },
  { name: "workspace", path: "org/acme/workspaces/{workspace}" },
  ...ORGANIZATION_PAGES,
  { name: "jobs", path: "org/acme/tag-jobs" },
  { name: "job", path: "org/acme/tag-jobs/{job}" },
  {
    name: "token-rotate",
    path: "access/default/default/tokens/{token}",
    pictures: "light",
    async prepare(page) {
      await page.getByRole("button", { name: "More" }).click();
      await page.getByRole("menuitem", { name: "Rotate secret" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Rotate" }).waitFor();
    },
  },
  {
    name: "token-reveal",
    path: "access/default/default/tokens/{token}",
    pictures: "light",
    async prepare(page) {
      await page.getByRole("button", { name: "More" }).click();
      await page.getByRole("menuitem", { name: "Reveal secret" }).click();
      await page.getByRole("dialog").getByLabel("Your SecretID").waitFor();
    },
  },
  {
    name: "tokens-revoke",
    path: "access/default/default/tokens/revoke",
    async prepare(page) {
      await page.getByLabel("Description contains").fill("laptop");
      await page.getByRole("button", { name: /^Revoke \d+ tokens/ }).waitFor();
    },
  },
  { name: "tokens-leaked", path: "access/default/default/tokens/leaked" },
  { name: "policies", path: "access/default/default/policies" },
  { name: "policy-uses", path: "access/default/default/policies/{policy}?tab=uses", pictures: "light" },
  { name: "roles", path: "access/default/default/roles" },
  { name: "role", path: "access/default/default/roles/{role}" },
  { name: "role-uses", path: "access/default/default/roles/{role}?tab=uses", pictures: "light" },
  { name: "role-history", path: "access/default/default/roles/{role}?tab=history", pictures: "light" },
  {
    name: "role-edit",
    path: "access/default/default/roles/{role}/edit",
    async prepare(page) {
      await page.getByLabel("Description").fill("Whoever builds the shop");
    },
  },
  {
    name: "role-delete",
    path: "access/default/default/roles/{role}",
    pictures: "light",
    async prepare(page) {
      await page.getByRole("button", { name: "More" }).click();
      await page.getByRole("menuitem", { name: "Delete" }).click();
      await page.getByRole("dialog").getByText("You can restore the object").waitFor();
    },
  },
  { name: "unused", path: "access/default/default/unused", prepare: tableShown },
  { name: "unused-rules", path: "access/default/default/unused?tab=rule", prepare: tableShown },
  { name: "unused-binding-rules", path: "access/default/default/unused?tab=binding-rule", prepare: tableShown },
  {
    name: "policy-tighten",
    path: "access/default/default/policies/{policy}/edit?tighten=30",
    async prepare(page) {
      await page.getByRole("region", { name: "Proposal" }).waitFor();
      await page.getByRole("region", { name: "Replay" }).getByText("Use has been recorded since").waitFor();
      await page.getByRole("region", { name: "Impact" }).getByText("Lose permissions:").waitFor();
    },
  },
  {
    name: "role-tighten",
    path: "access/default/default/roles/{role}/edit?tighten=30",
    prepare: async (page) => page.getByRole("region", { name: "Proposal" }).waitFor(),
  },
  { name: "auth-methods", path: "access/default/default/auth-methods" },
  { name: "auth-method", path: "access/default/default/auth-methods/{method}" },
  { name: "auth-method-uses", path: "access/default/default/auth-methods/{method}?tab=uses", pictures: "light" },
  { name: "auth-method-history", path: "access/default/default/auth-methods/{method}?tab=history", pictures: "light" },
  {
    name: "auth-method-new",
    path: "access/default/default/auth-methods/new",
    async prepare(page) {
      await option(page, "Identity provider", "GitHub Actions");
      await page.getByLabel("GitHub organization").fill("acme");
      await page.getByRole("region", { name: "Test with a token" }).waitFor();
    },
  },
  { name: "binding-rules", path: "access/default/default/binding-rules" },
  { name: "binding-rule", path: "access/default/default/binding-rules/{rule}" },
  { name: "binding-rule-edit", path: "access/default/default/binding-rules/{rule}/edit" },
  { name: "namespaces", path: "access/default/default/namespaces" },
  { name: "namespace", path: "access/default/default/namespaces/payments" },
  { name: "namespace-content", path: "access/default/default/namespaces/payments?tab=uses", pictures: "light" },
  { name: "namespace-history", path: "access/default/payments/namespaces/payments?tab=history", pictures: "light" },
  { name: "namespace-new", path: "access/default/default/namespaces/new" },
  { name: "partitions", path: "partitions" },
  { name: "partition", path: "partitions/subsidiary" },
  { name: "templated-policies", path: "access/default/default/templated-policies" },
  {
    name: "templated-policy",
    path: "access/default/default/templated-policies/builtin%2Fservice",
    async prepare(page) {
      await page.getByLabel("Name", { exact: true }).fill("checkout");
      await page.getByLabel("policy rules", { exact: true }).waitFor();
    },
  },
  { name: "sessions", path: "access/default/default/sessions" },
  { name: "trash", path: "access/default/default/trash" },
  {
    name: "trash-restore",
    path: "access/default/default/trash",
    async prepare(page) {
      await page.getByRole("button", { name: "Restore role retired-team" }).click();
      await page.getByRole("dialog").getByText("policy retired").waitFor();
    },
  },
  { name: "partition-history", path: "partitions/subsidiary?tab=history", pictures: "light" },
  {
    name: "policy-new",
    path: "access/default/default/policies/new",
    async prepare(page) {
      await page.getByLabel("Name", { exact: true }).first().fill("deployers");
      await typeRules(
        page,
        'organisation "acme" {\npolicy = "read"\n}\nworkspace_prefix "acme/web-" {\npolicy = "rite"\n',
      );
      await page.getByRole("list", { name: "Errors and warnings" }).waitFor();
    },
  },
  {
    name: "policy",
    path: "access/default/default/policies/{policy}",
    async prepare(page) {
      await page.locator(".cm-content").waitFor();
    },
  },
  {
    name: "policy-edit",
    path: "access/default/default/policies/{policy}/edit",
    async prepare(page) {
      await typeRules(page, 'workspace_prefix "acme/" {\npolicy = "read"\n}\n');
      const impact = page.getByRole("region", { name: "Impact" });
      await impact.getByRole("button", { name: /→/ }).first().click();
      await impact.getByRole("link").first().waitFor();
      await askOfDraft(page, "write", "acme/web-search");
      await askOfDraft(page, "read", "acme/mail");
      await page.getByRole("region", { name: "Check access" }).getByText("Allowed").waitFor();
    },
  },
  { name: "why", path: "access/default/default/why" },
  {
    name: "why-allowed",
    path: "access/default/default/why?as=token&of={token}&access=read&resource=organization&name=acme",
    prepare: answered,
  },
  {
    name: "why-denied",
    path: "access/default/default/why?as=role&of={role}&access=write&resource=workspace&name=acme/mail",
    prepare: answered,
  },
  {
    name: "why-path",
    path: "access/default/default/why?as=role&of={role}&access=write&resource=workspace&name=acme/web-search",
    async prepare(page) {
      await page.getByRole("figure", { name: "Path to the decision" }).waitFor();
    },
  },
  {
    name: "why-who",
    path: "access/default/default/why?tab=who&access=write&resource=workspace&name=acme/web-search",
    async prepare(page) {
      await page.getByRole("list", { name: "Who can" }).waitFor();
    },
  },
  { name: "why-unknown", path: "why?request=5b0d1f6f3b8e-2s" },
  {
    name: "palette",
    path: "access/default/default/policies",
    async prepare(page) {
      await page.keyboard.press("Control+k");
      await page.getByPlaceholder("Search or run a command").fill("web");
    },
  },
  {
    name: "scope",
    path: "access/default/default/policies",
    async prepare(page) {
      await page.getByRole("button", { name: /^Partition and/ }).click();
    },
  },
  {
    name: "help",
    path: "",
    async prepare(page) {
      await page.keyboard.press("?");
      await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
    },
  },
  {
    name: "login",
    path: "access/default/default/login",
    async prepare(page) {
      const claims = page.getByText("Claims", { exact: true });
      await claims.or(page.getByText("No auth methods in this namespace yet.")).first().waitFor();
      if (!(await claims.isVisible())) return;
      await claims.click();
      await page.getByRole("textbox", { name: "Selector", exact: true }).fill('"ci" in list.groups');
      await page.getByText(/^(Matches|Does not match)/).waitFor();
    },
  },
  { name: "audit", path: "access/default/default/audit" },
  {
    name: "audit-open",
    path: "access/default/default/audit?kind=token&action=update",
    async prepare(page) {
      await page
        .getByRole("button", { name: /Amara Okafor|changed token/ })
        .first()
        .click();
      await page.getByRole("button", { name: "Verify chain" }).click();
      await page.getByRole("alert").filter({ hasText: "Verified" }).waitFor();
    },
  },
  { name: "audit-none", path: "access/default/default/audit?kind=nothing-of-this", pictures: "light" },
  { name: "audit-tags", path: "org/acme/audit" },
  { name: "missing", path: "access/default/default/tokens/3f0c9b1e-6a53-4d6f-8f0a-000000000000" },
  ...FORM_PAGES,
  // Behind the others: some of them write.
  ...STATE_PAGES,
];

async function answered(page: Page): Promise<void> {
  await page.getByRole("article", { name: "Result", exact: true }).waitFor();
}

async function tableShown(page: Page): Promise<void> {
  await page.getByRole("table").waitFor();
}

/** Whether a page is of organizations, their tags and workspaces. */
export function isOfOrganization(path: string): boolean {
  return /^org(\/|anizations)/.test(path);
}

/** Its path, with what was seeded. */
export function pathOf({ path }: ListedPage, seeded: Seeded): string {
  return path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => seeded[name as keyof Seeded]);
}
