import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { API_AUDIENCE, json, startKubernetesApi, type KubernetesApi } from "../../../test/support/kubernetes-api.ts";
import { openAsk } from "../../../test/support/open-ask.ts";
import { checkSelector } from "../../selectors/check.ts";
import { compileSelector } from "../../selectors/compile.ts";
import { parseSelector } from "../../selectors/parse.ts";
import { IdentityError, ProviderError } from "../errors.ts";
import type { ProvenIdentity, RawConfig, Validator } from "../validator.ts";
import { createKubernetesValidator } from "./validator.ts";

let api: KubernetesApi;

beforeAll(async () => {
  api = await startKubernetesApi();
});
afterAll(() => api.close());
beforeEach(() => api.createAccount("payments", "web"));
afterEach(() => {
  api.answer = () => undefined;
  api.requests.length = 0;
});

function validatorOf(changes: RawConfig = {}): Validator {
  const config = { Host: api.url, CACert: api.ca, ServiceAccountJWT: api.reviewer, ...changes };
  return createKubernetesValidator(config, { ask: openAsk, now: () => Date.now(), onTrouble: () => undefined });
}

/** Returns the result of a login: the identity's variables, or the error. */
async function outcome(token: string, changes?: RawConfig): Promise<Record<string, string> | Error> {
  try {
    return Object.fromEntries((await validatorOf(changes).verify(token)).variables);
  } catch (error) {
    return error as Error;
  }
}

function identityOf(token: string): Promise<ProvenIdentity> {
  return validatorOf().verify(token);
}

const unknownIdentity = (message: string): Error => new IdentityError(message);
const noAnswer = (message: string): Error => new ProviderError(message);

/** An answer to a review, in place of the server's. */
function answerReview(status: unknown, changes: object = {}): void {
  api.answer = (method) =>
    method === "POST"
      ? json(201, { kind: "TokenReview", apiVersion: "authentication.k8s.io/v1", status, ...changes })
      : undefined;
}

describe("a service account", () => {
  test("is known by its namespace, its name and its uid", async () => {
    const { fields, variables, subject } = await identityOf(api.issueToken("payments", "web"));
    const uid = variables.get("serviceaccount.uid") ?? "";
    expect(uid).toMatch(/^[0-9a-f-]{36}$/);
    expect(subject).toBe(uid);
    expect(Object.fromEntries(variables)).toEqual({
      "serviceaccount.namespace": "payments",
      "serviceaccount.name": "web",
      "serviceaccount.uid": uid,
    });
    const account = { namespace: "payments", name: "web", uid };
    expect(fields).toEqual(new Map([["serviceaccount", new Map(Object.entries(account))]]));
  });

  test("is matched by selectors that the form takes", async () => {
    const { form } = validatorOf();
    const { fields, variables } = await identityOf(api.issueToken("payments", "web"));
    const selector = parseSelector("serviceaccount.namespace == payments and serviceaccount.name != default");
    checkSelector(selector, form.shape);
    const patterns = { compile: () => ({ matches: () => false }) };
    expect(compileSelector(selector, patterns)(fields)).toBe(true);
    expect([...variables.keys()]).toEqual([...form.variables]);
    expect(() => checkSelector(parseSelector("serviceaccount.pod == x"), form.shape)).toThrow("is not valid");
  });

  test("goes by the name that its annotation gives it", async () => {
    api.createAccount("payments", "web", { "consul.hashicorp.com/service-name": "storefront", other: "x" });
    const wanted = { "serviceaccount.namespace": "payments", "serviceaccount.name": "storefront" };
    expect(await outcome(api.issueToken("payments", "web"))).toMatchObject(wanted);
  });

  test("keeps its own name when the annotation is empty", async () => {
    api.createAccount("payments", "web", { "consul.hashicorp.com/service-name": "" });
    expect(await outcome(api.issueToken("payments", "web"))).toMatchObject({ "serviceaccount.name": "web" });
  });

  test("may have dots in its name, and names that objects are born with", async () => {
    for (const name of ["web.v2", "constructor"]) {
      api.createAccount("constructor", name);
      const wanted = { "serviceaccount.namespace": "constructor", "serviceaccount.name": name };
      expect(await outcome(api.issueToken("constructor", name))).toMatchObject(wanted);
    }
  });

  test("logs in with a token that names no audience, as those kept in secrets are", async () => {
    const token = api.issueToken("payments", "web", { aud: undefined, exp: undefined });
    expect(await outcome(token)).toMatchObject({ "serviceaccount.name": "web" });
  });
});

