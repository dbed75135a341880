import { join } from "node:path";
import { expect } from "vitest";
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

/** One request to `/v1` of a server. @returns `body` is empty when it is refused */
export async function ask(server: RunningServer, token: string, method: string, path: string, body?: unknown) {
  const answer = await fetch(`${server.url}/v1${path}`, {
    method,
    headers: { "x-consul-token": token },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return {
    status: answer.status,
    text,
    index: Number(answer.headers.get("x-consul-index")),
    body: answer.ok ? (JSON.parse(text) as Record<string, unknown>) : {},
  };
}

/** Waits until so many requests or streams, or more, wait for changes on a server. */
export async function untilWaiting({ url }: RunningServer, token: string, least: number): Promise<void> {
  const waiting = async () => {
    const answer = await fetch(`${url}/metrics`, { headers: { "x-service-token": token } });
    return Number(/^tessera_waiting_requests (\d+)$/m.exec(await answer.text())?.[1]);
  };
  await expect.poll(waiting, { interval: 10 }).toBeGreaterThanOrEqual(least);
}
