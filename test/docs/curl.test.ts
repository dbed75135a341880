/** The tutorial with curl is run as a reader would run it: `docs/guides/start-with-curl.md`. Its output is compared with the page. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { missingShell, skipWithout } from "../support/installed.ts";
import { startServer, type RunningServer } from "../support/server.ts";

const root = resolve(import.meta.dirname, "../..");
const page = readFileSync(join(root, "docs/guides/start-with-curl.md"), "utf8");

interface Block {
  language: string;
  text: string;
}

function blocks(): Block[] {
  return [...page.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(([, language = "", text = ""]) => ({ language, text }));
}

/** Replaces values that differ from run to run: the address, IDs and times. */
function normal(text: string, url: string): string {
  return text
    .replaceAll(url, "http://127.0.0.1:8500")
    .replaceAll(/\b(tag|ws|org|prj)-[1-9A-HJ-NP-Za-km-z]{16}\b/g, "$1-ID")
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME");
}

describe("the tutorial with curl", () => {
  let server: RunningServer;
  let directory: string;

  beforeEach(async () => {
    server = await startServer();
    directory = mkdtempSync(join(tmpdir(), "tessera-readme-"));
    symlinkSync(server.dataDir, join(directory, "tessera-data"));
  });
  afterEach(async () => {
    rmSync(directory, { recursive: true });
    expect(await server.stop()).toBe(0);
  });

  it.for(["bash", "zsh"])("shows what its tour prints, in %s", (shell, context) => {
    skipWithout(context, missingShell(shell));
    const all = blocks();
    const marker = "----- next block -----";
    const steps = all.flatMap((block, index) => {
      if (block.language !== "sh") return [];
      const next = all[index + 1];
      return [{ command: block.text, wanted: next?.language === "" ? next.text : "" }];
    });
    expect(steps.length).toBeGreaterThanOrEqual(5);
    const script = steps.map(({ command }) => `${command}\necho '${marker}'\n`).join("");
    const output = execFileSync(shell, ["-c", script.replaceAll("http://127.0.0.1:8500", server.url)], {
      cwd: directory,
      encoding: "utf8",
    });
    const printed = output.split(`${marker}\n`).slice(0, steps.length);
    expect(printed.map((text) => normal(text, server.url))).toEqual(
      steps.map(({ wanted }) => normal(wanted, server.url)),
    );
  });
});
