/** Runs `tessera backup …` beside a server. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Config } from "../../config.ts";

/** The longest text of a command that is kept, in characters. */
const MOST_SAID = 2000;

/**
 * Has another process do it: whoever asks this one for something does not wait for it, and its memory is its own. The password in the
 * URL, which it may not show, is in its environment.
 *
 * @param args what follows `tessera`
 * @param signal ends the command; then nothing is thrown
 * @throws Error in the words of the command
 */
export async function runCommand(
  args: readonly string[],
  { database, dataDir, allowInsecure }: Pick<Config, "database" | "dataDir" | "allowInsecure">,
  signal: AbortSignal,
): Promise<void> {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith("TESSERA_"));
  const env = {
    ...Object.fromEntries(own),
    TESSERA_DATABASE: database.url,
    TESSERA_DATA_DIR: dataDir,
    ...(allowInsecure ? { TESSERA_ALLOW_INSECURE: "true" } : {}),
  };
  const command = [...process.execArgv, process.argv[1] ?? "", ...args];
  const child = spawn(process.execPath, command, { env, stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (said = (said + text).slice(-MOST_SAID)));
  const end = () => void child.kill("SIGKILL");
  signal.addEventListener("abort", end);
  if (signal.aborted) end();
  try {
    const [status] = (await once(child, "close")) as [number | null];
    if (status === 0 || signal.aborted) return;
    throw new Error(said.trim() === "" ? `it ended with ${status}` : said.trim());
  } finally {
    signal.removeEventListener("abort", end);
  }
}
