import { beforeAll, describe, expect, test } from "vitest";
import { tagNames } from "../../../test/support/api.ts";
import { writeChanges } from "../../../test/support/changes.ts";
import { forEachEngine } from "../../../test/support/engines.ts";
import { useStreams, type Stream } from "../../../test/support/event-stream.ts";
import { MANAGEMENT, useV1, type V1 } from "../../../test/support/v1.ts";
import { CHANGES_PER_INDEX } from "./position.ts";

/** A new organization: its name and its id. */
async function makeOrganization(v1: V1): Promise<{ name: string; id: string }> {
  const attributes = { name: v1.unique("org"), email: "o@example.com" };
  const { body } = await v1.api("POST", "/organizations", { data: { type: "organizations", attributes } });
  return { name: attributes.name, id: body.data.attributes["external-id"] };
}

async function makeWorkspace(v1: V1, organization: string, name: string): Promise<void> {
  const data = { type: "workspaces", attributes: { name } };
  expect((await v1.api("POST", `/organizations/${organization}/workspaces`, { data })).status).toBe(201);
}

/** The names that a stream was told. */
function names(stream: Stream): unknown[] {
  return stream.events.map(({ data = {} }) => (data["attributes"] as { name: string }).name);
}

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl, { config: { waitsPerToken: 30 } });
  let url: string;
  const open = useStreams(() => url, "/api/v2/organizations/");
  beforeAll(async () => {
    url = await v1.listen();
  });
  const addTags = async (organization: string, ...tags: string[]) => {
    const answer = await v1.api("POST", `/organizations/${organization}/tags`, tagNames(...tags));
    expect(answer.status, answer.text).toBe(201);
    return answer;
  };

  test("tells each change from now on, with who did what to which object", async () => {
    const { name, id } = await makeOrganization(v1);
    await addTags(name, "before");
    const stream = await open(`${name}/events`);
    expect(stream.response.headers.get("content-type")).toBe("text/event-stream");
    expect(stream.response.headers.get("tfp-api-version")).toBe("2.6");
    const { body, headers } = await addTags(name, "network");
    await expect.poll(() => names(stream)).toEqual(["network"]);
    const [event] = stream.events;
    const self = await v1.get("/acl/token/self");
    expect(event).toEqual({
      event: "tag.created",
      id: expect.stringMatching(/^\d+$/),
      data: {
        type: "changes",
        attributes: {
          kind: "tag",
          action: "created",
          "object-id": body.data[0].id,
          name: "network",
          details: { name: "network" },
          at: expect.stringMatching(/^\d{4}-.*Z$/),
          "accessor-id": self.body.AccessorID,
          "request-id": headers["x-request-id"],
          "job-id": null,
        },
      },
    });
    const rows = await v1.db.sql.selectFrom("changes").select("position").where("organization_id", "=", id).execute();
    expect(rows.map(({ position }) => String(position))).toContain(event?.id);
  });

  test("goes on behind any event that it is told, each once and in order", async () => {
    const { name, id } = await makeOrganization(v1);
    const stream = await open(`${name}/events`);
    const began = stream.lastId;
    await addTags(name, "a", "b", "c");
    await addTags(name, "d");
    await expect.poll(() => names(stream)).toEqual(["a", "b", "c", "d"]);
    stream.close();
    await addTags(name, "e");
    await addTags((await makeOrganization(v1)).name, "elsewhere");
    const ids = [began, ...stream.events.map((event) => event.id ?? "")];
    for (const [seen, lastId] of ids.entries()) {
      const again = await open(`${name}/events`, { lastId });
      const asked = await open(`${name}/events?after=${lastId}`);
      const rest = ["a", "b", "c", "d", "e"].slice(seen);
      await expect.poll(() => [names(again), names(asked)]).toEqual([rest, rest]);
      again.close();
      asked.close();
    }
    // Far more than one page, and pages that end by their length.
    const long = { details: { text: "x".repeat(10_000) } };
    for (let at = 0; at < 5; at++) {
      const batch = Array.from({ length: 90 }, (_, index) => ({ name: `w${at}-${index}`, ...(index % 9 ? {} : long) }));
      await writeChanges(v1.db, id, batch);
    }
    const all = await open(`${name}/events`, { lastId: stream.lastId });
    await expect.poll(() => all.events.length).toBe(1 + 450);
    expect(new Set(names(all)).size).toBe(451);
    expect(names(all).slice(1)).toEqual(
      Array.from({ length: 450 }, (_, index) => `w${Math.floor(index / 90)}-${index % 90}`),
    );
  });

  test("is 410 behind what is not kept any more, or never was, and 400 for what is no id", async () => {
    const { name, id } = await makeOrganization(v1);
    await addTags(name, "a", "b");
    const rows = await v1.db.sql.selectFrom("changes").select("position").where("organization_id", "=", id).execute();
    const [first = 0, last = 0] = rows.map(({ position }) => position).toSorted((one, other) => one - other);
    await v1.write((sql) => sql.insertInto("change_floors").values({ organization_id: id, position: last }));
    const ask = async (lastId: string) => (await open(`${name}/events`, { lastId })).response.status;
    expect(await ask(String(last))).toBe(200);
    expect(await ask(String(first))).toBe(410);
    expect(await ask("0")).toBe(410);
    expect(await ask(String(last + 1000 * CHANGES_PER_INDEX))).toBe(410);
    expect(await ask("9007199254740993")).toBe(400);
    expect(await ask("what")).toBe(400);
    expect((await open(`${name}/events?after=x`)).response.status).toBe(400);
  });

  describe("rights", () => {
    test("who may read the organization is told of all but workspaces that it may not read", async () => {
      const { name, id } = await makeOrganization(v1);
      const secret = await v1.tokenWith(
        `organization "${name}" { policy = "read" } workspace "${name}/hidden" { policy = "deny" }`,
      );
      const stream = await open(`${name}/events`, { token: secret });
      await writeChanges(v1.db, id, [
        { name: "Hidden" },
        { name: "shown" },
        { name: "hidden" },
        { name: "one", kind: "project" },
      ]);
      await addTags(name, "last");
      await expect.poll(() => names(stream)).toEqual(["shown", "one", "last"]);
    });

    test("who may read workspaces in it alone is told nothing, from the beginning or from when that is all that is left", async () => {
      const { name, id } = await makeOrganization(v1);
      await makeWorkspace(v1, name, "mine");
      const rules = `workspace_prefix "${name}/" { policy = "write" }`;
      const [narrow, whole] = [await v1.policy(rules), await v1.policy(`organization "${name}" { policy = "read" }`)];
      const { accessor, secret } = await v1.token({ Policies: [{ ID: narrow }, { ID: whole }] });
      const stream = await open(`${name}/events`, { token: secret });
      await writeChanges(v1.db, id, [{ name: "mine" }]);
      await expect.poll(() => names(stream)).toEqual(["mine"]);
      await v1.put(`/acl/token/${accessor}`, { Policies: [{ ID: narrow }] });
      await writeChanges(v1.db, id, [{ name: "mine" }]);
      await expect.poll(() => stream.isOver).toBe(true);
      expect(names(stream)).toEqual(["mine"]);
      for (const more of [{}, { lastId: stream.lastId }])
        expect((await open(`${name}/events`, { token: secret, ...more })).response.status).toBe(404);
    });

    test("who may see nothing of it is told that it is not there", async () => {
      const { name } = await makeOrganization(v1);
      const empty = await v1.tokenWith("");
      await makeWorkspace(v1, name, "shown");
      const elsewhere = await v1.tokenWith(`workspace "${name}/none" { policy = "read" }`);
      const inside = await v1.tokenWith(`workspace "${name}/shown" { policy = "read" }`);
      for (const token of [empty, elsewhere, inside]) {
        const [there, missing] = [
          await open(`${name}/events`, { token }),
          await open(`${v1.unique("no")}/events`, { token }),
        ];
        expect([there.response.status, await there.response.text()]).toEqual([404, await missing.response.text()]);
      }
      expect((await open(`${name}/events`, { token: "" })).response.status).toBe(401);
    });

    test("end with a change of the token's policies, with the token and with the organization", async () => {
      const { name, id } = await makeOrganization(v1);
      const Policies = [{ ID: await v1.policy(`organization "${name}" { policy = "read" }`) }];
      const [lowered, deleted] = [await v1.token({ Policies }), await v1.token({ Policies })];
      const streams = await Promise.all(
        [lowered, deleted].map(({ secret }) => open(`${name}/events`, { token: secret })),
      );
      await addTags(name, "seen");
      for (const stream of streams) await expect.poll(() => names(stream)).toEqual(["seen"]);
      await v1.put(`/acl/token/${lowered.accessor}`, { Policies: [] });
      await v1.delete(`/acl/token/${deleted.accessor}`);
      await writeChanges(v1.db, id, [{ name: "unseen" }]);
      for (const stream of streams) {
        await expect.poll(() => stream.isOver).toBe(true);
        expect(names(stream)).toEqual(["seen"]);
      }
      const whole = await open(`${name}/events`);
      await v1.api("DELETE", `/organizations/${name}`);
      await expect.poll(() => whole.isOver).toBe(true);
    });
  });

  test("a client that does not read is given no more than it takes, and holds up nobody", async () => {
    const { connect } = await import("node:net");
    const { name, id } = await makeOrganization(v1);
    const path = `/api/v2/organizations/${name}/events`;
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nX-Consul-Token: ${MANAGEMENT}\r\n\r\n`);
    await new Promise((resolve) => {
      socket.once("data", resolve);
    });
    socket.pause();
    const fast = await open(`${name}/events`);
    const details = { text: "x".repeat(50_000) };
    for (let round = 0; round < 100; round++) {
      await writeChanges(v1.db, id, [
        { name: `a${round}`, details },
        { name: `b${round}`, details },
      ]);
    }
    const records = () => fast.events.filter(({ event }) => event !== "organization.touched");
    await expect.poll(() => records().length).toBe(200);
    const { text } = await v1.send({ method: "GET", url: "/metrics", headers: { "x-consul-token": MANAGEMENT } });
    expect(Number(/^tessera_http_sending_bytes (\d+)$/m.exec(text)?.[1])).toBeLessThan(1024 * 1024);
    let read = "";
    socket.on("data", (chunk: Buffer) => (read += chunk.toString()));
    socket.resume();
    await expect.poll(() => read.split("\nevent: workspace.").length - 1).toBe(200);
    socket.destroy();
  });

  test("who may read the organization is told that what has no record was written: settings, webhooks, jobs", async () => {
    const { name } = await makeOrganization(v1);
    await addTags(name, "one");
    await makeWorkspace(v1, name, "web");
    const stream = await open(`${name}/events`, {
      token: await v1.tokenWith(`organization "${name}" { policy = "read" }`),
    });
    const touches = () => stream.events.filter(({ event }) => event === "organization.touched").length;
    const write = async (method: "PATCH" | "POST", path: string, data: object) => {
      const before = touches();
      const answer = await v1.api(method, `/organizations/${name}${path}`, { data });
      expect(answer.status, answer.text).toBeLessThan(300);
      await expect.poll(touches).toBeGreaterThan(before);
    };
    await write("PATCH", "", { type: "organizations", attributes: { email: "other@example.com" } });
    const attributes = { name: "hook", url: "https://hooks.example.com/", enabled: false };
    await write("POST", "/tag-webhooks", { type: "tag-webhooks", attributes });
    const job = { action: "add", tags: [{ name: "one" }], filter: { workspaces: { wildcard: "w*" } } };
    await write("POST", "/tag-jobs", { type: "tag-jobs", attributes: job });
    // A record alone tells of this.
    const before = touches();
    await addTags(name, "two");
    await expect.poll(() => stream.events.at(-1)?.event).toBe("tag.created");
    // It comes behind all that was told of the others.
    await makeWorkspace(v1, name, "behind");
    await expect.poll(() => stream.events.some(({ event }) => event === "workspace.created")).toBe(true);
    expect(stream.events.filter(({ event }) => event === "tag.created")).toHaveLength(1);
    expect(touches()).toBeGreaterThanOrEqual(before);
  });

  test("too many of one token are refused", async () => {
    const { name } = await makeOrganization(v1);
    const token = await v1.tokenWith(`organization "${name}" { policy = "read" }`);
    for (let count = 0; count < 30; count++) await open(`${name}/events`, { token });
    expect((await open(`${name}/events`, { token })).response.status).toBe(429);
  });
});
