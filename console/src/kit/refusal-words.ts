/** Words for errors. */
import { ConnectionError, TesseraError } from "@tessera-server/client";
import { SignInError } from "../base/sign-in-error.ts";
import { ownerIn, ownerWords } from "./owned.ts";

export interface Words {
  readonly title: string;
  readonly detail: string;
  readonly requestId?: string | undefined;
  /** Whether asking again may help. */
  readonly mayPass: boolean;
  /** Whether the server can explain the denial. */
  readonly hasReason: boolean;
}

/** Returns the words that explain an error to the user. @param isWrite whether the request was a write */
export function wordsOf(error: unknown, isWrite = false): Words {
  if (error instanceof TesseraError) return wordsOfServer(error);
  if (error instanceof SignInError) {
    return {
      title: "Not signed in",
      detail: error.message,
      requestId: error.requestId,
      mayPass: true,
      hasReason: false,
    };
  }
  if (error instanceof ConnectionError) {
    const title = error.kind === "timeout" ? "The server took too long" : "The server cannot be reached";
    return { title, detail: isWrite ? NOT_KNOWN : UNCHANGED, mayPass: true, hasReason: false };
  }
  const message = error instanceof Error ? error.message : String(error);
  // A member that a response lacks causes a TypeError where the screen reads it.
  const detail = error instanceof TypeError ? `${LACKING} (${message})` : message;
  return { title: "This screen failed", detail, mayPass: true, hasReason: false };
}

const LACKING =
  "The server's answer is not what this page knows how to show: it may be of another version. Load the page again; the other screens go on.";
const UNCHANGED = "Nothing was lost: what you see is from before.";
const NOT_KNOWN = "It is not known whether it was done: look before you try again.";

const TITLES: Readonly<Record<number, string>> = {
  400: "The server did not understand this",
  401: "You are not signed in",
  403: "Your token may not do this",
  404: "Not found",
  409: "It has changed meanwhile",
  412: "It has changed meanwhile",
  413: "This is too large",
  415: "The server does not take this type of content",
  422: "This cannot be saved",
  429: "Too many requests",
  503: "The server is not ready",
};

function wordsOfServer(error: TesseraError): Words {
  const { status, requestId, retryAfter } = error;
  const owner = ownerIn(error);
  if (owner !== undefined) {
    const whose = ownerWords(owner);
    const detail = `A directory of declared files owns it, or something in it: change it in the files of ${whose}, whose next apply makes it as it was.`;
    return { title: `This belongs to ${whose}`, detail, requestId, mayPass: false, hasReason: false };
  }
  const detail =
    error.errors.length > 1 ? error.errors.map((each) => each.detail ?? each.title).join("\n") : error.detail;
  const later = retryAfter === undefined ? "" : ` Come back in ${Math.ceil(retryAfter)} s.`;
  const missing = status === 404 ? "It is not there, or your token may not see it." : "";
  // Said as Consul's clients expect it of an ID that is none.
  const isTold = detail !== "" && !(status === 404 && detail.includes("index error"));
  return {
    title: TITLES[status] ?? (status < 500 ? "The server refused this" : "The server failed"),
    detail: `${isTold ? detail : missing}${later}`,
    requestId,
    mayPass: status === 429 || status >= 500,
    hasReason: status === 403 || status === 404,
  };
}
