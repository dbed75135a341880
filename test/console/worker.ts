/** The server and the browser that the console's files of one worker share. */
import { setTimeout as sleep } from "node:timers/promises";
import { type Client, createClient, TesseraError } from "@tessera-server/client";
import type { Browser } from "playwright-core";
import { expectNoSecretInServer } from "../support/made-secrets.ts";
import { type RunningServer, startServer } from "../support/server.ts";
import { openBrowser, untilShown } from "./open.ts";
import { provideConsole } from "./program.ts";

interface Shared {
  server?: Promise<RunningServer> | undefined;
  browser?: Promise<Browser>;
  /** Whether a file has had the server already. */
  isUsed: boolean;
}

// Files of one worker share its process; that they share modules too is not said.
const shared: Shared = ((globalThis as { tesseraConsole?: Shared }).tesseraConsole ??= { isUsed: false });

/** The browser of this worker; it ends with the worker. */
export async function workerBrowser(): Promise<Browser> {
  shared.browser ??= openBrowser();
  return shared.browser;
}

/** The server of this worker, which holds nothing that a file before has made; it ends with the worker. */
export async function workerServer(): Promise<RunningServer> {
  shared.server ??= start();
  const server = await shared.server;
  if (shared.isUsed) await empty(createClient({ address: server.url, token: server.token }));
  shared.isUsed = true;
  return server;
}

/** Checks at the end of a file for secrets, as other servers are checked when they stop: this server keeps running. */
export async function expectNoSecretInWorkerServer(): Promise<void> {
  if (shared.server === undefined) return;
  const { dataDir, stdout, stderr } = await shared.server;
  await expectNoSecretInServer({ database: undefined, dataDir, args: [], printed: stdout + stderr });
}

async function start(): Promise<RunningServer> {
  await provideConsole();
  // Webhooks and providers of the tests are on this machine.
  const args = ["--outbound-allow", "127.0.0.0/8"];
  const server = await startServer({ args, env: { TESSERA_CONSOLE: "on" }, isKept: true });
  const kill = () => process.kill(server.pid, "SIGKILL");
  process.once("exit", kill);
  // By this vitest ends a worker; the browser hears of it by itself.
  process.once("SIGTERM", kill);
  void server.exited.then(() => {
    process.off("exit", kill).off("SIGTERM", kill);
    shared.server = undefined;
    shared.isUsed = false;
  });
  await untilShown(server.url);
  return server;
}

/** Deletes all that can be deleted. */
async function empty(client: Client): Promise<void> {
  const organizations = await client.organizations.list().all();
  await each(organizations, async ({ attributes: { name } }) =>
    client.organizations.delete({ organization: name, body: {} }),
  );
  await each(await client.bindingRules.list().all(), async ({ ID: id }) => client.bindingRules.delete({ id }));
  await each(await client.authMethods.list().all(), async ({ Name: name }) => client.authMethods.delete({ name }));
  await each(await client.roles.list().all(), async ({ ID: id }) => client.roles.delete({ id }));
  const policies = (await client.policies.list().all()).filter(({ ID }) => !BUILT_IN.test(ID));
  await each(policies, async ({ ID: id }) => client.policies.delete({ id }));
  const own = await client.tokens.readOwn();
  const tokens = (await client.tokens.list().all()).map(({ AccessorID }) => AccessorID);
  await each(
    tokens.filter((accessor) => accessor !== own.AccessorID && !BUILT_IN.test(accessor)),
    async (accessor) => client.tokens.delete({ accessor }),
  );
  await each(await client.sessions.list().all(), async ({ ID: id }) => client.sessions.end({ id }));
  const namespaces = async () => (await client.namespaces.list().all()).filter(({ Name }) => Name !== "default");
  const partitions = async () => (await client.partitions.list().all()).filter(({ Name }) => Name !== "default");
  await each(await namespaces(), async ({ Name: name }) => client.namespaces.delete({ name }));
  await each(await partitions(), async ({ Name: name }) => client.partitions.delete({ name }));
  // They are emptied first, by a job.
  while ((await namespaces()).length + (await partitions()).length > 0) await sleep(LOOK_MS);
}

const LOOK_MS = 20;
/** The anonymous token, and the policies that a server begins with. */
const BUILT_IN = /^0{8}-/;
const AT_ONCE = 8;

/** Deletes each; one that has gone meanwhile, with another one or by itself, is as good as deleted. */
async function each<T>(rows: readonly T[], remove: (row: T) => Promise<unknown>): Promise<void> {
  const left = rows.values();
  const lane = async () => {
    for (const row of left) {
      await remove(row).catch((error: unknown) => {
        if (!(error instanceof TesseraError && error.status === 404)) throw error;
      });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
}
