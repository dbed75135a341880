import { beforeAll, describe, expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { MANAGEMENT, NOBODY, RESERVED, useV1 } from "../../../test/support/v1.ts";

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  let existing = "";
  beforeAll(async () => (existing = (await v1.token()).accessor));

  describe("tokens that are not there", () => {
    const lookup = "failed acl token lookup: index error:";
    const cases: readonly [
      what: string,
      method: "get" | "put" | "patch" | "delete",
      path: string,
      status: number,
      text: string,
    ][] = [
      ["read", "get", `/${NOBODY}`, 404, "token does not exist: ACL not found"],
      ["read, expanded", "get", `/${NOBODY}?expanded`, 404, "token does not exist: ACL not found"],
      ["clone", "put", `/${NOBODY}/clone`, 404, "token does not exist: ACL not found"],
      ["replace", "put", `/${NOBODY}`, 404, `Cannot find token "${NOBODY}"`],
      ["change", "patch", `/${NOBODY}`, 404, `Cannot find token "${NOBODY}"`],
      ["delete", "delete", `/${NOBODY}`, 404, "Cannot find token to delete"],
      ["read with an ID too short", "get", "/x", 404, `${lookup} UUID must be 36 characters`],
      [
        "read with five hyphens",
        "get",
        "/1-1111111-2222-4333-8444-55555555555",
        404,
        `${lookup} UUID should have maximum of 4 "-"; got 5`,
      ],
      [
        "read with odd digits",
        "get",
        "/111111111-222-4333-84445555555555555",
        404,
        `${lookup} UUID (without hyphens) must be an even number of characters`,
      ],
      ["read with other letters", "get", "/g1111111-2222-4333-8444-555555555555", 404, `${lookup} invalid UUID: `],
      ["read with a name of objects", "get", "/__proto__", 404, `${lookup} UUID must be 36 characters`],
      ["replace without a UUID", "put", "/x", 404, "AccessorID is not a valid UUID"],
      ["change without a UUID", "patch", "/x", 404, "AccessorID is not a valid UUID"],
      ["delete without a UUID", "delete", "/x", 404, "Accessor ID is missing or an invalid UUID"],
      ["read without an ID", "get", "/", 400, "Missing token AccessorID"],
      ["delete without an ID", "delete", "/", 400, "Missing token AccessorID"],
    ];
    test.each(cases)("%s", async (_what, method, path, status, text) => {
      const answer = await v1[method](`/acl/token${path}`);
      expect(answer.status).toBe(status);
      expect(answer.text.slice(0, text.length)).toBe(text);
    });
  });

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

  test("each operation needs its permission, and is refused before anything is looked up", async () => {
    const { accessor, secret } = await v1.token();
    const reader = await v1.tokenWith(`acl = "read"`);
    const { AccessorID: readerId } = (await v1.get("/acl/token/self", reader)).body;
    const lacks = (id: string, access: string) =>
      `Permission denied: token with AccessorID '${id}' lacks permission 'acl:${access}'`;
    const anonymous = (access: string) =>
      `Permission denied: anonymous token lacks permission 'acl:${access}'. The anonymous token is used implicitly when a request does not specify a token.`;
    for (const id of [existing, NOBODY]) {
      for (const path of [`/acl/token/${id}`, "/acl/tokens", `/acl/tokens?policy=${NOBODY}`]) {
        expect(await v1.get(path, secret)).toMatchObject({ status: 403, text: lacks(accessor, "read") });
        expect(await v1.get(path, "")).toMatchObject({ status: 403, text: anonymous("read") });
        expect((await v1.get(path, reader)).status).not.toBe(403);
      }
      const writes = [
        () => v1.put(`/acl/token/${id}`, {}, reader),
        () => v1.patch(`/acl/token/${id}`, {}, reader),
        () => v1.put(`/acl/token/${id}/clone`, {}, reader),
        () => v1.put("/acl/token", { AccessorID: id, AuthMethod: "x" }, reader),
        () => v1.delete(`/acl/token/${id}`, reader),
      ];
      for (const write of writes) expect(await write()).toMatchObject({ status: 403, text: lacks(readerId, "write") });
      expect(await v1.delete(`/acl/token/${id}`, "")).toMatchObject({ status: 403, text: anonymous("write") });
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
