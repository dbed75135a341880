/** Parameters that nobody knows, and scopes that are named in the URL: what is asked is never passed over in silence. */
import { readOperations } from "../support/openapi-document.ts";
import { describe, expect, it } from "vitest";
import { forEachEngine } from "../support/engines.ts";
import { MANAGEMENT, NOBODY, useV1 } from "../support/v1.ts";

const LISTS = ["tokens", "policies", "roles", "auth-methods", "binding-rules"].map((kind) => `/acl/${kind}`);

/** Consul's clients send these to any route. */
const KNOWN =
  "dc ns partition peer index wait hash stale leader cached max_age stale_if_error max_stale near node-meta filter token pretty sg " +
  "local-only merge-central-config";

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);

  it("incident 58: a list whose filter is misspelt is refused and lists nothing", async () => {
    const { accessor, secret } = await v1.token();
    for (const path of [...LISTS, "/namespaces", "/partitions"]) {
      for (const query of [
        "policyy=x",
        `policyy=${NOBODY}&policy=${NOBODY}`,
        "Policy=x",
        "page_size=1",
        "__proto__=1",
      ]) {
        const { status, text } = await v1.get(`${path}?${query}`);
        expect([path, query, status, text]).toEqual([
          path,
          query,
          400,
          expect.stringMatching(/^Unknown query parameter "[A-Za-z_]+"; this route supports /),
        ]);
        expect(text.includes(accessor) || text.includes(secret)).toBe(false);
      }
    }
    expect((await v1.get("/acl/tokens?policyy=x")).text).toBe(
      'Unknown query parameter "policyy"; this route supports ns, partition, page-size, limit, after, search, sort, at, id-prefix, policy, role, servicename, authmethod, authmethod-ns, unused-for, expires-before, expires-after, used-within, used, expires',
    );
    expect((await v1.get(`/acl/tokens?${"x".repeat(5000)}`)).text.length).toBeLessThan(350);
  });

  it("incident 58: no route takes a parameter that it does not know, and each takes its own and those of all clients", async () => {
    const { body } = await v1.send({ method: "GET", url: "/openapi.json" });
    let asked = 0;
    for (const { path: pattern, method, operation } of readOperations(body)) {
      if (!pattern.startsWith("/v1/") || pattern === "/v1/events") continue;
      const { parameters = [] } = operation;
      const own = parameters.filter((one) => one.in === "query").map(({ name }) => name);
      const url = pattern.replaceAll(/\{\w+\}/g, NOBODY);
      const send = async (query: string) =>
        v1.send({ method: method.toUpperCase(), url: `${url}?${query}`, headers: { "x-consul-token": "" } });
      const unknown = await send("unheard-of=1");
      expect([method, url, unknown.status, unknown.text]).toEqual([
        method,
        url,
        400,
        expect.stringMatching(/^Unknown query parameter "unheard-of"/),
      ]);
      for (const query of [...KNOWN.split(" "), "consistent", ...own]) {
        // A value that each of them takes, or refuses in words of its own.
        expect([query, (await send(`${query}=`)).text]).not.toEqual([query, expect.stringContaining("Unknown query")]);
      }
      asked += 1;
    }
    expect(asked).toBeGreaterThan(50);
  });

  describe("authorize", () => {
    const paths = ["/acl/authorize", "/internal/acl/authorize"];
    const question = { Resource: "key", Access: "read", Segment: "x" };

    it("incident 58: answers about nobody else than the caller, and is not asked to", async () => {
      for (const path of paths) {
        for (const query of [`explain&accessor=${NOBODY}`, `accessor=${NOBODY}`, "token-id=x"]) {
          expect([query, (await v1.post(`${path}?${query}`, [question])).status]).toEqual([query, 400]);
        }
        const { body } = await v1.post(`${path}?explain`, [question]);
        expect(body).toMatchObject([{ Allow: true, Explain: { DecidedBy: "direct" } }]);
      }
    });

    it("incident 58: answers about the namespace and partition that the URL or a header names", async () => {
      await v1.put("/partition", { Name: "other" });
      const rules = `key "x" { policy = "read" } namespace "team" { key "x" { policy = "deny" } key "y" { policy = "read" } }`;
      const secret = await v1.tokenWith(rules);
      const ask = async (query: string, headers: Record<string, string> = {}, more: object = {}) => {
        const answers = [];
        for (const path of paths) {
          const { body } = await v1.send({
            method: "POST",
            url: `/v1${path}${query}`,
            headers: { "x-consul-token": secret, ...headers },
            payload: JSON.stringify(["x", "y"].map((Segment) => ({ ...question, Segment, ...more }))),
          });
          answers.push((body as { Allow: boolean }[]).map(({ Allow }) => Allow));
        }
        expect(answers[0]).toEqual(answers[1]);
        return answers[0];
      };
      const [inDefault, inTeam, nowhere] = [
        [true, false],
        [false, true],
        [false, false],
      ];
      expect(await ask("")).toEqual(inDefault);
      for (const query of ["?ns=team", "?namespace=TEAM"]) expect([query, await ask(query)]).toEqual([query, inTeam]);
      for (const query of ["?partition=other", "?ap=other&ns=team"]) {
        expect([query, await ask(query)]).toEqual([query, nowhere]);
      }
      for (const header of ["x-service-namespace", "x-consul-namespace"]) {
        expect([header, await ask("", { [header]: "team" })]).toEqual([header, inTeam]);
        expect([header, await ask("?ns=default", { [header]: "team" })]).toEqual([header, inDefault]);
      }
      expect(await ask("", { "x-consul-partition": "other" })).toEqual(nowhere);
      // A scope in the question itself takes precedence.
      expect(await ask("?ns=team", {}, { Namespace: "default" })).toEqual(inDefault);
      expect(await ask("", {}, { Namespace: "team" })).toEqual(inTeam);
      expect(await ask("?ns=team&partition=other", {}, { Partition: "default" })).toEqual(inTeam);
      // An answer repeats what was asked, and no more.
      const { body } = await v1.post("/acl/authorize?ns=team", [question], MANAGEMENT);
      expect(body).toEqual([{ ...question, Allow: true }]);
      expect((await v1.post("/acl/authorize?ns=*", [question])).status).toBe(400);
    });
  });
});
