/**
 * A login by a browser: the provider sends the browser back to a port of this machine. Where there is none to open, the URL is
 * printed, and the address that the browser ends up at is pasted.
 */
import { spawn } from "node:child_process";
import { randomBytes, timingSafeEqual } from "node:crypto";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import process from "node:process";
import type { Client } from "@tessera-server/client";
import type { Call } from "../spec.ts";
import { CliError, EXIT, usage } from "../exit.ts";
import { objectOf } from "../kit/answers.ts";
import type { Item } from "../output/types.ts";

/** Port that Consul's own command uses, so that methods that allow it do not need to change. */
const DEFAULT_PORT = 8550;
const PATH = "/oidc/callback";
/** How long somebody may take to log in; the state counts for no longer. */
const PATIENCE = 10 * 60_000;

interface Landed {
  state: string;
  code: string;
}

/** Logs in by a browser; gives the token. @throws CliError when it is refused, or nobody logs in in time */
export async function loginByBrowser(call: Call, client: Client, method: string): Promise<Item> {
  const server = await listen(portOf(call));
  try {
    const { port } = server.address() as AddressInfo;
    const RedirectURI = `http://localhost:${port}${PATH}`;
    const ClientNonce = randomBytes(24).toString("base64url");
    const answer = objectOf(
      await client.request("makeOidcAuthUrl", {
        body: { AuthMethod: method, RedirectURI, ClientNonce },
        signal: call.io.signal,
      }),
    );
    const url = String(answer["AuthURL"]);
    const state = new URL(url).searchParams.get("state") ?? "";
    if (state === "" || !/^https?:/.test(url))
      throw new CliError(EXIT.failed, "the server did not return a login address");
    await invite(call, url);
    const { code } = await landing(call, server, state);
    const body = { AuthMethod: method, State: state, Code: code, ClientNonce };
    return objectOf(await client.request("finishOidcLogin", { body, signal: call.io.signal }));
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

function portOf(call: Call): number {
  const text = call.flag("port");
  if (text === undefined) return DEFAULT_PORT;
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65535)
    throw usage(`invalid --port: expected a number up to 65535, got ${JSON.stringify(text)}`);
  return port;
}

async function listen(port: number): Promise<Server> {
  const server = createServer();
  const begin = (wanted: number) =>
    new Promise<boolean>((resolve, reject) => {
      server.once("error", (error: NodeJS.ErrnoException) =>
        error.code === "EADDRINUSE" && wanted !== 0 ? resolve(false) : reject(error),
      );
      // A loopback address alone: nobody else can reach it.
      server.listen(wanted, "127.0.0.1", () => resolve(true));
    });
  // A server takes any port of a loopback address for the one that it allows.
  if (!(await begin(port))) await begin(0);
  server.removeAllListeners("error");
  return server;
}

async function invite(call: Call, url: string): Promise<void> {
  const { io, out } = call;
  const hasDisplay =
    process.platform === "darwin" || Boolean(io.env["DISPLAY"] || io.env["WAYLAND_DISPLAY"] || io.env["BROWSER"]);
  if (call.flags["browser"] !== false && hasDisplay && openBrowser(url, io.env)) {
    await out.warn(`Log in with the browser. If no browser opens, open this address:\n\n  ${url}\n`);
    return;
  }
  await out.warn(`Open this address in a browser, on any machine:\n\n  ${url}\n`);
  if (io.stdin.isTTY === true) {
    await out.warn(
      "If the browser cannot open the page at http://localhost, paste the full address here and press Enter:",
    );
  }
}

/** Opens a browser; false when there is no program for it. The address is an argument, never a part of a shell's line. */
export function openBrowser(url: string, env: Call["io"]["env"]): boolean {
  const program = env["BROWSER"] || (process.platform === "darwin" ? "open" : "xdg-open");
  try {
    const child = spawn(program, [url], { stdio: "ignore", detached: true, env: { ...env } });
    child.on("error", () => undefined);
    child.unref();
    return true;
  } catch {
    return false;
  }
}

/** Waits for the browser to come back, or for its address to be pasted. */
async function landing(call: Call, server: Server, state: string): Promise<Landed> {
  const over = new AbortController();
  const late = new Promise<never>((_, reject) => {
    const stop = () => reject(new CliError(EXIT.interrupted, "interrupted"));
    call.io.signal.addEventListener("abort", stop, { once: true });
    setTimeout(() => reject(new CliError(EXIT.failed, "login timed out after 10 minutes")), PATIENCE).unref();
  });
  const called = new Promise<Landed>((resolve, reject) => {
    server.on("request", (request, response) => {
      const url = new URL(request.url ?? "/", "http://localhost");
      if (request.method !== "GET" || url.pathname !== PATH) return page(response, 404, "Page not found.");
      try {
        const landed = landedAt(url, state);
        page(response, 200, "You are logged in. You can close this page.");
        resolve(landed);
      } catch (error) {
        page(response, 400, "The login failed. See the terminal for the reason.");
        // Anybody on this machine can come here with some other state; only the provider's answer ends it.
        if (url.searchParams.get("state") === state) reject(error);
      }
    });
  });
  try {
    return await Promise.race([
      called,
      late,
      ...(call.io.stdin.isTTY === true ? [pasted(call, state, over.signal)] : []),
    ]);
  } finally {
    over.abort();
  }
}

async function pasted(call: Call, state: string, over: AbortSignal): Promise<Landed> {
  const { createInterface } = await import("node:readline");
  const lines = createInterface({ input: call.io.stdin as unknown as NodeJS.ReadableStream });
  over.addEventListener("abort", () => lines.close(), { once: true });
  return new Promise((resolve, reject) => {
    lines.on("line", (line) => {
      const text = line.trim();
      if (text === "") return;
      if (!URL.canParse(text))
        return void call.out.warn("Not a valid address: paste the full address, including http://.");
      try {
        resolve(landedAt(new URL(text), state));
      } catch (error) {
        reject(error);
      }
    });
  });
}

function landedAt(url: URL, state: string): Landed {
  const given = url.searchParams.get("state") ?? "";
  if (!isSame(given, state))
    throw new CliError(EXIT.refused, "the response is for a different login: run tessera login again");
  const error = url.searchParams.get("error");
  if (error !== null)
    throw new CliError(
      EXIT.refused,
      `the identity provider denied the login: ${error} ${url.searchParams.get("error_description") ?? ""}`.trim(),
    );
  const code = url.searchParams.get("code");
  if (code === null || code === "")
    throw new CliError(EXIT.failed, "the response of the identity provider does not contain a code");
  return { state, code };
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function page(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    "content-type": "text/plain; charset=utf-8",
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    connection: "close",
  });
  response.end(`${text}\n`);
}
