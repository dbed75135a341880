/** The real `terraform` against the real server: what people meet first of tags. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeCertificate } from "../../support/openid-certificate.ts";
import { temporaryDirectory, forEachEngine } from "../../support/engines.ts";
import { startServer, type RunningServer } from "../../support/server.ts";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { request } from "node:https";
import { text as readText } from "node:stream/consumers";
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { makeTerraform, whyNoTerraform, type Terraform } from "./terraform-program.ts";

const reason = whyNoTerraform();
const MEDIA_TYPE = "application/vnd.api+json";

interface Document {
  data: { id: string; attributes: Record<string, unknown> };
}

describe.skipIf(reason !== undefined)(`terraform${reason === undefined ? "" : ` (skipped: ${reason})`}`, () => {
  forEachEngine((engine, makeUrl) => {
    let server: RunningServer;
    let url: string;
    let ca: string;
    let organizations = 0;

    beforeAll(async () => {
      const directory = temporaryDirectory();
      const made = makeCertificate();
      ca = made.ca;
      writeFileSync(join(directory, "cert.pem"), made.cert);
      writeFileSync(join(directory, "key.pem"), made.key, { mode: 0o600 });
      const args = ["--tls-cert", join(directory, "cert.pem"), "--tls-key", join(directory, "key.pem"), "--access-log"];
      server = await startServer({ args, ...(engine === "sqlite" ? {} : { database: await makeUrl() }) });
      // By name: a host that credentials are kept for has no address in digits.
      url = server.url.replace(/^https?:\/\/127\.0\.0\.1/, "https://localhost");
    });
    afterAll(async () => {
      await server.stop();
    });

    async function ask(method: string, path: string, body?: object) {
      const outgoing = request(`${url}/api/v2${path}`, {
        method,
        ca,
        headers: { authorization: `Bearer ${server.token}`, "content-type": MEDIA_TYPE },
      });
      outgoing.end(body && JSON.stringify(body));
      const [incoming] = (await once(outgoing, "response")) as [IncomingMessage];
      const text = await readText(incoming);
      expect(incoming.statusCode, text).toBeLessThan(300);
      const { data } = (text === "" ? {} : JSON.parse(text)) as Document;
      return { data, id: String(incoming.headers["x-request-id"]) };
    }

    async function begin(): Promise<{ terraform: Terraform; organization: string }> {
      const organization = `${engine}-${organizations++}`;
      const attributes = { name: organization, email: "people@example.com" };
      await ask("POST", "/organizations", { data: { type: "organizations", attributes } });
      const directory = temporaryDirectory();
      return { organization, terraform: makeTerraform({ directory, url, token: server.token, organization, ca }) };
    }

    /** The log up to now, with all that was asked before. */
    async function logged(): Promise<string> {
      const { id } = await ask("GET", "/ping");
      await expect.poll(() => server.stdout).toContain(id);
      return server.stdout;
    }

    /** Requests that change something, which `work` makes the client send. */
    async function writesOf(work: () => Promise<unknown>): Promise<string[]> {
      const { length } = await logged();
      await work();
      const lines = (await logged())
        .slice(length)
        .split("\n")
        .filter((line) => line.includes('"method"'));
      const requests = lines.map((line) => JSON.parse(line) as { method: string; route: string });
      expect(requests.length, "what was asked is logged").toBeGreaterThan(1);
      return requests.filter(({ method }) => method !== "GET").map(({ method, route }) => `${method} ${route}`);
    }

    async function tagsOf(organization: string, workspace: string) {
      const { data } = await ask("GET", `/organizations/${organization}/workspaces/${workspace}`);
      const bound = await ask("GET", `/workspaces/${data.id}/tag-bindings`);
      const list = bound.data as unknown as { attributes: { key: string; value: string } }[];
      return {
        id: data.id,
        names: data.attributes["tag-names"],
        bindings: list.map(({ attributes }) => `${attributes.key}=${attributes.value}`),
      };
    }

    test.each([
      ["a list of tags", 'tags = ["net", "prod"]', ["net", "prod"], ["net=", "prod="]],
      ["a map of tags", 'tags = { env = "prod", team = "net" }', [], ["env=prod", "team=net"]],
    ])("with %s makes a workspace, and a second init sends no write", async (_form, tags, names, bindings) => {
      const { terraform, organization } = await begin();
      terraform.configure(tags);
      await terraform.init("first");
      const made = await tagsOf(organization, "first");
      expect(made.names).toEqual(names);
      expect(made.bindings.toSorted()).toEqual(bindings);

      terraform.forget();
      expect(await writesOf(() => terraform.run("init", "-no-color", "-input=false"))).toEqual([]);
      expect(await writesOf(() => terraform.run("init", "-no-color", "-input=false"))).toEqual([]);
      expect(await tagsOf(organization, "first")).toEqual(made);
    });

    test("lists, selects and deletes the workspaces that carry its tags, and no others", async () => {
      const { terraform, organization } = await begin();
      terraform.configure('tags = { env = "prod" }');
      await terraform.init("one");
      await terraform.run("workspace", "new", "-no-color", "two");
      const other = { data: { type: "workspaces", attributes: { name: "other" } } };
      await ask("POST", `/organizations/${organization}/workspaces`, other);
      const list = await terraform.run("workspace", "list", "-no-color");
      expect(list.trim().split(/\s+/)).toEqual(["one", "*", "two"]);
      await terraform.run("workspace", "select", "-no-color", "one");
      expect((await terraform.run("workspace", "show", "-no-color")).trim()).toBe("one");
      expect(await writesOf(() => terraform.run("workspace", "delete", "-no-color", "two"))).not.toEqual([]);
      expect((await terraform.run("workspace", "list", "-no-color")).trim().split(/\s+/)).toEqual(["*", "one"]);
    });

    test("plans locally, and leaves the workspace unlocked", async () => {
      const { terraform, organization } = await begin();
      terraform.configure('tags = ["net"]');
      await terraform.init("planned");
      const plan = await terraform.run("plan", "-no-color");
      expect(plan).toContain("Plan: 1 to add, 0 to change, 0 to destroy.");
      const { data } = await ask("GET", `/organizations/${organization}/workspaces/planned`);
      expect(data.attributes["locked"]).toBe(false);
    });
  });
});
