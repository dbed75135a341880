/** Tokens with as many policies and rules as may be had: a bound on what they come to, and pauses while it is compiled. */
import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { forEachEngine } from "../support/engines.ts";
import { useV1 } from "../support/v1.ts";

const PER_ROLE = 128;
const MOST = 1024;

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);

  /** Policies that are written past the application, each with so many rules. */
  async function policies(count: number, rules: number): Promise<{ ID: string }[]> {
    const first = await v1.policy("", v1.unique("pattern"));
    const text = Array.from({ length: rules }, (_, index) => `key "${index}" { policy = "read" }`).join("\n");
    const ids = Array.from({ length: count }, () => crypto.randomUUID());
    const rows = ids.map((id) => ({
      id,
      partition: "default",
      namespace: "default",
      name: id,
      name_key: id,
      description: "",
      rules: text,
      rule_count: rules,
      datacenters: "[]",
      hash: "",
      create_index: 1,
      modify_index: 1,
      rules_digest: "",
      proof: "",
    }));
    expect(first).not.toBe("");
    await v1.insert("policies", rows);
    return ids.map((ID) => ({ ID }));
  }

  async function roles(links: readonly { ID: string }[]): Promise<{ ID: string }[]> {
    const made: { ID: string }[] = [];
    for (let start = 0; start < links.length; start += PER_ROLE) {
      made.push({ ID: await v1.role({ Policies: links.slice(start, start + PER_ROLE) }) });
    }
    return made;
  }

  /** The processor time in microseconds of each turn until it was answered: those in which it worked, not waited. */
  async function worked(ask: () => Promise<{ status: number }>): Promise<number[]> {
    let isOver = false;
    const answer = ask().finally(() => (isOver = true));
    const turns: number[] = [];
    while (!isOver) {
      const before = process.threadCpuUsage();
      await setImmediate();
      const { user, system } = process.threadCpuUsage(before);
      turns.push(user + system);
    }
    expect((await answer).status).toBe(200);
    return turns.filter((microseconds) => microseconds > 2000);
  }

  test("incident 48: a token has at most 1,024 policies by all its links, when it is written and when it is used", async () => {
    const links = await policies(MOST + PER_ROLE, 1);
    const all = await roles(links);
    const text = `The token has ${MOST + PER_ROLE} policies, directly and through roles and identities; at most ${MOST} are allowed`;
    expect(await v1.put("/acl/token", { Roles: all })).toMatchObject({ status: 400, text });
    const last = all.at(-1)?.ID ?? "";
    const kept = { Policies: links.slice(-PER_ROLE) };
    await v1.patch(`/acl/role/${last}`, { Policies: [] });
    const { secret, accessor } = await v1.token({ Roles: all });
    expect(await v1.get("/acl/token/self", secret)).toMatchObject({ status: 200 });
    // The limit also counts policies from identities and templates.
    const identity = { ServiceIdentities: [{ ServiceName: "one-more" }] };
    expect(await v1.patch(`/acl/token/${accessor}`, identity)).toMatchObject({
      status: 400,
      text: `The token has ${MOST + 1} policies, directly and through roles and identities; at most ${MOST} are allowed`,
    });
    // A role that grows afterwards is refused with the token, until the role shrinks again.
    await v1.patch(`/acl/role/${last}`, kept);
    expect(await v1.get("/acl/token/self", secret)).toMatchObject({ status: 400, text });
    await v1.patch(`/acl/role/${last}`, { Policies: [] });
    expect(await v1.get("/acl/token/self", secret)).toMatchObject({ status: 200 });
  });

  test("incident 48: other work gets in between while many rules are compiled, in whatever policies they are", async () => {
    const many = await v1.token({ Roles: await roles(await policies(MOST, 19)) });
    const keys = Object.fromEntries(Array.from({ length: 12_000 }, (_, index) => [`k${index}`, { policy: "read" }]));
    const one = await v1.token({ Policies: [{ ID: await v1.policy(JSON.stringify({ key: keys })) }] });
    for (const { secret } of [many, one]) {
      const first = await worked(() => v1.get("/acl/token/self", secret));
      const again = await worked(() => v1.get("/acl/token/self", secret));
      // A twentieth of a second at the very least, in turns of 5 ms.
      expect(first.length - again.length).toBeGreaterThanOrEqual(8);
    }
  });
});
