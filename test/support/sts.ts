/**
 * STS and IAM on one port, as far as logins need them: they verify AWS Signature Version 4 with the access keys that
 * they know, and answer what AWS does.
 */
import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** A role or a user, with the access key of whoever acts as it. */
export interface AwsIdentity {
  kind: "role" | "user";
  account: string;
  /** Begins and ends with a slash. */
  path: string;
  name: string;
  id: string;
  tags: Readonly<Record<string, string>>;
  accessKeyId: string;
  secretAccessKey: string;
}

export interface Sts {
  /** `http://127.0.0.1:port/`. */
  readonly url: string;
  /** Requests that reached it, oldest first. */
  readonly requests: { service: string; body: string; headers: IncomingMessage["headers"] }[];
  /** Answers in place of the server where it gives something, as a broken or hostile server would. */
  answer: (service: string) => StsAnswer | undefined;
  close(): Promise<void>;
}

export interface StsAnswer {
  status: number;
  body: string;
  type?: string;
}

const VERSIONS: Readonly<Record<string, string>> = {
  sts: "https://sts.amazonaws.com/doc/2011-06-15/",
  iam: "https://iam.amazonaws.com/doc/2010-05-08/",
};
const REQUEST_ID = "<ResponseMetadata><RequestId>01234567-89ab-cdef-0123-456789abcdef</RequestId></ResponseMetadata>";
const CLOCK_SKEW_MILLISECONDS = 15 * 60 * 1000;

/** Starts it on a port of its own. The caller closes it. */
export async function startSts(identities: readonly AwsIdentity[]): Promise<Sts> {
  const server = createServer();
  const port = await listen(server);
  const sts: Sts = {
    url: `http://127.0.0.1:${port}/`,
    requests: [],
    answer: () => undefined,
    close: () => close(server),
  };
  server.on("request", (request, response) => {
    void text(request).then((body) => {
      const scope = authorizationOf(request)?.scope ?? [];
      const service = scope[3] ?? "";
      sts.requests.push({ service, body, headers: request.headers });
      const { status, body: answer, type } = sts.answer(service) ?? answerOf(identities, request, body);
      response.writeHead(status, { "content-type": type ?? "text/xml" }).end(answer);
    });
  });
  return sts;
}

/** A role with a path and two tags, in the account 111122223333 unless another is given. */
export function roleOf(name: string, changes: Partial<AwsIdentity> = {}): AwsIdentity {
  return { ...identityOf("role", name, "AROA"), tags: { team: "web", "service-name": "store & front" }, ...changes };
}

/** A user with a path, in the account 111122223333 unless another is given. */
export function userOf(name: string, changes: Partial<AwsIdentity> = {}): AwsIdentity {
  return { ...identityOf("user", name, "AIDA"), ...changes };
}

let created = 0;

function identityOf(kind: AwsIdentity["kind"], name: string, prefix: string): AwsIdentity {
  created += 1;
  const number = String(created).padStart(4, "0");
  const keys = { accessKeyId: `AKIATEST${number}`, secretAccessKey: `secret-${number}` };
  return { kind, account: "111122223333", path: "/some/path/", name, id: `${prefix}TEST${number}`, tags: {}, ...keys };
}

/** An answer that refuses, as AWS words it. */
export function awsFailure(service: string, status: number, code: string): StsAnswer {
  const error = `<Error><Type>Sender</Type><Code>${code}</Code><Message>canary-of-aws</Message></Error>`;
  return {
    status,
    body: `<ErrorResponse xmlns="${VERSIONS[service] ?? ""}">${error}<RequestId>1</RequestId></ErrorResponse>`,
  };
}

/** The answer to GetCallerIdentity. */
export function callerAnswer(caller: { arn: string; userId: string; account: string }): string {
  const { arn, userId, account } = caller;
  const result = `<Arn>${escape(arn)}</Arn><UserId>${userId}</UserId><Account>${account}</Account>`;
  return (
    `<GetCallerIdentityResponse xmlns="${VERSIONS["sts"] ?? ""}">\n  <GetCallerIdentityResult>${result}` +
    `</GetCallerIdentityResult>\n  ${REQUEST_ID}\n</GetCallerIdentityResponse>\n`
  );
}

