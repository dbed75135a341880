import { expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { createSigningKey } from "../../../test/support/key-server.ts";
import { jwtConfig } from "../../../test/support/method-configs.ts";
import { NOBODY, useV1 } from "../../../test/support/v1.ts";

const Config = jwtConfig(createSigningKey("k1"));

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  const made = async (content: object = {}) => {
    const answer = await v1.put("/acl/auth-method", { Name: v1.unique("method"), Type: "jwt", Config, ...content });
    expect(answer.status, answer.text).toBe(200);
    return answer.body as { Name: string; CreateIndex: number; ModifyIndex: number };
  };

  test("compare-and-set lets a change through only at the index that the method has", async () => {
    const before = await made();
    const { Name, ModifyIndex } = before;
    const path = `/acl/auth-method/${Name}`;
    for (const cas of [ModifyIndex - 1, ModifyIndex + 1, 0, "18446744073709551615"]) {
      for (const answer of [
        await v1.put(`${path}?cas=${cas}`, { Config, Description: "lost" }),
        await v1.put(`/acl/auth-method?cas=${cas}`, { Name, Config, Description: "lost" }),
        await v1.patch(`${path}?cas=${cas}`, { Description: "lost" }),
        await v1.delete(`${path}?cas=${cas}`),
      ]) {
        const text = expect.stringContaining(`its ModifyIndex is ${ModifyIndex} `);
        expect(answer).toMatchObject({ status: 409, text });
      }
      expect((await v1.get(path)).body).toEqual(before);
    }
    const second = (await v1.put(`${path}?cas=${ModifyIndex}`, { Config, Description: "1" })).body;
    const third = (await v1.patch(`${path}?cas=${second.ModifyIndex}`, { Description: "2" })).body;
    expect(third.Description).toBe("2");
    expect((await v1.delete(`${path}?cas=${second.ModifyIndex}`)).status).toBe(409);
    expect((await v1.delete(`${path}?cas=${third.ModifyIndex}`)).text).toBe("true");
    expect((await v1.put(`${path}?cas=7`, { Type: "jwt", Config })).status).toBe(409);
    expect((await v1.put(`${path}?cas=0`, { Type: "jwt", Config })).status).toBe(200);
    for (const cas of ["", "x", "-1", "1.5", "18446744073709551616"]) {
      expect((await v1.put(`${path}?cas=${cas}`, { Config })).status).toBe(400);
      expect((await v1.patch(`${path}?cas=${cas}`)).status).toBe(400);
      expect((await v1.delete(`${path}?cas=${cas}`)).status).toBe(400);
    }
    expect((await v1.delete("/acl/auth-method/nobody?cas=0")).status).toBe(404);
    expect((await v1.patch("/acl/auth-method/nobody?cas=0")).status).toBe(404);
  });

  test.each<[given: unknown, shown: string | undefined]>([
    ["5m", "5m0s"],
    ["300s", "5m0s"],
    ["1h30m", "1h30m0s"],
    ["1.5h", "1h30m0s"],
    ["24h", "24h0m0s"],
    ["8760h", "8760h0m0s"],
    ["1m0.5s", "1m0.5s"],
    ["60000ms", "1m0s"],
    [60_000_000_000, "1m0s"],
    [90_000_000_001, "1m30.000000001s"],
    ["2562047h47m16.854775807s", "2562047h47m16.854775807s"],
    ["0", undefined],
    ["0s", undefined],
    [0, undefined],
    [null, undefined],
  ])("a MaxTokenTTL of %j is shown as %j", async (MaxTokenTTL, shown) => {
    const { Name } = await made({ MaxTokenTTL });
    const { body } = await v1.get(`/acl/auth-method/${Name}`);
    expect(body.MaxTokenTTL).toBe(shown);
    expect((await v1.put(`/acl/auth-method/${Name}`, body)).body.MaxTokenTTL).toBe(shown);
  });

  test("reading needs acl:read and writing acl:write, before anything is looked at", async () => {
    const { Name } = await made();
    const [reader, nobody] = [await v1.tokenWith(`acl = "read"`), await v1.tokenWith(`operator = "write"`)];
    const denied = (permission: string) =>
      new RegExp(`^Permission denied: token with AccessorID '.{36}' lacks permission 'acl:${permission}'$`);
    const texts = new Set<string>();
    for (const name of [Name, "nobody", "bad name", NOBODY]) {
      const path = `/acl/auth-method/${encodeURIComponent(name)}`;
      const read = await v1.get(path, nobody);
      expect(read).toMatchObject({ status: 403, text: expect.stringMatching(denied("read")) });
      for (const content of [
        {},
        { Type: "x" },
        { Type: "aws-iam" },
        { MaxTokenTTL: 1 },
        { Config: { X: 1 } },
        { TokenLocality: "x" },
      ]) {
        for (const query of ["", "?cas=1"]) {
          const answers = [await v1.put(path + query, content, reader), await v1.patch(path + query, content, reader)];
          answers.push(await v1.put(`/acl/auth-method${query}`, { Name: name, ...content }, reader));
          answers.push(await v1.delete(path + query, reader));
          for (const { status, text } of answers) {
            expect(status).toBe(403);
            expect(text).toMatch(denied("write"));
            texts.add(text);
          }
        }
      }
    }
    expect(texts.size).toBe(1);
    await v1.expectSameStatements(
      () => v1.get(`/acl/auth-method/${Name}`, nobody),
      () => v1.get("/acl/auth-method/nobody", nobody),
    );
    expect([
      (await v1.get("/acl/auth-methods", nobody)).status,
      (await v1.get("/acl/auth-methods", reader)).status,
    ]).toEqual([403, 200]);
    expect((await v1.get("/acl/auth-methods", "")).text).toMatch(/^Permission denied: anonymous token lacks/);
    expect((await v1.get(`/acl/auth-method/${Name}`)).body.ModifyIndex).toBe(
      (await v1.get(`/acl/auth-method/${Name}`, reader)).body.ModifyIndex,
    );
  });
});
