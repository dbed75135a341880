import { describe, expect, test } from "vitest";
import {
  base64,
  encodeBearer,
  entityHeaders,
  sign,
  signIdentityRequest,
  type Signed,
} from "../../../test/support/aws-bearer-token.ts";
import { asked, entity, refusal, serverId, sts, valid, web, useSts } from "../../../test/support/aws-refusals.ts";

useSts();

type Headers = Signed["headers"];

const withHeaders = (headers: Headers): Signed => ({ ...valid, headers: { ...valid.headers, ...headers } });

/** The first request signed over a second one with these headers. */
function withEntityHeaders(headers: Headers): Signed {
  const all = { ...serverId, ...entityHeaders({ ...entity, headers }) };
  return sign(web, "sts", { url: valid.url, body: valid.body, headers: all });
}

const without = (headers: Headers, name: string): Headers =>
  Object.fromEntries(Object.entries(headers).filter(([each]) => each !== name));

const valueIn = (headers: Headers, name: string): string => String(headers[name]);

describe("incident 1: the headers of a request shaped by an attacker", () => {
  test.each(Object.keys(valid.headers))("each of a client's is needed: %s", async (name) => {
    expect(await refusal({ ...valid, headers: without(valid.headers, name) })).toMatch(/^missing header "/);
    expect(asked).toEqual([]);
  });

  test.each(Object.keys(entity.headers))("each of a client's request to IAM is needed: %s", async (name) => {
    expect(await refusal(withEntityHeaders(without(entity.headers, name)))).toMatch(/^missing header "/);
    expect(asked).toEqual([]);
  });

  test.each(Object.keys(valid.headers))("none can be changed after it was signed: %s", async (name) => {
    const value = valueIn(valid.headers, name);
    const step = Math.max(1, Math.floor(value.length / 40));
    for (let at = 0; at < value.length; at += step) {
      const other = value[at] === "7" ? "8" : "7";
      const changed = value.slice(0, at) + other + value.slice(at + 1);
      expect(await refusal(withHeaders({ [name]: [changed] })), changed).not.toBe("");
    }
    for (const changed of ["", `${value},${value}`, `${value};x`]) {
      expect(await refusal(withHeaders({ [name]: [changed] })), changed).not.toBe("");
    }
  });

  test.each(Object.keys(entity.headers))("none of the request to IAM can be changed: %s", async (name) => {
    const value = valueIn(entity.headers, name);
    const step = Math.max(1, Math.floor(value.length / 20));
    for (let at = 0; at < value.length; at += step) {
      const other = value[at] === "7" ? "8" : "7";
      const changed = value.slice(0, at) + other + value.slice(at + 1);
      expect(await refusal(withEntityHeaders({ ...entity.headers, [name]: [changed] })), changed).not.toBe("");
    }
  });

  test.each(Object.keys(valid.headers))("none can be there twice: %s", async (name) => {
    const value = valueIn(valid.headers, name);
    const part = "iam_request_headers";
    expect(await refusal(withHeaders({ [name]: [value, value] }))).toBe(`${part} has a malformed header`);
    expect(await refusal(withHeaders({ [name]: [] }))).toBe(`${part} has a malformed header`);
    expect(await refusal(withHeaders({ [name.toUpperCase()]: value }))).toBe(`${part} contains a header twice`);
    expect(await refusal(withHeaders({ [name.toLowerCase()]: "x" }))).toBe(`${part} contains a header twice`);
    const json = JSON.stringify(valid.headers).replace("{", `{${JSON.stringify(name)}:"x",`);
    const fields = JSON.parse(encodeBearer(valid)) as object;
    expect(await refusal(JSON.stringify({ ...fields, [part]: base64(json) }))).toBe(
      `${part} cannot be read: an object contains a member name twice`,
    );
  });

  test.each([
    "Accept-Encoding",
    "Connection",
    "Cookie",
    "Date",
    "Expect",
    "Range",
    "Transfer-Encoding",
    "X-Amz-Target",
    "X-Forwarded-Host",
    "X-HTTP-Method-Override",
    "__proto__",
    "constructor",
  ])("others are refused, signed or not: %s", async (name) => {
    const message = `iam_request_headers: the header "${name.toLowerCase()}" is not allowed`;
    const added = JSON.parse(`{${JSON.stringify(name)}: "x"}`) as Headers;
    const headers = Object.fromEntries([...Object.entries(valid.headers), ...Object.entries(added)]) as Headers;
    expect(await refusal({ ...valid, headers })).toBe(message);
    expect(await refusal(withEntityHeaders({ ...entity.headers, [`X-${name}`]: "x" }))).toContain("is not allowed");
    expect(asked).toEqual([]);
  });

  test.each<[Headers, string]>([
    [{ Host: "evil.com" }, 'the header "host" has a value that is not allowed'],
    [{ Accept: "application/json" }, 'the header "accept" has a value that is not allowed'],
    [{ "Content-Type": "application/json" }, 'the header "content-type" has a value that is not allowed'],
    [{ "Content-Type": "application/x-amz-json-1.1" }, 'the header "content-type" has a value that is not allowed'],
    [{ "Content-Type": "application/x-www-form-urlencoded\t" }, "has a malformed header"],
    [{ "Content-Length": "1" }, 'the header "content-length" has a value that is not allowed'],
    [{ "Content-Length": "0x2b" }, 'the header "content-length" has a value that is not allowed'],
    [
      { "X-Amz-Content-Sha256": "UNSIGNED-PAYLOAD" },
      'the header "x-amz-content-sha256" has a value that is not allowed',
    ],
    [{ "User-Agent": "a\r\nX-Evil: 1" }, "has a malformed header"],
    [{ "User-Agent": "é" }, "has a malformed header"],
    [{ "User-Agent\r\nX-Evil": "a" }, "has a malformed header"],
    [{ "User Agent": "a" }, "has a malformed header"],
    [{ "": "a" }, "has a malformed header"],
    [{ "User-Agent": [["a"]] as unknown as string[] }, "has a malformed header"],
    [{ "User-Agent": 1 as unknown as string }, "has a malformed header"],
  ])("values are refused: %j", async (headers, message) => {
    expect(await refusal(withHeaders(headers))).toContain(message);
    expect(asked).toEqual([]);
  });

  test("what is not signed is not sent", async () => {
    expect(await refusal(withHeaders({ "User-Agent": "evil", Accept: "*/*", Host: "sts.amazonaws.com" }))).toBe("");
    const { "user-agent": agent, accept, host } = sts.requests[0]?.headers ?? {};
    expect([agent, accept, host]).toEqual([undefined, undefined, "sts.amazonaws.com"]);
  });

  test("the list of what is signed is as AWS wants it", async () => {
    const authorization = valueIn(valid.headers, "Authorization");
    const list = /SignedHeaders=([^,]+)/.exec(authorization)?.[1] ?? "";
    const names = list.split(";");
    const others = [names.toReversed(), [...names, ...names], [...names, "x-evil"], [], [""]].map((all) =>
      all.join(";"),
    );
    const fewer = names.map((name) => names.filter((each) => each !== name).join(";"));
    for (const other of [...others, ...fewer, list.toUpperCase(), list.replaceAll(";", ","), `${list};`]) {
      const changed = authorization.replace(list, other);
      expect(await refusal(withHeaders({ Authorization: changed })), other).not.toBe("");
    }
  });

  test.each([
    "Bearer x",
    "AWS4-ECDSA-P256-SHA256 Credential=a/20260101/us-east-1/sts/aws4_request, SignedHeaders=host, Signature=00",
    "AWS AKIA:signature",
    "",
  ])("no other scheme is taken: %j", async (authorization) => {
    expect(await refusal(withHeaders({ Authorization: authorization }))).toContain("is not a signature for sts");
    expect(asked).toEqual([]);
  });

  test("a request of an hour ago is refused by AWS", async () => {
    const time = new Date(Date.now() - 3_600_000).toISOString().replaceAll(/[:-]|\.\d{3}/g, "");
    const headers = { ...serverId, ...entityHeaders(entity), "X-Amz-Date": time };
    const old = sign(web, "sts", { url: valid.url, body: valid.body, headers });
    expect(await refusal(old)).toBe("STS rejected the signed request (status 403)");
  });
});

describe("the server that a request is meant for", () => {
  const noDetails = { EnableIAMEntityDetails: false, BoundIAMPrincipalARNs: ["arn:aws:iam::111122223333:role/web"] };
  const signedFor = (headers: Readonly<Record<string, string>>): Signed => signIdentityRequest(web, { headers });

  test("must be this one, and signed", async () => {
    expect(await refusal(signedFor(serverId), noDetails)).toBe("");
    expect(await refusal(signedFor({}), noDetails)).toBe('missing header "X-Consul-IAM-ServerID"');
    for (const other of ["other.example.com", "TESSERA.example.com", "tessera.example.com ", ""]) {
      expect(await refusal(signedFor({ "X-Consul-IAM-ServerID": other }), noDetails)).toBe(
        'iam_request_headers: the header "X-Consul-IAM-ServerID" has another value',
      );
    }
    const signed = signedFor({});
    const added = { ...signed, headers: { ...signed.headers, ...serverId } };
    expect(await refusal(added, noDetails)).toBe(
      'iam_request_headers: the header "x-consul-iam-serverid" is not signed',
    );
  });

  test("does not matter when none is configured", async () => {
    const anyServer = { ...noDetails, ServerIDHeaderValue: "" };
    for (const headers of [{}, serverId]) expect(await refusal(signedFor(headers), anyServer)).toBe("");
  });

  test("a second request must be signed over", async () => {
    const signed = signedFor(serverId);
    const added = { ...signed, headers: { ...signed.headers, ...entityHeaders(entity) } };
    expect(await refusal(added)).toContain("is not signed");
    expect(asked).toEqual([]);
  });
});

describe("AllowedSTSHeaderValues", () => {
  const headers = { ...serverId, ...entityHeaders(entity), "X-Extra": "1", Via: "proxy" };
  const signed = sign(web, "sts", { url: valid.url, body: valid.body, headers });

  test("lets more headers through to STS, in any case", async () => {
    expect(await refusal(signed)).toContain("is not allowed");
    expect(await refusal(signed, { AllowedSTSHeaderValues: ["x-EXTRA", "Via"] })).toBe("");
    expect(sts.requests[0]?.headers).toMatchObject({ "x-extra": "1", via: "proxy" });
    expect(sts.requests[1]?.headers).not.toHaveProperty("x-extra");
  });

  test("does not let them through to IAM", async () => {
    const more = withEntityHeaders({ ...entity.headers, "X-Extra": "1" });
    expect(await refusal(more, { AllowedSTSHeaderValues: ["X-Extra"] })).toContain("is not allowed");
  });
});
