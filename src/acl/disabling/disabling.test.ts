/** Tokens that are disabled: refused everywhere at once, on record, and enabled again. */
import { beforeAll, expect, test } from "vitest";
import { recordsOfObject } from "../../../test/support/audit.ts";
import { openBrowser } from "../../../test/support/console.ts";
import { forEachEngine } from "../../../test/support/engines.ts";
import { useStreams } from "../../../test/support/event-stream.ts";
import { refusalOf } from "../../../test/support/refusals.ts";
import { makeNamespace } from "../../../test/support/scopes.ts";
import { MANAGEMENT, NOBODY, RESERVED, useV1 } from "../../../test/support/v1.ts";

const REFUSED = "Permission denied: the token of this request is disabled";

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  let url = "";
  const open = useStreams(() => url);
  beforeAll(async () => {
    url = await v1.listen();
  });

  const disable = (accessor: string, query = "", token?: string) =>
    v1.put(`/acl/token/${accessor}/disable${query}`, undefined, token);
  const enable = (accessor: string, query = "", token?: string) =>
    v1.put(`/acl/token/${accessor}/enable${query}`, undefined, token);
  /** Number of requests and streams that wait for changes. */
  async function waits(): Promise<number> {
    const { text } = await v1.send({ method: "GET", url: "/metrics", headers: { "x-consul-token": MANAGEMENT } });
    return Number(/^tessera_waiting_requests (\d+)$/m.exec(text)?.[1]);
  }
  const reader = async () => v1.token({ Policies: [{ ID: await v1.policy('acl = "read"') }] });

  test("a disabled token is refused by both families and the decision point, and counts again when it is enabled", async () => {
    const { accessor, secret } = await reader();
    const subject = { type: "token", id: accessor };
    const question = { subject, action: { name: "read" }, resource: { type: "acl", id: "" } };
    const decide = async () => {
      const { body } = await v1.send({
        method: "POST",
        url: "/access/v1/evaluation",
        headers: { authorization: `Bearer ${MANAGEMENT}`, "content-type": "application/json" },
        payload: JSON.stringify(question),
      });
      return body.decision as boolean;
    };
    const ask = async () => [
      await v1.get("/acl/policies", secret),
      await v1.get("/acl/token/self", secret),
      await v1.api("GET", "/organizations", undefined, secret),
      await v1.send({ method: "GET", url: "/metrics", headers: { authorization: `Bearer ${secret}` } }),
      await v1.send({
        method: "POST",
        url: "/access/v1/evaluation",
        headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
        payload: JSON.stringify(question),
      }),
    ];
    const statuses = async () => (await ask()).map(({ status }) => status);
    expect(await statuses()).toEqual([200, 200, 200, 403, 200]);
    expect(await decide()).toBe(true);
    const disabled = await disable(accessor);
    expect([disabled.status, disabled.body.SecretID]).toEqual([200, secret]);
    expect(Date.parse(disabled.body.DisabledTime)).toBeGreaterThan(Date.now() - 60_000);
    expect(await statuses()).toEqual([403, 403, 401, 403, 401]);
    const [first, self, api, , point] = await ask();
    expect([first?.text, self?.text, point?.body]).toEqual([REFUSED, REFUSED, { error: REFUSED }]);
    expect(api?.body).toEqual({ errors: [{ status: "401", title: "unauthorized", detail: REFUSED }] });
    expect(await decide()).toBe(false);
    const enabled = await enable(accessor);
    expect(enabled.body).not.toHaveProperty("DisabledTime");
    expect(await statuses()).toEqual([200, 200, 200, 403, 200]);
    expect(await decide()).toBe(true);
  });

  test("the writes and the refusals are on record, where the token lies", async () => {
    const namespace = v1.unique("ns");
    await makeNamespace(v1, { namespace });
    const made = (await v1.put(`/acl/token?ns=${namespace}`, { Description: "ci" })).body;
    const done = await disable(made.AccessorID, `?ns=${namespace}`);
    const refused = await v1.get("/acl/policies", made.SecretID);
    await enable(made.AccessorID, `?ns=${namespace}`);
    const records = await recordsOfObject(v1.db, made.AccessorID);
    // Records have the time as it is stored, with all its zeros.
    const at = new Date(done.body.DisabledTime as string).toISOString();
    const changes = records.map(({ action, detail }) => [action, (JSON.parse(detail) as { changes: object }).changes]);
    expect(changes.slice(1)).toMatchObject([
      ["disable", { DisabledAt: [at] }],
      ["enable", { DisabledAt: [at, 0, 0] }],
    ]);
    expect(done.body.ModifyIndex).toBeGreaterThan(made.ModifyIndex);
    expect(await refusalOf(v1.db, refused)).toMatchObject({
      kind: "disabled-token",
      action: "authenticate",
      accessorId: made.AccessorID,
      namespace,
      detail: { count: 1 },
    });
  });

  test("its sessions end for good, and its streams and waits at once", async () => {
    const { accessor, secret } = await reader();
    const browser = openBrowser(v1.send);
    expect((await browser.signIn(secret)).status).toBe(200);
    const stream = await open("", { token: secret });
    const { headers } = await v1.get("/acl/policies", secret);
    const waiting = fetch(`${url}/v1/acl/policies?index=${String(headers["x-consul-index"])}&wait=60s`, {
      headers: { "x-consul-token": secret },
    });
    await expect.poll(waits).toBe(2);
    await disable(accessor);
    await expect.poll(() => stream.isOver).toBe(true);
    expect(await (await waiting).text()).toBe(REFUSED);
    expect((await browser.send("GET", "/v1/acl/token/self")).text).toBe("ACL not found");
    expect((await openBrowser(v1.send).signIn(secret)).text).toContain("disabled");
    await enable(accessor);
    expect((await browser.send("GET", "/v1/acl/token/self")).text).toBe("ACL not found");
    expect((await openBrowser(v1.send).signIn(secret)).status).toBe(200);
  });

  test("neither an old secret nor a new one counts, and an update keeps the token disabled", async () => {
    const { accessor, secret } = await reader();
    await disable(accessor);
    const rotated = (await v1.post(`/acl/token/${accessor}/rotate`, { Overlap: "1h" })).body;
    for (const each of [secret, rotated.SecretID]) expect((await v1.get("/acl/policies", each)).text).toBe(REFUSED);
    const read = (await v1.get(`/acl/token/${accessor}`)).body;
    // A client that writes what it has read.
    const { body } = await v1.put(`/acl/token/${accessor}`, { ...read, Description: "renamed" });
    expect(body).toMatchObject({ Description: "renamed", DisabledTime: rotated.DisabledTime });
    await v1.patch(`/acl/token/${accessor}`, { DisabledTime: null });
    const listed = (await v1.get("/acl/tokens")).body as { AccessorID: string; DisabledTime?: string }[];
    expect(listed.find(({ AccessorID }) => AccessorID === accessor)?.DisabledTime).toBe(rotated.DisabledTime);
    expect(listed.filter(({ DisabledTime }) => DisabledTime !== undefined).length).toBeLessThan(listed.length);
    expect((await v1.put(`/acl/token/${accessor}/clone`, {})).text).toContain("Cannot clone a disabled token");
    await enable(accessor);
    expect((await v1.get("/acl/policies", secret)).status).toBe(200);
  });

  test("a repetition changes nothing, and cas is compared", async () => {
    const { accessor } = await v1.token();
    const first = (await disable(accessor)).body;
    expect((await disable(accessor)).body).toEqual(first);
    expect((await enable(accessor, `?cas=${first.ModifyIndex - 1}`)).status).toBe(409);
    expect((await enable(accessor, `?cas=${first.ModifyIndex}`)).status).toBe(200);
    expect(await recordsOfObject(v1.db, accessor)).toHaveLength(3);
  });

  test("it needs acl:write, and is not for the anonymous token, one's own and one that is not there", async () => {
    const { accessor, secret } = await v1.token({ Policies: [{ Name: "global-management" }] });
    const denied = await v1.tokenWith('acl = "read"');
    const namespace = v1.unique("ns");
    await makeNamespace(v1, { namespace });
    const answers = [
      await disable(accessor, "", denied),
      await enable(accessor, "", denied),
      await disable(accessor, "", secret),
      await disable(`${RESERVED}02`),
      await disable(NOBODY),
      await enable("none"),
      await disable(accessor, `?ns=${namespace}`),
    ];
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 400, 400, 404, 404, 404]);
    expect((await v1.get("/acl/policies", secret)).status).toBe(200);
  });

  test("it has no access in lists and explanations, which say why", async () => {
    const { accessor } = await reader();
    const who = async () =>
      ((await v1.get("/acl/access?resource=acl&access=read&kind=token")).body as { ID: string }[]).map(({ ID }) => ID);
    const why = async () =>
      (await v1.post("/acl/explain", { AccessorID: accessor, Questions: [{ Resource: "acl", Access: "read" }] })).body;
    expect(await who()).toContain(accessor);
    await disable(accessor);
    expect(await who()).not.toContain(accessor);
    expect(await why()).toMatchObject({
      Refusal: expect.stringContaining("disabled") as string,
      Answers: [{ Allow: false, DecidedBy: "disabled" }],
    });
  });

  test("the mark of a disabled token is proven: a row without it, or with another, is damage and never an enabled token", async () => {
    const { accessor, secret } = await reader();
    await disable(accessor);
    for (const at of ["", "2026-01-01T00:00:00.000Z"]) {
      await v1.past({ kind: "root" }, (tx) => {
        tx.write(tx.sql.updateTable("tokens").set({ disabled_at: at }).where("accessor_id", "=", accessor));
        return Promise.resolve();
      });
      // Cached decisions are dropped with any change of the partition.
      await v1.policy('key_prefix "" { policy = "read" }');
      expect((await v1.get("/acl/policies", secret)).status).toBe(503);
    }
    await v1.past({ kind: "root" }, (tx) => {
      tx.write(tx.sql.deleteFrom("tokens").where("accessor_id", "=", accessor));
      return Promise.resolve();
    });
  });
});
