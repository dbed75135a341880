import { expect, test } from "vitest";
import { seeThrough } from "./open.ts";

test("incident 52: a close that never comes to an end is given up, so that its reason can be told", async () => {
  await expect(seeThrough(new Promise(() => {}), 20)).rejects.toThrow(/not closed within 20 ms/);
  await expect(seeThrough(Promise.reject(new Error("broken")), 20)).rejects.toThrow("broken");
  await seeThrough(Promise.resolve(), 20);
});
