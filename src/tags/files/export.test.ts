import { once } from "node:events";
import { Readable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { expect, it } from "vitest";
import { ROOT, tagNames, useApi } from "../../../test/support/api.ts";
import { forEachEngine } from "../../../test/support/engines.ts";
import type { Context } from "../../context.ts";
import { exportTags } from "./export.ts";

forEachEngine((_engine, makeUrl) => {
  const api = useApi(makeUrl);

  function exported(org: string, headers: Record<string, string> = {}, query = "", token = ROOT) {
    const url = `/api/v2/organizations/${org}/tags/export${query}`;
    return api.send({ method: "GET", url, headers: { authorization: `Bearer ${token}`, ...headers } });
  }

  async function fill() {
    const org = await api.organization();
    await api.post(`/organizations/${org}/tags`, tagNames("pinned"));
    const id = await api.workspace(org, "Web", ["b", "a"]);
    await api.workspace(org, "bare");
    const binding = (key: string, value: string) => ({ type: "tag-bindings", attributes: { key, value } });
    const data = [binding("env", "=1+1"), binding("-k", "@x"), binding("a", "")];
    expect((await api.post(`/workspaces/${id}/relationships/tag-bindings`, { data })).status).toBe(204);
    const [project] = (await api.get(`/organizations/${org}/projects`)).body.data;
    const given = { data: [binding("Team", "core")] };
    expect((await api.post(`/projects/${project.id}/relationships/tag-bindings`, given)).status).toBe(204);
    return org;
  }

  it("shows each object with all that it has, in the order of names, as JSON lines", async () => {
    const org = await fill();
    const answer = await exported(org);
    expect(answer.headers["content-type"]).toBe("application/x-ndjson");
    expect(
      answer.text
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toEqual([
      { kind: "tag", name: "-k", pinned: false },
      { kind: "tag", name: "Team", pinned: false },
      { kind: "tag", name: "a", pinned: false },
      { kind: "tag", name: "b", pinned: false },
      { kind: "tag", name: "env", pinned: false },
      { kind: "tag", name: "pinned", pinned: true },
      { kind: "project", name: "Default Project", bindings: [{ key: "Team", value: "core" }] },
      { kind: "workspace", name: "bare", tags: [], bindings: [] },
      {
        kind: "workspace",
        name: "Web",
        tags: ["a", "b"],
        bindings: [
          { key: "-k", value: "@x" },
          { key: "a", value: "" },
          { key: "env", value: "=1+1" },
        ],
      },
    ]);
    expect((await exported(org)).text).toBe(answer.text);
  });

  it("shows the same as CSV, with what looks like a formula marked as text", async () => {
    const org = await fill();
    const answer = await exported(org, { accept: "text/csv, */*" });
    expect(answer.headers["content-type"]).toBe("text/csv");
    expect(answer.headers["content-disposition"]).toBe('attachment; filename="tags.csv"');
    expect(answer.text).toBe(
      [
        "kind,name,tag,key,value",
        "tag,'-k,,pinned,false",
        "tag,Team,,pinned,false",
        "tag,a,,pinned,false",
        "tag,b,,pinned,false",
        "tag,env,,pinned,false",
        "tag,pinned,,pinned,true",
        "project,Default Project,,Team,core",
        "workspace,bare,,,",
        "workspace,Web,a,,",
        "workspace,Web,b,,",
        "workspace,Web,,'-k,'@x",
        "workspace,Web,,a,",
        "workspace,Web,,env,'=1+1",
        "",
      ].join("\r\n"),
    );
    expect((await exported(org, {}, "?format=csv")).text).toBe(answer.text);
    expect((await exported(org, { accept: "text/csv" }, "?format=jsonl")).text).toBe((await exported(org)).text);
    expect((await exported(org, {}, "?format=xml")).status).toBe(400);
  });

  it("needs the right to read the organization, and shows the workspaces that the caller may read", async () => {
    const org = await fill();
    const some = api.tokenWith(
      { kind: "organization", segment: org, policy: "read" },
      { kind: "workspace", segment: `${org}/web`, policy: "deny" },
    );
    const { text } = await exported(org, {}, "", some);
    expect(text).toContain('"bare"');
    expect(text).not.toContain('"Web"');
    const blind = api.tokenWith({ kind: "workspace_prefix", segment: `${org}/`, policy: "write" });
    const refused = await exported(org, {}, "", blind);
    expect(refused.status).toBe(404);
    expect(refused.text).toBe((await exported("none", {}, "", blind)).text);
    expect(refused.headers["content-type"]).toContain("vnd.api+json");
  });

  it("comes to its end where there are many slices", async () => {
    const org = await api.organization();
    const names = Array.from({ length: 1000 }, (_, i) => `many-${i}`);
    for (let part = 0; part < 5; part++) {
      await api.post(`/organizations/${org}/tags`, tagNames(...names.map((name) => `${name}-${part}`)));
    }
    for (let i = 0; i < 120; i++)
      await api.workspace(
        org,
        `w${i}`,
        names.slice(i, i + 9).map((name) => `${name}-0`),
      );
    const lines = (await exported(org)).text.trimEnd().split("\n");
    const kinds = Map.groupBy(lines, (line) => (JSON.parse(line) as { kind: string }).kind);
    expect([...kinds].map(([kind, all]) => [kind, all.length])).toEqual([
      ["tag", 5000],
      ["project", 1],
      ["workspace", 120],
    ]);
    expect(new Set(lines).size).toBe(lines.length);
    // Nobody reads ahead of a client that does not.
    let made = 0;
    const ctx = { db: api.db, actor: await api.actorOf("root") } as Context;
    const text = await exportTags(ctx, org, "jsonl", () => ctx.actor);
    const stream = Readable.from(
      (async function* () {
        for await (const piece of text) {
          made += 1;
          yield piece;
        }
      })(),
      { objectMode: false },
    );
    await once(stream, "readable");
    for (let turn = 0; turn < 200; turn++) await setImmediate();
    const ahead = made;
    const pieces: Buffer[] = [];
    for await (const piece of stream as AsyncIterable<Buffer>) pieces.push(piece);
    expect(Buffer.concat(pieces).toString()).toBe(`${lines.join("\n")}\n`);
    expect(ahead).toBeLessThan(made - 2);
  });

  it("ends with the right to read the organization, and with the organization", async () => {
    const org = await fill();
    const token = api.tokenWith({ kind: "organization", segment: org, policy: "read" });
    const actor = await api.actorOf(token);
    const begin = () =>
      exportTags({ db: api.db, actor } as Context, org, "csv", async () => (await api.actorOf(token)) ?? gone());
    const gone = () => {
      throw new Error("gone");
    };
    const one = await begin();
    expect((await one.next()).value?.toString()).toContain("kind,name");
    api.setRights(token, { kind: "organization", segment: "other", policy: "read" });
    await expect(one.next()).rejects.toMatchObject({ code: "not_found" });
    api.setRights(token, { kind: "organization", segment: org, policy: "read" });
    const other = await begin();
    await other.next();
    await api.delete(`/organizations/${org}`);
    await expect(other.next()).rejects.toMatchObject({ code: "not_found" });
  });
});
