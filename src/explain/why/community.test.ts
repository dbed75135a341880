/** The community edition knows neither namespaces nor partitions: what explains names none, and none can be asked about. */
import { expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { refusalOf } from "../../../test/support/refusals.ts";
import { useV1 } from "../../../test/support/v1.ts";

const QUESTION = { Resource: "key", Segment: "a", Access: "write" };

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl, { config: { edition: "community" } });

  test("explain, access, why and effect answer without any namespace or partition", async () => {
    const Name = v1.unique("readers");
    const policy = await v1.policy('key "a" { policy = "read" }', Name);
    const role = await v1.role({ Name: v1.unique("role"), Policies: [{ ID: policy }] });
    const { accessor, secret } = await v1.token({ Roles: [{ ID: role }] });
    const refused = await v1.get("/acl/tokens", secret);
    expect(refused.status).toBe(403);
    await refusalOf(v1.db, refused);
    const id = String(refused.headers["x-request-id"]);
    const explained = await v1.post("/acl/explain", { AccessorID: accessor, Questions: [QUESTION] });
    const access = await v1.get("/acl/access?resource=key&segment=a&access=read");
    const why = await v1.get(`/acl/why/${id}`);
    const effect = await v1.post("/acl/effect", { DeletedPolicies: [{ ID: policy }] });
    for (const { status, text } of [explained, access, why, effect]) {
      expect(status, text).toBe(200);
      expect(text).not.toMatch(/namespace|partition/i);
    }
    expect(explained.body).toMatchObject({ Answers: [{ Allow: false, Path: [{ ID: policy, Name }] }] });
    expect(access.body).toEqual(expect.arrayContaining([expect.objectContaining({ Kind: "token", ID: accessor })]));
    expect(why.body).toMatchObject({
      AccessorID: accessor,
      Question: { Resource: "acl", Access: "read", Allow: false },
    });
    expect(effect.body).toMatchObject({ Tokens: { Gain: 0, Lose: 1 }, Entries: [{ Kind: "role" }, { ID: accessor }] });
  });

  test("questions that name a namespace or a partition are refused", async () => {
    const { accessor } = await v1.token({});
    for (const place of [{ Namespace: "default" }, { Partition: "default" }]) {
      const Questions = [{ ...QUESTION, ...place }];
      const answer = await v1.post("/acl/explain", { AccessorID: accessor, Questions });
      expect(answer.status, answer.text).toBe(400);
      expect((await v1.post("/acl/effect", place)).status).toBe(400);
    }
    for (const query of ["ns=default", "partition=default"]) {
      expect((await v1.get(`/acl/access?resource=key&segment=a&access=read&${query}`)).status).toBe(400);
      expect((await v1.get(`/acl/why/x-1?${query}`)).status).toBe(400);
    }
  });
});
