/** Runs in front of every test file: what the helpers made for the file goes when the file ends, and a failure tells its seed. */
import { afterAll, afterEach, expect } from "vitest";
import { installAnswerCheck, takeAnswerFaults } from "./answers/install.ts";
import { removeTemporaryDirectories } from "./engines.ts";
import { noteFetches } from "./noted-fetch.ts";
import { dropFreshDatabases } from "./postgres-schema.ts";
import { sized } from "./length.ts";
import { howToRepeat } from "./seeded.ts";
import { removeServers } from "./server.ts";

installAnswerCheck();
noteFetches();

/** What left is what the OpenAPI document says, whatever a test has looked at. */
function expectDocumentedAnswers(): void {
  expect(takeAnswerFaults(), "answers that differ from the OpenAPI document").toEqual([]);
}

afterEach(expectDocumentedAnswers);

afterEach(({ task }) => {
  const how = task.result?.state === "fail" ? howToRepeat() : undefined;
  if (how !== undefined) process.stderr.write(`${task.name}: ${how}\n`);
});

afterAll(
  async () => {
    removeServers();
    removeTemporaryDirectories();
    await dropFreshDatabases();
    expectDocumentedAnswers();
  },
  sized(60_000, 600_000),
);
