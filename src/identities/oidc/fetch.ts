import type { CustomFetch, CustomFetchOptions } from "openid-client";
import type { Ask, OutboundResponse } from "../../outbound/outbound.ts";
import { answerProblem } from "../errors.ts";

/** `fetch` for the OpenID library, and the responses that it got. */
export interface RecordedFetch {
  fetch: CustomFetch;
  /** The last answer of a URL, as it was sent: what the library makes of numbers in it is not exact. */
  answerOf(url: string): OutboundResponse | undefined;
}

/** Only header that the library needs. Others make it look for things that it should not find, such as challenges. */
const CONTENT_TYPE = "content-type";

/**
 * Makes a `fetch` that asks guardedly. It throws a ProviderError for answers that say nothing about who logs in.
 *
 * @param ca PEM: the only authorities that may vouch for the provider; undefined for those of the system
 */
export function recordedFetch(ask: Ask, ca: string | undefined): RecordedFetch {
  const answers = new Map<string, OutboundResponse>();
  return {
    async fetch(url, { method, headers, body }) {
      const isPost = method === "POST";
      const answer = await ask({
        method: isPost ? "POST" : "GET",
        url,
        headers,
        ca,
        ...(isPost ? { body: textOf(body) } : {}),
      });
      checkAnswer(url, isPost, answer);
      answers.set(url, answer);
      return new Response(answer.body, { status: answer.status, headers: contentType(answer) });
    },
    answerOf: (url) => answers.get(new URL(url).href),
  };
}

/** Whether an answer is a signed token, by the rule of the library. */
export function isToken({ headers }: OutboundResponse): boolean {
  return headers[CONTENT_TYPE]?.split(";")[0] === "application/jwt";
}

function contentType({ headers }: OutboundResponse): Record<string, string> {
  const value = headers[CONTENT_TYPE];
  return value === undefined ? {} : { [CONTENT_TYPE]: value };
}

/** The library sends forms. */
function textOf(body: CustomFetchOptions["body"]): string {
  if (body instanceof URLSearchParams) return body.toString();
  if (typeof body === "string") return body;
  throw new TypeError("the body of the request is not a form");
}

/** Only of what is posted, a code and the client's secret, may the provider think little. */
function checkAnswer(url: string, isPost: boolean, answer: OutboundResponse): void {
  const { status, body } = answer;
  const isRefusal = isPost && status >= 400 && status < 500 && status !== 429;
  if (status !== 200 && !isRefusal) throw answerProblem(url, `the response has status ${status}`);
  const mayBeToken = !isPost && isToken(answer);
  if (status === 200 && !mayBeToken && !isJson(body)) throw answerProblem(url, "the response is not JSON");
}

function isJson(body: string): boolean {
  try {
    JSON.parse(body);
    return true;
  } catch {
    return false;
  }
}
