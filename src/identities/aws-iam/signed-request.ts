/**
 * A signed request comes from whoever wants to log in, so nothing of it is passed on unseen: it is made anew from parts
 * that were each found to be what such a request has. AWS then finds out whether it was signed.
 */
import { createHash } from "node:crypto";
import { goQuote } from "../../go/quote.ts";
import type { OutboundRequest } from "../../outbound/outbound.ts";
import { IdentityError } from "../errors.ts";
import { headerOf, type PartNames, type SignedParts } from "./bearer-token.ts";

/** Requirements on a signed request. */
export interface Requirements {
  readonly service: "sts" | "iam";
  readonly parts: PartNames;
  /** The only URL, in its normal form; undefined for those of AWS. */
  readonly endpoint: string | undefined;
  readonly version: string;
  /** Allowed actions, each with the one parameter that it has. */
  readonly actions: ReadonlyMap<string, SignedParameter | undefined>;
  /** Headers that may be there beside those that AWS wants, in lower case. They are signed if they begin with `x-`. */
  readonly extraHeaders: ReadonlySet<string>;
  /** Headers that must be there, each with the value it must have or undefined for any. */
  readonly requiredHeaders: ReadonlyMap<string, string | undefined>;
}

export interface SignedParameter {
  readonly name: string;
  readonly isRequired: boolean;
}

export interface CheckedRequest {
  readonly request: OutboundRequest;
  readonly action: string;
  /** The name of the role or user that is asked for; undefined when none is named. */
  readonly subject: string | undefined;
}

/**
 * Checks every part of a signed request and makes the request to send.
 *
 * @throws IdentityError
 */
export function checkRequest(signed: SignedParts, wanted: Requirements): CheckedRequest {
  if (signed.method !== "POST") throw new IdentityError(`${wanted.parts.method} must be POST`);
  const url = checkUrl(signed.url, wanted);
  const { action, subject } = checkForm(signed.body, wanted);
  const headers = checkHeaders(signed, url, wanted);
  return { request: { method: "POST", url: url.href, headers, body: signed.body }, action, subject };
}

/** Only regions: in other places names belong to customers, as `sts.s3` would to whoever has a bucket of that name. */
const REGION = String.raw`(?:\.(?:us-gov|[a-z]{2,4}(?:-[a-z]+)+-\d{1,2}))?`;
const HOSTS = {
  sts: new RegExp(String.raw`^sts(?:-fips)?${REGION}\.amazonaws\.com$`),
  iam: new RegExp(String.raw`^iam(?:-fips)?${REGION}\.amazonaws\.com$`),
};

function checkUrl(text: string, { service, parts, endpoint }: Requirements): URL {
  const url = URL.parse(text);
  if (url === null) throw new IdentityError(`${parts.url} is not a URL`);
  const isKnown = endpoint === undefined ? HOSTS[service].test(url.host) : url.host === new URL(endpoint).host;
  if (!isKnown) throw new IdentityError(`invalid ${service.toUpperCase()} hostname: ${goQuote(url.host)}`);
  const only = endpoint ?? `https://${url.host}/`;
  // The text itself, since a parser forgives: it drops tabs, ports that go without saying, and much else.
  const isOnly = url.href === only && (text === only || `${text}/` === only);
  if (!isOnly) throw new IdentityError(`${parts.url} must be ${only}`);
  return url;
}

/** Names that AWS allows for a role or a user. */
const NAME = /^[\w+=,.@-]{1,64}$/;

function checkForm(
  body: string,
  { parts, version, actions }: Requirements,
): Pick<CheckedRequest, "action" | "subject"> {
  const form = new URLSearchParams(body);
  const fields = new Map(form);
  const action = fields.get("Action") ?? "";
  const parameter = actions.get(action);
  const subject = parameter && fields.get(parameter.name);
  const isWhole =
    actions.has(action) &&
    fields.get("Version") === version &&
    (subject === undefined ? parameter?.isRequired !== true : NAME.test(subject));
  // As many as are known, so there are no others, and none is there twice.
  const hasNoOthers = form.size === (subject === undefined ? 2 : 3);
  if (!isWhole || !hasNoOthers || body !== encodeForm(form)) {
    throw new IdentityError(`${parts.body} must be a request for ${[...actions.keys()].join(" or ")} and nothing else`);
  }
  return { action, subject };
}

