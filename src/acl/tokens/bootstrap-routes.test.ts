import { describe, expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { MANAGEMENT, NOBODY, RESERVED, useV1 } from "../../../test/support/v1.ts";
import { bootstrapTokens, resetBootstrap } from "./bootstrap.ts";

const HINT = "ACL system must be bootstrapped before making any requests that require authorization: ACL not found";

forEachEngine((_engine, makeUrl) => {
  describe("by hand", () => {
    const v1 = useV1(makeUrl, { bootstrap: { mode: "manual", initialManagementToken: undefined } });
    let first = "";

    test("before it, the anonymous token exists and an unknown secret is told what is missing", async () => {
      expect((await v1.get("/acl/token/self", "anonymous")).body.AccessorID).toBe(`${RESERVED}02`);
      expect(await v1.get("/acl/token/self", NOBODY)).toMatchObject({ status: 403, text: HINT });
    });

    test("a secret that is no UUID or another token's is refused, and nothing is used up", async () => {
      const none = await v1.put("/acl/bootstrap", { BootstrapSecret: "hunter2" }, "");
      expect(none.status).toBe(400);
      expect(none.text).not.toContain("hunter2");
      const taken = await v1.put("/acl/bootstrap", { BootstrapSecret: `${RESERVED}02` }, "");
      expect(taken).toMatchObject({
        status: 400,
        text: `Invalid Token: SecretID - UUIDs with the prefix "${RESERVED}" are reserved`,
      });
      expect(await v1.put("/acl/bootstrap", { X: 1 }, "")).toMatchObject({
        status: 400,
        text: `Request decoding failed: json: unknown field "X"`,
      });
    });

    test("of 20 clients at once exactly one gets the token", async () => {
      const answers = await Promise.all(Array.from({ length: 20 }, () => v1.put("/acl/bootstrap", "", "")));
      const [winner, ...more] = answers.filter((answer) => answer.status === 200);
      expect(more).toEqual([]);
      expect(winner?.body).toMatchObject({
        ID: winner?.body.SecretID,
        Description: "Bootstrap Token (Global Management)",
        Policies: [{ ID: `${RESERVED}01`, Name: "global-management" }],
        Local: false,
      });
      const text = `Permission denied: ACL bootstrap no longer allowed (reset index: ${winner?.body.CreateIndex})`;
      for (const BootstrapSecret of ["hunter2", "", `${RESERVED}02`]) {
        expect(await v1.put("/acl/bootstrap", { BootstrapSecret }, "")).toMatchObject({ status: 403, text });
      }
      for (const { status, text: told } of answers.filter((answer) => answer !== winner)) {
        expect({ status, told }).toEqual({ status: 403, told: text });
      }
      first = winner?.body.SecretID;
      expect((await v1.get("/acl/tokens", first)).body).toHaveLength(2);
      expect(await v1.get("/acl/token/self", NOBODY)).toMatchObject({ status: 403, text: "ACL not found" });
    });

    test("a reset allows one more, and the first token goes on", async () => {
      await resetBootstrap(v1.db);
      const secret = "b0075ec2-0000-4000-8000-000000000001";
      const again = await v1.put("/acl/bootstrap", { BootstrapSecret: secret }, "");
      expect(again).toMatchObject({ status: 200, body: { SecretID: secret, ID: secret } });
      expect((await v1.put("/acl/bootstrap", "", "")).status).toBe(403);
      for (const each of [first, secret]) expect((await v1.get("/acl/tokens", each)).body).toHaveLength(3);
      await resetBootstrap(v1.db);
      const taken = await v1.put("/acl/bootstrap", { BootstrapSecret: secret }, "");
      expect(taken.text).toBe("Provided token cannot be used because a token with that secret already exists.");
    });
  });

  describe("with an initial management token", () => {
    const v1 = useV1(makeUrl);

    test("the server counts as bootstrapped", async () => {
      const answer = await v1.put("/acl/bootstrap", "", "");
      expect(answer.status).toBe(403);
      expect(answer.text).toMatch(/^Permission denied: ACL bootstrap no longer allowed \(reset index: \d+\)$/);
      expect((await v1.get("/acl/token/self")).body).toMatchObject({
        Description: "Initial Management Token",
        Policies: [{ ID: `${RESERVED}01` }],
      });
    });

    test("a deleted one does not come back at the next start", async () => {
      const { secret } = await v1.token({ Policies: [{ Name: "global-management" }] });
      const { AccessorID } = (await v1.get("/acl/token/self")).body;
      expect((await v1.delete(`/acl/token/${AccessorID}`, secret)).status).toBe(200);
      for (let start = 0; start < 2; start++) {
        const options = { dataDir: v1.dataDir, mode: "auto", initialManagementToken: MANAGEMENT } as const;
        expect(await bootstrapTokens(v1.db, options, new Date().toISOString())).toBeUndefined();
      }
      expect(await v1.get("/acl/token/self", MANAGEMENT)).toMatchObject({ status: 403, text: "ACL not found" });
      expect((await v1.get("/acl/tokens", secret)).body).toHaveLength(2);
    });

    test("a reset is for the next start, and allows no request", async () => {
      const before = await v1.put("/acl/bootstrap", "", "");
      await resetBootstrap(v1.db);
      expect(await v1.put("/acl/bootstrap", "", "")).toMatchObject({ status: 403, text: before.text });
    });
  });

  describe("with a bootstrap secret of the operator", () => {
    const wanted = "5ec2e700-0000-4000-8000-000000000001";
    const v1 = useV1(makeUrl, {
      bootstrap: { mode: "manual", initialManagementToken: undefined },
      config: { bootstrapSecret: wanted, loginFailureLimit: 5 },
    });

    test("who does not present it is refused, and who does gets it as the secret", async () => {
      for (const body of ["", {}, { BootstrapSecret: NOBODY }, { BootstrapSecret: "" }]) {
        const answer = await v1.put("/acl/bootstrap", body, "");
        expect(answer.status).toBe(403);
        expect(answer.text).not.toContain(wanted);
      }
      expect((await v1.put("/acl/bootstrap", { bootstrapsecret: wanted }, "")).body).toMatchObject({
        SecretID: wanted,
      });
      expect((await v1.get("/acl/token/self", wanted)).status).toBe(200);
    });

    test("who has presented too many wrong ones is not listened to for a while", async () => {
      const guess = (remoteAddress: string, secret: string) =>
        v1.send({
          method: "PUT",
          url: "/v1/acl/bootstrap",
          payload: JSON.stringify({ BootstrapSecret: secret }),
          remoteAddress,
        });
      for (let wrong = 0; wrong < 5; wrong++) expect((await guess("192.0.2.1", NOBODY)).status).toBe(403);
      const late = await guess("192.0.2.1", wanted);
      expect(late.status).toBe(429);
      expect(late.text).toMatch(/^Too many wrong bootstrap secrets from this address; retry in \d+ s$/);
      expect(Number(late.headers["retry-after"])).toBeGreaterThan(0);
      expect((await guess("192.0.2.2", wanted)).text).toContain("no longer allowed");
    });
  });
});
