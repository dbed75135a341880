/** Runs the blocks of each page of docs/ as a reader would run them. `blocks.test.ts` tests which of them run. */
import { readFileSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { blocksOf, PAGES } from "../support/doc-blocks.ts";
import { PAGE_SETTINGS } from "../support/doc-pages.ts";
import { normal, runPage, stepsOf } from "../support/doc-runner.ts";
import { temporaryDirectory } from "../support/engines.ts";
import { missingShell, skipWithout } from "../support/installed.ts";
import { startServer } from "../support/server.ts";

const root = resolve(import.meta.dirname, "../..");

describe("the blocks of a page, one after the other in one shell", () => {
  const runs = PAGES.flatMap((page) => {
    const settings = PAGE_SETTINGS[page] ?? {};
    if (stepsOf(blocksOf(page)).length === 0 || settings.ranBy !== undefined) return [];
    return (settings.shells ?? ["bash"]).map((shell) => ({ page, shell }));
  });

  it.for(runs)("do what the page says: $page, $shell", async ({ page, shell }, context) => {
    skipWithout(context, missingShell(shell));
    const own = blocksOf(page);
    const folder = temporaryDirectory();
    const isStopped = PAGE_SETTINGS[page]?.isStopped === true;
    const server = await startServer({ dataDir: join(folder, ".server"), startTimeoutMilliseconds: 120_000 });
    if (isStopped) await server.stop();
    else onTestFinished(async () => void (await server.stop()));
    symlinkSync(server.dataDir, join(folder, "tessera-data"));
    const { code, printed, said } = await runPage(page, own, shell, { server, folder });
    expect(code, said).toBe(0);
    const shown = stepsOf(own).map((block, at) => [block.shown, printed[at]] as const);
    for (const [wanted, text = ""] of shown) {
      if (wanted !== undefined) expect(normal(text, server.url), said).toBe(normal(wanted, server.url));
    }
  });

  it("that another test runs are run there", () => {
    for (const [page, { ranBy }] of Object.entries(PAGE_SETTINGS)) {
      expect(PAGES).toContain(page);
      if (ranBy !== undefined) expect(readFileSync(join(root, ranBy), "utf8")).toContain(page);
    }
  });
});
