import { X509Certificate } from "node:crypto";
import { bool, decodeConfig, text, textMap } from "../config.ts";
import { MethodConfigError, IdentityError } from "../errors.ts";
import { limitedText, MAX_AUTHORITIES, MAX_AUTHORITIES_LENGTH, MAX_TOKEN_LENGTH, shortText } from "../limits.ts";
import type { RawConfig } from "../validator.ts";
import { parseServiceAccountToken } from "./service-account-token.ts";

const KINDS = {
  Host: shortText,
  CACert: text,
  ServiceAccountJWT: limitedText(MAX_TOKEN_LENGTH),
  MapNamespaces: bool,
  ConsulNamespacePrefix: shortText,
  ConsulNamespaceOverrides: textMap,
};

/** An API server, and who asks it. */
export interface ApiServer {
  /** `https:` URL without a slash at the end. */
  readonly url: string;
  /** PEM: the only authorities that may vouch for it. */
  readonly ca: string;
  /** Token of a service account that may review tokens and read service accounts. */
  readonly reviewer: string;
}

/** How a Kubernetes namespace becomes one of ours. */
export interface NamespaceMapping {
  readonly isOn: boolean;
  readonly prefix: string;
  /** Mapped namespaces by the Kubernetes namespace. The prefix does not apply to them. */
  readonly overrides: ReadonlyMap<string, string>;
}

/**
 * Reads the configuration. Its values are what they say and never the name of a file.
 *
 * @throws ConfigError
 */
export function readServer(raw: RawConfig): ApiServer {
  const config = decodeConfig(raw, KINDS);
  // Kept in a file, it ends with a line break.
  const reviewer = config.ServiceAccountJWT.trim();
  if (config.Host === "") throw new MethodConfigError("Config.Host is required");
  if (config.CACert === "") throw new MethodConfigError("Config.CACert is required");
  if (reviewer === "") throw new MethodConfigError("Config.ServiceAccountJWT is required");
  checkReviewer(reviewer);
  return { url: readHost(config.Host), ca: readAuthorities(config.CACert), reviewer };
}

/** @throws ConfigError when values are of another type */
export function readNamespaceMapping(raw: RawConfig): NamespaceMapping {
  const config = decodeConfig(raw, KINDS);
  return {
    isOn: config.MapNamespaces,
    prefix: config.ConsulNamespacePrefix,
    overrides: config.ConsulNamespaceOverrides,
  };
}

/** An address without a scheme is what Kubernetes tools also take. Without TLS the reviewer's token would be read on the way. */
function readHost(host: string): string {
  const url = URL.parse(host.includes("://") ? host : `https://${host}`);
  if (url?.protocol !== "https:") throw new MethodConfigError("Config.Host is not an https URL");
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    throw new MethodConfigError("Config.Host must not have a user, a query or a fragment");
  }
  return url.origin + withoutSlashes(url.pathname);
}

/** Not by a regular expression: it would look for the end anew from each slash. */
function withoutSlashes(path: string): string {
  let length = path.length;
  while (path[length - 1] === "/") length--;
  return path.slice(0, length);
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

/** Only the certificates themselves: what stands between them would be given to OpenSSL too. */
function readAuthorities(pem: string): string {
  const refuse = (problem: string): never => {
    throw new MethodConfigError(`error parsing kubernetes ca cert: ${problem}`);
  };
  if (pem.length > MAX_AUTHORITIES_LENGTH) refuse(`data is longer than ${MAX_AUTHORITIES_LENGTH} characters`);
  const blocks = pem.match(CERTIFICATE) ?? [];
  if (blocks.length === 0) refuse("data does not contain any valid certificates");
  if (blocks.length > MAX_AUTHORITIES) refuse(`data contains more than ${MAX_AUTHORITIES} certificates`);
  return blocks.map((block, index) => readCertificate(block, index)).join("");
}

function readCertificate(block: string, index: number): string {
  try {
    return new X509Certificate(block).toString();
  } catch {
    throw new MethodConfigError(`error parsing kubernetes ca cert: certificate ${index + 1} is malformed`);
  }
}

function checkReviewer(token: string): void {
  try {
    parseServiceAccountToken(token);
  } catch (error) {
    if (!(error instanceof IdentityError)) throw error;
    throw new MethodConfigError(`Config.ServiceAccountJWT is not a valid JWT: ${error.message}`);
  }
}
