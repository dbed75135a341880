import { expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { createSigningKey } from "../../../test/support/key-server.ts";
import { bearer, login, makeMethod, makeRule } from "../../../test/support/login.ts";
import { makeNamespace } from "../../../test/support/scopes.ts";
import { MANAGEMENT, NOBODY, useV1 } from "../../../test/support/v1.ts";

const key = createSigningKey("k1");
const NOT_BY_LOGIN = "Permission denied: token wasn't created via login";

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);

  async function loggedIn(): Promise<{ SecretID: string; AccessorID: string }> {
    const name = v1.unique("m");
    await makeMethod(v1, key, { Name: name });
    await makeRule(v1, { AuthMethod: name });
    const answer = await login(v1, name, bearer(key));
    expect(answer.status, answer.text).toBe(200);
    return answer.body;
  }

  test("a logout ends the token from that answer on, and only that one", async () => {
    const [one, other] = [await loggedIn(), await loggedIn()];
    const answer = await v1.post("/acl/logout", undefined, one.SecretID);
    expect(answer).toMatchObject({ status: 200, text: "true" });
    expect(answer.headers["content-type"]).toBe("application/json");
    for (const path of ["/acl/token/self", "/acl/tokens"]) {
      expect(await v1.get(path, one.SecretID)).toMatchObject({ status: 403, text: "ACL not found" });
    }
    expect((await v1.get(`/acl/token/${one.AccessorID}`)).status).toBe(404);
    expect((await v1.get("/acl/token/self", other.SecretID)).status).toBe(200);
    expect(await v1.post("/acl/logout", undefined, one.SecretID)).toMatchObject({ status: 403, text: "ACL not found" });
  });

  test("the token may come by any of the usual ways", async () => {
    for (const way of ["authorization", "x-consul-token", "x-service-token", "query"]) {
      const { SecretID } = await loggedIn();
      const headers = way === "query" ? {} : { [way]: way === "authorization" ? `bearer ${SecretID}` : SecretID };
      const url = `/v1/acl/logout${way === "query" ? `?token=${SecretID}` : ""}`;
      expect((await v1.send({ method: "POST", url, headers })).text).toBe("true");
      expect((await v1.get("/acl/token/self", SecretID)).status).toBe(403);
    }
  });

  test("without a token there is nothing to end", async () => {
    expect(await v1.post("/acl/logout", undefined, "")).toMatchObject({
      status: 401,
      text: "Supplied token does not exist",
    });
  });

  test("a token that nobody has, or that is none, is not found", async () => {
    for (const secret of [NOBODY, "nonsense", "<hidden>"]) {
      expect(await v1.post("/acl/logout", undefined, secret)).toMatchObject({ status: 403, text: "ACL not found" });
    }
  });

  test("a token that no login made stays", async () => {
    const { secret } = await v1.token();
    for (const token of [secret, MANAGEMENT, "anonymous"]) {
      expect(await v1.post("/acl/logout", undefined, token)).toMatchObject({ status: 403, text: NOT_BY_LOGIN });
    }
    expect((await v1.get("/acl/token/self", secret)).status).toBe(200);
  });

  test("needs no right at all", async () => {
    const { SecretID } = await loggedIn();
    expect((await v1.get("/acl/tokens", SecretID)).status).toBe(403);
    expect((await v1.post("/acl/logout", undefined, SecretID)).text).toBe("true");
  });

  test("of two logouts with one token one ends it", async () => {
    const { SecretID } = await loggedIn();
    const answers = await Promise.all(Array.from({ length: 8 }, () => v1.post("/acl/logout", undefined, SecretID)));
    expect(answers.filter(({ text }) => text === "true")).toHaveLength(1);
    expect(answers.filter(({ status, text }) => status === 403 && text === "ACL not found")).toHaveLength(7);
  });

  test("incident 30: ends the caller's own token, wherever it lies and whatever namespace the request names", async () => {
    await makeNamespace(v1, { namespace: "team" });
    await makeNamespace(v1, { namespace: "other" });
    await makeMethod(v1, key, { Name: "there" }, "?ns=team");
    await makeRule(v1, { AuthMethod: "there" }, "?ns=team");
    const { body } = await login(v1, "there", bearer(key), { Namespace: "team" });
    const answer = await v1.post("/acl/logout?ns=other", undefined, body.SecretID);
    expect(answer.text).toBe("true");
    expect((await v1.get("/acl/tokens?ns=team")).body).toEqual([]);
  });

  test("those who wait for the tokens are told", async () => {
    const { SecretID } = await loggedIn();
    const before = Number((await v1.get("/acl/tokens")).headers["x-service-index"]);
    expect((await v1.post("/acl/logout", undefined, SecretID)).text).toBe("true");
    expect(Number((await v1.get("/acl/tokens")).headers["x-service-index"])).toBeGreaterThan(before);
  });

  test("a body does no harm", async () => {
    const { SecretID } = await loggedIn();
    expect((await v1.post("/acl/logout", "not even JSON", SecretID)).text).toBe("true");
  });
});
