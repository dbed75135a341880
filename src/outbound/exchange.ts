import type { LookupAddress } from "node:dns";
import { request as requestHttp, type ClientRequest, type IncomingMessage, type RequestOptions } from "node:http";
import { request as requestHttps, type RequestOptions as SecureRequestOptions } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import type { ConnectionOptions } from "node:tls";
import { orAborted } from "../limits/lane.ts";
import { readAnswer, tooLarge } from "./answer.ts";
import { type Attributes, asPiece } from "../pieces.ts";
import { outboundError } from "./failures.ts";
import { OutboundError, type OutboundRequest, type OutboundResponse, type Ask } from "./outbound.ts";
import { refuseAddress, type ReachRules } from "./reach.ts";
import type { Resolve } from "./resolver.ts";
import type { Trust } from "./trust.ts";

interface Limits {
  permission: ReachRules;
  resolve: Resolve;
  trust: Trust;
  connectMilliseconds: number;
  totalMilliseconds: number;
}

/** Headers that say how a request is sent, which is decided here. */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  "accept-encoding",
  "connection",
  "content-length",
  "expect",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** Bytes of a connection: of an answer with its head, and with what its chunks are wrapped in. */
const MAX_RAW = 2 * 1024 * 1024;
/** Answers that only announce the answer. */
const MAX_ANNOUNCEMENTS = 10;

/**
 * Sends one request on a connection of its own and reads the answer. Whatever happens, the connection is gone then.
 *
 * @throws {OutboundError}
 */
async function exchange(target: Target, request: OutboundRequest, limits: Limits): Promise<OutboundResponse> {
  const { name } = target;
  const ending = new AbortController();
  const after = (milliseconds: number, missed: string): NodeJS.Timeout =>
    setTimeout(
      () => ending.abort(new OutboundError(`${name}: ${missed} within ${milliseconds / 1000} s`)),
      milliseconds,
    );
  const connecting = after(limits.connectMilliseconds, "no connection");
  const total = after(limits.totalMilliseconds, "no response");
  const stop = (): void => ending.abort(new OutboundError(`${name}: the request was canceled`));
  request.signal?.addEventListener("abort", stop);
  try {
    if (request.signal?.aborted === true) stop();
    const outgoing = await prepare(target, request, limits, ending.signal);
    onConnection(outgoing, target, () => clearTimeout(connecting));
    boundWrapping(outgoing, name, (error) => ending.abort(error));
    return await readAnswer(name, await send(outgoing, target, request.body));
  } catch (error) {
    throw outboundError(name, ending.signal.aborted ? ending.signal.reason : error);
  } finally {
    clearTimeout(connecting);
    clearTimeout(total);
    request.signal?.removeEventListener("abort", stop);
    ending.abort();
  }
}

async function prepare(
  target: Target,
  request: OutboundRequest,
  { permission, resolve, trust }: Limits,
  signal: AbortSignal,
): Promise<ClientRequest> {
  const { url, host, isSecure } = target;
  // Before anything else is done for it: what nobody may ask shall cost nothing.
  const addresses = checkAddresses(target, await addressesOf(host, resolve, signal), permission);
  const options: RequestOptions = {
    method: request.method,
    hostname: host,
    ...(url.port === "" ? {} : { port: url.port }),
    path: url.pathname + url.search,
    headers: headersOf(request),
    // One that is made for this request: it keeps no connection, and knows no proxy.
    agent: false,
    signal,
    lookup: lookupOf(addresses),
  };
  if (!isSecure) return requestHttp(options);
  const secured: SecureRequestOptions & Pick<ConnectionOptions, "secureContext"> = {
    ...options,
    secureContext: await orAborted(trust(request.ca), signal),
    // Else a header could say whose certificate is wanted, and the environment whether it is verified.
    servername: isIP(host) === 0 ? host : "",
    rejectUnauthorized: true,
  };
  return requestHttps(secured);
}

function headersOf({ headers = {} }: OutboundRequest): Record<string, string> {
  const given = Object.entries(headers).filter(([name]) => !OWN_HEADERS.has(name.toLowerCase()));
  const isNamed = given.some(([name]) => name.toLowerCase() === "user-agent");
  return Object.fromEntries([
    ...(isNamed ? [] : [["user-agent", "tessera"]]),
    ...given,
    ["accept-encoding", "identity"],
  ]) as Record<string, string>;
}

async function addressesOf(host: string, resolve: Resolve, signal: AbortSignal): Promise<readonly LookupAddress[]> {
  if (isIP(host) !== 0) return [{ address: host, family: isIP(host) }];
  try {
    return await orAborted(resolve(host, signal), signal);
  } catch (error) {
    if (error instanceof OutboundError) throw new OutboundError(`${host}: ${error.message}`);
    return [];
  }
}

/** Returns the lookup function of the socket: the socket connects only to these addresses. */
function lookupOf(addresses: [LookupAddress, ...LookupAddress[]]): LookupFunction {
  const [{ address, family }] = addresses;
  return (_host, { all }, callback) => {
    process.nextTick(() => (all === true ? callback(null, addresses) : callback(null, address, family)));
  };
}