describe("the API server", () => {
  test("is asked twice: about the token alone, and for the service account", async () => {
    const token = api.issueToken("payments", "web");
    await identityOf(token);
    const [review, account] = api.requests;
    expect(api.requests.length).toBe(2);
    expect(review).toMatchObject({ method: "POST", path: "/apis/authentication.k8s.io/v1/tokenreviews" });
    expect(JSON.parse(review?.body ?? "")).toEqual({
      apiVersion: "authentication.k8s.io/v1",
      kind: "TokenReview",
      spec: { token },
    });
    expect(account).toEqual({ method: "GET", path: "/api/v1/namespaces/payments/serviceaccounts/web", body: "" });
  });

  test("is not asked when a method is written", async () => {
    await validatorOf().probe();
    expect(api.requests).toEqual([]);
  });

  test("may lie below a path", async () => {
    await outcome(api.issueToken("payments", "web"), { Host: `${api.url}/clusters/c-1/` });
    expect(api.requests[0]?.path).toBe("/clusters/c-1/apis/authentication.k8s.io/v1/tokenreviews");
  });

  test("is trusted by the configured authority only", async () => {
    const other = await startKubernetesApi();
    try {
      const error = await outcome(api.issueToken("payments", "web"), { CACert: other.ca });
      expect(error).toBeInstanceOf(ProviderError);
      expect(api.requests).toEqual([]);
    } finally {
      await other.close();
    }
  });

  test("that cannot be reached says nothing about the token", async () => {
    const gone = await startKubernetesApi();
    await gone.close();
    const error = await outcome(api.issueToken("payments", "web"), { Host: gone.url, CACert: gone.ca });
    expect(error).toEqual(noAnswer(`${new URL(gone.url).host}: no response`));
    expect(error).toBeInstanceOf(ProviderError);
  });
});

describe("a token", () => {
  test.each([
    ["nothing", "", "it does not consist of three parts in base64url"],
    ["a word", "hello", "it does not consist of three parts in base64url"],
    ["an encrypted JWT", "a.b.c.d.e", "it does not consist of three parts in base64url"],
    ["a JWT without a signature", "e30.e30.", "it does not consist of three parts in base64url"],
    ["a token with a line break", "e30.e30.x\n", "it does not consist of three parts in base64url"],
    ["a header of garbage", "AAAA.e30.AAAA", "its header is not a JSON object"],
    ["a payload of garbage", "e30.AAAA.AAAA", "it is not JSON, is nested too deeply, or is too large"],
    ["a payload that is a list", `e30.${base64url([])}.AAAA`, "it is not a JSON object"],
    ["a subject that is a number", `e30.${base64url({ sub: 1 })}.AAAA`, "its claim sub is not a string"],
    [
      "an audience that is a number",
      `e30.${base64url({ aud: [1] })}.AAAA`,
      "its claim aud is neither a string nor a list of strings",
    ],
  ])("is refused without asking anybody: %s", async (_what, token, reason) => {
    const error = await outcome(token);
    expect(error).toEqual(unknownIdentity(`failed to parse and validate JWT: ${reason}`));
    expect(error).toBeInstanceOf(IdentityError);
    expect(api.requests).toEqual([]);
  });

  test("of 32 KiB of nothing is refused", async () => {
    expect(await outcome("a".repeat(32 * 1024))).toBeInstanceOf(IdentityError);
    expect(await outcome(`e30.${"A".repeat(32 * 1024)}.AAAA`)).toBeInstanceOf(IdentityError);
    expect(await outcome(`e30.${base64url(JSON.parse("[".repeat(1000) + "]".repeat(1000)))}.AA`)).toBeInstanceOf(
      IdentityError,
    );
  });

  test.each(["signature", "payload", "expired", "deleted", "made anew"])("is refused: %s", async (what) => {
    let token = api.issueToken("payments", "web");
    if (what === "signature") token = `${token.slice(0, -4)}${token.endsWith("AAAA") ? "BBBB" : "AAAA"}`;
    if (what === "payload") token = token.replace(/\.[^.]+\./, `.${base64url({ sub: "system:serviceaccount:a:b" })}.`);
    if (what === "expired") token = api.issueToken("payments", "web", { exp: Math.floor(Date.now() / 1000) - 3600 });
    if (what === "deleted") api.deleteAccount("payments", "web");
    if (what === "made anew") api.createAccount("payments", "web");
    const reason = "[invalid bearer token, service account token has been invalidated]";
    expect(await outcome(token)).toEqual(unknownIdentity(`lookup failed: ${reason}`));
    expect(api.requests.length).toBe(1);
  });
});

describe("incident 36: a token made for another audience", () => {
  test("is refused by an API server that minds audiences, since none is sent to it", async () => {
    const token = api.issueToken("payments", "web", { aud: ["vault"] });
    const error = await outcome(token);
    expect(error).toBeInstanceOf(IdentityError);
    expect(api.requests[0]?.body).not.toContain("audiences");
  });

  test.each([
    ["names no audience", undefined],
    ["names null", null],
    ["names an empty list", []],
    ["names only its own", [API_AUDIENCE]],
  ])("is refused when the reviewer ignores audiences and %s", async (_what, audiences) => {
    const user = { username: "system:serviceaccount:payments:web", uid: "1" };
    answerReview({ authenticated: true, user, ...(audiences === undefined ? {} : { audiences }) });
    for (const aud of [["vault"], "vault"]) {
      const error = await outcome(api.issueToken("payments", "web", { aud }));
      expect(error).toEqual(unknownIdentity("lookup failed: the JWT is not meant for the audience of the API server"));
    }
  });
});

function base64url(document: unknown): string {
  return Buffer.from(JSON.stringify(document)).toString("base64url");
}
