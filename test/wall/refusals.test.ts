/** Tests that every route that denies a request records what was asked for. */
import { beforeAll, expect, test } from "vitest";
import { forEachEngine } from "../support/engines.ts";
import { useV1 } from "../support/v1.ts";
import { ATTACKERS, makeAttackers, makeVictim } from "./attackers.ts";
import { attacksOn, mediaTypeOf, type Attack } from "./requests.ts";

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  let attacks: Attack[];

  beforeAll(async () => {
    await makeAttackers(v1);
    const { first, last } = attacksOn(await makeVictim(v1));
    attacks = [...first, ...last];
  });

  /** The status of the answer, and what the line of the request says was refused. */
  async function ask(
    { method, url, body, ...attack }: Attack,
    secret: string,
  ): Promise<{ status: number; refused: unknown }> {
    const type = /^\/(?:api|access)\//.test(url) && method !== "GET";
    const headers = {
      authorization: `Bearer ${secret}`,
      ...(type && { "content-type": mediaTypeOf({ method, url, body, ...attack }) }),
    };
    const answer = await v1.send({
      method,
      url,
      headers,
      ...(body !== undefined && { payload: JSON.stringify(body) }),
    });
    const wanted = `"requestId":"${String(answer.headers["x-request-id"])}"`;
    const find = () => v1.log.findLast((line) => line.includes(wanted) && line.includes('"msg":"request"'));
    await expect.poll(find, { interval: 1 }).toBeDefined();
    return { status: answer.status, refused: (JSON.parse(find() ?? "{}") as { refused?: unknown }).refused };
  }

  /** The routes that refuse something, and those of which something refused is noted. */
  async function askAll(secret: string, asked = attacks): Promise<{ refusing: Set<string>; noting: Set<string> }> {
    const [refusing, noting] = [new Set<string>(), new Set<string>()];
    for (const attack of asked) {
      const { status, refused } = await ask(attack, secret);
      if (status === 403 || status === 404) refusing.add(attack.route);
      if (refused !== undefined) noting.add(attack.route);
    }
    return { refusing, noting };
  }

  test("each route that refuses who has no rights says in the record what was asked", async () => {
    const { refusing, noting } = await askAll(ATTACKERS.rightless);
    expect([...refusing.difference(noting)].toSorted()).toEqual([]);
    // Most of the API; what is left shows less instead of refusing.
    expect(noting.size).toBeGreaterThan(80);
  });

  test("each route that refuses who may read alone says in the record what was asked", async () => {
    const rules = 'acl = "read" operator = "read" organization "victim" { policy = "read" }';
    const reader = await v1.tokenWith(`${rules} namespace_prefix "" { acl = "read" }`);
    const writes = attacks.filter(({ method }) => method !== "GET");
    const { refusing, noting } = await askAll(reader, writes);
    expect([...refusing.difference(noting)].toSorted()).toEqual([]);
    expect(noting.size).toBeGreaterThan(30);
  });
});
