/** A login by AWS: a request for the caller's own identity, signed and not sent; the server sends it. */
import { createHash, createHmac } from "node:crypto";
import type { AwsCredentials } from "./aws-web-identity.ts";

/** Options of the AWS requests that a login signs. */
export interface BearerOptions {
  readonly credentials: AwsCredentials;
  readonly region: string;
  readonly now: Date;
  /** URL of STS, for a method with STSEndpoint. */
  readonly stsUrl?: string;
  readonly iamUrl?: string;
  /** Server ID, for a method with ServerIDHeaderValue. */
  readonly serverId?: string;
  /** The caller's own role or user, for a method with EnableIAMEntityDetails. */
  readonly entity?: { readonly kind: "role" | "user"; readonly name: string };
}

interface Signed {
  method: string;
  url: string;
  headers: Record<string, string[]>;
  body: string;
}

/** The bearer token for `POST /v1/acl/login`. */
export function awsBearerToken(options: BearerOptions): string {
  const { stsUrl, region, serverId } = options;
  const url =
    stsUrl ?? (region === "us-east-1" ? "https://sts.amazonaws.com/" : `https://sts.${region}.amazonaws.com/`);
  const more = { ...(serverId === undefined ? {} : { "X-Consul-IAM-ServerID": serverId }), ...entityHeaders(options) };
  const signed = sign(options, "sts", region, url, "Action=GetCallerIdentity&Version=2011-06-15", more);
  return JSON.stringify({
    iam_http_request_method: signed.method,
    iam_request_url: base64(signed.url),
    iam_request_headers: base64(JSON.stringify(signed.headers)),
    iam_request_body: base64(signed.body),
  });
}

function entityHeaders(options: BearerOptions): Record<string, string> {
  const { entity, iamUrl } = options;
  if (entity === undefined) return {};
  const name = encodeURIComponent(entity.name);
  const action = entity.kind === "role" ? `Action=GetRole&RoleName=${name}` : `Action=GetUser&UserName=${name}`;
  // IAM has one region for all.
  const signed = sign(
    options,
    "iam",
    "us-east-1",
    iamUrl ?? "https://iam.amazonaws.com/",
    `${action}&Version=2010-05-08`,
    {},
  );
  return {
    "X-Consul-IAM-GetEntity-Method": signed.method,
    "X-Consul-IAM-GetEntity-URL": signed.url,
    "X-Consul-IAM-GetEntity-Headers": JSON.stringify(signed.headers),
    "X-Consul-IAM-GetEntity-Body": signed.body,
  };
}

/** AWS Signature Version 4 of a form. */
function sign(
  { credentials, now }: BearerOptions,
  service: string,
  region: string,
  url: string,
  body: string,
  more: Record<string, string>,
): Signed {
  const { host, pathname } = new URL(url);
  const time = now.toISOString().replaceAll(/[-:]|\.\d+/g, "");
  const day = time.slice(0, 8);
  const headers: Record<string, string> = {
    "Content-Type": "application/x-www-form-urlencoded; charset=utf-8",
    "X-Amz-Date": time,
    ...(credentials.sessionToken === undefined ? {} : { "X-Amz-Security-Token": credentials.sessionToken }),
    ...more,
  };
  const all = Object.entries({ ...headers, Host: host }).map(
    ([name, value]) => [name.toLowerCase(), value.trim().replaceAll(/ +/g, " ")] as const,
  );
  all.sort(([a], [b]) => (a < b ? -1 : 1));
  const names = all.map(([name]) => name).join(";");
  const canonical = [
    "POST",
    pathname,
    "",
    ...all.map(([name, value]) => `${name}:${value}`),
    "",
    names,
    sha256(body),
  ].join("\n");
  const scope = `${day}/${region}/${service}/aws4_request`;
  const key = [region, service, "aws4_request"].reduce(
    (from: Buffer, part) => hmac(from, part),
    hmac(`AWS4${credentials.secretAccessKey}`, day),
  );
  const signature = hmac(key, ["AWS4-HMAC-SHA256", time, scope, sha256(canonical)].join("\n")).toString("hex");
  const authorization = `AWS4-HMAC-SHA256 Credential=${credentials.accessKeyId}/${scope}, SignedHeaders=${names}, Signature=${signature}`;
  const listed = Object.entries({ ...headers, Authorization: authorization }).map(([name, value]) => [name, [value]]);
  return { method: "POST", url, headers: Object.fromEntries(listed) as Signed["headers"], body };
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}