/** The answer to GetRole or GetUser. */
export function entityAnswer({ kind, account, path, name, id, tags }: AwsIdentity): string {
  const word = kind === "role" ? "Role" : "User";
  const members = Object.entries(tags).map(
    ([key, value]) => `<member><Key>${escape(key)}</Key><Value>${escape(value)}</Value></member>`,
  );
  const policy = kind === "role" ? "<AssumeRolePolicyDocument>%7B%7D</AssumeRolePolicyDocument>" : "";
  const entity =
    `<Path>${path}</Path><Arn>arn:aws:iam::${account}:${kind}${path}${name}</Arn><${word}Name>${name}</${word}Name>` +
    `<${word}Id>${id}</${word}Id><CreateDate>2026-01-02T03:04:05Z</CreateDate>${policy}` +
    (members.length === 0 ? "" : `<Tags>${members.join("")}</Tags>`);
  return (
    `<?xml version="1.0" encoding="UTF-8"?>\n<Get${word}Response xmlns="${VERSIONS["iam"] ?? ""}"><Get${word}Result>` +
    `<${word}>${entity}</${word}></Get${word}Result>${REQUEST_ID}</Get${word}Response>`
  );
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

function answerOf(identities: readonly AwsIdentity[], request: IncomingMessage, body: string): StsAnswer {
  const authorization = authorizationOf(request);
  const service = authorization?.scope[3] ?? "sts";
  const signer = identities.find(({ accessKeyId }) => accessKeyId === authorization?.scope[0]);
  if (authorization === undefined || signer === undefined) return awsFailure(service, 403, "InvalidClientTokenId");
  const problem = signatureProblem(signer, authorization, request, body);
  if (problem !== undefined) return awsFailure(service, 403, problem);
  const fields = new URLSearchParams(body);
  const action = fields.get("Action");
  if (service === "sts" && action === "GetCallerIdentity") {
    if (request.headers.accept === "application/json") return { status: 200, body: "{}", type: "application/json" };
    return { status: 200, body: callerAnswer(callerOf(signer)) };
  }
  const kind = action === "GetRole" ? "role" : "user";
  const wanted = fields.get("RoleName") ?? fields.get("UserName") ?? signer.name;
  const entity = identities.find(
    (each) => each.kind === kind && each.name === wanted && each.account === signer.account,
  );
  if (service !== "iam" || (action !== "GetRole" && action !== "GetUser"))
    return awsFailure(service, 400, "InvalidAction");
  return entity === undefined ? awsFailure(service, 404, "NoSuchEntity") : { status: 200, body: entityAnswer(entity) };
}

function callerOf({ kind, account, path, name, id }: AwsIdentity): { arn: string; userId: string; account: string } {
  return kind === "role"
    ? { arn: `arn:aws:sts::${account}:assumed-role/${name}/session-1`, userId: `${id}:session-1`, account }
    : { arn: `arn:aws:iam::${account}:user${path}${name}`, userId: id, account };
}

interface Authorization {
  /** Access key, date, region, service, `aws4_request`. */
  scope: readonly string[];
  signedHeaders: string;
  signature: string;
}

function authorizationOf({ headers }: IncomingMessage): Authorization | undefined {
  const pattern = /^AWS4-HMAC-SHA256 Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]+)$/;
  const [, credential, signedHeaders, signature] = pattern.exec(headers.authorization ?? "") ?? [];
  if (credential === undefined || signedHeaders === undefined || signature === undefined) return undefined;
  return { scope: credential.split("/"), signedHeaders, signature };
}

/** AWS's code for what is wrong with a signature. */
function signatureProblem(
  signer: AwsIdentity,
  { scope, signedHeaders, signature }: Authorization,
  request: IncomingMessage,
  body: string,
): string | undefined {
  const [, date = "", region = "", service = "", terminator = ""] = scope;
  const time = request.headers["x-amz-date"];
  if (typeof time !== "string" || !time.startsWith(date) || terminator !== "aws4_request")
    return "SignatureDoesNotMatch";
  const at = Date.parse(time.replace(/^(....)(..)(..T..)(..)(..Z)$/, "$1-$2-$3:$4:$5"));
  if (!(Math.abs(Date.now() - at) < CLOCK_SKEW_MILLISECONDS)) return "SignatureDoesNotMatch";
  const [path = "", query = ""] = (request.url ?? "").split("?");
  const headers = signedHeaders.split(";").map((name) => `${name}:${valueOf(request, name)}\n`);
  const canonical = [request.method, path, query, headers.join(""), signedHeaders, sha256(body)].join("\n");
  const toSign = ["AWS4-HMAC-SHA256", time, scope.slice(1).join("/"), sha256(canonical)].join("\n");
  const key = [date, region, service, terminator].reduce<string | Buffer>(hmac, `AWS4${signer.secretAccessKey}`);
  const [wanted, given] = [hmac(key, toSign), Buffer.from(signature, "hex")];
  return given.length === wanted.length && timingSafeEqual(given, wanted) ? undefined : "SignatureDoesNotMatch";
}

function valueOf({ headers }: IncomingMessage, name: string): string {
  return String(headers[name] ?? "")
    .trim()
    .replaceAll(/ +/g, " ");
}

function sha256(value: string): string {
  return createHash("sha256").update(value).digest("hex");
}

function hmac(key: string | Buffer, value: string): Buffer {
  return createHmac("sha256", key).update(value).digest();
}

function escape(value: string): string {
  return value.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
