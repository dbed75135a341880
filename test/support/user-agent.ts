import { request as requestPlain, type IncomingHttpHeaders } from "node:http";
import { request } from "node:https";
import type { OpenIdProvider } from "./openid-provider.ts";

/** End of an authorization: the redirect URI, and the parameters that it was called with. */
export interface Landing {
  redirectUri: string;
  code: string | undefined;
  state: string | undefined;
  /** Such as `access_denied`. */
  error: string | undefined;
}

export interface UserAgentOptions {
  /** The account that logs in; without it `alice`. */
  account?: string;
  /** Refuses to log in. */
  isDenied?: boolean;
}

/** More than any flow of ours takes. */
const MAX_STEPS = 10;

/**
 * Makes a browser, with its cookies, of somebody who logs in wherever they are asked to.
 *
 * @returns what follows an authorization URL to the redirect URI, which is not called; it throws when the provider shows
 *   a page instead
 */
export function userAgent(
  provider: Pick<OpenIdProvider, "issuer" | "ca">,
  { account = "alice", isDenied = false }: UserAgentOptions = {},
): (authUrl: string) => Promise<Landing> {
  const cookies = new Map<string, string>();
  const visit = async (url: string): Promise<string> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const headers = { cookie, "x-account": account, ...(isDenied ? { "x-deny": "yes" } : {}) };
    const { status, headers: answer } = await get(url, headers, provider.ca);
    for (const line of answer["set-cookie"] ?? []) keep(cookies, line);
    if (answer.location === undefined) throw new Error(`${new URL(url).pathname} shows a page, status ${status}`);
    return new URL(answer.location, url).href;
  };
  return async (authUrl) => {
    let url = authUrl;
    for (let step = 0; step < MAX_STEPS; step++) {
      url = await visit(url);
      if (!url.startsWith(`${provider.issuer}/`)) return landingAt(url);
    }
    throw new Error(`no end after ${MAX_STEPS} redirects`);
  };
}

function keep(cookies: Map<string, string>, line: string): void {
  const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
  if (value === "") cookies.delete(name);
  else cookies.set(name, value);
}

function landingAt(url: string): Landing {
  const { searchParams } = new URL(url);
  const value = (name: string): string | undefined => searchParams.get(name) ?? undefined;
  return {
    redirectUri: url.split("?", 1)[0] ?? "",
    code: value("code"),
    state: value("state"),
    error: value("error"),
  };
}

async function get(
  url: string,
  headers: Record<string, string>,
  ca: string,
): Promise<{ status: number | undefined; headers: IncomingHttpHeaders }> {
  return new Promise((resolve, reject) => {
    const sent = url.startsWith("https:")
      ? request(url, { headers, ca, agent: false })
      : requestPlain(url, { headers, agent: false });
    sent
      .on("response", (message) => {
        message.resume();
        message.on("end", () => {
          resolve({ status: message.statusCode, headers: message.headers });
        });
      })
      .on("error", reject)
      .end();
  });
}
