import { describe, expect, test } from "vitest";
import { shown } from "../../../test/support/shown.ts";
import {
  base64,
  bearerTokenOf,
  encodeBearer,
  entityHeaders,
  sign,
  type Signed,
} from "../../../test/support/aws-bearer-token.ts";
import {
  asked,
  config,
  entity,
  refusal,
  serverId,
  sts,
  valid,
  web,
  useSts,
} from "../../../test/support/aws-refusals.ts";
import { openAsk } from "../../../test/support/open-ask.ts";
import { roleOf } from "../../../test/support/sts.ts";
import type { RawConfig } from "../validator.ts";
import { createAwsIamValidator } from "./validator.ts";

useSts();

/** A bearer token whose second request is changed, and the first signed over it. */
function withEntity(changes: Partial<Signed>): string {
  const headers = { ...serverId, ...entityHeaders({ ...entity, ...changes }) };
  return encodeBearer(sign(web, "sts", { url: valid.url, body: valid.body, headers }));
}

/** The first request signed with other parts. */
function signedWith(changes: Partial<Omit<Signed, "headers">>, headers: Readonly<Record<string, string>> = {}): string {
  const all = { ...serverId, ...entityHeaders(entity), ...headers };
  return encodeBearer(sign(web, "sts", { url: valid.url, body: valid.body, ...changes, headers: all }));
}

const URLS = [
  "https://sts-x.elb.amazonaws.com/",
  "https://sts.elb.amazonaws.com/",
  "https://sts.s3.amazonaws.com/",
  "https://sts.s3-website-us-east-1.amazonaws.com/",
  "https://sts.us-east-1.elb.amazonaws.com/",
  "https://evil.sts.amazonaws.com/",
  "https://sts.amazonaws.com.evil.com/",
  "https://stsxamazonaws.com/",
  "https://sts.amazonaws.com@evil.com/",
  "https://evil.com/sts.amazonaws.com",
  "https://evil.com/",
  "https://evil.com\\@sts.amazonaws.com/",
  "https://user@sts.amazonaws.com/",
  "https://user:password@sts.amazonaws.com/",
  "https://@sts.amazonaws.com/",
  "https://sts.amazonaws.com:443/",
  "https://sts.amazonaws.com:8443/",
  "https://sts.amazonaws.com./",
  "https://STS.amazonaws.com/",
  "https://ſts.amazonaws.com/",
  "https://sts%2eamazonaws.com/",
  "https://sts.amazonaws.com/path",
  "https://sts.amazonaws.com//",
  "https://sts.amazonaws.com/.",
  "https://sts.amazonaws.com/?Action=GetSessionToken",
  "https://sts.amazonaws.com/?",
  "https://sts.amazonaws.com?",
  "https://sts.amazonaws.com/#x",
  "https://sts.amazonaws.com/#",
  " https://sts.amazonaws.com/",
  "https://sts.amazonaws.com/\n",
  "https:\\\\sts.amazonaws.com/",
  "https:sts.amazonaws.com/",
  "http://sts.amazonaws.com/",
  "ftp://sts.amazonaws.com/",
  "file:///etc/passwd",
  "https://169.254.169.254/",
  "https://localhost/",
  "//sts.amazonaws.com/",
  "sts.amazonaws.com",
  "",
];

