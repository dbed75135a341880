/** The two servers that every scenario is held against, pinned like the server itself. */
import { join } from "node:path";
import { startServer } from "../test/support/server.ts";
import { pinned } from "./machine.ts";
import type { Bases } from "./scenario.ts";

/** Starts both. @param outputFile takes what they print */
export async function startBases(outputFile: string): Promise<Bases & { kill(): Promise<void> }> {
  const start = (file: string) =>
    startServer({
      wrapper: pinned(0),
      entry: join(import.meta.dirname, file),
      outputFile,
      startTimeoutMilliseconds: 60_000,
    });
  const [shell, bare] = [await start("floor.ts"), await start("bare.ts")];
  return {
    shell: { url: shell.url, token: "" },
    bare: { url: bare.url, token: "" },
    async kill() {
      await shell.kill();
      await bare.kill();
    },
  };
}
