import { randomUUID } from "node:crypto";
import { renameSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";
import { ConfigError } from "../config.ts";
import type { Config } from "../config.ts";
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
    const code = error instanceof Error && "code" in error ? String(error.code) : undefined;
    const problem = code === undefined ? undefined : PROBLEMS[code];
    if (problem === undefined) throw error;
    throw new ConfigError(`cannot listen on ${authority(host, port)}: ${problem}`);
  }
  const address = app.server.address() as AddressInfo;
  return `${config.tls === undefined ? "http" : "https"}://${authority(host, address.port)}`;
}

const PROBLEMS: Readonly<Record<string, string>> = {
  EADDRINUSE: "the port is taken; stop the other program or choose another with --listen",
  EACCES: "ports below 1024 need more rights; choose another with --listen",
  EADDRNOTAVAIL: "this machine does not have that address; choose another with --listen",
  ENOTFOUND: "there is no such host name; give --listen an IP address",
  EAI_AGAIN: "the host name cannot be looked up; give --listen an IP address",
  EAFNOSUPPORT: "this machine does not speak that kind of address; choose another with --listen",
};

function authority(host: string, port: number): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}

/** Writes the address so that a reader sees all of it or nothing. */
export function writeAddressFile(path: string, url: string): void {
  const temporary = `${path}.${randomUUID()}`;
  try {
    writeFileSync(temporary, `${url}\n`, { flag: "wx" });
    renameSync(temporary, path);
  } catch (error) {
    throw new ConfigError(
      `--address-file ${path} cannot be written (${errorCode(error)}); check the path and its permissions`,
    );
  }
}
