/** A browser that has the console's page open: it keeps cookies, and sends what the page sends. */
import type { InjectOptions } from "fastify";
import type { Answer } from "./api.ts";

export interface Browser {
  /** The cookies that it keeps, by name. */
  cookies: Map<string, string>;
  /** A request of the page, with the headers that the page and the browser send. */
  send(method: InjectOptions["method"], url: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  signIn(SecretID: string): Promise<Answer>;
}

/** Headers that a page of the server at http://localhost sends. */
export const OF_PAGE = { "x-tessera-console": "1", origin: "http://localhost", "sec-fetch-site": "same-origin" };

/** @param send asks the server */
export function openBrowser(send: (asked: InjectOptions) => Promise<Answer>): Browser {
  const cookies = new Map<string, string>();
  const browser: Browser = {
    cookies,
    async send(method = "GET", url, body, headers) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
      const type = url.startsWith("/api/v2") ? "application/vnd.api+json" : "application/json";
      const answer = await send({
        method,
        url,
        headers: {
          ...OF_PAGE,
          ...(cookie !== "" && { cookie }),
          ...(body !== undefined && { "content-type": type }),
          ...headers,
        },
        ...(body !== undefined && { payload: JSON.stringify(body) }),
      });
      keep(cookies, answer.headers["set-cookie"]);
      return answer;
    },
    signIn: (SecretID) => browser.send("POST", "/ui/session", { SecretID }),
  };
  return browser;
}

function keep(cookies: Map<string, string>, given: unknown): void {
  for (const line of [given ?? []].flat().map(String)) {
    const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    if (/Max-Age=0\b/.test(line)) cookies.delete(name);
    else cookies.set(name, value);
  }
}
