/** Opens the whole application on a database of its own, with routes that a test adds. */
import { connect } from "node:net";
import type { FastifyInstance } from "fastify";
import { pino } from "pino";
import { bootstrapTokens } from "../../src/acl/tokens/bootstrap.ts";
import { createTokenResolver } from "../../src/acl/tokens/resolve.ts";
import { buildApp, type AppOptions } from "../../src/app.ts";
import { readConfig } from "../../src/config.ts";
import type { Database } from "../../src/storage/database.ts";
import { openDatabase } from "../../src/storage/open.ts";
import { temporaryDirectory } from "./engines.ts";
import { fillFromTemplate } from "./template.ts";

/** SecretID of the management token of every test shell. */
export const SHELL_TOKEN = "3f0c9b1e-6a53-4d6f-8f0a-9f2f3c1f7d55";

/** Headers of a request with a body. */
export const SHELL_HEADERS = {
  authorization: `Bearer ${SHELL_TOKEN}`,
  "content-type": "application/vnd.api+json",
};

const LISTEN = ["--listen", "127.0.0.1:0"];

export interface TestShell {
  app: FastifyInstance;
  db: Database;
  /** Lines of the log, parsed. */
  lines: Record<string, unknown>[];
  /** The log as it was written. */
  text(): string;
  close(): Promise<void>;
}

export interface ShellOptions extends Pick<AppOptions, "extraRoutes" | "now" | "console"> {
  /** Flags, as on the command line. */
  args?: readonly string[];
  /** Puts something between the application and storage. */
  wrap?: (db: Database) => Database;
}

export async function openShell(options: ShellOptions = {}): Promise<TestShell> {
  const dataDir = temporaryDirectory();
  const { args = [] } = options;
  const config = readConfig(["--data-dir", dataDir, ...(args.includes("--listen") ? [] : LISTEN), ...args], {});
  const fail = (error: Error) => {
    throw error;
  };
  fillFromTemplate(config.database.url);
  const real = await openDatabase({ url: config.database.url, dataDir, onFatal: fail, onWarning: () => {} });
  await bootstrapTokens(real, { dataDir, mode: "auto", initialManagementToken: SHELL_TOKEN }, new Date().toISOString());
  const db = options.wrap === undefined ? real : options.wrap(real);
  const written: string[] = [];
  const logger = pino({ level: "info", base: null }, { write: (line: string) => void written.push(line) });
  const app = buildApp({
    config,
    db,
    actorForToken: createTokenResolver(real, { nodeName: "test", ...config }, options.now ?? Date.now),
    logger,
    console: options.console,
    ...(options.now === undefined ? {} : { now: options.now }),
    extraRoutes: options.extraRoutes ?? [],
  });
  await app.ready();
  return {
    app,
    db,
    get lines() {
      return written.map((line) => JSON.parse(line) as Record<string, unknown>);
    },
    text: () => written.join(""),
    async close() {
      await app.close();
      await real.close();
    },
  };
}

/** Sends bytes as they are and returns all that comes back until the server closes the connection. */
export async function sendRaw(port: number, bytes: string | Buffer, timeoutMs = 10_000): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let answer = "";
  const socket = connect(port, "127.0.0.1", () => socket.write(bytes));
  socket.setEncoding("latin1");
  socket.setTimeout(timeoutMs, () => socket.destroy(new Error(`no end after ${timeoutMs} ms; got ${answer}`)));
  socket.on("data", (chunk: string) => (answer += chunk));
  socket.on("close", () => resolve(answer));
  socket.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "ECONNRESET" && error.code !== "EPIPE") reject(error);
  });
  return promise;
}
