import { beforeAll, describe, expect, test } from "vitest";
import type { Answer } from "../../../test/support/api.ts";
import { forEachEngine } from "../../../test/support/engines.ts";
import { MANAGEMENT, useV1 } from "../../../test/support/v1.ts";
import { createWaits } from "../../../test/support/waits.ts";

/** Far beyond the time that a test has: who is not woken fails it. */
const LONG = "wait=600";

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl, { config: { waitsPerToken: 3 } });
  const { waiting } = createWaits(v1);
  let organization = "";
  let workspace = "";
  let tag = "";
  /** How many waits of this file have not been answered. */
  let open = 0;

  beforeAll(async () => {
    organization = v1.unique("org");
    const attributes = { name: organization, email: "a@example.com" };
    await v1.api("POST", "/organizations", { data: { type: "organizations", attributes } });
    workspace = await addWorkspace("shown", ["first"]);
    const { body } = await v1.api("GET", `/organizations/${organization}/tags`);
    tag = String(body.data[0].id);
  });

  async function addWorkspace(name: string, tags: string[] = []): Promise<string> {
    const relationships = { tags: { data: tags.map((each) => ({ type: "tags", attributes: { name: each } })) } };
    const data = { type: "workspaces", attributes: { name }, relationships };
    const { body, status } = await v1.api("POST", `/organizations/${organization}/workspaces`, { data });
    expect(status).toBe(201);
    return String(body.data.id);
  }

  const addTag = (name = v1.unique("tag")) =>
    v1.api("POST", `/organizations/${organization}/tags`, { data: [{ type: "tags", attributes: { name } }] });
  const describeWorkspace = (description: string) =>
    v1.api("PATCH", `/workspaces/${workspace}`, { data: { type: "workspaces", attributes: { description } } });

  function get(path: string, headers: Record<string, string> = {}, token = MANAGEMENT): Promise<Answer> {
    return v1.send({ method: "GET", url: `/api/v2${path}`, headers: { authorization: `Bearer ${token}`, ...headers } });
  }
  const etagOf = ({ headers }: Answer): string => String(headers["etag"]);

  /** A read that waits for something else than what there is. */
  async function wait(path: string, token = MANAGEMENT): Promise<{ answer: Promise<Answer>; isOver(): boolean }> {
    const headers = { "if-none-match": etagOf(await get(path, {}, token)), prefer: LONG };
    let over = false;
    open += 1;
    const answer = get(path, headers, token).finally(() => {
      over = true;
      open -= 1;
    });
    // Counted, not compared with the number of before: a wait that looks at a change does not count while it does.
    await expect.poll(async () => open - (await waiting())).toBe(0);
    return { answer, isOver: () => over };
  }

  const reads: [string, () => string][] = [
    ["the pool of tags", () => `/organizations/${organization}/tags`],
    ["a search of tags", () => `/organizations/${organization}/tags?q=first`],
    ["a tag", () => `/tags/${tag}`],
    ["workspaces", () => `/organizations/${organization}/workspaces?include=organization`],
    ["a workspace", () => `/workspaces/${workspace}`],
    ["a workspace by its name", () => `/organizations/${organization}/workspaces/shown`],
    ["tags of a workspace", () => `/workspaces/${workspace}/relationships/tags`],
    ["workspaces of a tag", () => `/tags/${tag}/relationships/workspaces`],
    ["projects", () => `/organizations/${organization}/projects`],
    ["an organization", () => `/organizations/${organization}`],
    ["what an organization may use", () => `/organizations/${organization}/entitlement-set`],
    ["a page of organizations", () => "/organizations?page[size]=5"],
    ["the own account", () => "/account/details"],
  ];

  describe("If-None-Match", () => {
    test.each(reads)("is answered 304 without a body while nothing has changed: %s", async (_what, path) => {
      const first = await get(path());
      expect(first.status).toBe(200);
      expect(etagOf(first)).toMatch(/^"[\w-]{43}"$/);
      for (const known of [etagOf(first), `"other", W/${etagOf(first)}`, "*"]) {
        const { status, text, headers } = await get(path(), { "if-none-match": known });
        expect([status, text, headers["etag"], headers["content-type"]]).toEqual([304, "", etagOf(first), undefined]);
      }
      expect(await get(path(), { "if-none-match": '"other"' })).toMatchObject({ status: 200, text: first.text });
    });

    test("is answered 200 after a change, which every read shows at once", async () => {
      const changes: [string, () => Promise<Answer>][] = [
        [`/organizations/${organization}/tags`, () => addTag()],
        [`/workspaces/${workspace}`, () => describeWorkspace(v1.unique("about"))],
        [
          `/organizations/${organization}`,
          () =>
            v1.api("PATCH", `/organizations/${organization}`, {
              data: { type: "organizations", attributes: { email: `${v1.unique("to")}@example.com` } },
            }),
        ],
        [
          `/organizations/${organization}/projects`,
          () =>
            v1.api("POST", `/organizations/${organization}/projects`, {
              data: { type: "projects", attributes: { name: v1.unique("project") } },
            }),
        ],
      ];
      for (const [path, change] of changes) {
        const before = await get(path);
        expect((await change()).status).toBeLessThan(300);
        const after = await get(path, { "if-none-match": etagOf(before) });
        expect([path, after.status]).toEqual([path, 200]);
        expect(etagOf(after)).not.toBe(etagOf(before));
        expect(after.text).not.toBe(before.text);
      }
    });

    test("the whole list of organizations, which is streamed, has no ETag and is always sent", async () => {
      const { status, headers } = await get("/organizations", { "if-none-match": "*", prefer: LONG });
      expect([status, headers["etag"]]).toEqual([200, undefined]);
    });
  });

  describe("what a caller may not see", () => {
    const reader = () => v1.tokenWith(`workspace "${organization}/shown" { policy = "read" }`);

    test("changes no ETag of its own; and who has other rights is given its own document", async () => {
      const token = await reader();
      const path = `/workspaces/${workspace}/relationships/tags`;
      const [mine, others] = [await get(path, {}, token), await get(path)];
      expect(mine.body.data[0].attributes["instance-count"]).toBeNull();
      expect(others.body.data[0].attributes["instance-count"]).toBe(1);
      expect(await get(path, { "if-none-match": etagOf(others) }, token)).toMatchObject({
        status: 200,
        text: mine.text,
      });
      await addWorkspace(v1.unique("hidden"), ["first"]);
      expect((await get(path, { "if-none-match": etagOf(others) })).status).toBe(200);
      expect((await get(path, { "if-none-match": etagOf(mine) }, token)).status).toBe(304);
    });

    test("wakes it without an answer, and a change that it may see is answered", async () => {
      const token = await reader();
      const held = await wait(`/workspaces/${workspace}`, token);
      // A caller that may see these changes is answered, after the change.
      for (const [path, change] of [
        [`/organizations/${organization}/tags`, () => addTag()],
        [`/organizations/${organization}/workspaces`, () => addWorkspace(v1.unique("hidden"), ["first"])],
      ] as const) {
        const behind = await wait(path);
        await change();
        await behind.answer;
      }
      expect(held.isOver()).toBe(false);
      await describeWorkspace("seen");
      expect((await held.answer).body.data.attributes.description).toBe("seen");
    });

    test("a refusal has no ETag, is that of a missing object after as many statements, and waits for nothing", async () => {
      const token = await reader();
      for (const headers of [{}, { "if-none-match": "*" }, { "if-none-match": "*", prefer: LONG }]) {
        const ask = (path: string) => get(path, headers, token);
        const refused = await ask(`/organizations/${organization}/tags`);
        const missing = await ask("/organizations/nowhere/tags");
        expect([refused.status, refused.headers["etag"], refused.text]).toEqual([404, undefined, missing.text]);
        const statuses = [`/organizations/${organization}/audit`, `/tags/${tag}`, `/tags/none`].map(ask);
        expect((await Promise.all(statuses)).map(({ status }) => status)).toEqual([404, 404, 404]);
        await v1.expectSameStatements(
          () => ask(`/organizations/${organization}/tags`),
          () => ask("/organizations/nowhere/tags"),
        );
      }
    });

    test("tokens of equal rights share documents, but each reads its own account", async () => {
      const policy = await v1.policy(`organization "${organization}" { policy = "read" }`);
      const [one, other] = await Promise.all([1, 2].map(() => v1.token({ Policies: [{ ID: policy }] })));
      const accounts = [
        await get("/account/details", {}, one?.secret),
        await get("/account/details", {}, other?.secret),
      ];
      expect(accounts.map(({ body }) => body.data.attributes.username)).toEqual([one?.accessor, other?.accessor]);
      const first = await get(`/organizations/${organization}/tags`, {}, one?.secret);
      const { query, long } = v1.db.stats().operations;
      expect((await get(`/organizations/${organization}/tags`, {}, other?.secret)).text).toBe(first.text);
      const after = v1.db.stats().operations;
      expect(after.query + after.long - query - long).toBe(0);
    });
  });

  describe("Prefer: wait", () => {
    /** Writes what the reads of these names show. */
    const writes: Record<string, () => Promise<Answer>> = {
      "a page of organizations": () => {
        const attributes = { name: v1.unique("org"), email: "a@example.com" };
        return v1.api("POST", "/organizations", { data: { type: "organizations", attributes } });
      },
      "an organization": () => rename(),
      "what an organization may use": () => rename(),
      projects: () => {
        const data = { type: "projects", attributes: { name: v1.unique("project") } };
        return v1.api("POST", `/organizations/${organization}/projects`, { data });
      },
      "a workspace": () => describeWorkspace(v1.unique("news")),
      "a workspace by its name": () => describeWorkspace(v1.unique("news")),
      workspaces: () => describeWorkspace(v1.unique("news")),
    };
    /** Puts another tag on the workspace, and the first one on another. */
    async function attach(): Promise<Answer> {
      await addWorkspace(v1.unique("more"), ["first", v1.unique("first")]);
      const data = [{ type: "tags", attributes: { name: v1.unique("first") } }];
      return v1.api("POST", `/workspaces/${workspace}/relationships/tags`, { data });
    }
    /** Spells the organization's name in another case. */
    async function rename(): Promise<Answer> {
      const name =
        organization === organization.toUpperCase() ? organization.toLowerCase() : organization.toUpperCase();
      const data = { type: "organizations", attributes: { name } };
      const answer = await v1.api("PATCH", `/organizations/${organization}`, { data });
      organization = name;
      return answer;
    }

    test.each(reads.filter(([what]) => what !== "the own account"))("is woken by a write: %s", async (what, path) => {
      const held = await wait(path());
      expect(held.isOver()).toBe(false);
      expect((await (writes[what] ?? attach)()).status).toBeLessThan(300);
      const { status, headers } = await held.answer;
      expect([status, headers["preference-applied"]]).toEqual([200, LONG]);
      expect(headers["etag"]).toMatch(/^"/);
    });

    test("is answered at once when the client has something else, and when it does not say what it has", async () => {
      const path = `/organizations/${organization}/tags`;
      expect((await get(path, { prefer: LONG, "if-none-match": '"old"' })).status).toBe(200);
      expect((await get(path, { prefer: LONG })).status).toBe(200);
    });

    test("ends without news as 304, and what is no number of seconds is no preference", async () => {
      const path = `/organizations/${organization}/tags`;
      const known = { "if-none-match": etagOf(await get(path)) };
      expect(await get(path, { ...known, prefer: "respond-async, wait=1" })).toMatchObject({
        status: 304,
        headers: { etag: known["if-none-match"], "preference-applied": "wait=1" },
      });
      for (const prefer of ["wait", "wait=soon", "wait=-1", "waiting=600", "wait=0"]) {
        const { status, headers } = await get(path, { ...known, prefer });
        expect([prefer, status, headers["preference-applied"]]).toEqual([prefer, 304, undefined]);
      }
    });

    test("is refused with 429 when the token waits too often, and counts waits of /v1 too", async () => {
      const path = `/organizations/${organization}/tags`;
      const [one, two] = [await wait(path), await wait(path)];
      const { headers } = await v1.get("/acl/policies");
      const other = v1.get(`/acl/policies?index=${String(headers["x-consul-index"])}&wait=60s`);
      await expect.poll(() => waiting()).toBe(3);
      const refused = await get(path, { "if-none-match": etagOf(await get(path)), prefer: LONG });
      expect([refused.status, refused.headers["retry-after"], refused.headers["etag"]]).toEqual([429, "1", undefined]);
      await addTag();
      await v1.policy("");
      expect((await Promise.all([one.answer, two.answer, other])).map(({ status }) => status)).toEqual([200, 200, 200]);
    });

    test("ends with the rights that it rests on: a token that is revoked is 401, one that may see no more 404", async () => {
      const policy = await v1.policy(`organization "${organization}" { policy = "read" }`);
      const tokens = await Promise.all([1, 2].map(() => v1.token({ Policies: [{ ID: policy }] })));
      const [revoked, blinded] = tokens;
      const path = `/organizations/${organization}/tags`;
      const first = await wait(path, revoked?.secret);
      const second = await wait(path, blinded?.secret);
      await v1.delete(`/acl/token/${revoked?.accessor}`);
      expect((await first.answer).status).toBe(401);
      expect(second.isOver()).toBe(false);
      await v1.patch(`/acl/policy/${policy}`, { Rules: "" });
      const answer = await second.answer;
      expect([answer.status, answer.headers["etag"]]).toEqual([404, undefined]);
    });

    test("of what is deleted is told that it is gone", async () => {
      const id = await addWorkspace(v1.unique("doomed"));
      const held = await wait(`/workspaces/${id}`);
      await v1.api("DELETE", `/workspaces/${id}`);
      expect((await held.answer).status).toBe(404);
    });
  });

  test("HEAD has the ETag and the status of GET", async () => {
    const url = await v1.listen();
    const path = `${url}/api/v2/organizations/${organization}/tags`;
    const authorization = `Bearer ${MANAGEMENT}`;
    const whole = await fetch(path, { headers: { authorization } });
    const head = await fetch(path, { method: "HEAD", headers: { authorization } });
    const etag = whole.headers.get("etag") ?? "";
    expect([head.status, head.headers.get("etag")]).toEqual([200, etag]);
    const known = await fetch(path, { method: "HEAD", headers: { authorization, "if-none-match": etag } });
    expect([known.status, known.headers.get("etag")]).toEqual([304, etag]);
  });
});
