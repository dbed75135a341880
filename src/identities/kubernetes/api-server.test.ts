import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { API_AUDIENCE, json, startKubernetesApi, type KubernetesApi } from "../../../test/support/kubernetes-api.ts";
import { openAsk } from "../../../test/support/open-ask.ts";
import { IdentityError, ProviderError } from "../errors.ts";
import type { RawConfig } from "../validator.ts";
import { createKubernetesValidator } from "./validator.ts";

let api: KubernetesApi;

beforeAll(async () => {
  api = await startKubernetesApi();
  api.createAccount("payments", "web");
});
afterAll(() => api.close());
afterEach(() => {
  api.answer = () => undefined;
  api.requests.length = 0;
});

/** Returns the result of a login: the identity's variables, or the error. */
async function outcome(token: string, changes: RawConfig = {}): Promise<Record<string, string> | Error> {
  const config = { Host: api.url, CACert: api.ca, ServiceAccountJWT: api.reviewer, ...changes };
  const environment = { ask: openAsk, now: () => Date.now(), onTrouble: () => undefined };
  try {
    const identity = await createKubernetesValidator(config, environment).verify(token);
    return Object.fromEntries(identity.variables);
  } catch (error) {
    return error as Error;
  }
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

describe("a review", () => {
  const user = { username: "system:serviceaccount:payments:web", uid: "1" };

  test.each<[unknown, string]>([
    [{ error: "token expired", authenticated: true, user }, "token expired"],
    [{ authenticated: false, user }, "service account jwt not valid"],
    [{}, "service account jwt not valid"],
    [{ authenticated: true, user: {} }, "unexpected username format"],
    [{ authenticated: true, user: { username: "jane" } }, "unexpected username format"],
    [{ authenticated: true, user: { username: "system:serviceaccount:a:b:c" } }, "unexpected username format"],
    [{ authenticated: true, user: { username: "system:serviceaccount:a" } }, "unexpected username format"],
    [{ authenticated: true, user: { username: "system:node:a:b" } }, "username returned is not a service account"],
    [{ authenticated: true, user: { username: "x:serviceaccount:a:b" } }, "username returned is not a service account"],
    [{ authenticated: true, user: { username: "system:serviceaccount::b" } }, "unexpected username format"],
    [{ authenticated: true, user: { username: "system:serviceaccount:..:b" } }, "unexpected username format"],
    [{ authenticated: true, user: { username: "system:serviceaccount:a:b/../c" } }, "unexpected username format"],
    [{ authenticated: true, user: { username: "system:serviceaccount:a:B" } }, "unexpected username format"],
    [
      { authenticated: true, user: { ...user, username: "system:serviceaccount:payments:admin" } },
      "username returned is not the subject of the JWT",
    ],
  ])("refuses: %j", async (status, reason) => {
    answerReview(status);
    const error = await outcome(api.issueToken("payments", "web"));
    expect(error).toEqual(unknownIdentity(`lookup failed: ${reason}`));
    expect(error).toBeInstanceOf(IdentityError);
    expect(api.requests.length).toBe(1);
  });

  test("that says why repeats neither token, and says it in a line", async () => {
    const token = api.issueToken("payments", "web");
    answerReview({ error: `bad\r\n${token} and ${api.reviewer} ${"long ".repeat(100)}` });
    const { message } = (await outcome(token)) as Error;
    expect(message).toMatch(/^lookup failed: bad {2}<hidden> and <hidden> long /);
    expect(message.length).toBeLessThan(230);
  });

  test.each([
    ["not JSON", "<html>canary</html>"],
    ["empty", ""],
    ["a list", "[]"],
    ["of another kind", JSON.stringify({ kind: "Status", status: "canary" })],
    ["without a status", JSON.stringify({ kind: "TokenReview" })],
    ["with a status that is a text", JSON.stringify({ kind: "TokenReview", status: "canary" })],
    ["authenticated in words", JSON.stringify({ kind: "TokenReview", status: { authenticated: "true", user } })],
    ["with a user that is a list", JSON.stringify({ kind: "TokenReview", status: { authenticated: true, user: [] } })],
    ["with a name that is a number", JSON.stringify({ kind: "TokenReview", status: { user: { username: 1 } } })],
    ["with audiences that are a text", JSON.stringify({ kind: "TokenReview", status: { audiences: "canary" } })],
    ["with a status twice", '{"kind":"TokenReview","status":{"authenticated":true},"status":{}}'],
  ])("is not understood: %s", async (_what, body) => {
    api.answer = () => ({ status: 201, body });
    const error = await outcome(api.issueToken("payments", "web"));
    expect(error).toEqual(noAnswer("the response of the API server is not a TokenReview"));
    expect(error).toBeInstanceOf(ProviderError);
  });

  test("without a uid is not understood", async () => {
    answerReview({ authenticated: true, user: { username: user.username }, audiences: [API_AUDIENCE] });
    const error = await outcome(api.issueToken("payments", "web"));
    expect(error).toEqual(noAnswer("lookup failed: the response of the API server contains no uid"));
  });

  test.each([400, 404, 500])("that fails with status %d says nothing about the token", async (status) => {
    api.answer = () => json(status, { message: "canary" });
    const error = await outcome(api.issueToken("payments", "web"));
    expect(error).toEqual(noAnswer(`the API server returned status ${status}`));
    expect(error).toBeInstanceOf(ProviderError);
  });
});

describe("a reviewer", () => {
  test("that the API server does not know is a mistake of the configuration", async () => {
    const error = await outcome(api.issueToken("payments", "web"), { ServiceAccountJWT: "e30.e30.AAAA" });
    expect(error).toEqual(noAnswer("the API server does not accept Config.ServiceAccountJWT (status 401)"));
    expect(error).toBeInstanceOf(ProviderError);
  });

  test("that may not review is a mistake of the configuration", async () => {
    const token = api.issueToken("payments", "web");
    const error = await outcome(token, { ServiceAccountJWT: token });
    expect(error).toEqual(
      noAnswer("the API server denies Config.ServiceAccountJWT permission to review tokens (status 403)"),
    );
  });

  test("that may not get service accounts is a mistake of the configuration", async () => {
    api.answer = (method) => (method === "GET" ? json(403, { message: "canary" }) : undefined);
    const reason = "the API server denies Config.ServiceAccountJWT permission to get service accounts (status 403)";
    expect(await outcome(api.issueToken("payments", "web"))).toEqual(noAnswer(`annotation lookup failed: ${reason}`));
  });
});

describe("the look-up of the service account", () => {
  test.each<[string, number, unknown, Error]>([
    ["is gone", 404, {}, unknownIdentity("annotation lookup failed: service account not found")],
    ["fails", 500, {}, noAnswer("annotation lookup failed: the API server returned status 500")],
    [
      "is garbage",
      200,
      [],
      noAnswer("annotation lookup failed: the response of the API server is not a ServiceAccount"),
    ],
    [
      "has annotations that are no texts",
      200,
      { kind: "ServiceAccount", metadata: { annotations: { a: 1 } } },
      noAnswer("annotation lookup failed: the response of the API server is not a ServiceAccount"),
    ],
    [
      "is another",
      200,
      { kind: "ServiceAccount", metadata: { namespace: "payments", name: "admin", uid: "1" } },
      noAnswer("annotation lookup failed: the API server returned a different service account"),
    ],
    [
      "has another uid",
      200,
      { kind: "ServiceAccount", metadata: { namespace: "payments", name: "web", uid: "1" } },
      unknownIdentity("annotation lookup failed: the service account was recreated"),
    ],
  ])("refuses: it %s", async (_what, status, document, wanted) => {
    api.answer = (method) => (method === "GET" ? json(status, document) : undefined);
    const error = await outcome(api.issueToken("payments", "web"));
    expect(error).toEqual(wanted);
    expect(error).toBeInstanceOf(wanted.constructor);
  });
});