/** In the one spelling that signers give. */
function encodeForm(form: URLSearchParams): string {
  return Array.from(form, ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join("&");
}

const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=[\w-]{1,128}\/(\d{8})\/[a-z0-9-]{1,32}\/([a-z]+)\/aws4_request, ?SignedHeaders=([a-z0-9_;-]+), ?Signature=[0-9a-f]{64}$/;

/** Headers that AWS requires in a signed request, and headers that its clients add. */
const ALLOWED = new Set([
  "accept",
  "authorization",
  "content-length",
  "content-type",
  "host",
  "user-agent",
  "x-amz-content-sha256",
  "x-amz-date",
  "x-amz-security-token",
]);

/** Asked for JSON, AWS would answer it. */
const XML_TYPES = new Set(["*/*", "application/xml", "text/xml"]);
const FORM_TYPE = /^application\/x-www-form-urlencoded(?:; ?charset=utf-8)?$/i;

/** The headers to send. */
function checkHeaders(signed: SignedParts, url: URL, wanted: Requirements): Record<string, string> {
  const { headers, body } = signed;
  for (const name of headers.keys()) {
    if (!ALLOWED.has(name) && !wanted.extraHeaders.has(name)) throw refused(wanted, name, "is not allowed");
  }
  for (const [name, only] of wanted.requiredHeaders) {
    const value = headerOf(headers, name);
    if (only !== undefined && value !== only) throw refused(wanted, name, "has another value");
  }
  const length = Buffer.byteLength(body);
  check(wanted, headers, "content-type", (value) => FORM_TYPE.test(value));
  check(wanted, headers, "content-length", (value) => value === String(length), String(length));
  check(wanted, headers, "host", (value) => value === url.host, url.host);
  check(wanted, headers, "accept", (value) => XML_TYPES.has(value), "*/*");
  check(wanted, headers, "x-amz-content-sha256", (value) => value === sha256(body), sha256(body));
  const signedNames = checkAuthorization(signed, wanted);
  const isSent = (name: string): boolean =>
    signedNames.has(name) || name === "authorization" || name === "content-type" || wanted.extraHeaders.has(name);
  const sent = [...headers].filter(([name]) => isSent(name) && name !== "host");
  return Object.fromEntries([...sent, ["content-length", String(length)]]);
}

/** @returns the names of the headers that are signed */
function checkAuthorization({ headers }: SignedParts, wanted: Requirements): ReadonlySet<string> {
  const [, date, service, list = ""] = AUTHORIZATION.exec(headerOf(headers, "Authorization")) ?? [];
  if (service !== wanted.service) throw refused(wanted, "authorization", `is not a signature for ${wanted.service}`);
  const names = list.split(";");
  const signed = new Set(names);
  if (signed.size !== names.length || list !== names.toSorted().join(";")) {
    throw refused(wanted, "authorization", "does not list the signed headers in the form that AWS requires");
  }
  for (const name of signed) if (name !== "host") headerOf(headers, spelled(name));
  const mustBeSigned = [...headers.keys()].filter((name) => name.startsWith("x-"));
  for (const name of ["host", "x-amz-date", ...mustBeSigned]) {
    if (!signed.has(name)) throw refused(wanted, name, "is not signed");
  }
  check(wanted, headers, "x-amz-date", (value) => /^\d{8}T\d{6}Z$/.test(value) && value.slice(0, 8) === date);
  return signed;
}

function check(
  wanted: Requirements,
  headers: SignedParts["headers"],
  name: string,
  isRight: (value: string) => boolean,
  absent?: string,
): void {
  const value = headers.get(name) ?? absent ?? headerOf(headers, spelled(name));
  if (!isRight(value)) throw refused(wanted, name, "has a value that is not allowed");
}

function refused({ parts }: Requirements, name: string, reason: string): IdentityError {
  return new IdentityError(`${parts.headers}: the header ${goQuote(name)} ${reason}`);
}

/** As in `X-Amz-Date`. */
function spelled(name: string): string {
  return name.replaceAll(/(?<=^|-)[a-z]/g, (letter) => letter.toUpperCase());
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
