/** The client of the API, over Node's own HTTP: it starts in a fifth of the time of `fetch`, and takes certificates of files. */
import { readFileSync } from "node:fs";
import { createClient, type Client } from "@tessera-server/client";
import { usage } from "./exit.ts";
import { createNodeFetch } from "./node-fetch.ts";
import type { ChangeReason } from "./spec.ts";
import type { ClientSettings } from "./settings.ts";
import type { Surroundings } from "./surroundings.ts";

/** Told of the version that an answer names, before anybody reads the answer. */
export type OnVersion = (version: string) => Promise<void>;

interface ConnectionOptions {
  /** Maximum time of one response, in milliseconds. */
  readonly timeout?: number | undefined;
  readonly onVersion?: OnVersion;
  /** Reason for the changes: read at each write, because a prompt can set it. */
  readonly reason?: Pick<ChangeReason, "text">;
}

/** Makes a client for a command. */
export function connect(
  settings: ClientSettings,
  io: Surroundings,
  { timeout, onVersion, reason }: ConnectionOptions = {},
): Client {
  const send = reasoned(io.fetch ?? createNodeFetch(tlsOf(settings)), reason);
  return createClient({
    address: settings.address,
    fetch: onVersion === undefined ? send : noting(send, onVersion),
    ...(settings.token === undefined ? {} : { token: settings.token }),
    ...(settings.namespace === undefined ? {} : { namespace: settings.namespace }),
    ...(settings.partition === undefined ? {} : { partition: settings.partition }),
    ...(timeout === undefined ? {} : { timeout }),
  });
}

function noting(send: typeof fetch, onVersion: OnVersion): typeof fetch {
  return async (input, init) => {
    const answer = await send(input, init);
    const version = answer.headers.get("x-tessera-version");
    if (version !== null) await onVersion(version);
    return answer;
  };
}

/** Header with the reason for a change, percent-encoded. */
const REASON_HEADER = "x-tessera-change-reason";

function reasoned(send: typeof fetch, reason: Pick<ChangeReason, "text"> | undefined): typeof fetch {
  return (input, init) => {
    const text = reason?.text;
    if (text === undefined || init?.method === undefined || init.method === "GET") return send(input, init);
    const headers = { ...(init.headers as Record<string, string>), [REASON_HEADER]: encodeURIComponent(text) };
    return send(input, { ...init, headers });
  };
}

function tlsOf({ caFile, clientCert, clientKey }: ClientSettings): { ca?: string; cert?: string; key?: string } {
  if ((clientCert === undefined) !== (clientKey === undefined)) {
    throw usage("a client certificate requires its private key", "set both --client-cert and --client-key, or neither");
  }
  return {
    ...(caFile === undefined ? {} : { ca: pem(caFile, "--ca-file") }),
    ...(clientCert === undefined ? {} : { cert: pem(clientCert, "--client-cert") }),
    ...(clientKey === undefined ? {} : { key: pem(clientKey, "--client-key") }),
  };
}

function pem(path: string, what: string): string {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw usage(`cannot read ${path} (${String((error as NodeJS.ErrnoException).code)}). Check ${what}`);
  }
  if (!text.includes("-----BEGIN ")) throw usage(`${path} is not a PEM file. Check ${what}`);
  return text;
}
