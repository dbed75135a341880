import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../../../test/support/engines.ts";
import { StartError } from "../start-error.ts";
import { runKeyCommand } from "./key-command.ts";

const key = randomBytes(32);

/** Why a command gives no key, in one line. */
async function reasonOf(command: string, longestMs?: number): Promise<string> {
  const error: unknown = await runKeyCommand(command, "--key-command", longestMs).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(StartError);
  const { message } = error as StartError;
  expect(message).not.toContain("\n");
  return message;
}

test("a key is taken as base64 or hexadecimal text, with white space around it, from any command of a shell", async () => {
  for (const text of [key.toString("base64"), key.toString("hex"), key.toString("hex").toUpperCase()]) {
    expect(await runKeyCommand(`printf '\\n  %s \\n\\n' ${text} | cat`, "--key-command")).toEqual(key);
  }
});

test("a command that fails is told with what it says is wrong, and nothing that it printed", async () => {
  const secret = key.toString("base64");
  expect(await reasonOf(`echo ${secret}; echo 'no  such' >&2; echo key >&2; exit 3`)).toBe(
    "the command of --key-command failed (exit code 3): no such key",
  );
  expect(await reasonOf("kill -TERM $$")).toBe("the command of --key-command failed (SIGTERM)");
  expect(await reasonOf("exit 1")).toBe("the command of --key-command failed (exit code 1)");
  expect((await reasonOf("head -c 100000 /dev/zero | tr '\\0' x >&2; exit 1")).length).toBeLessThan(300);
});

test("what is no key is refused and not shown", async () => {
  for (const text of ["", "short", key.toString("hex").slice(1), "two words"]) {
    expect(await reasonOf(`printf %s '${text}'`)).toBe(
      "what the command of --key-command printed does not contain a master key: expected 32 bytes as base64 or hexadecimal text",
    );
  }
});

test("a command without an end is killed with all that it started", async () => {
  const left = join(temporaryDirectory(), "left");
  expect(await reasonOf(`(sleep 2; touch ${left}) | cat; true`, 200)).toMatch(
    /did not end within 0.2 s and was killed/,
  );
  expect(await reasonOf("yes")).toMatch(/printed more than 4096 characters and was killed/);
  expect(existsSync(left)).toBe(false);
});
