import type { IncomingMessage } from "node:http";
import { expect, it } from "vitest";
import { createReceiving } from "./receiving.ts";

const MIB = 1024 * 1024;

function open(limit: number) {
  const { admit, pool } = createReceiving(limit);
  const over: (() => void)[] = [];
  function ask(name: string, method: string, headers: Record<string, string>): boolean {
    const sender = { name, isAnonymous: name.startsWith("address") };
    const onceOver = (tell: () => void) => void over.push(tell);
    return (
      admit({ method, headers } as unknown as IncomingMessage, { sender, owner: { name }, onceOver }) === undefined
    );
  }
  const close = () => {
    for (const tell of over.splice(0)) tell();
  };
  return { ask, budget: pool, close };
}

it("bodies are counted until all is over with them, by what they announce, and refused where there is no room", () => {
  const { ask, budget, close } = open(8 * MIB);
  const chunked = { "transfer-encoding": "chunked" };
  for (let n = 0; n < 8; n++)
    expect(ask(`token ${n}`, "POST", n % 2 === 0 ? chunked : { "content-length": String(MIB) })).toBe(true);
  expect(budget.used()).toBe(8 * MIB);
  expect(ask("token 8", "PUT", { "content-length": String(MIB) })).toBe(false);
  expect(ask("token 8", "PUT", { "content-length": "1000" })).toBe(true);
  expect(ask("token 8", "PUT", {})).toBe(true);
  expect(ask("token 8", "GET", { "content-length": String(MIB) })).toBe(true);
  // Refused before it is read.
  expect(ask("token 8", "PUT", { "content-length": String(5 * MIB) })).toBe(true);
  expect([budget.used(), budget.refused()]).toEqual([8 * MIB, 1]);
  close();
  expect(budget.used()).toBe(0);
  expect(ask("token 0", "POST", chunked)).toBe(true);
});

it("no sender takes the room of the others, and those without a token leave half of it", () => {
  const { ask, budget, close } = open(16 * MIB);
  const body = { "content-length": String(MIB) };
  const admitted = (name: string) => Array.from({ length: 5 }, () => ask(name, "PUT", body)).filter(Boolean).length;
  expect(admitted("token a")).toBe(2);
  for (const [n, most] of [2, 2, 2, 2, 0, 0].entries()) expect(admitted(`address ${n}`)).toBe(most);
  for (const name of ["token b", "token c", "token d"]) expect(admitted(name)).toBe(2);
  expect(budget.used()).toBe(16 * MIB);
  close();
  expect([admitted("address 5"), admitted("token a")]).toEqual([2, 2]);
});
