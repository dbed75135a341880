import { describe, expect, test } from "vitest";
import { forEachEngine } from "../../test/support/engines.ts";
import { MANAGEMENT, useV1 } from "../../test/support/v1.ts";
import { chainHash } from "../storage/proofs/audit-chain.ts";

const REASON = "Änderung 4711: access for the on-call team";

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);

  async function write(reason: string, url = "/v1/acl/policy", payload: object = { Name: v1.unique("p") }) {
    const type = url.startsWith("/api/v2") ? { "content-type": "application/vnd.api+json" } : {};
    const headers = { authorization: `Bearer ${MANAGEMENT}`, "x-tessera-change-reason": reason, ...type };
    const method = url.startsWith("/api/v2") ? "POST" : "PUT";
    return v1.send({ method, url, headers, payload: JSON.stringify(payload) });
  }
  const last = async () => (await v1.get("/audit?page-size=1")).body[0] as Record<string, unknown>;

  describe("the reason for a change", () => {
    test("is in the records of both families, in exports and in the hash chain", async () => {
      await write(encodeURIComponent(REASON));
      expect(await last()).toMatchObject({ Kind: "policy", ChangeReason: REASON });
      expect((await last())["Detail"]).toBeUndefined();
      const name = v1.unique("acme");
      const attributes = { name, email: "a@example.com" };
      await write("new team", "/api/v2/organizations", { data: { type: "organizations", attributes } });
      const tag = { data: [{ type: "tags", attributes: { name: "prod" } }] };
      await write(encodeURIComponent(REASON), `/api/v2/organizations/${name}/tags`, tag);
      const { body } = await v1.api("GET", `/organizations/${name}/audit`, undefined, MANAGEMENT);
      expect(body.data[0].attributes).toMatchObject({ kind: "tag", "change-reason": REASON, detail: null });
      const headers = { authorization: `Bearer ${MANAGEMENT}`, accept: "application/x-ndjson" };
      const exported = await v1.send({ method: "GET", url: "/v1/audit?kind=policy", headers });
      expect(exported.text).toContain(`"changeReason":${JSON.stringify(REASON)}`);
      const rows = await v1.db.sql.selectFrom("audit_records").selectAll().where("kind", "=", "tag").execute();
      for (const { hash, ...content } of rows) {
        expect(content.detail).toContain(REASON);
        const rewritten = { ...content, detail: content.detail.replace("4711", "4712") };
        expect(chainHash("", content)).toBe(hash);
        expect(chainHash("", rewritten)).not.toBe(hash);
      }
    });

    test("is bounded: a longer one, one with control characters or not percent-encoded changes nothing", async () => {
      await write(encodeURIComponent("x".repeat(500)));
      const before = await last();
      expect(before["ChangeReason"]).toBe("x".repeat(500));
      for (const reason of ["x".repeat(501), "a%0Ab", "100%", "%ff", encodeURIComponent("é".repeat(501))]) {
        const answer = await write(reason);
        expect([answer.status, answer.text]).toEqual([400, expect.stringContaining("X-Tessera-Change-Reason")]);
        const dry = await write(reason, "/dry-run/v1/acl/policy");
        expect(dry.status).toBe(400);
        const { status } = await write(reason, "/api/v2/organizations", { data: { type: "organizations" } });
        expect(status).toBe(400);
      }
      expect(await last()).toEqual(before);
    });

    test("is optional: without one, or with an empty one, a record has none", async () => {
      for (const reason of ["", "%20"]) expect((await write(reason)).status).toBe(200);
      expect(await last()).not.toHaveProperty("ChangeReason");
    });
  });
});
