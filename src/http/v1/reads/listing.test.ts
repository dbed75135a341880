import { afterAll, beforeAll, expect, test } from "vitest";
import { AGENT_READER, openV1Shell, type V1Shell } from "../../../../test/support/v1-shell.ts";
import type { V1Routes } from "../consul-api.ts";
import { serveList } from "./listing.ts";

const COUNT = 3000;
const sizes: number[] = [];

const routes: V1Routes = (app, _options, done) => {
  const list = serveList({
    tables: ["entries"],
    sharing: "kept",
    of: (request) => ({
      slice: async ({ after, size }) => {
        sizes.push(size);
        const start = after === "" ? 0 : Number(after) + 1;
        return Array.from({ length: Math.min(size, COUNT - start) }, (_, index) => start + index);
      },
      keyOf: String,
      isFiltered: async () => false,
      render: (entry) => `${entry}:${"x".repeat(Number((request.params as { length: string }).length))}`,
    }),
  });
  app.get("/entries/:length", { config: { read: true } }, list);
  done();
};

let shell: V1Shell;
beforeAll(async () => {
  shell = await openV1Shell({ routes: [routes] });
});
afterAll(() => shell.close());

async function read(length: number): Promise<number[]> {
  sizes.length = 0;
  const { text } = await shell.get(`/v1/entries/${length}`, { "x-service-token": AGENT_READER });
  const entries = JSON.parse(text) as string[];
  expect(entries.map((entry) => Number(entry.split(":")[0]))).toEqual(Array.from({ length: COUNT }, (_, i) => i));
  return sizes;
}

test("a list is read in slices that begin small and grow", async () => {
  expect(await read(1)).toEqual([16, 32, 64, 128, 256, 400, 400, 400, 400, 400, 400, 400]);
});

test("slices of long entries hold few of them, so that memory is bounded by length too", async () => {
  const [first, ...rest] = await read(20_000);
  expect(first).toBe(16);
  expect(Math.max(...rest)).toBe(13);
});
