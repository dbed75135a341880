import { expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { createSigningKey } from "../../../test/support/key-server.ts";
import { AWS_CONFIG, jwtConfig } from "../../../test/support/method-configs.ts";
import { useV1 } from "../../../test/support/v1.ts";

const key = createSigningKey("k1");
const Config = jwtConfig(key);
const many = <T>(count: number, make: (n: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, n) => make(n)));

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);

  test("64 make a method of one name at once: there is one, and each is answered what was true", async () => {
    const answers = await many(64, (n) =>
      v1.put("/acl/auth-method", {
        Name: "Once",
        Type: "jwt",
        Config: jwtConfig(key, { BoundIssuer: `i${n}` }),
        Description: `${n}`,
      }),
    );
    expect(answers.map(({ status, text }) => (status === 200 ? "" : text)).filter((t) => t !== "")).toEqual([]);
    const indexes = answers.map(({ body }) => body.ModifyIndex as number);
    expect(new Set(indexes).size).toBe(64);
    expect(new Set(answers.map(({ body }) => body.CreateIndex as number)).size).toBe(1);
    const last = answers.find(({ body }) => body.ModifyIndex === Math.max(...indexes));
    expect((await v1.get("/acl/auth-method/once")).body).toEqual(last?.body);
  });

  test("64 patches of one method at once all count", async () => {
    await v1.put("/acl/auth-method", { Name: "Patched", Type: "jwt", Config });
    const answers = await many(64, (n) =>
      v1.patch("/acl/auth-method/patched", { Config: { ClaimMappings: { [`c${n}`]: `n${n}` } } }),
    );
    expect(answers.map(({ status, text }) => (status === 200 ? "" : text)).filter((t) => t !== "")).toEqual([]);
    expect(Object.keys((await v1.get("/acl/auth-method/patched")).body.Config.ClaimMappings).length).toBe(64);
  });

  test("32 of each type make one of one name at once: one type wins", async () => {
    const answers = await many(64, (n) =>
      v1.put(
        "/acl/auth-method",
        n % 2 === 0 ? { Name: "typed", Type: "jwt", Config } : { Name: "typed", Type: "aws-iam", Config: AWS_CONFIG },
      ),
    );
    const { Type } = (await v1.get("/acl/auth-method/typed")).body;
    for (const { status, body, text } of answers) {
      if (status === 200) expect(body.Type).toBe(Type);
      else expect([status, text]).toEqual([400, "the Type field of an Auth Method is immutable"]);
    }
    expect(answers.filter(({ status }) => status === 200).length).toBe(32);
  });

  test("of 64 with one ModifyIndex one counts", async () => {
    const { body } = await v1.put("/acl/auth-method", { Name: "cas", Type: "jwt", Config });
    const answers = await many(64, (n) =>
      v1.patch(`/acl/auth-method/cas?cas=${body.ModifyIndex}`, { Description: `${n}` }),
    );
    expect(answers.filter(({ status }) => status === 200).length).toBe(1);
    expect(answers.filter(({ status }) => status === 409).length).toBe(63);
  });
});
