/** Message and exit code of a command that failed: one place for all commands. */
import { ConnectionError, TesseraError } from "@tessera-server/client";
import { CliError, CutShort, EXIT, TextKept, type ExitCode } from "./exit.ts";
import type { ClientSettings } from "./settings.ts";
import { SignalError } from "./surroundings.ts";
import { isTaken } from "./taken.ts";

/** A failure as it is told. */
export interface ShownFailure {
  readonly exit: ExitCode;
  readonly message: string;
  readonly hints: readonly string[];
  readonly status?: number;
  readonly title?: string;
  readonly requestId?: string;
  readonly retryAfter?: number;
}

/** Says what an error means for who gave the command. @param signal aborted when the command was ended, which then is all that went wrong */
export function tellFailure(error: unknown, settings: Partial<ClientSettings>, signal?: AbortSignal): ShownFailure {
  if (error instanceof TextKept) {
    const told = tellFailure(error.cause, settings, signal);
    return { ...told, hints: [`your edit was saved to ${error.file}`, ...told.hints] };
  }
  if (signal?.aborted === true) return interrupted(error, signal);
  if (error instanceof CutShort) {
    const told = tellFailure(error.cause, settings);
    return { ...told, hints: [`incomplete output: stopped after ${error.count}`, ...told.hints] };
  }
  if (error instanceof CliError) return ofCommand(error, settings);
  if (error instanceof TesseraError) return answered(error, settings);
  if (error instanceof ConnectionError) return unreached(error, settings);
  if (error instanceof Error && "syscall" in error) return { exit: EXIT.failed, message: error.message, hints: [] };
  return { exit: EXIT.failed, message: error instanceof Error ? error.message : String(error), hints: [] };
}

function interrupted(error: unknown, { reason }: AbortSignal): ShownFailure {
  const isTerminated = reason instanceof SignalError && reason.signal === "SIGTERM";
  return {
    exit: isTerminated ? EXIT.terminated : EXIT.interrupted,
    message: isTerminated ? "terminated" : "interrupted",
    hints: error instanceof CliError ? error.hints : [],
  };
}

/** A failure that a command words itself; with it the status of the server's answer and how the request is called. */
function ofCommand({ exitCode, message, hints, cause }: CliError, settings: Partial<ClientSettings>): ShownFailure {
  if (!(cause instanceof TesseraError)) return { exit: exitCode, message, hints };
  const told = answered(cause, settings);
  return { ...told, exit: exitCode, message, hints: [...hints, ...told.hints] };
}

const BY_STATUS: Readonly<Record<number, ExitCode>> = {
  401: EXIT.refused,
  403: EXIT.refused,
  404: EXIT.notFound,
  409: EXIT.conflict,
  410: EXIT.notFound,
  412: EXIT.conflict,
  502: EXIT.unreachable,
  503: EXIT.unreachable,
  504: EXIT.unreachable,
};

function answered(error: TesseraError, settings: Partial<ClientSettings>): ShownFailure {
  const { status, title, requestId, retryAfter } = error;
  return {
    exit: isTaken(error) ? EXIT.conflict : (BY_STATUS[status] ?? EXIT.failed),
    message: error.detail === "" ? title : error.detail,
    hints: [...hintsFor(error, settings), ...(requestId === undefined ? [] : [`request ${requestId}`])],
    status,
    title,
    ...(requestId === undefined ? {} : { requestId }),
    ...(retryAfter === undefined ? {} : { retryAfter }),
  };
}

function hintsFor(
  { status, detail, retryAfter, requestId }: TesseraError,
  settings: Partial<ClientSettings>,
): string[] {
  if (status === 405 || /not a recognized HTTP API endpoint/.test(detail)) {
    return ["the server does not support this operation: compare tessera --version and tessera server version"];
  }
  const server =
    settings.address === undefined ? "the server" : `${settings.address} (from ${settings.addressFrom ?? "?"})`;
  const isGiven = settings.tokenFrom !== undefined;
  const who = `${isGiven ? `token from ${settings.tokenFrom}` : "no token was sent"}; server ${server}`;
  if (status === 401 || (status === 403 && /ACL not found|the token of this request is unknown/.test(detail))) {
    return [
      isGiven
        ? `${who}: the token is unknown to the server or has expired`
        : `${who}: set TESSERA_TOKEN, or run tessera login`,
    ];
  }
  if (status === 403 && !isGiven) return [`${who}: set TESSERA_TOKEN, or run tessera login`];
  if (status === 403) return [who, ...explanations(detail, requestId)];
  if (status === 404) return [`${who}; objects that you may not read are reported as not found`];
  if (status === 503 || status === 429) {
    return [
      retryAfter === undefined
        ? "the outcome is unknown: check the current state before you retry"
        : `retry in ${retryAfter} s`,
    ];
  }
  return [];
}

/** The text of a denial for lack of rights, of which the server keeps which rule decided. All other refusals say their own reason. */
const LACKS = /lacks permission|not authorized/;

/** Commands that explain a denial. The first needs no right, the second a right that may be the very one that is lacking. */
function explanations(detail: string, requestId: string | undefined): string[] {
  if (!LACKS.test(detail)) return [];
  const own = "run tessera why for the reason";
  const isForOthers = requestId !== undefined && !detail.includes("'acl:read'");
  return [isForOthers ? `${own}, or tessera why ${requestId} with a token that has acl:read` : own];
}

function unreached(error: ConnectionError, settings: Partial<ClientSettings>): ShownFailure {
  const from = settings.addressFrom === undefined ? "" : ` (from ${settings.addressFrom})`;
  const hints: Record<string, string[]> = {
    refused: [
      `no server listens at ${settings.address ?? "the address"}${from}: start it, or set --address or TESSERA_ADDR`,
    ],
    dns: [`host name not found${from}: check the address and the DNS servers`],
    tls: tlsHints(error),
    timeout: ["the request timed out: increase --timeout"],
    cut: ["the connection was closed before the response was complete: check the result of a write before you retry"],
  };
  return { exit: EXIT.unreachable, message: error.message, hints: hints[error.kind] ?? [] };
}

function tlsHints(error: Error): string[] {
  const text = `${error.message} ${codesOf(error)}`;
  if (/UNABLE_TO_VERIFY|SELF_SIGNED|self.signed|issuer/i.test(text))
    return ["set --ca-file or TESSERA_CA_FILE to the CA certificate"];
  if (/EXPIRED|expired/.test(text)) return ["the certificate of the server has expired: renew it"];
  if (/ALTNAME|altnames/.test(text))
    return ["the certificate is for another host name: use an address that the certificate contains"];
  if (/CERTIFICATE_REQUIRED|HANDSHAKE/i.test(text))
    return ["the server requires a client certificate: set --client-cert and --client-key"];
  if (/WRONG_VERSION|wrong version|EPROTO/i.test(text))
    return ["http:// sends the token unencrypted: use it only if the server is meant to run without TLS"];
  return ["check the certificate, --ca-file, --client-cert and --client-key"];
}

function codesOf(error: Error): string {
  const codes: string[] = [];
  let at: unknown = error;
  for (let depth = 0; depth < 5 && at instanceof Error; depth++) {
    if ("code" in at) codes.push(String(at.code));
    codes.push(at.message);
    at = at.cause;
  }
  return codes.join(" ");
}
