import { beforeAll, describe, expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { refusalOf } from "../../../test/support/refusals.ts";
import { makeNamespace, secretIn } from "../../../test/support/scopes.ts";
import { MANAGEMENT, useV1 } from "../../../test/support/v1.ts";

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  const idOf = (answer: { headers: Record<string, unknown> }) => String(answer.headers["x-request-id"]);

  describe("a refused request", () => {
    beforeAll(async () => {
      const attributes = { name: "acme", email: "a@example.com" };
      await v1.api("POST", "/organizations", { data: { type: "organizations", attributes } }, MANAGEMENT);
      const body = { data: { type: "workspaces", attributes: { name: "secret-prod" } } };
      await v1.api("POST", "/organizations/acme/workspaces", body, MANAGEMENT);
    });

    test("under /v1 is told with its question, the path that decides and what would allow it", async () => {
      const Name = v1.unique("readers");
      const policy = await v1.policy('acl = "read"', Name);
      const { accessor, secret } = await v1.token({ Policies: [{ ID: policy }] });
      const refused = await v1.put("/acl/policy", { Name: "x" }, secret);
      expect(refused.status).toBe(403);
      await refusalOf(v1.db, refused);
      const { status, body } = await v1.get(`/acl/why/${idOf(refused)}`);
      expect(status).toBe(200);
      expect(body).toMatchObject({
        RequestID: idOf(refused),
        Action: "write",
        AccessorID: accessor,
        Count: 1,
        Question: {
          Resource: "acl",
          Access: "write",
          Namespace: "default",
          Allow: false,
          DecidedBy: "direct",
          Path: [{ ID: policy, Name, Places: [{ Line: 1, Column: 1 }] }],
          Wanted: { Rules: 'acl = "write"' },
        },
      });
      await v1.put(`/acl/token/${accessor}`, { Policies: [{ Name: "global-management" }] });
      expect((await v1.get(`/acl/why/${idOf(refused)}`)).body).toMatchObject({ Question: { Allow: true } });
      await v1.delete(`/acl/token/${accessor}`);
      const gone = await v1.get(`/acl/why/${idOf(refused)}`);
      expect(gone.body).toMatchObject({ TokenIsGone: true, Question: { Resource: "acl", Access: "write" } });
    });

    test("under /api/v2, which was silent, is told to who may see what it was about, and to others without any name", async () => {
      const { secret } = await v1.token({});
      const path = "/organizations/acme/workspaces/secret-prod";
      const refused = await v1.api("GET", path, undefined, secret);
      expect([refused.status, refused.text.includes("secret-prod")]).toEqual([404, false]);
      await refusalOf(v1.db, refused);
      const url = `/acl/why/${idOf(refused)}`;
      const question = { Resource: "workspace", Segment: "acme/secret-prod", Access: "read", Allow: false };
      expect((await v1.get(url)).body).toMatchObject({ Question: question });
      const reader = await v1.get(url, await v1.tokenWith('acl = "read"'));
      expect(reader.body).toMatchObject({ Question: { Resource: "workspace", Segment: "hidden", Allow: false } });
      expect(reader.text).not.toContain("secret-prod");
    });

    test("is found by each of the IDs that were refused alike, and not by others", async () => {
      const { secret } = await v1.token({});
      const answers = [];
      for (let count = 0; count < 5; count++) answers.push(await v1.get("/acl/policies", secret));
      for (const answer of answers) await refusalOf(v1.db, answer);
      for (const answer of answers) {
        expect((await v1.get(`/acl/why/${idOf(answer)}`)).body).toMatchObject({ RequestID: idOf(answer) });
      }
      const allowed = await v1.get("/acl/policies");
      expect((await v1.get(`/acl/why/${idOf(allowed)}`)).status).toBe(404);
    });

    test("is told at once, though its record is written later, and the same then", async () => {
      const { secret } = await v1.token({});
      const refused = await v1.get("/acl/policies", secret);
      const atOnce = await v1.get(`/acl/why/${idOf(refused)}`);
      expect([refused.status, atOnce.status]).toEqual([403, 200]);
      const other = await v1.token({});
      const hidden = await v1.get(`/acl/why/${idOf(refused)}`, other.secret);
      expect(hidden.status).toBe(403);
      await refusalOf(v1.db, refused);
      const later = await v1.get(`/acl/why/${idOf(refused)}`);
      expect({ ...(later.body as object), At: "" }).toEqual({ ...(atOnce.body as object), At: "" });
    });

    test("of another namespace is as unknown as one that never was", async () => {
      await makeNamespace(v1, { namespace: "mine" });
      await makeNamespace(v1, { namespace: "theirs" });
      const weak = await secretIn(v1, { namespace: "theirs" }, 'key "a" { policy = "read" }');
      const refused = await v1.get("/acl/policies", weak);
      await refusalOf(v1.db, refused);
      const mine = await secretIn(v1, { namespace: "mine" }, 'acl = "read"');
      const theirs = await secretIn(v1, { namespace: "theirs" }, 'acl = "read"');
      expect((await v1.get(`/acl/why/${idOf(refused)}`, theirs)).status).toBe(200);
      const [one, other] = [idOf(refused), "0123456789ab-1"];
      const answers = [];
      for (const id of [one, other]) {
        const { status, text } = await v1.get(`/acl/why/${id}`, mine);
        expect(status).toBe(404);
        answers.push(text.replace(id, ""));
      }
      expect(answers[0]).toBe(answers[1]);
      expect((await v1.get(`/acl/why/${one}`, weak)).status).toBe(403);
    });

    test("a login that gave nothing says why, and IDs of any form are only unknown", async () => {
      const refused = await v1.post("/acl/login", { AuthMethod: "nobody", BearerToken: "x" }, "");
      await refusalOf(v1.db, refused);
      const { status, body } = await v1.get(`/acl/why/${idOf(refused)}`);
      expect([status, (body as { Action: string }).Action]).toEqual([200, "login"]);
      for (const id of ["x", "%00", "%27", "a".repeat(300), "0123456789ab-zzzzzzzzzzzzzz"]) {
        expect([400, 404]).toContain((await v1.get(`/acl/why/${id}`)).status);
      }
    });
  });
});
