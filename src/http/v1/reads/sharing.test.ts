import { setImmediate } from "node:timers/promises";
import { beforeAll, describe, expect, test } from "vitest";
import { randomOfRun } from "../../../../test/support/seeded.ts";
import { forEachEngine } from "../../../../test/support/engines.ts";
import { MANAGEMENT, useV1 } from "../../../../test/support/v1.ts";
import { createWaits } from "../../../../test/support/waits.ts";
import { bodyOf, createSharedAnswers, MAX_SHARED_BYTES } from "../../reads/shared-answers.ts";

const answer = (body: string) => ({ body, headers: {}, key: undefined });

describe("shared answers", () => {
  test("are found at the indexes that they were made at, and at no other", () => {
    const answers = createSharedAnswers();
    answers.keep("k", "7,3", answer("made"));
    expect(answers.find("k", "7,3")?.body).toBe("made");
    expect([answers.find("k", "7,4"), answers.find("k", "73"), answers.find("j", "7,3")]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    answers.keep("k", "8,3", answer("made again"));
    expect([answers.find("k", "7,3"), answers.find("k", "8,3")?.body]).toEqual([undefined, "made again"]);
  });

  test("are known to be right at the indexes that they were made at, until something changes", () => {
    const answers = createSharedAnswers();
    answers.keep("k", "7,3", answer("made"));
    answers.confirm("k", 5, 8, "8,3");
    expect(answers.findUnchanged("k", 5)).toBeUndefined();
    answers.confirm("k", 5, 7, "7,3");
    expect(answers.findUnchanged("k", 5)).toMatchObject({ index: 7, answer: { body: "made" } });
    expect([answers.findUnchanged("k", 6), answers.findUnchanged("j", 5)]).toEqual([undefined, undefined]);
    answers.keep("k", "8,3", answer("made again"));
    expect(answers.findUnchanged("k", 5)).toBeUndefined();
  });

  test("take bounded memory: what was used longest ago goes, and what is too long is not kept", () => {
    const answers = createSharedAnswers();
    answers.keep("huge", "1", answer("x".repeat(MAX_SHARED_BYTES)));
    expect(answers.find("huge", "1")).toBeUndefined();
    const long = bodyOf("x".repeat(1024 * 1024));
    for (let index = 0; index < 100; index++) {
      answers.keep(`k${index}`, "1", { ...answer(""), body: long });
      answers.find("k0", "1");
    }
    expect(answers.stats().bytes).toBeLessThan(24 * 1024 * 1024 + 1);
    expect(answers.find("k0", "1")).toBeDefined();
    expect(answers.find("k1", "1")).toBeUndefined();
    expect(answers.find("k99", "1")).toBeDefined();
  });

  test("are made once for all who ask meanwhile, each at indexes of its own", async () => {
    const answers = createSharedAnswers();
    let made = 0;
    const make = async () => {
      made += 1;
      await Promise.resolve();
      return answer(String(made));
    };
    const all = await Promise.all([
      answers.share("k", "1", make),
      answers.share("k", "1", make),
      answers.share("k", "2", make),
      answers.share("j", "1", make),
    ]);
    expect(made).toBe(3);
    expect(all[0]).toBe(all[1]);
    // A request that arrived while the answer was made may be noticed only in the next turn.
    await setImmediate();
    expect(await answers.share("k", "1", make)).toBe(all[0]);
    await setImmediate();
    await setImmediate();
    await answers.share("k", "1", make);
    expect(made).toBe(4);
  });
});

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  const { wait } = createWaits(v1);
  const tokens: string[] = [MANAGEMENT];
  beforeAll(async () => {
    for (const rules of ['acl = "read"', 'acl = "write"', "", 'acl = "deny"']) tokens.push(await v1.tokenWith(rules));
  });

  test("incident 16: an answer that is given again is the one that would be made now, for every caller and argument", async () => {
    const linked = await v1.policy("");
    const ids: string[] = [];
    const numbers = randomOfRun();
    const random = (count: number) => Math.floor(numbers() * count);
    const write = [
      async () => void ids.push(await v1.policy("", v1.unique("shared"))),
      async () => void ids.push(await v1.role({ Policies: [{ ID: linked }] })),
      async () => v1.patch(`/acl/policy/${ids[random(ids.length)]}`, { Description: String(random(1000)) }),
      async () => v1.patch(`/acl/role/${ids[random(ids.length)]}`, { Description: String(random(1000)) }),
      async () => v1.delete(`/acl/policy/${ids[random(ids.length)]}`),
      async () => v1.patch(`/acl/policy/${linked}`, { Name: v1.unique("renamed") }),
      async () => v1.token({ Description: "another" }),
      async () => undefined,
      async () => undefined,
    ];
    let compared = 0;
    for (let round = 0; round < 150; round++) {
      await write[random(write.length)]?.();
      const id = ids[random(ids.length)] ?? "";
      const paths = [
        "/acl/policies",
        "/acl/roles",
        "/acl/roles?policy=" + id,
        "/acl/policies?search=shared-1",
        "/acl/policies?page-size=2",
        "/acl/policies?pretty",
        `/acl/policy/${id}`,
        `/acl/role/${id}`,
        `/acl/policy/name/shared-${random(9)}`,
        "/acl/tokens",
        "/acl/token/self",
      ];
      const path = paths[random(paths.length)] ?? "";
      const token = tokens[random(tokens.length)];
      const shared = await v1.get(path, token);
      // A parameter that nobody else has: this one was never made before.
      const fresh = await v1.get(`${path}${path.includes("?") ? "&" : "?"}near=${round}`, token);
      expect([path, token, shared.status, shared.text]).toEqual([path, token, fresh.status, fresh.text]);
      const told = ["x-consul-index", "x-service-next", "content-type"] as const;
      expect(told.map((name) => shared.headers[name])).toEqual(told.map((name) => fresh.headers[name]));
      compared += 1;
    }
    expect(compared).toBe(150);
  });

  test("incident 18: who waits is shown what a read by itself would show, and no more", async () => {
    const { secret: reader } = await v1.token({ Policies: [{ ID: await v1.policy('acl = "read"') }] });
    const held = [await wait("/acl/tokens", { token: MANAGEMENT }), await wait("/acl/tokens", { token: reader })];
    const { secret } = await v1.token({ Description: "seen by both" });
    const [all, hidden] = await Promise.all(held.map((each) => each.answer));
    expect(all?.text).toContain(secret);
    expect(hidden?.text).toContain("seen by both");
    expect(hidden?.text).not.toContain(secret);
    expect(hidden?.text).toBe((await v1.get("/acl/tokens", reader)).text);
    expect(all?.text).toBe((await v1.get("/acl/tokens")).text);
  });
});
