/** What others do to workspaces, projects and servers is seen on pages that are open, on both engines. */
import { hostname } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClient, type Client } from "../../packages/client/src/index.ts";
import { forEachEngine, temporaryDirectory } from "../support/engines.ts";
import { startServer, type RunningServer } from "../support/server.ts";
import { HAS_BROWSER, openBrowser, openConsole, openSignedIn, type OpenedConsole } from "./open.ts";

forEachEngine((engine, makeUrl) => {
  describe.skipIf(!HAS_BROWSER)("what others do", { timeout: 300_000 }, () => {
    const dataDir = temporaryDirectory();
    let database: string;
    let opened: OpenedConsole;
    let browser: Browser;
    let client: Client;

    beforeAll(async () => {
      database = await makeUrl();
      opened = await openConsole({ database, dataDir });
      client = createClient({ address: opened.url, token: opened.token });
      const attributes = { name: "acme", email: "a@acme.example" };
      await client.organizations.create({ body: { data: { type: "organizations", attributes } } });
      browser = await openBrowser();
    }, 180_000);
    afterAll(async () => {
      await browser?.close();
      await opened?.close();
    });

    it("to a workspace is shown in the open list and on its open page", async () => {
      const { page: list, context, faults, open } = await signedIn("org/acme/workspaces");
      await title(list, "Workspaces");
      const id = await makeWorkspace("born");
      await list.getByRole("link", { name: "born" }).waitFor();
      const page = await open(`org/acme/workspaces/${id}`);
      await title(page, "born");
      const path = { workspace_id: id };
      const change = async (attributes: object) =>
        client.request("updateWorkspace", { path, body: { data: { type: "workspaces", attributes } } });
      await change({ description: "said by somebody else" });
      await page.getByText("said by somebody else").waitFor();
      await client.request("lockWorkspace", { path, body: {} });
      await page.getByText("locked", { exact: true }).waitFor();
      await client.request("unlockWorkspace", { path });
      await page.getByText("locked", { exact: true }).waitFor({ state: "detached" });
      const project = await makeProject("Elsewhere");
      await client.request("moveWorkspaces", {
        path: { project_id: project },
        body: { data: [{ type: "workspaces", id }] },
      });
      await page.getByRole("link", { name: "Elsewhere" }).waitFor();
      await client.request("addWorkspaceTagBindings", {
        path,
        body: { data: [{ type: "tag-bindings", attributes: { key: "stage", value: "prod" } }] },
      });
      await page.getByText("stage").first().waitFor();
      await change({ name: "renamed" });
      await title(page, "renamed");
      await list.getByRole("link", { name: "renamed" }).waitFor();
      await client.request("deleteWorkspace", { path });
      await page.getByText("It was deleted").waitFor();
      await list.getByRole("link", { name: "renamed" }).waitFor({ state: "detached" });
      expect(faults).toEqual([]);
      await context.close();
    });

    it("to a project is shown in the open list, on its open page and in a form of it", async () => {
      const { page: list, context, faults, open } = await signedIn("org/acme/projects");
      await title(list, "Projects");
      const id = await makeProject("Payments");
      await list.getByRole("link", { name: "Payments" }).waitFor();
      const page = await open(`org/acme/projects/${id}`);
      await title(page, "Payments");
      const form = await open(`org/acme/projects/${id}/edit`);
      await form.getByLabel("Description", { exact: true }).fill("written here");
      const path = { project_id: id };
      const attributes = { name: "Accounts", description: "said by somebody else" };
      await client.request("updateProject", { path, body: { data: { type: "projects", attributes } } });
      await title(page, "Accounts");
      await page.getByText("said by somebody else").waitFor();
      await list.getByRole("link", { name: "Accounts" }).waitFor();
      await form.getByText("said by somebody else").first().waitFor();
      expect(await form.getByLabel("Description", { exact: true }).inputValue()).toBe("written here");
      await client.request("deleteProject", { path });
      await page.getByText("It was deleted").waitFor();
      await form.getByText("It was deleted").waitFor();
      await list.getByRole("link", { name: "Accounts" }).waitFor({ state: "detached" });
      expect(faults).toEqual([]);
      await context.close();
    });

    it("to the organization itself, its webhooks and its jobs is shown on their open pages", async () => {
      const { page: settings, context, faults, open } = await signedIn("org/acme/settings");
      await title(settings, "acme");
      const webhooks = await open("org/acme/tag-webhooks");
      await title(webhooks, "Webhooks");
      const jobs = await open("org/acme/tag-jobs");
      await title(jobs, "Jobs");
      const path = { organization_name: "acme" };
      await client.request("updateOrganization", {
        path,
        body: { data: { type: "organizations", attributes: { email: "other@acme.example" } } },
      });
      await settings.getByText("other@acme.example").waitFor();
      const hook = { name: "inventory", url: "https://hooks.acme.example/", enabled: false };
      await client.request("createTagWebhook", { path, body: { data: { type: "tag-webhooks", attributes: hook } } });
      await webhooks.getByRole("link", { name: "inventory" }).waitFor();
      await client.request("createTags", { path, body: { data: [{ type: "tags", attributes: { name: "mine" } }] } });
      const attributes = { action: "delete", tags: [{ name: "mine" }] };
      await client.request("createTagJob", { path, body: { data: { type: "tag-jobs", attributes } } });
      await jobs.getByRole("link", { name: /mine/ }).waitFor();
      expect(faults).toEqual([]);
      await context.close();
    });

    it("a server that joins, stops answering or is stopped is seen at Home", async () => {
      const { page, context, faults } = await signedIn("");
      const servers = page.getByRole("region", { name: "Servers" });
      const states = async () => (await servers.getByRole("group").allTextContents()).map(stateIn).toSorted();
      await expect.poll(states).toEqual(["Ready, answers this page"]);
      if (engine === "postgres") {
        const killed = await another();
        const stopped = await another();
        await expect.poll(states, { timeout: 90_000 }).toEqual(["Ready", "Ready", "Ready, answers this page"]);
        await killed.kill();
        expect(await stopped.stop()).toBe(0);
        const left = ["Ready, answers this page", "Stopped answering"];
        await expect.poll(states, { timeout: 90_000 }).toEqual(left);
        const name = `${hostname()}:${killed.pid}`;
        expect(await servers.getByRole("group", { name }).locator("time").count()).toBe(1);
        await page.getByRole("region", { name: "What needs care" }).getByText(`${name} stopped answering`).waitFor();
      }
      expect(faults).toEqual([]);
      await context.close();
    });

    /** One more server of the same database. */
    async function another(): Promise<RunningServer> {
      return startServer({ database, args: ["--key-file", join(dataDir, "master-key")] });
    }

    async function signedIn(path: string) {
      const window = await openSignedIn(browser, opened.url, opened.token, { path });
      const open = async (at: string): Promise<Page> => {
        const page = await window.context.newPage();
        await page.goto(`${opened.url}/ui/${at}`);
        return page;
      };
      return { ...window, open };
    }

    async function makeWorkspace(name: string): Promise<string> {
      const data = { type: "workspaces" as const, attributes: { name } };
      return (await client.workspaces.create({ organization: "acme", body: { data } })).data.id;
    }

    async function makeProject(name: string): Promise<string> {
      const data = { type: "projects" as const, attributes: { name } };
      return (await client.projects.create({ organization: "acme", body: { data } })).data.id;
    }
  });
});

async function title(page: Page, name: string): Promise<void> {
  await page.getByRole("heading", { level: 1, name, exact: true }).waitFor();
}

function stateIn(text: string): string {
  return ["Ready, answers this page", "Stopped answering", "Ready"].find((state) => text.includes(state)) ?? text;
}
