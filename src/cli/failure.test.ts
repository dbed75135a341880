import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../../test/support/engines.ts";
import { ConfigError } from "../config.ts";
import { StorageDamaged } from "../storage/proofs/damaged-rows.ts";
import { StartError } from "../storage/start-error.ts";
import { describeFailure } from "./failure.ts";

test("incident 52: what is refused is one line and exit code 2", () => {
  expect(describeFailure(new ConfigError("no"))).toEqual({ message: "no", exitCode: 2 });
  expect(describeFailure(new StartError("two\n  lines\n"))).toEqual({ message: "two; lines", exitCode: 2 });
  expect(describeFailure(new StorageDamaged(new Error("page 7")))).toEqual({
    message: "storage cannot be used: storage is corrupted (page 7)",
    exitCode: 2,
  });
  let thrown: unknown;
  try {
    readFileSync(`${temporaryDirectory()}/none`);
  } catch (error) {
    thrown = error;
  }
  expect(describeFailure(thrown)).toMatchObject({ exitCode: 2, message: expect.stringMatching(/^ENOENT: .*none'$/) });
});

test("what nobody foresaw is one line too, without a stack, and exit code 1", () => {
  const { message, exitCode } = describeFailure(new TypeError("x is not a function"));
  expect(exitCode).toBe(1);
  expect(message).toBe("unexpected error: TypeError: x is not a function; use --log-level debug for details");
});
