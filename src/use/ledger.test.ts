import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { forEachEngine } from "../../test/support/engines.ts";
import { openBrowser } from "../../test/support/console.ts";
import { useStreams } from "../../test/support/event-stream.ts";
import { pointOf } from "../../test/support/decision-point.ts";
import { useV1, type V1 } from "../../test/support/v1.ts";
import { readCounter } from "../../test/support/storage.ts";
import { dayOf, noteLedgerSince } from "./flush.ts";
import type { UseRow } from "../records/uses/row.ts";
import { readRows } from "./store.ts";

const SCOPE = { partition: "default", namespace: "default" };
const NOW = Date.UTC(2026, 0, 2, 3, 4, 5);
const DAY = 24 * 3_600_000;

/** Rows of a token, in one order. */
async function rowsOf(v1: V1, accessorId: string): Promise<UseRow[]> {
  await v1.flushUses();
  const rows: UseRow[] = [];
  for await (const page of readRows(v1.db, SCOPE)) rows.push(...page);
  const own = rows.filter(({ subject }) => subject.kind === "token" && subject.accessorId === accessorId);
  return own.toSorted((one, other) => (told(one) < told(other) ? -1 : 1));
}

/** A row in short: rule, question and number. */
function told({ rule, resource, name, access, column, total }: UseRow): string {
  const { resource: about, prefix, segment, permission } = rule;
  const of = `${about}${prefix ? "_prefix" : ""} ${segment} ${permission}`;
  return `${of}: ${column} ${resource}:${access} ${name ?? "*"} ${total}`;
}

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  let url: string;
  const open = useStreams(() => url);
  beforeAll(async () => {
    url = await v1.listen();
  });
  beforeEach(() => v1.setNow(NOW));

  async function toldOf(accessor: string): Promise<string[]> {
    return (await rowsOf(v1, accessor)).map(told);
  }

  test("a request counts each permission that it used once, under the rule that allowed it", async () => {
    const policyId = await v1.policy(`acl = "read"`);
    const { accessor, secret } = await v1.token({ Policies: [{ ID: policyId }] });
    for (let count = 0; count < 3; count++) await v1.get(`/acl/policy/${policyId}`, secret);
    expect(await toldOf(accessor)).toEqual(["acl  read: enforced acl:read  3"]);
    const [row] = await rowsOf(v1, accessor);
    expect(row).toMatchObject({ rule: { policyId }, scope: SCOPE, decidedIn: SCOPE, firstDay: dayOf(NOW), days: 1n });
  });

  test("denied requests and what a response shows of other permissions are no use", async () => {
    const { accessor, secret } = await v1.token({
      Policies: [{ ID: await v1.policy(`organization_prefix "" { policy = "write" }`) }],
    });
    expect((await v1.get("/acl/policies", secret)).status).toBe(403);
    await v1.api("GET", "/account/details", undefined, secret);
    expect(await toldOf(accessor)).toEqual([]);
  });

  test("questions of a caller about itself and about others are counted apart", async () => {
    const asked = await v1.token({ Policies: [{ ID: await v1.policy(`key "a" { policy = "write" }`) }] });
    const asker = await v1.token({ Policies: [{ ID: await v1.policy(`acl = "read"`) }] });
    await v1.post("/internal/acl/authorize", [{ Resource: "key", Access: "write", Segment: "a" }], asked.secret);
    const evaluation = {
      subject: { type: "token", id: asked.accessor },
      resource: { type: "key", id: "a" },
      action: { name: "read" },
    };
    const answer = await v1.send({
      method: "POST",
      url: "/access/v1/evaluation",
      headers: { authorization: `Bearer ${asker.secret}`, "content-type": "application/json" },
      payload: evaluation,
    });
    expect(answer.body).toMatchObject({ decision: true });
    expect(await toldOf(asked.accessor)).toEqual([
      "key a write: others key:read a 1",
      "key a write: own key:write a 1",
    ]);
    expect(await toldOf(asker.accessor)).toEqual(["acl  read: enforced acl:read  1"]);
  });

  test("searches, explanations, impact, replays, reports and checks of others' permissions are no use", async () => {
    const policy = await v1.policy(`key "a" { policy = "write" } acl = "read"`);
    const role = await v1.role({ Policies: [{ ID: policy }] });
    const { accessor } = await v1.token({ Roles: [{ ID: role }] });
    const point = pointOf(v1);
    const [subject, resource, action] = [{ type: "token", id: accessor }, { type: "key", id: "a" }, { name: "read" }];
    const Questions = [{ Resource: "key", Access: "write", Segment: "a" }];
    await noteLedgerSince(v1.db, true);
    const answers = [
      await point("/access/v1/search/subject", { subject: { type: "token" }, resource, action }),
      await point("/access/v1/search/resource", { subject, resource: { type: "key" }, action }),
      await point("/access/v1/search/action", { subject, resource }),
      await v1.post("/acl/explain", { AccessorID: accessor, Questions }),
      await v1.get("/acl/access?resource=key&segment=a&access=write"),
      await v1.get(`/acl/effective?accessor=${accessor}`),
      await v1.get(`/acl/uses?policy=${policy}`),
      await v1.post("/acl/effect", { DeletedPolicies: [{ ID: policy }] }),
      await v1.post("/acl/replay", { DeletedPolicies: [{ ID: policy }] }),
      await v1.post(`/acl/policy/${policy}/tighten`, {}),
      await v1.post(`/acl/role/${role}/tighten`, {}),
      await v1.get(`/acl/use?by=rule&policy=${policy}`),
      await v1.post("/acl/policy/check", { Rules: `key "a" { policy = "write" }` }),
    ];
    expect(answers.map(({ status, text }) => (status === 200 ? status : text))).toEqual(answers.map(() => 200));
    expect(await toldOf(accessor)).toEqual([]);
    expect((await point("/access/v1/evaluation", { subject, resource, action })).body).toEqual({ decision: true });
    expect(await toldOf(accessor)).toEqual(["key a write: others key:read a 1"]);
  });

  test("questions of the console are no use, and what it reads is", async () => {
    const policy = await v1.policy(`key "a" { policy = "write" } acl = "read"`);
    const { accessor, secret } = await v1.token({ Policies: [{ ID: policy }] });
    const other = await v1.token({ Policies: [{ ID: policy }] });
    const browser = openBrowser(v1.send);
    expect((await browser.signIn(secret)).status).toBe(200);
    const Questions = [{ Resource: "key", Access: "write", Segment: "a" }];
    const [resource, action] = [{ type: "key", id: "a" }, { name: "read" }];
    const evaluation = (id: string) => ({ subject: { type: "token", id }, resource, action });
    for (const [path, body] of [
      ["/v1/internal/acl/authorize", Questions],
      ["/v1/acl/authorize", Questions],
      ["/access/v1/evaluation", evaluation(accessor)],
      ["/access/v1/evaluation", evaluation(other.accessor)],
    ] as const)
      expect((await browser.send("POST", path, body)).status).toBe(200);
    expect((await browser.send("GET", `/v1/acl/policy/${policy}`)).status).toBe(200);
    expect(await toldOf(other.accessor)).toEqual([]);
    expect((await toldOf(accessor)).filter((each) => !each.includes(": enforced acl:read "))).toEqual([]);
    expect(await toldOf(accessor)).not.toEqual([]);
  });

  test("a list notes the rules that can show rows, at their width", async () => {
    const { accessor, secret } = await v1.token({
      Policies: [
        {
          ID: await v1.policy(
            `organization "seen" { policy = "read" } organization_prefix "other-" { policy = "deny" }`,
          ),
        },
      ],
    });
    await v1.api("GET", "/organizations", undefined, secret);
    expect(await toldOf(accessor)).toContain("organization seen read: enforced organization:list * 1");
    expect((await toldOf(accessor)).filter((each) => each.includes("other-"))).toEqual([]);
  });

  test("a wait and an event stream note the rules that can show rows, as a list does", async () => {
    const ID = await v1.policy(`acl = "read"`);
    const [lister, waiter, follower] = await Promise.all([1, 2, 3].map(() => v1.token({ Policies: [{ ID }] })));
    const index = (await v1.get("/namespaces", lister?.secret)).headers["x-consul-index"];
    expect((await v1.get(`/namespaces?index=${String(index)}&wait=1ms`, waiter?.secret)).status).toBe(200);
    const stream = await open("", { token: follower?.secret ?? "" });
    await v1.policy(`acl = "read"`);
    await expect.poll(() => stream.events.length).toBeGreaterThan(0);
    const listed = "acl  read: enforced namespace:list * 1";
    expect(await toldOf(lister?.accessor ?? "")).toEqual([listed]);
    expect(await toldOf(waiter?.accessor ?? "")).toEqual([listed]);
    expect(await toldOf(follower?.accessor ?? "")).toEqual(["acl  read: enforced acl:read  1", listed]);
  });

  test("days are bits, the newest one first, and the total counts all days", async () => {
    const { accessor, secret } = await v1.token({ Policies: [{ ID: await v1.policy(`acl = "read"`) }] });
    for (const day of [0, 3, 3, 40, 130, 131]) {
      v1.setNow(NOW + day * DAY);
      await v1.get("/acl/token/self", secret);
      await v1.get(`/acl/policies`, secret);
      await v1.flushUses();
    }
    const [row] = await rowsOf(v1, accessor);
    expect(row).toMatchObject({ total: 6, firstDay: dayOf(NOW), lastDay: dayOf(NOW) + 131 });
    // 131, 130 and 40 days after the first; the third is 128 days before the last and just outside.
    expect(row?.days).toBe((1n << 0n) | (1n << 1n) | (1n << 91n));
  });

  test("rows go with their token, and a token that is made again has none", async () => {
    const ID = await v1.policy(`acl = "read"`);
    const { accessor, secret } = await v1.token({ Policies: [{ ID }] });
    await v1.get("/acl/policies", secret);
    expect(await toldOf(accessor)).toHaveLength(1);
    await v1.get("/acl/policies", secret);
    await v1.delete(`/acl/token/${accessor}`);
    await v1.token({ AccessorID: accessor, Policies: [{ ID }] });
    expect(await toldOf(accessor)).toEqual([]);
  });

  test("names above 50 of one rule are folded to the rule", async () => {
    const { accessor, secret } = await v1.token({
      Policies: [{ ID: await v1.policy(`key_prefix "" { policy = "read" }`) }],
    });
    for (let start = 0; start < 120; start += 40) {
      const questions = Array.from({ length: 40 }, (_, index) => ({
        Resource: "key",
        Access: "read",
        Segment: `name-${start + index}`,
      }));
      await v1.post("/internal/acl/authorize", questions, secret);
      await v1.flushUses();
    }
    const rows = await rowsOf(v1, accessor);
    expect(rows.filter(({ name }) => name !== undefined)).toHaveLength(50);
    expect(rows.find(({ name }) => name === undefined)?.total).toBe(70);
  });

  test("a flush raises no counter but its first, moves no index and writes no audit record", async () => {
    const secret = await v1.tokenWith(`acl = "read"`);
    await v1.get("/acl/policies", secret);
    await v1.flushUses();
    await v1.get("/acl/policies", secret);
    const state = async () => [
      await readCounter(v1.db, "root"),
      await readCounter(v1.db, "partition/default"),
      (await v1.db.sql.selectFrom("audit_records").select("seq").execute()).length,
    ];
    const before = await state();
    await v1.flushUses();
    expect(await state()).toEqual(before);
  });

  test("what a cache serves is counted as what is made for each request", async () => {
    const policy = await v1.policy(
      `acl = "read" operator = "read" organization_prefix "org-" { policy = "read" } workspace "org-a/w" { policy = "write" }`,
    );
    await v1.api("POST", "/organizations", {
      data: { type: "organizations", attributes: { name: "org-a", email: "a@example.com" } },
    });
    const workspace = { data: { type: "workspaces", attributes: { name: "w" } } };
    const { body } = await v1.api("POST", "/organizations/org-a/workspaces", workspace);
    const { id } = (body as { data: { id: string } }).data;
    const [made, kept] = [
      await v1.token({ Policies: [{ ID: policy }] }),
      await v1.token({ Policies: [{ ID: policy }] }),
    ];
    const v1Paths = [
      `/acl/policy/${policy}`,
      "/acl/policies",
      "/acl/tokens",
      "/acl/roles?ns=*",
      "/namespaces",
      "/acl/policies?index=1",
    ];
    const apiPaths = [
      "/organizations",
      "/organizations/org-a",
      `/workspaces/${id}`,
      "/organizations/org-a/workspaces",
      "/organizations/org-a/tags",
    ];
    const change = async () => {
      await v1.policy(`key "x" { policy = "read" }`);
      await v1.role();
      await v1.token();
      await v1.put("/namespace", { Name: v1.unique("n") });
      const attributes = { description: v1.unique("d") };
      await v1.api("PATCH", `/workspaces/${id}`, { data: { type: "workspaces", attributes } });
    };
    for (let count = 0; count < 3; count++) {
      for (const path of v1Paths) {
        await change();
        expect((await v1.get(path, made.secret)).status).toBe(200);
      }
      for (const path of apiPaths) {
        await change();
        expect((await v1.api("GET", path, undefined, made.secret)).status).toBe(200);
      }
    }
    // An answer that is made for another caller.
    await Promise.all([
      ...v1Paths.map((path) => v1.get(path, made.secret)),
      ...apiPaths.map((path) => v1.api("GET", path, undefined, made.secret)),
    ]);
    for (let count = 0; count < 4; count++) {
      for (const path of v1Paths) await v1.get(path, kept.secret);
      for (const path of apiPaths) await v1.api("GET", path, undefined, kept.secret);
    }
    const uses = await toldOf(made.accessor);
    expect(uses.length).toBeGreaterThan(5);
    expect(await toldOf(kept.accessor)).toEqual(uses);
  });

  describe("a rule inside of blocks", () => {
    test("is told from an equal one outside", async () => {
      const ID = await v1.policy(
        `acl = "read" namespace_prefix "" { acl = "read" } partition "default" { namespace "x" { acl = "read" } }`,
      );
      await v1.put("/namespace", { Name: "x" });
      const { accessor, secret } = await v1.token({ Policies: [{ ID }] });
      for (const ns of ["default", "x"]) expect((await v1.get(`/acl/policies?ns=${ns}`, secret)).status).toBe(200);
      const blocks = (await rowsOf(v1, accessor)).map(({ rule, decidedIn }) => [decidedIn.namespace, rule.block]);
      const inX = { kind: "namespace", prefix: false, segment: "x", partition: { prefix: false, segment: "default" } };
      expect(blocks).toEqual(expect.arrayContaining([["x", inX]]));
      expect(blocks).toContainEqual(["default", undefined]);
    });
  });
});