describe("incident 1: a request shaped by an attacker", () => {
  test("is not what a client makes, which is accepted", async () => {
    expect(await refusal(encodeBearer(valid))).toBe("");
    expect(asked).toEqual(["https://sts.amazonaws.com/", "https://iam.amazonaws.com/"]);
    expect(await refusal(withEntity({}))).toBe("");
    expect(await refusal(signedWith({}))).toBe("");
  });

  test.each(URLS)("goes nowhere with the URL %j", async (url) => {
    expect(await refusal(encodeBearer({ ...valid, url }))).toMatch(
      /^invalid STS hostname: "|^iam_request_url (?:is|must)/,
    );
    const ofEntity = url.replaceAll("sts", "iam").replaceAll("STS", "IAM");
    expect(await refusal(withEntity({ url: ofEntity }))).toMatch(
      /^invalid IAM hostname: "|^X-Consul-IAM-GetEntity-URL (?:is|must)|malformed header$/,
    );
    expect(asked).toEqual([]);
  });

  test("goes to no other service of AWS", async () => {
    const iam = "https://iam.amazonaws.com/";
    expect(await refusal(signedWith({ url: iam }))).toBe('invalid STS hostname: "iam.amazonaws.com"');
    expect(await refusal(withEntity({ url: valid.url }))).toBe('invalid IAM hostname: "sts.amazonaws.com"');
    const forIam = encodeBearer(sign(web, "iam", { ...valid, headers: { ...serverId, ...entityHeaders(entity) } }));
    expect(await refusal(forIam)).toContain("is not a signature for sts");
    expect(asked).toEqual([]);
  });

  test.each(["GET", "post", "PUT", "POST ", ""])("has no other method: %j", async (method) => {
    expect(await refusal(encodeBearer({ ...valid, method }))).toBe("iam_http_request_method must be POST");
    expect(await refusal(withEntity({ method }))).toBe("X-Consul-IAM-GetEntity-Method must be POST");
    expect(asked).toEqual([]);
  });

  test.each([
    "",
    "Action=GetCallerIdentity",
    "Version=2011-06-15",
    "Action=GetCallerIdentity&Version=2011-06-15&Action=GetSessionToken",
    "Action=GetSessionToken&Action=GetCallerIdentity&Version=2011-06-15",
    "Action=GetCallerIdentity&Action=GetCallerIdentity&Version=2011-06-15",
    "Action=GetCallerIdentity&Version=2011-06-15&Version=2011-06-15",
    "Action=GetCallerIdentity&Version=2010-05-08",
    "Action=GetSessionToken&Version=2011-06-15",
    "Action=GetCallerIdentity&Version=2011-06-15&DurationSeconds=1",
    "Action=GetCallerIdentity&Version=2011-06-15&RoleName=web",
    "Action=GetCallerIdentity&Version=2011-06-15&",
    "Action=GetCallerIdentity&&Version=2011-06-15",
    "Action=GetCallerIdentity;Version=2011-06-15",
    "Action=%47etCallerIdentity&Version=2011-06-15",
    "action=GetCallerIdentity&Version=2011-06-15",
    "Action=getcalleridentity&Version=2011-06-15",
    "Action=constructor&Version=2011-06-15",
    " Action=GetCallerIdentity&Version=2011-06-15",
    "Action=GetCallerIdentity&Version=2011-06-15\n",
    '{"Action":"GetCallerIdentity","Version":"2011-06-15"}',
  ])("asks for nothing else: %j", async (body) => {
    expect(await refusal(signedWith({ body }))).toBe(
      "iam_request_body must be a request for GetCallerIdentity and nothing else",
    );
    expect(asked).toEqual([]);
  });

  test.each([
    "Action=GetRole&Version=2010-05-08",
    "Action=GetRole&RoleName=&Version=2010-05-08",
    "Action=GetRole&RoleName=web&RoleName=admin&Version=2010-05-08",
    "Action=GetRole&RoleName=web&UserName=web&Version=2010-05-08",
    "Action=GetRole&UserName=web&Version=2010-05-08",
    "Action=GetRole&RoleName=we%20b&Version=2010-05-08",
    "Action=GetRole&RoleName=web&Version=2011-06-15",
    "Action=DeleteRole&RoleName=web&Version=2010-05-08",
    "Action=GetUser&UserName=a&UserName=b&Version=2010-05-08",
  ])("asks IAM for nothing else: %j", async (body) => {
    expect(await refusal(withEntity({ body }))).toBe(
      "X-Consul-IAM-GetEntity-Body must be a request for GetRole or GetUser and nothing else",
    );
    expect(asked).toEqual([]);
  });

  test("names roles in the one spelling that signers give", async () => {
    const body = (name: string): string => `Action=GetRole&RoleName=${name}&Version=2010-05-08`;
    const named = roleOf("a+b@c");
    const token = bearerTokenOf(named, { withEntity: true, headers: serverId });
    expect(await refusal(token)).toBe("STS rejected the signed request (status 403)");
    for (const name of ["a+b", "a%2bb", "%61"]) {
      expect(await refusal(withEntity({ body: body(name) }))).toContain("and nothing else");
    }
  });
});

