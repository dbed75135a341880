import { afterAll, beforeAll, expect, it } from "vitest";
import { startServer, type RunningServer } from "../support/server.ts";
import { residentBytes } from "./resident.ts";

const MB = 1_000_000;
const WORKSPACES = 100;
const AT_ONCE = 16;

let server: RunningServer;
beforeAll(async () => {
  server = await startServer();
  await send("POST", "/organizations", { type: "organizations", attributes: { name: "acme", email: "a@b.c" } });
});
afterAll(() => server.kill());

async function send(method: string, path: string, data?: unknown): Promise<Response> {
  return fetch(`${server.url}/api/v2${path}`, {
    method,
    headers: { authorization: `Bearer ${server.token}`, "content-type": "application/vnd.api+json" },
    ...(data === undefined ? {} : { body: JSON.stringify({ data }) }),
  });
}

/** Makes workspaces with as much in them as the server takes. @returns how many it took */
async function fill(lengths: readonly number[]): Promise<number> {
  for (const length of lengths) {
    const texts = {
      description: "d".repeat(10_000),
      "source-name": "s".repeat(10_000),
      "source-url": "u".repeat(10_000),
    };
    const attributes = (n: number) => ({
      ...texts,
      name: `w${n}`,
      "trigger-patterns": Array.from({ length }, () => "p".repeat(950)),
    });
    if (
      (await send("POST", "/organizations/acme/workspaces", { type: "workspaces", attributes: attributes(0) }))
        .status !== 201
    )
      continue;
    for (let n = 1; n < WORKSPACES; n++) {
      await send("POST", "/organizations/acme/workspaces", { type: "workspaces", attributes: attributes(n) });
    }
    return length;
  }
  return 0;
}

interface Page {
  data: { attributes: { name: string } }[];
  meta: { pagination: { "next-page": number | null; "current-page": number; "total-pages": number } };
}

it("incident 44: a page is bounded in bytes, and a client that asks for the next page sees everything once", async () => {
  expect(await fill([950, 400, 200, 65])).toBe(65);
  const before = residentBytes(server.pid);
  const path = "/organizations/acme/workspaces?page[size]=100&page[number]=";
  let most = 0;
  const sizes = await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      const size = (await (await send("GET", path + 1)).arrayBuffer()).byteLength;
      most = Math.max(most, residentBytes(server.pid));
      return size;
    }),
  );
  expect(Math.max(...sizes)).toBeLessThan(8.5 * 1024 * 1024);
  expect((most - before) / MB).toBeLessThan(600);
  const names: string[] = [];
  for (let number: number | null = 1; number !== null;) {
    const { data, meta }: Page = JSON.parse(await (await send("GET", path + number)).text());
    names.push(...data.map((workspace) => workspace.attributes.name));
    number = meta.pagination["next-page"];
    expect(meta.pagination["current-page"] >= meta.pagination["total-pages"]).toBe(number === null);
  }
  expect(names.toSorted()).toEqual(Array.from({ length: WORKSPACES }, (_, n) => `w${n}`).toSorted());
});
