/** A limit on objects holds for all servers of a database together, however many write at once. */
import { afterEach, expect, it } from "vitest";
import { makeDatabaseUrl } from "../support/engines.ts";
import { ask, startTwo, stopAll } from "../support/two-nodes.ts";

const MOST = 40;
const ROOM = 10;

afterEach(stopAll);

it("fifty tokens at once through two servers, with room for ten, are ten", async () => {
  const args = ["--max-tokens-per-namespace", String(MOST)];
  const { first, second, token } = await startTwo(await makeDatabaseUrl("postgres"), args);
  expect((await ask(first, token, "PUT", "/namespace", { Name: "team" })).status).toBe(200);
  const put = (at: number) => ask(at % 2 === 0 ? first : second, token, "PUT", "/acl/token?ns=team", {});
  for (let at = 0; at < MOST - ROOM; at++) expect((await put(at)).status).toBe(200);
  const answers = await Promise.all(Array.from({ length: 50 }, (_, at) => put(at)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(ROOM);
  const refused = answers.filter(({ status }) => status !== 200).map(({ status, text }) => `${status} ${text}`);
  const words = `403 Limit reached: at most ${MOST} tokens per namespace (--max-tokens-per-namespace)`;
  expect([refused.length, new Set(refused)]).toEqual([50 - ROOM, new Set([words])]);
});
