import { closeSync, fstatSync, openSync, readSync, writeFileSync } from "node:fs";
import { arch, platform, release } from "node:os";
import process from "node:process";
import { gzipSync } from "node:zlib";
import type { Call } from "../spec.ts";
import { contextsFile, readContexts } from "../contexts.ts";
import { usage } from "../exit.ts";
import { withoutSecrets } from "../secrets.ts";
import { tarOf } from "../tar.ts";
import type { Verb } from "../spec.ts";

/** How much of a log is taken: its end. */
const LOG_BYTES = 1024 * 1024;

/** Operations whose answers are collected, by the file for each answer. */
const QUESTIONS = {
  "health.txt": "getHealth",
  "ready.txt": "getReadiness",
  "version.json": "readVersion",
  "self.json": "readSelf",
  "members.json": "listMembers",
  "replication.json": "readReplication",
  "metrics.txt": "getMetrics",
} as const;

export const verb: Verb = {
  name: "debug",
  summary: "Create a support bundle with redacted secrets.",
  description:
    "Writes a .tar.gz with versions, settings, server information, metrics and the end of a log. Secrets are redacted and IDs are cut to eight characters. Review the bundle before you send it.",
  operations: Object.values(QUESTIONS),
  args: [
    {
      name: "file",
      help: "Output file. Default: tessera-debug-TIME.tar.gz in the current directory.",
      optional: true,
      complete: "file",
    },
  ],
  flags: [
    { name: "log-file", value: "PATH", help: "Log file of the server. The end is included.", complete: "file" },
    { name: "config-file", value: "PATH", help: "Configuration file of the server (--config).", complete: "file" },
  ],
  async run(call) {
    const time = new Date(call.io.now());
    const file =
      call.optionalArg("file") ?? `tessera-debug-${time.toISOString().slice(0, 19).replaceAll(":", "")}.tar.gz`;
    const files = await gather(call);
    if (call.flags.dryRun === true) return call.out.value(Object.keys(files));
    const known = knownSecrets(call);
    const hidden = Object.fromEntries(
      Object.entries(files).map(([name, text]) => [`tessera-debug/${name}`, withoutSecrets(text, known)]),
    );
    try {
      writeFileSync(file, gzipSync(tarOf(hidden, Math.floor(time.getTime() / 1000))), { mode: 0o600, flag: "wx" });
    } catch (error) {
      throw usage(`cannot write ${file} (${String((error as NodeJS.ErrnoException).code)})`);
    }
    await call.out.text(`${file}\n`);
    await call.out.note("Review the bundle before you send it: tar -xzOf FILE | less");
  },
};

async function gather(call: Call): Promise<Record<string, string>> {
  const files: Record<string, string> = { "settings.json": settingsText(call) };
  for (const [name, operation] of Object.entries(QUESTIONS)) files[name] = await answerOf(call, operation);
  for (const [flag, name] of [
    ["log-file", "log.txt"],
    ["config-file", "config.json"],
  ] as const) {
    const path = call.flag(flag);
    if (path !== undefined) files[name] = endOf(path);
  }
  return files;
}

/** Returns the command's settings and where each comes from. Environment variables are listed by name only. */
function settingsText({ settings, io }: Call): string {
  const { token: _token, ...shown } = settings;
  const variables = Object.keys(io.env).filter((name) =>
    /^(?:TESSERA_|CONSUL_|TFE?_|HTTPS?_PROXY|NO_PROXY|NODE_)/i.test(name),
  );
  const machine = { node: process.version, platform: platform(), release: release(), arch: arch() };
  return `${JSON.stringify({ ...shown, isAnonymous: _token === undefined, variables: variables.toSorted(), machine }, undefined, 2)}\n`;
}

async function answerOf(call: Call, operation: string): Promise<string> {
  try {
    const { body } = await call.read(operation, { timeout: 10_000, retries: 0 });
    return typeof body === "string" ? body : `${JSON.stringify(body, undefined, 2)}\n`;
  } catch (error) {
    if (call.io.signal.aborted) throw error;
    // Support needs to know which operations the server did not answer.
    return `no response: ${(error as Error).message}\n`;
  }
}

function endOf(path: string): string {
  let file: number;
  try {
    file = openSync(path, "r");
  } catch (error) {
    throw usage(`cannot read ${path} (${String((error as NodeJS.ErrnoException).code)})`);
  }
  try {
    const { size } = fstatSync(file);
    const from = Math.max(0, size - LOG_BYTES);
    const bytes = Buffer.alloc(Math.min(size, LOG_BYTES));
    const length = readSync(file, bytes, 0, bytes.length, from);
    const text = bytes.subarray(0, length).toString("utf8");
    // The first line is cut, and half a secret would not be known for one.
    return from === 0 ? text : text.slice(text.indexOf("\n") + 1);
  } finally {
    closeSync(file);
  }
}

/** Secrets that this user has: those of all contexts, and of variables that carry one. */
function knownSecrets({ settings, io }: Call): string[] {
  const contexts = Object.values(readContexts(io.env).contexts).flatMap(({ token, tokenCommand }) => [
    token,
    tokenCommand,
  ]);
  const variables = Object.entries(io.env).flatMap(([name, value]) =>
    /TOKEN|SECRET|PASSWORD|KEY/i.test(name) && value !== undefined && !value.startsWith("/") ? [value] : [],
  );
  return [settings.token, ...contexts, ...variables].flatMap((each) =>
    each === undefined || each === contextsFile(io.env) ? [] : [each],
  );
}
