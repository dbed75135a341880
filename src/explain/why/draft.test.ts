import { describe, expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { makeNamespace } from "../../../test/support/scopes.ts";
import { MANAGEMENT, useV1 } from "../../../test/support/v1.ts";

interface Shown {
  Allow?: boolean;
  DecidedBy?: string;
  Rule?: object;
  Path?: object[];
  Wanted?: object;
}

const WRITE_PROD = { Resource: "workspace", Segment: "acme/prod", Access: "write" };

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  const explain = async (body: object, query = "", token = MANAGEMENT) => {
    const answer = await v1.post(`/acl/explain${query}`, body, token);
    expect(answer.status, answer.text).toBe(200);
    return answer.body as { Answers: Shown[]; AccessorID?: string };
  };
  const one = async (body: object, question: object, query = "", token = MANAGEMENT): Promise<Shown | undefined> =>
    (await explain({ ...body, Questions: [question] }, query, token)).Answers[0];

  describe("an explanation of the draft of a policy", () => {
    test("is what a token would be told that had this policy, and writes nothing", async () => {
      const Rules = 'acl = "read"\nworkspace_prefix "Acme/" {\n  policy = "write"\n}\nkey "x" { policy = "deny" }';
      const Questions = [
        WRITE_PROD,
        { ...WRITE_PROD, Segment: "other/prod" },
        { Resource: "key", Segment: "x", Access: "read" },
      ];
      const { AccessorID, Answers } = await explain({ Rules, Questions });
      expect(AccessorID).toBeUndefined();
      expect(Answers[0]).toMatchObject({
        Allow: true,
        DecidedBy: "direct",
        Path: [{ ID: "draft", Name: "draft", Places: [{ Line: 2, Column: 18 }], Links: [{ Kind: "direct" }] }],
      });
      const policy = await v1.policy(Rules);
      const stored = await explain({
        AccessorID: (await v1.token({ Policies: [{ ID: policy }] })).accessor,
        Questions,
      });
      const decisions = ({ Answers: all }: { Answers: Shown[] }) =>
        all.map(({ Allow, DecidedBy, Rule, Wanted }) => ({ Allow, DecidedBy, Rule, Wanted }));
      expect(decisions({ Answers })).toEqual(decisions(stored));
      expect(Answers.map(({ Allow }) => Allow)).toEqual([true, false, false]);
      expect((await v1.get("/acl/policies")).text).not.toContain('"draft"');
    });

    test("that is empty is that of whoever has nothing but what the namespace gives to all", async () => {
      await makeNamespace(v1, { namespace: "drafted" });
      const ID = await v1.policy('namespace "drafted" { key "given" { policy = "read" } }');
      await v1.put("/namespace/drafted", { ACLs: { PolicyDefaults: [{ ID }] } });
      const question = { Resource: "key", Segment: "given", Access: "read", Namespace: "drafted" };
      expect(await one({ Rules: "" }, question, "?ns=drafted")).toMatchObject({ Allow: true, DecidedBy: "default" });
      expect((await one({ Rules: 'key "given" { policy = "deny" }' }, question, "?ns=drafted"))?.Allow).toBe(false);
      const reader = await v1.put("/acl/policy?ns=drafted", { Name: "reads", Rules: 'acl = "read"' });
      const made = await v1.put("/acl/token?ns=drafted", { Policies: [{ ID: (reader.body as { ID: string }).ID }] });
      const theirs = await one({ Rules: "" }, question, "?ns=drafted", (made.body as { SecretID: string }).SecretID);
      expect(theirs).toMatchObject({ Allow: true, Path: [{ ID: "hidden" }] });
      expect(JSON.stringify(theirs)).not.toContain(ID);
    });

    test("is refused without acl:read, and like a policy that may not hold these rules", async () => {
      const stranger = await v1.tokenWith('key "a" { policy = "read" }');
      expect((await v1.post("/acl/explain", { Rules: "", Questions: [WRITE_PROD] }, stranger)).status).toBe(403);
      await makeNamespace(v1, { namespace: "narrow" });
      const Rules = 'organization "acme" { policy = "write" }';
      const [draft, written] = [
        await v1.post("/acl/explain?ns=narrow", { Rules, Questions: [WRITE_PROD] }),
        await v1.put("/acl/policy?ns=narrow", { Name: "wide", Rules }),
      ];
      expect([draft.status, draft.text]).toEqual([written.status, written.text]);
    });
  });
});
