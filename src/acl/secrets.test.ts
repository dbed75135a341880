import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Answer } from "../../test/support/api.ts";
import { pointOf } from "../../test/support/decision-point.ts";
import { forEachEngine } from "../../test/support/engines.ts";
import { bearer, login } from "../../test/support/login.ts";
import { KEY, loginIn, makeIn, makeMethodIn, METHOD } from "../../test/support/scopes.ts";
import { MANAGEMENT, NOBODY, useV1 } from "../../test/support/v1.ts";

const BOOTSTRAP = "b0075ec2-ca9a-4000-8000-000000000001";
/** A text of its own wherever a client may put a secret, or mistake a member for a place of one. */
let canaries = 0;
const canary = () => `ca9a4e00-0000-4000-8000-${String(++canaries).padStart(12, "0")}`;

/** Tests output for others than the caller: it must never contain a secret. */
forEachEngine((engine, makeUrl) => {
  const v1 = useV1(makeUrl, { config: { bootstrapSecret: BOOTSTRAP } });

  test("incident 24: no secret is in log lines, refusals, /metrics, explanations, database files or rows", async () => {
    const secrets = [MANAGEMENT, BOOTSTRAP];
    const told: Answer[] = [];
    const secret = () => {
      const text = canary();
      secrets.push(text);
      return text;
    };

    // Used as secrets: made, shown to who may see them, used by each way that there is.
    const chosen = secret();
    const { accessor } = await v1.token({ SecretID: chosen, Policies: [{ Name: "global-management" }] });
    const random = await v1.token({ ExpirationTTL: "1h" });
    const clone = (await v1.put(`/acl/token/${accessor}/clone`)).body;
    secrets.push(random.secret, clone.SecretID);
    await v1.get("/acl/tokens");
    const url = "/v1/acl/token/self";
    for (const request of [
      { url: `${url}?token=${chosen}` },
      { url, headers: { "x-service-token": chosen } },
      { url, headers: { "x-consul-token": chosen } },
      { url, headers: { authorization: `Bearer ${chosen}` } },
    ]) {
      expect((await v1.send({ method: "GET", ...request })).body.SecretID).toBe(chosen);
    }

    // Presented in vain, malformed or in the wrong place.
    // Logins: what proves who somebody is, and what it gives.
    await makeMethodIn(v1, {});
    await makeIn(v1, {}, "binding-rule", { Selector: "value.team == a" });
    const proofs = ["a", "b"].map((team) => bearer(KEY, { team, jti: canary() }));
    // The claims too: a part of the credential that can be read is not the credential, its signature is.
    secrets.push(...proofs.flatMap((proof) => [proof, proof.split(".")[2] ?? expect.fail()]));
    const bound = await loginIn(v1, {}, { team: "a" });
    const ended = (await login(v1, METHOD, proofs[0] ?? "")).body;
    secrets.push(bound.SecretID, ended.SecretID);
    await v1.post("/acl/logout", "", ended.SecretID);
    told.push(
      await login(v1, METHOD, proofs[1] ?? ""),
      await login(v1, "nobody", proofs[1] ?? ""),
      await login(v1, METHOD, secret()),
      await login(v1, METHOD, `${proofs[1]}x`),
      await v1.post("/acl/login", `{"BearerToken": "${secret()}", "X": 1}`, ""),
      await v1.post("/acl/login", `{"BearerToken": "${secret()}`, ""),
      await v1.post("/acl/login", { BearerToken: [secret()] }, ""),
      await v1.post("/acl/login", { AuthMethod: METHOD, BearerToken: secret().repeat(1000) }, ""),
      await v1.post(`/acl/login?token=${secret()}`, { AuthMethod: METHOD, BearerToken: "" }, secret()),
      await v1.post("/acl/login/explain", { AuthMethod: METHOD, BearerToken: proofs[1] }),
      await v1.post("/acl/login/explain", { AuthMethod: METHOD, BearerToken: secret() }),
      await v1.post("/acl/oidc/callback", { AuthMethod: METHOD, State: secret(), Code: secret() }, ""),
      await v1.post("/acl/logout", "", ended.SecretID),
    );

    const reader = await v1.tokenWith(`acl = "read"`);
    secrets.push(reader);
    const path = `/acl/token/${accessor}`;
    const wrong = secret();
    told.push(
      await v1.get("/acl/tokens", secret()),
      await v1.get(`/acl/tokens?token=${secret()}`, ""),
      await v1.get(`/acl/tokens?token=${secret()}&token=${secret()}`, ""),
      await v1.get(`/acl/tokens?token=${secret()}&index=x`, ""),
      await v1.get(`/nowhere?token=${secret()}`, ""),
      await v1.api("GET", "/organizations", undefined, secret()),
      await v1.put("/acl/token", { SecretID: chosen }),
      await v1.put("/acl/token", { AccessorID: chosen }),
      await v1.put("/acl/token", { SecretID: `${secret()}x` }),
      await v1.put("/acl/token", `{"SecretID": "${secret()}", "X": 1}`),
      await v1.put("/acl/token", `{"SecretID": "${secret()}`),
      await v1.put("/acl/token", `{"SecretID": ["${secret()}"]}`),
      await v1.put("/acl/token", `"${secret()}"`),
      await v1.put(path, { SecretID: wrong }),
      await v1.patch(path, { SecretID: secret() }),
      await v1.put(`${path}/clone`, `{"SecretID": "${secret()}`),
      await v1.put("/acl/bootstrap", { BootstrapSecret: secret() }, ""),
      await v1.put("/acl/bootstrap", { BootstrapSecret: BOOTSTRAP }, ""),
      await v1.put("/acl/bootstrap", `{"BootstrapSecret": "${secret()}"`, ""),
      await v1.get(path, reader),
      await v1.get(`${path}?expanded`, reader),
      await v1.get("/acl/tokens", reader),
      await v1.put("/acl/token", { SecretID: secret() }, reader),
      await v1.post("/acl/authorize?explain=true", [{ Resource: "acl", Access: "read" }], chosen),
      await v1.post("/acl/authorize", `[{"Resource": "${secret()}"`, chosen),
      ...(await askedAboutUse(chosen, secret)),
      await v1.delete(path, chosen),
      await v1.delete(`/acl/token/${NOBODY}`, chosen),
      await v1.send({ method: "GET", url: "/metrics", headers: { authorization: `Bearer ${MANAGEMENT}` } }),
    );
    await v1.delete(`/acl/token/${random.accessor}`);
    await v1.flushUses();

    const outputs = new Map([
      ["answers", told.map(({ text, headers }) => text + JSON.stringify(headers)).join("\n")],
      ["log", v1.log.join("\n")],
      ["rows", JSON.stringify(await rowsOf())],
      ...databaseFiles().map((file) => [file, readFileSync(file, "latin1")] as const),
    ]);
    expect(outputs.get("log")?.length).toBeGreaterThan(1000);
    expect(outputs.size).toBeGreaterThanOrEqual(engine === "sqlite" ? 5 : 3);
    const leaks = [...outputs].flatMap(([place, text]) =>
      secrets.filter((each) => text.includes(each)).map((each) => `${each} in ${place}`),
    );
    expect(leaks).toEqual([]);
    // The search itself finds what is there: AccessorIDs may be seen.
    for (const place of engine === "sqlite"
      ? ["log", "rows", `${v1.url.slice("sqlite:".length)}-wal`]
      : ["log", "rows"]) {
      expect(outputs.get(place)).toContain(accessor);
    }
  });

  /** Decisions, mappings, use, smaller policies and replays, with secrets where none belongs. */
  async function askedAboutUse(chosen: string, secret: () => string): Promise<Answer[]> {
    const ask = pointOf(v1);
    const whole = {
      subject: { type: "token", id: secret() },
      action: { name: "read" },
      resource: { type: "acl", id: "" },
    };
    const policy = await v1.policy('key "a" { policy = "read" }');
    const role = await v1.role({ Policies: [{ ID: policy }] });
    return [
      await ask("/access/v1/evaluation", whole, { token: chosen }),
      await ask("/access/v1/evaluation?explain=true", whole, { token: chosen }),
      await ask("/access/v1/evaluation", whole, { token: secret() }),
      await ask(`/access/v1/evaluation?token=${secret()}`, whole, { token: "" }),
      await ask("/access/v1/evaluations", `{"evaluations": ["${secret()}"`, { token: chosen }),
      await ask("/access/v1/search/action", { ...whole, subject: secret() }, { token: chosen }),
      await ask("/access/v1/search/subject", { ...whole, page: { token: secret() } }, { token: chosen }),
      await ask("/access/v1/search/resource", { ...whole, resource: { type: secret() } }, { token: chosen }),
      await v1.patch("/acl/decision-mapping/none", `{"SubjectTypes": [{"Type": "${secret()}"`, chosen),
      await v1.put("/acl/decision-mapping", `{"Name": "${secret()}"`, chosen),
      await v1.put("/acl/decision-mapping", `{"Name": ["${secret()}"]}`, chosen),
      await v1.post(`/acl/policy/${policy}/tighten`, `{"Keep": ["${secret()}"`, chosen),
      await v1.post(`/acl/role/${role}/tighten`, `{"Keep": ["${secret()}"`, chosen),
      await v1.post(`/acl/role/${role}/tighten`, { Keep: [secret()], DecisionPoints: [secret()] }, chosen),
      await v1.post("/acl/replay", `{"Policies": "${secret()}"`, chosen),
      await v1.post("/acl/replay", { DeletedPolicies: [{ ID: secret() }] }, chosen),
      await v1.get("/acl/use?by=token", chosen),
      await v1.get(`/acl/use?token=${secret()}`, ""),
    ];
  }

  async function rowsOf(): Promise<unknown[]> {
    const { sql } = v1.db;
    return [
      await sql.selectFrom("tokens").selectAll().execute(),
      await sql.selectFrom("policies").selectAll().execute(),
      await sql.selectFrom("auth_methods").selectAll().execute(),
      await sql.selectFrom("binding_rules").selectAll().execute(),
      await sql.selectFrom("used_login_states").selectAll().execute(),
      await sql.selectFrom("meta").selectAll().execute(),
      await sql.selectFrom("counters").selectAll().execute(),
      await sql.selectFrom("audit_records").selectAll().execute(),
      await sql.selectFrom("decision_mappings").selectAll().execute(),
      await sql.selectFrom("use_rows").selectAll().execute(),
    ];
  }

  /** The database, its WAL and what lies in the data directory. */
  function databaseFiles(): string[] {
    const inData = readdirSync(v1.dataDir).map((name) => join(v1.dataDir, name));
    if (engine === "postgres") return inData;
    const file = v1.url.slice("sqlite:".length);
    return [...inData, file, `${file}-wal`];
  }
});
