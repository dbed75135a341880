import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../../test/support/engines.ts";
import { ConfigError, readConfig } from "../config.ts";

const LONG_TOKEN = "x".repeat(32);

function file(content: string): string {
  const path = join(temporaryDirectory(), "tessera.json");
  writeFileSync(path, content);
  return path;
}

/** The message of the refusal. */
function refusal(args: string[], env: Record<string, string> = {}): string {
  try {
    readConfig(args, env);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    const { message } = error as ConfigError;
    expect(message).not.toContain("\n");
    return message;
  }
  throw new Error(`not refused: ${args.join(" ")}`);
}

describe("the initial management token", () => {
  const read = (token: string) => readConfig(["--initial-management-token", token], {});

  it("is any printable text, with a warning when it is short", () => {
    for (const token of [LONG_TOKEN, "ünïcödé and spaces inside, 32 chars", `"'\\{}<>`.padEnd(32, "x")]) {
      expect(read(token)).toMatchObject({ initialManagementToken: token, warnings: [] });
    }
    expect(read("short")).toMatchObject({
      initialManagementToken: "short",
      warnings: [expect.stringContaining("shorter than 32 characters")],
    });
    expect(readConfig([], { TESSERA_INITIAL_MANAGEMENT_TOKEN: LONG_TOKEN }).initialManagementToken).toBe(LONG_TOKEN);
  });

  it("is refused when a header could not carry it, or it means something else, and never repeated", () => {
    for (const token of ["", " x", "x ", "a\tb", "a\nb", "a\0b", "a\u2028b", "\u200b"]) {
      expect(refusal(["--initial-management-token", token])).toContain("printable");
    }
    for (const token of ["allow", "deny", "manage", "anonymous", "<hidden>", "Anonymous", "<HIDDEN>"]) {
      const message = refusal(["--initial-management-token", token]);
      expect(message).toContain("reserved word");
      expect(message).not.toContain(JSON.stringify(token));
    }
  });

  it("may come from a file", () => {
    expect(readConfig(["--initial-management-token-file", file(`${LONG_TOKEN}\n`)], {}).initialManagementToken).toBe(
      LONG_TOKEN,
    );
    expect(refusal(["--initial-management-token-file", "/does/not/exist"])).toContain("ENOENT");
    expect(refusal(["--initial-management-token-file", file("\n\n")])).toContain("printable");
    expect(refusal(["--initial-management-token", "x", "--initial-management-token-file", file("y")])).toContain(
      "both set",
    );
  });
});
