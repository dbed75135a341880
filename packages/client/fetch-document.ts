import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * The document of this checkout's server, which is started on a temporary folder for it.
 *
 * @throws Error when the server does not start within a minute, with what it said
 */
export async function fetchDocument(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "tessera-document-"));
  const addressFile = join(folder, "address");
  const main = resolve(import.meta.dirname, "../../src/main.ts");
  const places = ["--listen", "127.0.0.1:0", "--data-dir", join(folder, "data"), "--address-file", addressFile];
  const child = spawn(process.execPath, [main, "serve", ...places], { stdio: ["ignore", "ignore", "inherit"] });
  try {
    for (let tries = 0; !existsSync(addressFile) || !readFileSync(addressFile, "utf8").endsWith("\n"); tries++) {
      if (tries > 1200 || child.exitCode !== null) throw new Error("the server did not start");
      await sleep(50);
    }
    const answer = await fetch(new URL("/openapi.json", readFileSync(addressFile, "utf8").trim()));
    if (!answer.ok) throw new Error(`the server answered ${answer.status}`);
    return await answer.text();
  } finally {
    child.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  }
}
