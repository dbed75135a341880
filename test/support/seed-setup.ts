/** Runs in front of every test file: a failure tells the seed of what was random. */
import { afterEach } from "vitest";
import { howToRepeat } from "./seeded.ts";

afterEach(({ task }) => {
  const how = task.result?.state === "fail" ? howToRepeat() : undefined;
  if (how !== undefined) process.stderr.write(`${task.name}: ${how}\n`);
});
