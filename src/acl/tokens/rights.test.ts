import { beforeAll, expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { MANAGEMENT, NOBODY, RESERVED, useV1 } from "../../../test/support/v1.ts";

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  let existing = "";
  beforeAll(async () => (existing = (await v1.token()).accessor));

  test.each(["get", "put"] as const)(
    "a token that is not there is not there expanded or to be cloned: %s",
    async (method) => {
      const answer = await v1[method](`/acl/token/${NOBODY}${method === "get" ? "?expanded" : "/clone"}`);
      expect(answer).toMatchObject({ status: 404, text: "token does not exist: ACL not found" });
    },
  );

  test("the anonymous token and the caller's own cannot be deleted", async () => {
    const own = (await v1.get("/acl/token/self")).body.AccessorID as string;
    for (const [id, text] of [
      [`${RESERVED}02`, "Delete operation not permitted on the anonymous token"],
      [own, "Deletion of the request's authorization token is not permitted"],
      [own.toUpperCase(), "Deletion of the request's authorization token is not permitted"],
    ] as const) {
      expect(await v1.delete(`/acl/token/${id}`)).toMatchObject({ status: 400, text });
    }
  });

  test("no more than one filter of the list, and an ID that is none", async () => {
    const many = "can only filter by one of policy, role, serviceName, or methodName at a time";
    for (const query of [
      `policy=${NOBODY}&role=${NOBODY}`,
      "servicename=a&authmethod=b",
      `role=${NOBODY}&authmethod=b`,
    ]) {
      expect(await v1.get(`/acl/tokens?${query}`)).toMatchObject({ status: 400, text: many });
    }
    for (const kind of ["policy", "role"]) {
      const text = `failed acl ${kind} lookup: index error: UUID must be 36 characters`;
      expect(await v1.get(`/acl/tokens?${kind}=x`)).toMatchObject({ status: 400, text });
    }
  });

  test("to clone a token needs acl:write, to see it expanded acl:read, before anything is looked up", async () => {
    const { accessor, secret } = await v1.token();
    const reader = await v1.tokenWith(`acl = "read"`);
    for (const id of [existing, NOBODY]) {
      const lacks = { status: 403, text: expect.stringMatching(/lacks permission 'acl:write'$/) };
      expect(await v1.put(`/acl/token/${id}/clone`, {}, reader)).toMatchObject(lacks);
      for (const path of [`/acl/token/${id}?expanded`, `/acl/tokens?policy=${NOBODY}`]) {
        const text = `Permission denied: token with AccessorID '${accessor}' lacks permission 'acl:read'`;
        expect(await v1.get(path, secret)).toMatchObject({ status: 403, text });
        expect((await v1.get(path, reader)).status).not.toBe(403);
      }
    }
    expect((await v1.get("/acl/token/self", secret)).body).toMatchObject({ AccessorID: accessor, SecretID: secret });
    expect((await v1.get("/acl/token/self", MANAGEMENT)).body.SecretID).toBe(MANAGEMENT);
  });

  test("tokens with identities of one name have each the rights of its own namespace", async () => {
    const places = ["default", v1.unique("team"), v1.unique("team")];
    for (const name of places.slice(1)) expect((await v1.put("/namespace", { Name: name })).status).toBe(200);
    const content = { ServiceIdentities: [{ ServiceName: "web" }] };
    const questions = places.map((Namespace) => ({ Resource: "service", Segment: "web", Access: "write", Namespace }));
    for (const own of places) {
      const { body } = await v1.put(`/acl/token?ns=${own}`, content);
      const answers = (await v1.post("/internal/acl/authorize", questions, body.SecretID)).body as { Allow: boolean }[];
      expect([own, answers.map(({ Allow }) => Allow)]).toEqual([own, places.map((place) => place === own)]);
    }
  });

  test("a secret that no token has, and the reserved words, are refused everywhere", async () => {
    for (const path of ["/acl/tokens", "/acl/token/self", `/acl/token/${existing}`, "/acl/policies", "/acl/roles"]) {
      expect(await v1.get(path, NOBODY)).toMatchObject({ status: 403, text: "ACL not found" });
      for (const word of ["allow", "deny", "manage"]) {
        expect(await v1.get(path, word)).toMatchObject({ text: "Cannot resolve root ACL" });
      }
    }
  });
});
