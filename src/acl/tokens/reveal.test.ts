/** A secret that is shown once more: to whom, and what is on record of it. */
import { expect, test } from "vitest";
import { recordsOfObject } from "../../../test/support/audit.ts";
import { openBrowser } from "../../../test/support/console.ts";
import { forEachEngine } from "../../../test/support/engines.ts";
import { MANAGEMENT, NOBODY, useV1 } from "../../../test/support/v1.ts";

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  const reveal = (accessor: string, secret?: string, query = "") =>
    v1.post(`/acl/token/${accessor}/reveal${query}`, undefined, secret);
  const recordsOf = async (id: string) => {
    const rows = await recordsOfObject(v1.db, id);
    return rows.filter(({ action }) => action === "reveal");
  };

  test("who may write tokens is shown a secret, and each time it is on record by whom", async () => {
    const { accessor, secret } = await v1.token({ Description: "of a service" });
    const writer = await v1.token({ Policies: [{ Name: "global-management" }] });
    const before = (await v1.get(`/acl/token/${accessor}`)).body;
    const answer = await reveal(accessor.toUpperCase(), writer.secret);
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body).toEqual(before);
    expect(answer.body.SecretID).toBe(secret);
    expect((await reveal(accessor)).status).toBe(200);
    const records = await recordsOf(accessor);
    expect(records).toHaveLength(2);
    expect(records[0]).toMatchObject({
      kind: "token",
      name: "of a service",
      outcome: "done",
      partition: "default",
      namespace: "default",
      accessor_id: writer.accessor,
    });
    expect(JSON.stringify(records)).not.toContain(secret);
    // Nothing of the token is another thing by it.
    expect((await v1.get(`/acl/token/${accessor}`)).body.ModifyIndex).toBe(before.ModifyIndex);
  });

  test("who may not write tokens is shown nothing, and learns of no token whether it is there", async () => {
    const { accessor } = await v1.token();
    const reader = await v1.tokenWith('acl = "read"');
    const missing = "3f0c9b1e-6a53-4d6f-8f0a-000000000000";
    for (const given of [reader, NOBODY, ""]) {
      const [there, gone] = [await reveal(accessor, given), await reveal(missing, given)];
      expect([there.status, gone.status]).toEqual([403, 403]);
      expect(there.text.replaceAll(accessor, "")).toBe(gone.text.replaceAll(missing, ""));
    }
    expect(await recordsOf(accessor)).toEqual([]);
    expect([(await reveal(missing)).status, (await reveal("none")).status]).toEqual([404, 404]);
  });

  test("a token of another namespace, and one that has ended, are not found", async () => {
    const { accessor } = await v1.token();
    const namespace = v1.unique("ns");
    await v1.put("/namespace", { Name: namespace });
    expect((await reveal(accessor, MANAGEMENT, `?ns=${namespace}`)).status).toBe(404);
    const ending = await v1.token({ ExpirationTTL: "1h" });
    v1.setNow(Date.now() + 3_600_001);
    expect((await reveal(ending.accessor)).status).toBe(404);
    v1.setNow(undefined);
  });

  test("a session is shown no secret, whatever it may do, unless a token comes with the request", async () => {
    const { accessor, secret } = await v1.token();
    const browser = openBrowser(v1.send);
    expect((await browser.signIn(MANAGEMENT)).status).toBe(200);
    const url = `/v1/acl/token/${accessor}/reveal`;
    const refused = await browser.send("POST", url);
    expect([refused.status, refused.text]).toEqual([
      403,
      expect.stringContaining("console sessions cannot read secrets"),
    ]);
    expect(refused.text).not.toContain(secret);
    expect((await v1.get(`/acl/why/${String(refused.headers["x-request-id"])}`)).status).toBe(200);
    expect(await recordsOf(accessor)).toEqual([]);
    const shown = await browser.send("POST", url, undefined, { "x-consul-token": MANAGEMENT });
    expect([shown.status, shown.body.SecretID]).toEqual([200, secret]);
    expect(await recordsOf(accessor)).toHaveLength(1);
  });
});
