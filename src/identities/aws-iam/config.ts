import { goQuote } from "../../go/quote.ts";
import { bool, decodeConfig, integer, text, texts } from "../config.ts";
import { MethodConfigError } from "../errors.ts";
import type { RawConfig } from "../validator.ts";
import { isPrincipalArn } from "./arn.ts";

export interface AwsIamConfig {
  /** ARNs; with details the last character of each may be `*`. */
  readonly trusted: readonly string[];
  /** Whether IAM is asked for the caller's path and tags. */
  readonly withDetails: boolean;
  readonly tagKeys: readonly string[];
  /** Server ID that the requests must be signed for. Empty for any. */
  readonly serverId: string;
  /** How often a request is sent again. */
  readonly retries: number;
  /** URLs in their normal form; undefined for those of AWS. */
  readonly stsEndpoint: string | undefined;
  readonly iamEndpoint: string | undefined;
  /** In lower case. */
  readonly extraHeaders: ReadonlySet<string>;
}

const MAX_RETRIES = 5;

/**
 * Reads the configuration. More retries than five are five.
 *
 * @throws ConfigError
 */
export function readConfig(raw: RawConfig): AwsIamConfig {
  const config = decodeConfig(raw, {
    BoundIAMPrincipalARNs: texts,
    EnableIAMEntityDetails: bool,
    IAMEntityTags: texts,
    ServerIDHeaderValue: text,
    MaxRetries: integer,
    IAMEndpoint: text,
    STSEndpoint: text,
    AllowedSTSHeaderValues: texts,
  });
  const withDetails = config.EnableIAMEntityDetails;
  checkTrusted(config.BoundIAMPrincipalARNs, withDetails);
  if (config.IAMEntityTags.length > 0 && !withDetails) {
    throw new MethodConfigError("must set EnableIAMEntityDetails=true to use IAMEntityTags");
  }
  return {
    trusted: config.BoundIAMPrincipalARNs,
    withDetails,
    tagKeys: [...new Set(config.IAMEntityTags)],
    serverId: config.ServerIDHeaderValue,
    retries: Math.min(Math.max(config.MaxRetries, 0), MAX_RETRIES),
    stsEndpoint: readEndpoint("STSEndpoint", config.STSEndpoint),
    iamEndpoint: readEndpoint("IAMEndpoint", config.IAMEndpoint),
    extraHeaders: readHeaders(config.AllowedSTSHeaderValues),
  };
}

function checkTrusted(arns: readonly string[], withDetails: boolean): void {
  if (arns.length === 0)
    throw new MethodConfigError("BoundIAMPrincipalARNs is required and must have at least 1 entry");
  for (const arn of arns) {
    const star = arn.indexOf("*");
    if (star >= 0 && !withDetails) {
      throw new MethodConfigError("must set EnableIAMEntityDetails=true to use wildcards in BoundIAMPrincipalARNs");
    }
    if (star >= 0 && star < arn.length - 1) {
      throw new MethodConfigError("only one wildcard is allowed at the end of the bound IAM principal ARN");
    }
    if (!isPrincipalArn(arn)) throw new MethodConfigError(`invalid principal ARN: ${goQuote(arn)}`);
  }
}

/** An endpoint of one's own may be reached without TLS, such as a proxy on the same machine. */
function readEndpoint(key: string, endpoint: string): string | undefined {
  if (endpoint === "") return undefined;
  const url = URL.parse(endpoint);
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) {
    throw new MethodConfigError(`${key} is not an http or https URL`);
  }
  if (url.username !== "" || url.password !== "" || url.href.includes("?") || url.href.includes("#")) {
    throw new MethodConfigError(`${key} must not have a user, a query or a fragment`);
  }
  return url.href;
}

const HEADER_NAME = /^[A-Za-z0-9_-]{1,100}$/;

/** Names of headers that say where a message ends, who it goes to, or in which form. They are ours to set. */
const FRAMING = new Set([
  "connection",
  "content-encoding",
  "expect",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

function readHeaders(names: readonly string[]): ReadonlySet<string> {
  const lower = names.map((name) => name.toLowerCase());
  const wrong = lower.find((name) => !HEADER_NAME.test(name) || FRAMING.has(name) || name.startsWith("proxy-"));
  if (wrong === undefined) return new Set(lower);
  throw new MethodConfigError(`AllowedSTSHeaderValues contains a header that is not allowed: ${goQuote(wrong)}`);
}
