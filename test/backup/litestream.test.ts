/** A copy by Litestream, where there is one: `LITESTREAM=PATH TESSERA_TEST_LONG=1 npx vitest run test/backup/litestream.test.ts`. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { IS_LONG } from "../support/length.ts";

describe.skipIf(process.env["LITESTREAM"] === undefined || !IS_LONG)("Litestream", () => {
  test("incident 61: a killed server, its copy and a backup of that have every acknowledged write", async () => {
    const script = spawn("bash", [join(import.meta.dirname, "pitr/litestream.sh")], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    let said = "";
    for (const stream of [script.stdout, script.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => (said += text));
    }
    const [status] = (await once(script, "close")) as [number | null];
    expect([status, said]).toEqual([0, expect.stringContaining("all 540 writes are in the server's files")]);
  });
});