describe("an endpoint of one's own", () => {
  const own = (): RawConfig => ({ STSEndpoint: sts.url, IAMEndpoint: `${sts.url}iam/` });
  const at = (stsUrl: string, iamUrl: string): string =>
    bearerTokenOf(web, { withEntity: true, headers: serverId, stsUrl, iamUrl });

  test("is where requests go that were signed for it", async () => {
    const validator = createAwsIamValidator(
      { ...config, ...own() },
      { ask: openAsk, now: () => Date.now(), onTrouble: () => undefined },
    );
    const { variables } = await validator.verify(at(sts.url, `${sts.url}iam/`));
    expect(variables.get("entity_name")).toBe("web");
    expect(sts.requests.map(({ headers }) => headers.host)).toEqual([new URL(sts.url).host, new URL(sts.url).host]);
  });

  test("is the only one", async () => {
    const { host } = new URL(sts.url);
    expect(await refusal(encodeBearer(valid), own())).toBe('invalid STS hostname: "sts.amazonaws.com"');
    expect(await refusal(at(sts.url, entity.url), own())).toBe('invalid IAM hostname: "iam.amazonaws.com"');
    expect(await refusal(at(`https://${host}/`, `${sts.url}iam/`), own())).toBe(`iam_request_url must be ${sts.url}`);
    for (const path of ["", "iam", "iam/x", "iam/?a=b", "iam/#"]) {
      expect(await refusal(at(sts.url, sts.url + path), own())).toBe(
        `X-Consul-IAM-GetEntity-URL must be ${sts.url}iam/`,
      );
    }
    expect(asked).toEqual([]);
  });
});

describe("a bearer token", () => {
  const fields = JSON.parse(encodeBearer(valid)) as Record<string, string>;

  test.each(
    [
      "",
      "hello",
      "null",
      "[]",
      "{",
      `${encodeBearer(valid)}x`,
      encodeBearer(valid).replace("{", `{"iam_http_request_method":"POST",`),
      "[".repeat(16_000) + "]".repeat(16_000),
    ].map((bearerToken) => [shown(bearerToken), bearerToken] as const),
  )("is refused that is %s", async (_shown, bearerToken) => {
    expect(await refusal(bearerToken)).toMatch(/^the bearer token cannot be read: (?:it|an object) /);
  });

  test("has four fields, and no others", async () => {
    for (const name of Object.keys(fields)) {
      const { [name]: _left, ...others } = fields;
      expect(await refusal(JSON.stringify(others))).toBe(`the bearer token has no ${name}`);
      expect(await refusal(JSON.stringify({ ...others, [name]: 1 }))).toBe(`${name} is not a string`);
      expect(await refusal(JSON.stringify({ ...others, [name]: null }))).toBe(`${name} is not a string`);
    }
    for (const name of ["x", "__proto__", "constructor", "IAM_REQUEST_URL"]) {
      const more = JSON.stringify(fields).replace("{", `{${JSON.stringify(name)}:"",`);
      expect(await refusal(more)).toBe("the bearer token has an unknown field");
    }
    expect(asked).toEqual([]);
  });

  test.each(["url", "headers", "body"])("has its %s in base64, in one spelling", async (part) => {
    const name = `iam_request_${part}`;
    const value = fields[name] ?? "";
    const others = [
      `${value}=`,
      ` ${value}`,
      value.replace(/=*$/, "!"),
      `${value.slice(0, 8)}\n${value.slice(8)}`,
      "_-8=",
    ];
    for (const other of [...others, Buffer.from([0xff, 0xfe]).toString("base64")]) {
      expect(await refusal(JSON.stringify({ ...fields, [name]: other }))).toBe(`${name} is not base64`);
    }
    expect(asked).toEqual([]);
    expect(await refusal(JSON.stringify({ ...fields, [name]: base64("") }))).not.toBe("");
  });
});
