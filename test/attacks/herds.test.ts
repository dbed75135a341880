/** Many who ask for the same at once, just after it has changed: one reading serves them all. */
import { beforeAll, expect, test } from "vitest";
import { forEachEngine } from "../support/engines.ts";
import { MANAGEMENT, useV1 } from "../support/v1.ts";

const CALLERS = 32;
/** Background work adds statements, so the least of some tries counts. */
const TRIES = 4;

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  let policy = "";
  let token = "";
  const equals: string[] = [];

  beforeAll(async () => {
    policy = await v1.policy('acl = "read"');
    await Promise.all(Array.from({ length: 300 }, () => v1.policy("", v1.unique("herd".padEnd(100, "-")))));
    const roles: { ID: string }[] = [];
    for (let role = 0; role < 10; role++) roles.push({ ID: await v1.role({ Policies: [{ ID: policy }] }) });
    token = (await v1.token({ Roles: roles })).accessor;
    // Tokens of equal rights, which may not read secrets.
    for (let index = 0; index < 4; index++) equals.push((await v1.token({ Policies: [{ ID: policy }] })).secret);
  });

  /** Counts the storage operations of `count` equal reads after a write; `read` gets the number of its caller. */
  async function cost(count: number, read: (caller: number) => Promise<{ status: number; text: string }>) {
    let least = Infinity;
    for (let tries = 0; tries < TRIES && least > 0; tries++) {
      await v1.patch(`/acl/policy/${policy}`, { Description: `${count}-${tries}` });
      // Rights that a write has made void are read again: these reads are not counted.
      for (const secret of [MANAGEMENT, ...equals]) await v1.get("/acl/token/self", secret);
      const { query, long } = v1.db.stats().operations;
      const answers = await Promise.all(Array.from({ length: count }, (_, caller) => read(caller)));
      const after = v1.db.stats().operations;
      expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
      expect(answers[0]?.status).toBe(200);
      least = Math.min(least, after.query + after.long - query - long);
    }
    return least;
  }

  const PATHS = ["/acl/policies", "/acl/policies?ns=*", "/acl/tokens", "/acl/tokens?page-size=20", "/acl/roles?pretty"];
  test.each(PATHS)("incident 57: a list that 32 ask for at once after a write is read once: %s", async (path) => {
    const read = (): ReturnType<typeof v1.get> => v1.get(path);
    expect(await cost(CALLERS, read)).toBe(await cost(1, read));
  });

  test("incident 57: an expanded token that 32 ask for at once after a write is read once", async () => {
    const read = (): ReturnType<typeof v1.get> => v1.get(`/acl/token/${token}?expanded=true`);
    expect(await cost(CALLERS, read)).toBe(await cost(1, read));
  });

  test("incident 57: tokens of equal rights share one reading, and those of others have their own", async () => {
    const read = (caller: number): ReturnType<typeof v1.get> => v1.get("/acl/tokens", equals[caller % equals.length]);
    expect(await cost(CALLERS, read)).toBe(await cost(1, read));
    const both = await Promise.all([v1.get("/acl/tokens"), v1.get("/acl/tokens", equals[0])]);
    expect(both.map(({ text }) => text.includes(MANAGEMENT))).toEqual([true, false]);
  });

  test("incident 57: pages of tags and workspaces that 32 ask for at once after a write are read once", async () => {
    const organization = { type: "organizations", attributes: { name: "herd", email: "a@b.cd" } };
    await v1.api("POST", "/organizations", { data: organization });
    const names = Array.from({ length: 60 }, (_, index) => ({ type: "tags", attributes: { name: `tag-${index}` } }));
    const { body } = await v1.api("POST", "/organizations/herd/tags", { data: names });
    const tag = (body.data as { id: string }[])[0]?.id ?? "";
    for (let index = 0; index < 3; index++) {
      const attributes = { name: `ws-${index}` };
      const relationships = { tags: { data: [{ type: "tags", id: tag }] } };
      await v1.api("POST", "/organizations/herd/workspaces", {
        data: { type: "workspaces", attributes, relationships },
      });
    }
    const pages = [
      "/organizations/herd/tags?page[size]=20",
      "/organizations/herd/tags?q=tag-1",
      "/organizations/herd/workspaces?search[tags]=tag-0&include=organization",
      "/organizations/herd/projects",
      `/tags/${tag}/relationships/workspaces`,
    ];
    for (const path of pages) {
      const read = (): ReturnType<typeof v1.api> => v1.api("GET", path);
      expect([path, await cost(CALLERS, read)]).toEqual([path, await cost(1, read)]);
    }
  });

  test("incident 57: nobody is given what was read before a write that was answered", async () => {
    for (let round = 0; round < 15; round++) {
      const before = Array.from({ length: 8 }, () => v1.get("/acl/policies"));
      const name = v1.unique("written");
      await v1.policy("", name);
      const after = await Promise.all(Array.from({ length: 8 }, () => v1.get("/acl/policies")));
      for (const { text } of after) expect(text).toContain(name);
      await Promise.all(before);
      const early = Array.from({ length: 8 }, () => v1.api("GET", `/organizations/${name}/projects`));
      const data = { type: "organizations", attributes: { name, email: "a@b.cd" } };
      await v1.api("POST", "/organizations", { data });
      await Promise.all(early);
      const projects = await Promise.all(
        Array.from({ length: 8 }, () => v1.api("GET", `/organizations/${name}/projects`)),
      );
      for (const { status } of projects) expect(status).toBe(200);
    }
  });
});
