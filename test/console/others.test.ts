/** Tests that open pages show changes by others to workspaces, projects and servers, on both engines. */
import { hostname } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { makeDatabaseUrl, temporaryDirectory } from "../support/engines.ts";
import { startServer } from "../support/server.ts";
import { inBrowser, title, useConsole } from "./use-console.ts";

const at = useConsole({
  async prepare({ client }) {
    const attributes = { name: "acme", email: "a@acme.example" };
    await client.organizations.create({ body: { data: { type: "organizations", attributes } } });
  },
});

inBrowser("what others do", () => {
  it("to a workspace is shown in the open list and on its open page", async () => {
    const { page: list, open } = await opened("org/acme/workspaces");
    await title(list, "Workspaces");
    const id = await makeWorkspace("born");
    await list.getByRole("link", { name: "born" }).waitFor();
    const page = await open(`org/acme/workspaces/${id}`);
    await title(page, "born");
    const path = { workspace_id: id };
    const change = async (attributes: object) =>
      at.client.request("updateWorkspace", { path, body: { data: { type: "workspaces", attributes } } });
    await change({ description: "said by somebody else" });
    await page.getByText("said by somebody else").waitFor();
    await at.client.request("lockWorkspace", { path, body: {} });
    await page.getByText("locked", { exact: true }).waitFor();
    await at.client.request("unlockWorkspace", { path });
    await page.getByText("locked", { exact: true }).waitFor({ state: "detached" });
    const project = await makeProject("Elsewhere");
    await at.client.request("moveWorkspaces", {
      path: { project_id: project },
      body: { data: [{ type: "workspaces", id }] },
    });
    await page.getByRole("link", { name: "Elsewhere" }).waitFor();
    await at.client.request("addWorkspaceTagBindings", {
      path,
      body: { data: [{ type: "tag-bindings", attributes: { key: "stage", value: "prod" } }] },
    });
    await page.getByText("stage").first().waitFor();
    await change({ name: "renamed" });
    await title(page, "renamed");
    await list.getByRole("link", { name: "renamed" }).waitFor();
    await at.client.request("deleteWorkspace", { path });
    await page.getByText("Object not found").waitFor();
    await expect.poll(async () => list.getByRole("link", { name: "renamed" }).count()).toBe(0);
  });

  it("to a project is shown in the open list, on its open page and in a form of it", async () => {
    const { page: list, open } = await opened("org/acme/projects");
    await title(list, "Projects");
    const id = await makeProject("Payments");
    await list.getByRole("link", { name: "Payments" }).waitFor();
    const page = await open(`org/acme/projects/${id}`);
    await title(page, "Payments");
    const form = await open(`org/acme/projects/${id}/edit`);
    await form.getByLabel("Description", { exact: true }).fill("written here");
    const path = { project_id: id };
    const attributes = { name: "Accounts", description: "said by somebody else" };
    await at.client.request("updateProject", { path, body: { data: { type: "projects", attributes } } });
    await title(page, "Accounts");
    await page.getByText("said by somebody else").waitFor();
    await list.getByRole("link", { name: "Accounts" }).waitFor();
    await form.getByText("said by somebody else").first().waitFor();
    expect(await form.getByLabel("Description", { exact: true }).inputValue()).toBe("written here");
    await at.client.request("deleteProject", { path });
    await page.getByText("Object not found").waitFor();
    await form.getByText("Object not found").waitFor();
    await list.getByRole("link", { name: "Accounts" }).waitFor({ state: "detached" });
  });

  it("to the organization itself, its webhooks and its jobs is shown on their open pages", async () => {
    const { page: settings, open } = await opened("org/acme/settings");
    await title(settings, "acme");
    const webhooks = await open("org/acme/tag-webhooks");
    await title(webhooks, "Webhooks");
    const jobs = await open("org/acme/tag-jobs");
    await title(jobs, "Jobs");
    const path = { organization_name: "acme" };
    await at.client.request("updateOrganization", {
      path,
      body: { data: { type: "organizations", attributes: { email: "other@acme.example" } } },
    });
    await settings.getByText("other@acme.example").waitFor();
    const hook = { name: "inventory", url: "https://hooks.acme.example/", enabled: false };
    await at.client.request("createTagWebhook", { path, body: { data: { type: "tag-webhooks", attributes: hook } } });
    await webhooks.getByRole("link", { name: "inventory" }).waitFor();
    await at.client.request("createTags", { path, body: { data: [{ type: "tags", attributes: { name: "mine" } }] } });
    const attributes = { action: "delete", tags: [{ name: "mine" }] };
    await at.client.request("createTagJob", { path, body: { data: { type: "tag-jobs", attributes } } });
    await expect.poll(async () => jobs.getByRole("link", { name: /mine/ }).count()).toBe(1);
  });
});

inBrowser("servers of one database", () => {
  const dataDir = temporaryDirectory();
  let database = "";
  const own = useConsole({ own: async () => ({ dataDir, database: (database = await makeDatabaseUrl("postgres")) }) });
  const another = async () => startServer({ database, args: ["--key-file", join(dataDir, "master-key")] });

  it("are seen at Home when they join, stop answering or are stopped", async () => {
    const { page } = await own.open("");
    const servers = page.getByRole("region", { name: "Nodes" });
    const states = async () => (await servers.getByRole("group").allTextContents()).map(stateIn).toSorted();
    await expect.poll(states).toEqual(["Ready, serves this page"]);
    const [killed, stopped] = await Promise.all([another(), another()]);
    await expect.poll(states, { timeout: 90_000 }).toEqual(["Ready", "Ready", "Ready, serves this page"]);
    await killed.kill();
    expect(await stopped.stop()).toBe(0);
    await expect.poll(states, { timeout: 90_000 }).toEqual(["Ready, serves this page", "Stopped responding"]);
    const name = `${hostname()}:${killed.pid}`;
    await expect.poll(async () => servers.getByRole("group", { name }).locator("time").count()).toBe(1);
    await page.getByRole("region", { name: "Needs attention" }).getByText(`${name} stopped responding`).waitFor();
  });
});

async function opened(path: string) {
  const window = await at.open(path);
  const open = async (other: string): Promise<Page> => {
    const page = await window.context.newPage();
    await page.goto(`${at.url}/ui/${other}`);
    return page;
  };
  return { ...window, open };
}

async function makeWorkspace(name: string): Promise<string> {
  const data = { type: "workspaces" as const, attributes: { name } };
  return (await at.client.workspaces.create({ organization: "acme", body: { data } })).data.id;
}

async function makeProject(name: string): Promise<string> {
  const data = { type: "projects" as const, attributes: { name } };
  return (await at.client.projects.create({ organization: "acme", body: { data } })).data.id;
}

function stateIn(text: string): string {
  return ["Ready, serves this page", "Stopped responding", "Ready"].find((state) => text.includes(state)) ?? text;
}
