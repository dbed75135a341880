import { join } from "node:path";
import { temporaryDirectory } from "./engines.ts";
import { startServer, type RunningServer } from "./server.ts";

const running: RunningServer[] = [];

/** Starts two servers, each a process of its own, on one PostgreSQL; the second has the master key of the first. */
export async function startTwo(
  database: string,
  args: readonly string[],
): Promise<{ first: RunningServer; second: RunningServer; token: string }> {
  const dataDir = temporaryDirectory();
  const first = await startServer({ database, dataDir, args });
  const second = await startServer({ database, args: [...args, "--key-file", join(dataDir, "master-key")] });
  running.push(first, second);
  return { first, second, token: first.token };
}

/** Ends what `startTwo` started. */
export async function stopAll(): Promise<void> {
  await Promise.all(running.splice(0).map(async (server) => server.kill()));
}
