import { readFileSync } from "node:fs";
import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { type Config, readConfig } from "../../config.ts";
import { ConfigError, errorCode } from "../../config/given.ts";
import { tell } from "../with-database.ts";

export interface HealthcheckFlags {
  /** Ask only whether the process lives. */
  live?: boolean;
}

/** Container engines give a check 30 s, Kubernetes 1 s unless it is told otherwise; `/readyz` itself takes 2 s at most. */
const ANSWER_MS = 5000;

/** Maximum number of characters that are shown of an answer: it may come from another program. */
const SHOWN = 2000;

/**
 * `tessera healthcheck`: asks the server that was started with the same options, on this machine, whether it can be used, for
 * images without a shell and `curl`. It says what `/readyz?verbose` does; the exit code is 1 unless that is 200.
 *
 * @param args as `serve` takes them @throws ConfigError
 */
export async function healthcheckCommand({ live = false }: HealthcheckFlags, args: readonly string[]): Promise<void> {
  const url = new URL(live ? "/healthz" : "/readyz?verbose", ownUrl(readConfig(args)));
  try {
    const { status, text } = await ask(url);
    tell(text.trimEnd());
    if (status !== 200) process.exitCode = 1;
  } catch (error) {
    tell(`no response from ${url.origin} (${error instanceof Error ? error.message : String(error)})`);
    process.exitCode = 1;
  }
}

/** Returns the URL of a server with this configuration, for clients on its own machine. */
function ownUrl({ listen, tls, addressFile }: Config): string {
  const scheme = tls === undefined ? "http" : "https";
  const host = { "0.0.0.0": "127.0.0.1", "::": "::1" }[listen.host] ?? listen.host;
  if (listen.port !== 0) return `${scheme}://${host.includes(":") ? `[${host}]` : host}:${listen.port}`;
  return addressIn(addressFile);
}

/** The port that was free is known only by that file. */
function addressIn(addressFile: string | undefined): string {
  let reason = "the port is 0 and --address-file is not set";
  if (addressFile !== undefined) {
    try {
      const text = readFileSync(addressFile, "utf8").trim();
      if (URL.canParse(text)) return text;
      reason = `${addressFile} does not contain an address`;
    } catch (error) {
      reason = `cannot read ${addressFile} (${errorCode(error)})`;
    }
  }
  throw new ConfigError(`unknown server address: ${reason}`);
}

function ask(url: URL): Promise<{ status: number | undefined; text: string }> {
  const request = url.protocol === "https:" ? requestHttps : requestHttp;
  // Nothing secret is sent, and no certificate is of 127.0.0.1.
  const options = { signal: AbortSignal.timeout(ANSWER_MS), agent: false, rejectUnauthorized: false };
  return new Promise((resolve, reject) => {
    const sent = request(url, options, (answer) => {
      let text = "";
      answer.setEncoding("utf8");
      answer.on("data", (part: string) => (text = (text + part).slice(0, SHOWN)));
      answer.on("end", () => resolve({ status: answer.statusCode, text }));
      answer.on("error", reject);
    });
    sent.on("error", reject);
    sent.end();
  });
}
