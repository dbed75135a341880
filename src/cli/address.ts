import { randomUUID } from "node:crypto";
import { accessSync, constants, renameSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import { dirname } from "node:path";
import { createServer, type AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";
import { ConfigError, type Config } from "../config.ts";
import { errorCode } from "../config/given.ts";
import type { Parent } from "./parent.ts";

/**
 * Starts listening; a process that shares the port with others through their parent.
 *
 * @returns the real address as a URL, without a slash at its end
 * @throws ConfigError when the address cannot be had
 */
export async function listen(
  app: FastifyInstance,
  config: Pick<Config, "listen" | "tls">,
  parent?: Pick<Parent, "listen">,
): Promise<string> {
  const { host, port } = config.listen;
  try {
    await (parent === undefined ? app.listen({ host, port }) : parent.listen(app));
  } catch (error) {
    throw cannotListen(error, config);
  }
  const address = app.server.address() as AddressInfo;
  return `${config.tls === undefined ? "http" : "https"}://${authority(host, address.port)}`;
}

/**
 * Looks whether the address can be had, and told in `--address-file`, before anything is made of an empty database: a start that cannot have it leaves nothing.
 *
 * @throws ConfigError as `listen` does
 */
export async function checkAddress(config: Pick<Config, "listen" | "addressFile">): Promise<void> {
  const { host, port } = config.listen;
  if (config.addressFile !== undefined) checkFolder(config.addressFile);
  try {
    await tryPort(host, port);
  } catch (error) {
    throw cannotListen(error, config);
  }
}

/** @returns the ConfigError that says it; another error as it is */
function cannotListen(error: unknown, { listen: { host, port } }: Pick<Config, "listen">): unknown {
  const code = error instanceof Error && "code" in error ? String(error.code) : undefined;
  const problem = code === undefined ? undefined : problemOf(code, host);
  return problem === undefined ? error : new ConfigError(`cannot listen on ${authority(host, port)}: ${problem}`);
}

/** @throws as `listen` does when somebody has the port */
async function tryPort(host: string, port: number): Promise<void> {
  // Connections at this moment arrive too early and are reset.
  const server = createServer((socket) => socket.resetAndDestroy()).listen({ host, port });
  await once(server, "listening");
  server.close();
  await once(server, "close");
}

const PROBLEMS: Readonly<Record<string, string>> = {
  EADDRINUSE: "the port is in use; stop the other program or use another --listen port",
  EACCES: "ports below 1024 require more privileges; use another --listen port",
  EADDRNOTAVAIL: "this machine does not have the address; use another --listen address",
  ENOTFOUND: "host name not found; use an IP address for --listen",
  EAI_AGAIN: "host name lookup failed; use an IP address for --listen",
  EAFNOSUPPORT: "this machine does not support this address family; use another --listen address",
};

function problemOf(code: string, host: string): string | undefined {
  // Every machine has this address that has the family.
  const lacksFamily = code === "EAFNOSUPPORT" || (code === "EADDRNOTAVAIL" && host === "::");
  if (host.includes(":") && lacksFamily) {
    return "this machine has no IPv6; use an IPv4 address for --listen, such as 0.0.0.0:8500";
  }
  return PROBLEMS[code];
}

function authority(host: string, port: number): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}

function checkFolder(path: string): void {
  try {
    accessSync(dirname(path), constants.W_OK);
  } catch (error) {
    throw notWritten(path, error);
  }
}

function notWritten(path: string, error: unknown): ConfigError {
  return new ConfigError(
    `cannot write --address-file ${path} (${errorCode(error)}); check the path and its permissions`,
  );
}

/** Writes the address so that a reader sees all of it or nothing. */
export function writeAddressFile(path: string, url: string): void {
  const temporary = `${path}.${randomUUID()}`;
  try {
    writeFileSync(temporary, `${url}\n`, { flag: "wx" });
    renameSync(temporary, path);
  } catch (error) {
    throw notWritten(path, error);
  }
}

/**
 * For the person at the terminal, beside the log. Says where the first token lies, never what it is.
 *
 * @param url where the server listens
 * @param tokenFile path of the file that holds the first management token; undefined when this start made none
 */
export function announce(config: Pick<Config, "tls">, url: string, tokenFile: string | undefined): void {
  const lines = [`Tessera listens on ${url}`];
  if (tokenFile !== undefined) {
    const insecure = config.tls === undefined ? "" : "--insecure ";
    lines.push(
      `The first management token is in ${tokenFile}`,
      `Try: curl ${insecure}-H "Authorization: Bearer $(cat ${shellWord(tokenFile)})" ${url}/api/v2/account/details`,
    );
  }
  process.stderr.write(`${lines.join("\n")}\n`);
}

function shellWord(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
