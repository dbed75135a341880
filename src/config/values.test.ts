import { expect, it } from "vitest";
import { threadsOn } from "./values.ts";

it("starts one thread where threads cannot share a port, and no more", () => {
  const on = (platform: NodeJS.Platform, text: string) => threadsOn(platform).parse({ text, origin: "--threads" });
  expect([on("darwin", "auto"), on("darwin", "1"), on("win32", "auto"), on("linux", "3")]).toEqual([1, 1, 1, 3]);
  expect(() => on("darwin", "2")).toThrow('--threads is "2"; on darwin threads cannot share a port; use 1');
});
