/** Words for errors. */
import { ConnectionError, TesseraError } from "@tessera-server/client";
import { SignInError } from "../base/sign-in-error.ts";
import { ownerIn, ownerWords } from "./owned.ts";
import * as texts from "../texts/kit-objects.ts";

export interface Words {
  readonly title: string;
  /** Cause, and what to do next. */
  readonly detail: string;
  readonly requestId?: string | undefined;
  /** Whether asking again may help. */
  readonly mayPass: boolean;
  /** Whether the server can explain the denial. */
  readonly hasReason: boolean;
}

/**
 * Returns the words that explain an error to the user.
 *
 * @param isWrite whether the request was a write
 * @param failed what failed, with its object, such as `Could not save role web`. Default: the title names the cause
 */
export function wordsOf(error: unknown, isWrite = false, failed?: string): Words {
  const words = wordsOfCause(error, isWrite);
  if (failed === undefined || (isWrite && isUnknown(error))) return words;
  const { title, detail } = words;
  const isSaid = title === texts.screenFailed || detail.toLowerCase().startsWith(title.toLowerCase());
  return { ...words, title: failed, detail: isSaid ? detail : lines(title, detail) };
}

/** Whether it is unknown if the server has handled the request. */
function isUnknown(error: unknown): boolean {
  if (error instanceof ConnectionError) return true;
  return error instanceof TesseraError && (error.status === 502 || error.status === 504);
}

function wordsOfCause(error: unknown, isWrite: boolean): Words {
  if (error instanceof TesseraError) return wordsOfServer(error, isWrite);
  if (error instanceof SignInError) {
    return {
      title: texts.signInFailed,
      detail: error.message,
      requestId: error.requestId,
      mayPass: true,
      hasReason: false,
    };
  }
  if (error instanceof ConnectionError) {
    const title = error.kind === "timeout" ? texts.timedOut : texts.unreachable;
    const detail = isWrite ? texts.outcomeUnknown : texts.nothingChanged;
    return { title, detail, mayPass: true, hasReason: false };
  }
  const message = error instanceof Error ? error.message : String(error);
  // A member that a response lacks causes a TypeError where the screen reads it.
  const detail = error instanceof TypeError ? texts.unexpectedResponse(message) : message;
  return { title: texts.screenFailed, detail, mayPass: true, hasReason: false };
}

const TITLES: Readonly<Record<number, string>> = {
  400: texts.badRequest,
  401: texts.signedOut,
  403: texts.permissionDenied,
  404: texts.notFound,
  409: texts.conflict,
  412: texts.objectChanged,
  413: texts.tooLarge,
  415: texts.wrongContentType,
  422: texts.invalidValue,
  429: texts.rateLimited,
  502: texts.badGateway,
  503: texts.notReady,
  504: texts.gatewayTimeout,
};

const NEXT: Readonly<Record<number, string>> = {
  401: texts.signInAgain,
  403: texts.withPermittedToken,
  409: texts.reloadAndRetry,
  412: texts.reloadAndRetry,
  413: texts.reduceAndRetry,
  415: texts.reloadConsole,
};

function wordsOfServer(error: TesseraError, isWrite: boolean): Words {
  const { status, requestId } = error;
  const owner = ownerIn(error);
  if (owner !== undefined) {
    const whose = ownerWords(owner);
    const detail = texts.changeDeclaredFiles(whose);
    return { title: texts.managedBy(whose), detail, requestId, mayPass: false, hasReason: false };
  }
  return {
    title: TITLES[status] ?? (status < 500 ? texts.rejected : titleOfFailure(error)),
    detail: lines(causeOf(error), nextOf(error, isWrite)),
    requestId,
    mayPass: status === 429 || status >= 500,
    hasReason: status === 403 || status === 404,
  };
}

/** Errors of the server have a request ID. Others come from between, and only their status tells what failed. */
function titleOfFailure({ status, requestId }: TesseraError): string {
  return requestId === undefined ? texts.serverErrorStatus(status) : texts.serverError;
}

/** Returns the cause as the server has it, with the field where the server names one. */
function causeOf({ status, detail, pointer, errors }: TesseraError): string {
  if (errors.length > 1)
    return lines(...errors.map((each) => inField(each.source?.pointer, each.detail ?? each.title)));
  // Consul's clients expect this response for an unknown ID.
  const isTold = detail !== "" && !(status === 404 && detail.includes(UNKNOWN_ID));
  if (!isTold) return status === 404 ? texts.notVisible : "";
  return inField(pointer, detail);
}

const UNKNOWN_ID = "index error";

/** Puts the field in front of a cause that does not name it. @param pointer JSON pointer into the request */
function inField(pointer: string | undefined, cause: string): string {
  const field = (pointer ?? "").replace(/^\/data(\/(attributes|relationships))?\/?/, "").replaceAll("/", ".");
  const named = cause.toLowerCase().replaceAll(/[-_ ]/g, "");
  return field === "" || named.includes(field.toLowerCase().replaceAll(/[-_ ]/g, ""))
    ? cause
    : texts.wrongField(field, cause);
}

/** Returns what the user can do about it. */
function nextOf(error: TesseraError, isWrite: boolean): string {
  const { status, requestId, retryAfter, errors, detail } = error;
  if (isWrite && isUnknown(error)) {
    return requestId === undefined ? lines(texts.outcomeUnknown, texts.checkProxy) : texts.outcomeUnknown;
  }
  if (retryAfter !== undefined) return texts.retryIn(Math.ceil(retryAfter));
  if (status === 400 || status === 422) {
    return isWrite && (detail !== "" || errors.length > 1) ? texts.correctAndRetry : "";
  }
  // A conflict of another kind, such as a name in use, has its own detail.
  if (status === 409 && detail !== "") return "";
  if (status >= 500 && requestId === undefined) return texts.checkProxy;
  return NEXT[status] ?? (status >= 500 ? texts.reportError : "");
}

function lines(...parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join("\n");
}
