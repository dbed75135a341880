/** `edit` of objects under `/api/v2`, while somebody else writes. */
import { readFileSync } from "node:fs";
import { createClient, type Client } from "@tessera-server/client";
import { beforeAll, describe, expect, it } from "vitest";
import { command } from "../../../test/support/command.ts";
import { addressOf } from "../../../test/support/declared.ts";
import { forEachEngine, temporaryDirectory } from "../../../test/support/engines.ts";
import { MANAGEMENT, useV1 } from "../../../test/support/v1.ts";
import { createNodeFetch } from "./node-fetch.ts";

interface Edited {
  words: string[];
  path: string;
  type: string;
  /** Member that both sides change. */
  member: string;
  base: string;
}

forEachEngine((_engine, makeUrl) => {
  describe("edit under /api/v2", () => {
    const v1 = useV1(makeUrl, { config: { outboundAllow: ["127.0.0.0/8"] } });
    let client: Client;
    let env: Record<string, string>;
    let edited: Edited[];

    beforeAll(async () => {
      const address = await addressOf(v1);
      client = createClient({ address, token: MANAGEMENT });
      env = {
        HOME: temporaryDirectory(),
        TESSERA_ADDR: address,
        TESSERA_TOKEN: MANAGEMENT,
        TESSERA_ORGANIZATION: "acme",
      };
      const make = async (operation: Parameters<Client["request"]>[0], type: string, attributes: object) => {
        const path = type === "organizations" ? {} : { organization_name: "acme" };
        const { body } = await client.request<{ data: { id: string } }>(operation, {
          path,
          body: { data: { type, attributes } },
        });
        return body.data.id;
      };
      await make("createOrganization", "organizations", { name: "acme", email: "base@example.com" });
      const project = await make("createProject", "projects", { name: "net", description: "base" });
      const workspace = await make("createWorkspace", "workspaces", { name: "prod", description: "base" });
      const url = "http://127.0.0.1:9/base";
      const webhook = await make("createTagWebhook", "tag-webhooks", { name: "base", url });
      edited = [
        ["organization", "acme", "organizations/acme", "organizations", "email", "base@example.com"],
        ["project", "net", `projects/${project}`, "projects", "description", "base"],
        ["workspace", "prod", `workspaces/${workspace}`, "workspaces", "description", "base"],
        ["webhook", webhook, `tag-webhooks/${webhook}`, "tag-webhooks", "name", "base"],
      ].map(([noun = "", name = "", path = "", type = "", member = "", base = ""]) => ({
        words: [noun, "edit", name, "--yes"],
        path: `${address}/api/v2/${path}`,
        type,
        member,
        base,
      }));
    });

    const send = createNodeFetch();
    const headers = () => ({ authorization: `Bearer ${MANAGEMENT}`, "content-type": "application/vnd.api+json" });
    const patch = async ({ path, type }: Edited, attributes: object) => {
      const body = JSON.stringify({ data: { type, attributes } });
      expect((await send(path, { method: "PATCH", headers: headers(), body })).status).toBe(200);
    };
    const read = async ({ path }: Edited) => {
      const answer = await fetch(path, { headers: headers() });
      return ((await answer.json()) as { data: { attributes: Record<string, unknown> } }).data.attributes;
    };

    it("writes nothing over what somebody else wrote within the same instant, and shows both changes", async () => {
      for (const each of edited) {
        const { words, member, base } = each;
        const theirs = base.replace("base", "theirs");
        const mine = base.replace("base", "mine");
        // When the write is on its way already.
        const racing: typeof fetch = async (input, init) => {
          if (init?.method === "PATCH") await patch(each, { [member]: theirs });
          return send(input, init);
        };
        const EDITOR = `sed -i 's/^${member}: .*/${member}: ${mine}/'`;
        const ended = await command(words, { env: { ...env, EDITOR, PATH: "/usr/bin:/bin" }, fetch: racing });
        expect([words[0], ended]).toMatchObject([words[0], { code: 5, stdout: "" }]);
        expect(ended.stderr).toContain(`-${member}: ${base}\n+${member}: ${theirs}\n`);
        expect(ended.stderr).toMatch(new RegExp(`\nYour change:\n[^]*-${member}: ${base}\n\\+${member}: ${mine}\n`));
        expect((await read(each))[member]).toBe(theirs);
        const kept = /your edit was saved to (\S+)/.exec(ended.stderr)?.[1] ?? "";
        expect(readFileSync(kept, "utf8")).toContain(`${member}: ${mine}`);
        // The next edit begins with the current value.
        const again = await command(words, { env: { ...env, EDITOR, PATH: "/usr/bin:/bin" } });
        expect(again).toMatchObject({ code: 0, stdout: "" });
        expect((await read(each))[member]).toBe(mine);
      }
    });

    it("is no conflict when something else of the object has changed meanwhile, such as its tags", async () => {
      const workspace = edited.find(({ type }) => type === "workspaces") as Edited;
      let tag = 0;
      const tagging: typeof fetch = async (input, init) => {
        if (init?.method === "PATCH" && tag++ < 2) {
          const body = JSON.stringify({ data: [{ type: "tags", attributes: { name: `t${tag}` } }] });
          const url = `${workspace.path}/relationships/tags`;
          expect((await send(url, { method: "POST", headers: headers(), body })).status).toBe(204);
        }
        return send(input, init);
      };
      const EDITOR = "sed -i 's/^description: .*/description: edited/'";
      const ended = await command(workspace.words, { env: { ...env, EDITOR, PATH: "/usr/bin:/bin" }, fetch: tagging });
      expect(ended).toMatchObject({ code: 0, stdout: "", stderr: "Saved workspace prod.\n" });
      expect(await read(workspace)).toMatchObject({ description: "edited", "tag-names": ["t1", "t2"] });
    });
  });
});
