/** The client of the API, over Node's own HTTP: it starts in a fifth of the time of `fetch`, and takes certificates of files. */
import { readFileSync } from "node:fs";
import { createClient, type Client } from "@tessera-server/client";
import { usage } from "./exit.ts";
import { createNodeFetch } from "./node-fetch.ts";
import type { ClientSettings } from "./settings.ts";
import type { Surroundings } from "./surroundings.ts";

/** Told of the version that an answer names, before anybody reads the answer. */
export type OnVersion = (version: string) => Promise<void>;

/** Makes a client for a command. `timeout` is how long one answer may take, in milliseconds. */
export function connect(settings: ClientSettings, io: Surroundings, timeout?: number, onVersion?: OnVersion): Client {
  const send = io.fetch ?? createNodeFetch(tlsOf(settings));
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
    throw usage(`cannot read the file of ${what} (${String((error as NodeJS.ErrnoException).code)}): ${path}`);
  }
  if (!text.includes("-----BEGIN ")) throw usage(`the file of ${what} is not PEM: ${path}`);
  return text;
}
