/** The signature of a login by AWS. A login on a real server, with a false AWS, is in test/cli/login-machines.test.ts. */
import aws4 from "aws4";
import { expect, test } from "vitest";
import { awsBearerToken, type BearerOptions } from "./aws.ts";

const CREDENTIALS = { accessKeyId: "AKIDEXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY" };
const NOW = new Date("2026-11-30T06:07:08.910Z");

type Headers = Readonly<Record<string, readonly [string]>>;

/** Authorization of a request by another implementation. Like the program, it leaves the length of the body unsigned. */
function signedByAws4(service: string, region: string, url: string, body: string, headers: Headers): string {
  const { host, pathname } = new URL(url);
  const own = Object.entries(headers).filter(([name]) => name !== "Authorization");
  const request = {
    method: "POST",
    path: pathname,
    service,
    region,
    body,
    headers: { Host: host, ...Object.fromEntries(own.map(([name, [value]]) => [name, value])) },
    extraHeadersToIgnore: { "content-length": true },
  };
  return aws4.sign(request, CREDENTIALS).headers["Authorization"] ?? "";
}

const plain = (text: string | undefined) => Buffer.from(text ?? "", "base64").toString();

const CASES: readonly (readonly [string, string, Partial<BearerOptions>])[] = [
  ["a region", "eu-central-1", {}],
  ["the first region", "us-east-1", {}],
  ["an address of its own", "eu-west-1", { stsUrl: "https://sts.internal.example:8443/path/" }],
  ["a session token and a server ID", "eu-west-1", { serverId: "tessera  one" }],
];

test.each(CASES)("a request to STS is signed as aws4 signs it: %s", (_title, region, more) => {
  const sessionToken = more.serverId === undefined ? {} : { sessionToken: "session/token==" };
  const bearer = awsBearerToken({ credentials: { ...CREDENTIALS, ...sessionToken }, region, now: NOW, ...more });
  const members = JSON.parse(bearer) as Record<string, string>;
  const [url, body] = [plain(members["iam_request_url"]), plain(members["iam_request_body"])];
  const headers = JSON.parse(plain(members["iam_request_headers"])) as Headers;
  expect(body).toBe("Action=GetCallerIdentity&Version=2011-06-15");
  expect(headers["Authorization"]?.[0]).toBe(signedByAws4("sts", region, url, body, headers));
});

test("a request to IAM for the caller's own role is signed as aws4 signs it, and its signature is in the first request", () => {
  const entity = { kind: "role", name: "web/deploy er" } as const;
  const bearer = awsBearerToken({ credentials: CREDENTIALS, region: "eu-west-1", now: NOW, entity });
  const members = JSON.parse(bearer) as Record<string, string>;
  const outer = JSON.parse(plain(members["iam_request_headers"])) as Headers;
  const header = (name: string) => outer[`X-Consul-IAM-GetEntity-${name}`]?.[0] ?? "";
  const inner = JSON.parse(header("Headers")) as Headers;
  expect(header("Body")).toContain("RoleName=web%2Fdeploy%20er");
  expect(inner["Authorization"]?.[0]).toBe(signedByAws4("iam", "us-east-1", header("URL"), header("Body"), inner));
  expect(outer["Authorization"]?.[0]).toContain("x-consul-iam-getentity-headers");
});