/**
 * @returns those of the addresses that may be connected to
 * @throws {OutboundError} when there are none
 */
function checkAddresses(
  { name, host }: Target,
  found: readonly LookupAddress[],
  permission: ReachRules,
): [LookupAddress, ...LookupAddress[]] {
  const [open, ...others] = found.filter(({ address }) => refuseAddress(address, permission) === undefined);
  if (open !== undefined) return [open, ...others];
  const [first] = found;
  if (first === undefined) throw new OutboundError(`${name}: the name could not be resolved`);
  // Which address a name stands for is the business of the network that it is looked up in.
  const what = first.address === host ? "is" : "resolves to";
  throw new OutboundError(`connection to ${name} not allowed: it ${what} ${refuseAddress(first.address, permission)}`);
}

function onConnection(outgoing: ClientRequest, { isSecure }: Target, listener: () => void): void {
  outgoing.once("socket", (socket) => socket.once(isSecure ? "secureConnect" : "connect", listener));
}

/** Counts what no limit of a body does, since it is not part of one. */
function boundWrapping(outgoing: ClientRequest, name: string, refuse: (error: OutboundError) => void): void {
  let bytes = 0;
  let announcements = 0;
  outgoing.once("socket", (socket) =>
    socket.on("data", ({ length }: Buffer) => {
      bytes += length;
      if (bytes > MAX_RAW) refuse(tooLarge(name));
    }),
  );
  outgoing.on("information", () => {
    announcements++;
    if (announcements > MAX_ANNOUNCEMENTS) {
      refuse(new OutboundError(`${name}: too many 1xx responses`));
    }
  });
}

function send(outgoing: ClientRequest, { name }: Target, body: string | undefined): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    outgoing.once("response", resolve);
    // Not once: ending the request when all is done is an error of it, too.
    outgoing.on("error", reject);
    outgoing.once("close", () => reject(new OutboundError(`${name}: the connection was closed before the response`)));
    outgoing.end(body);
  });
}

/** Whom a request is for. */
interface Target {
  url: URL;
  /** As errors name it: with the port where it is not the usual one. */
  name: string;
  /** The name, or the address without brackets. */
  host: string;
  isSecure: boolean;
}

/** As long as a name of the DNS may be. */
const MAX_HOST_LENGTH = 253;

/**
 * Reads a URL. Addresses have one spelling behind it, however they are spelled in it: `0x7f.1` is `127.0.0.1`.
 *
 * @throws {OutboundError} unless it is one of http or https, without credentials
 */
function parseTarget(text: string): Target {
  const url = URL.parse(text);
  if (url === null) throw new OutboundError("the URL is not valid");
  const { protocol } = url;
  if (protocol !== "https:" && protocol !== "http:") throw new OutboundError("the URL must be one of https or http");
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  if (host.length > MAX_HOST_LENGTH) throw new OutboundError("the URL has a host that is too long");
  if (url.username !== "" || url.password !== "") {
    throw new OutboundError(`${url.host}: the URL must not contain a user name or a password`);
  }
  return { url, name: url.host, host, isSecure: protocol === "https:" };
}

export interface AskOptions extends ReachRules {
  /** Finds the addresses of names, for whoever asks; see `lookups.ts`. */
  resolve: Resolve;
  /** Certificate authorities that the caller trusts. */
  trust: Trust;
  /** How long it may take until a connection stands, look-up and TLS included. */
  connectMilliseconds?: number;
  /** How long a request may take as a whole. */
  totalMilliseconds?: number;
}

const CONNECT_MILLISECONDS = 5000;
const TOTAL_MILLISECONDS = 10_000;

/**
 * Makes a function that asks servers which others name, within bounds:
 *
 * - It connects only to addresses that are permitted. A name is looked up once, so what is checked is what is connected to.
 * - Certificates are always verified, and so is the name in them. No proxy is used, and no redirect followed.
 * - A connection must stand within 5 s, and the whole answer be there within 10 s and in 1 MiB.
 * - Every request has a connection of its own, which is gone when the answer is there.
 *
 * Errors are OutboundErrors that name the host and repeat nothing that was read.
 */
export function createAsk({ allow, mayUsePrivate, resolve, trust, ...times }: AskOptions): Ask {
  const limits: Limits = {
    permission: { allow, mayUsePrivate },
    resolve,
    trust,
    connectMilliseconds: times.connectMilliseconds ?? CONNECT_MILLISECONDS,
    totalMilliseconds: times.totalMilliseconds ?? TOTAL_MILLISECONDS,
  };
  return async (request) => {
    const target = parseTarget(request.url);
    return asPiece(
      () => ({ name: request.method, attributes: attributesOf(request, target), mayBegin: true }),
      () => exchange(target, request, limits),
    );
  };
}

/** Returns the attributes of a request in traces. They name only the host: the rest of the URL may be a secret. */
function attributesOf({ method }: OutboundRequest, { url, host, isSecure }: Target): Attributes {
  const usual = isSecure ? 443 : 80;
  return {
    "http.request.method": method,
    "server.address": host,
    "server.port": url.port === "" ? usual : Number(url.port),
  };
}
