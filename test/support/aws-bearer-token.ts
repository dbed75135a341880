/** Makes bearer tokens as a client does to log in with its AWS credentials. */
import aws4 from "aws4";
import type { Ask } from "../../src/outbound/outbound.ts";
import { openAsk } from "./open-ask.ts";
import type { AwsIdentity } from "./sts.ts";

/** A signed request, with its headers as they go into a bearer token. */
export interface Signed {
  method: string;
  url: string;
  headers: Record<string, string | string[]>;
  body: string;
}

export interface BearerOptions {
  stsUrl?: string;
  iamUrl?: string;
  /** Adds a signed GetRole or GetUser request. */
  withEntity?: boolean;
  /** Fields of that request in place of those that ask for the identity itself. */
  entityBody?: string;
  /** More headers to sign. */
  headers?: Readonly<Record<string, string>>;
}

/** A bearer token for `POST /v1/acl/login`. */
export function bearerTokenOf(identity: AwsIdentity, options: BearerOptions = {}): string {
  return encodeBearer(signIdentityRequest(identity, options));
}

/** The request that a bearer token is made of. */
export function signIdentityRequest(identity: AwsIdentity, options: BearerOptions = {}): Signed {
  const { stsUrl = "https://sts.amazonaws.com/", headers = {}, withEntity = false } = options;
  const more = withEntity ? entityHeaders(signEntityRequest(identity, options)) : {};
  const body = "Action=GetCallerIdentity&Version=2011-06-15";
  return sign(identity, "sts", { url: stsUrl, body, headers: { ...headers, ...more } });
}

/** The request for the identity's own role or user. */
export function signEntityRequest(identity: AwsIdentity, { iamUrl, entityBody }: BearerOptions = {}): Signed {
  const name = encodeURIComponent(identity.name);
  const own = identity.kind === "role" ? `Action=GetRole&RoleName=${name}` : `Action=GetUser&UserName=${name}`;
  const body = entityBody ?? `${own}&Version=2010-05-08`;
  return sign(identity, "iam", { url: iamUrl ?? "https://iam.amazonaws.com/", body, headers: {} });
}

/** The headers that carry a second request. */
export function entityHeaders({ method, url, headers, body }: Signed): Record<string, string> {
  return {
    "X-Consul-Iam-Getentity-Method": method,
    "X-Consul-Iam-Getentity-Url": url,
    "X-Consul-Iam-Getentity-Headers": JSON.stringify(headers),
    "X-Consul-Iam-Getentity-Body": body,
  };
}

/** Signs a request as a client in Go does: the host is signed but not in the headers, and each value is a list of one. */
export function sign(
  { accessKeyId, secretAccessKey }: AwsIdentity,
  service: "sts" | "iam",
  request: { url: string; body: string; headers: Readonly<Record<string, string>> },
): Signed {
  const { host, pathname, search } = new URL(request.url);
  const signed = aws4.sign(
    {
      method: "POST",
      path: pathname + search,
      service,
      region: "us-east-1",
      body: request.body,
      headers: {
        Host: host,
        "Content-Length": String(request.body.length),
        "X-Amz-Security-Token": "session",
        ...request.headers,
      },
    },
    { accessKeyId, secretAccessKey },
  );
  const headers = Object.entries(signed.headers).filter(([name]) => name !== "Host");
  return {
    method: "POST",
    url: request.url,
    headers: Object.fromEntries(headers.map(([name, value]) => [name, [value]])),
    body: request.body,
  };
}

/** Writes a request as a bearer token. */
export function encodeBearer({ method, url, headers, body }: Signed): string {
  return JSON.stringify({
    iam_http_request_method: method,
    iam_request_url: base64(url),
    iam_request_headers: base64(JSON.stringify(headers)),
    iam_request_body: base64(body),
  });
}

/** Text in base64. */
export function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}

/** An Ask whose AWS is a server of the test, and where it was sent. */
export function askInsteadOfAws(url: string): { ask: Ask; asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    ask(request) {
      asked.push(request.url);
      const { host, pathname, search } = new URL(request.url);
      const headers = { ...request.headers, host };
      return openAsk({ ...request, url: new URL(pathname + search, url).href, headers });
    },
  };
}
