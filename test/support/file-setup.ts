/** Runs in front of every test file of an application or a program: what the helpers made for the file goes when the file ends. */
import { afterAll, afterEach, expect } from "vitest";
import { installAnswerCheck, takeAnswerFaults } from "./answers/install.ts";
import { writeSeen } from "./answers/seen.ts";
import { removeTemporaryDirectories } from "./engines.ts";
import { noteFetches } from "./noted-fetch.ts";
import { dropFreshDatabases } from "./postgres-schema.ts";
import { sized } from "./length.ts";
import { removeServers } from "./server.ts";
import { startBundledThreads } from "./threads.ts";

installAnswerCheck();
noteFetches();
startBundledThreads();

/** Checks that every answer matches the OpenAPI document, also where the test itself did not look at it. */
function expectDocumentedAnswers(): void {
  expect(takeAnswerFaults(), "answers that differ from the OpenAPI document").toEqual([]);
}

afterEach(expectDocumentedAnswers);

afterAll(
  async () => {
    removeServers();
    writeSeen();
    removeTemporaryDirectories();
    await dropFreshDatabases();
    expectDocumentedAnswers();
  },
  sized(60_000, 600_000),
);
