import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { barOf, showProgress } from "./progress.ts";

const streamOf = (isTTY: boolean) => {
  const stream = Object.assign(new PassThrough({ encoding: "utf8" }), { isTTY });
  return { stream: stream as unknown as NodeJS.WriteStream, written: () => String(stream.read() ?? "") };
};

it("a bar says how much of all is done, and never more than all", () => {
  expect([barOf(0, 10), barOf(5, 10), barOf(12, 10), barOf(0, 0)]).toEqual([
    `[${"-".repeat(30)}] 0%`,
    `[${"#".repeat(15)}${"-".repeat(15)}] 50%`,
    `[${"#".repeat(30)}] 100%`,
    `[${"#".repeat(30)}] 100%`,
  ]);
});

it("it is shown on a terminal, with what is done just then, and leaves nothing there", () => {
  const { stream, written } = streamOf(true);
  const progress = showProgress(4, stream);
  progress.add(1, "tokens");
  progress.end();
  expect(written()).toBe(`\r\u001b[K${barOf(1, 4)} tokens\r\u001b[K`);
});

it("nothing of it stands in a file or a pipe", () => {
  const { stream, written } = streamOf(false);
  const progress = showProgress(4, stream);
  progress.add(1, "tokens");
  progress.end();
  expect(written()).toBe("");
});
