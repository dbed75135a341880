import { expect, test } from "vitest";
import { noteSecret, noteSecretsOf, secretsIn } from "./made-secrets.ts";

const SECRET = "11111111-2222-4333-8444-555555555555";
const JWT = "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJlLW9mLWEtdG9rZW4";

test("secrets of requests and answers are found wherever they stand, those of what was refused and IDs are not", () => {
  noteSecretsOf("/v1/acl/token", '{"Description": "a"}', { status: 200, text: `{"SecretID": "${SECRET}"}` });
  noteSecretsOf("/v1/acl/login", `{"BearerToken":"${JWT}"}`, { status: 200, text: "{}" });
  noteSecretsOf("/api/v2/organizations/a/tag-webhooks", '{"token": "signs-the-hooks"}', { status: 201, text: "" });
  noteSecretsOf("/v1/acl/token", '{"SecretID": "never-made-secret"}', { status: 400, text: "" });
  expect(secretsIn(`{"detail":"${SECRET}"}`)).toEqual([SECRET]);
  expect(secretsIn(`x ${JWT.split(".")[2]} y`)).toEqual([JWT.split(".")[2]]);
  expect(secretsIn("signs-the-hooks and never-made-secret")).toEqual(["signs-the-hooks"]);
  noteSecretsOf("/v1/acl/token", `{"AccessorID": "${SECRET}"}`, { status: 200, text: "" });
  expect(secretsIn(SECRET)).toEqual([]);
  noteSecret("short");
  expect(secretsIn("short")).toEqual([]);
});
