/** Records of denied requests, and the subjects that they concern. */
import { expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { createSigningKey } from "../../../test/support/key-server.ts";
import { bearer, login, makeMethod, makeRule } from "../../../test/support/login.ts";
import { refusalOf, refusalsIn } from "../../../test/support/refusals.ts";
import { makeNamespace, makePartition } from "../../../test/support/scopes.ts";
import { useV1 } from "../../../test/support/v1.ts";
import { readCounter } from "../../storage/feed/touches.ts";

const CANARY = "canary-7d1f0c55";

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl, { config: { loginFailureLimit: 0 } });

  async function organization(): Promise<string> {
    const name = v1.unique("org");
    const attributes = { name, email: "a@example.com" };
    const answer = await v1.api("POST", "/organizations", { data: { type: "organizations", attributes } });
    expect(answer.status).toBe(201);
    return name;
  }

  async function tokenOf(rules: string): Promise<{ secret: string; accessor: string; policy: string }> {
    const policy = v1.unique("policy");
    const token = await v1.token({ Policies: [{ ID: await v1.policy(rules, policy) }] });
    return { ...token, policy };
  }

  test("a refused write of /v1 is there with the question, the rule that decided and who asked", async () => {
    const { secret, accessor, policy } = await tokenOf('acl = "read"');
    const answer = await v1.put("/acl/policy", { Name: "mine" }, secret);
    expect(answer.status).toBe(403);
    const record = await refusalOf(v1.db, answer);
    expect(record).toMatchObject({
      chain: "refusals/partition/default",
      partition: "default",
      namespace: "default",
      organizationId: "",
      kind: "acl",
      action: "write",
      outcome: "refused",
      accessorId: accessor,
      requestId: answer.headers["x-request-id"],
      detail: {
        question: { resource: "acl", segment: "", access: "write", partition: "default", namespace: "default" },
        decision: { decidedBy: "direct", rule: { Resource: "acl", Policy: "read" }, policies: [policy] },
        route: "PUT /v1/acl/policy",
        address: "127.0.0.1",
        count: 1,
      },
    });
  });

  test("a refused read lies in a chain of its own", async () => {
    const { secret } = await tokenOf('key_prefix "" { policy = "read" }');
    const answer = await v1.get("/acl/policies", secret);
    expect(await refusalOf(v1.db, answer)).toMatchObject({
      chain: "refusals/reads/partition/default",
      action: "read",
      detail: { question: { resource: "acl", access: "read" }, decision: { decidedBy: "default-policy" } },
    });
  });

  test("a refusal of /api/v2, whose client sees 404, lies with its organization and says what was asked", async () => {
    const name = await organization();
    const { secret, accessor, policy } = await tokenOf(`organization "${name}" { policy = "read" }`);
    const data = { type: "organizations", attributes: { email: "b@example.com" } };
    const answer = await v1.api("PATCH", `/organizations/${name}`, { data }, secret);
    expect(answer.status).toBe(404);
    const record = await refusalOf(v1.db, answer);
    expect(record).toMatchObject({
      kind: "organization",
      name,
      action: "write",
      accessorId: accessor,
      partition: "",
      detail: {
        question: { resource: "organization", segment: name, access: "write" },
        decision: { decidedBy: "direct", rule: { Segment: name, Policy: "read" }, policies: [policy] },
        route: "PATCH /api/v2/organizations/:organization_name",
      },
    });
    expect(record.chain).toBe(`refusals/organization/${record.organizationId}`);
    const list = await v1.api("GET", `/organizations/${name}/audit?filter[outcome]=refused`);
    expect(list.body.data).toMatchObject([{ attributes: { "request-id": answer.headers["x-request-id"] } }]);
  });

  test("who sees nothing of an organization, a workspace or a list of its has a record with its question", async () => {
    const name = await organization();
    const data = { type: "workspaces", attributes: { name: "app" } };
    const made = await v1.api("POST", `/organizations/${name}/workspaces`, { data });
    const { secret } = await tokenOf("");
    const asked = [
      [await v1.api("GET", `/organizations/${name}`, undefined, secret), "organization", name],
      [await v1.api("GET", `/organizations/${name}/workspaces`, undefined, secret), "organization", name],
      [await v1.api("GET", `/workspaces/${String(made.body.data.id)}`, undefined, secret), "workspace", "app"],
    ] as const;
    for (const [answer, kind, called] of asked) {
      expect(answer.status).toBe(404);
      expect(await refusalOf(v1.db, answer)).toMatchObject({ kind, name: called, action: "read" });
    }
  });

  test("what is missing for everybody is no refusal, and neither is what is allowed", async () => {
    const before = (await refusalsIn(v1.db)).length;
    expect((await v1.api("GET", "/organizations/no-such-organization")).status).toBe(404);
    expect((await v1.get("/acl/policy/name/no-such-policy")).status).toBe(404);
    const { secret } = await tokenOf("");
    expect((await v1.api("GET", "/workspaces/ws-0000000000000000", undefined, secret)).status).toBe(404);
    const last = await v1.put("/acl/policy", { Name: "mine" }, secret);
    await refusalOf(v1.db, last);
    expect(await refusalsIn(v1.db)).toHaveLength(before + 1);
  });

  test("whether a record came to lie with them tells nobody whether what they asked about is there", async () => {
    const [there, partition] = [await organization(), v1.unique("partition")];
    const namespace = v1.unique("namespace");
    await makePartition(v1, partition);
    await makeNamespace(v1, { namespace });
    const { secret } = await tokenOf("");
    const create = (name: string) =>
      v1.api("POST", "/organizations", { data: { type: "organizations", attributes: { name, email: "a@x" } } }, secret);
    const read = (query: string) => v1.get(`/acl/policies?${query}`, secret);
    const chains: Record<string, string> = {};
    for (const [what, answer] of Object.entries({
      "organization there": await create(there),
      "no organization": await create(v1.unique("nothing")),
      "partition there": await read(`partition=${partition}`),
      "no partition": await read("partition=nothing"),
      "namespace there": await read(`ns=${namespace}`),
      "no namespace": await read("ns=nothing"),
    })) {
      const { chain, namespace: shownIn } = await refusalOf(v1.db, answer);
      chains[what] = `${chain.replace(/org-\w+/, "ID")} ${shownIn}`;
    }
    expect(chains).toEqual({
      "organization there": "refusals/organization/ID ",
      "no organization": "refusals/root ",
      "partition there": `refusals/reads/partition/${partition} default`,
      "no partition": "refusals/reads/root ",
      "namespace there": `refusals/reads/partition/default ${namespace}`,
      "no namespace": "refusals/reads/partition/default ",
    });
  });

  test("a token that nobody has, and none at all, are one record of an address, without the secret", async () => {
    const onV1 = await v1.get("/acl/policies", `${CANARY}-v1`);
    const onApi = await v1.api("GET", "/organizations", undefined, `${CANARY}-api`);
    expect([onV1.status, onApi.status]).toEqual([403, 401]);
    const none = await v1.send({ method: "GET", url: "/api/v2/organizations" });
    const [first, second] = [await refusalOf(v1.db, onV1), await refusalOf(v1.db, onApi)];
    expect(first).toEqual(second);
    expect(first).toMatchObject({
      chain: "refusals/root",
      kind: "unknown-token",
      action: "authenticate",
      accessorId: "",
      detail: { tokenWasGiven: true, count: 2, address: "127.0.0.1" },
    });
    expect(await refusalOf(v1.db, none)).toMatchObject({ detail: { tokenWasGiven: false } });
    expect(JSON.stringify(await refusalsIn(v1.db))).not.toContain(CANARY);
  });

  test("a refused login is there with its method, the claimed subject, the reason and the binding rule", async () => {
    const key = createSigningKey("k1");
    const name = v1.unique("method");
    await makeMethod(v1, key, { Name: name });
    const nothing = await login(v1, name, bearer(key, { sub: "robot", team: "web" }));
    const forged = await login(v1, name, bearer(createSigningKey("k1"), { sub: "thief" }));
    const rule = await makeRule(v1, { AuthMethod: name, BindName: "${value.name}" });
    const refused = await login(v1, name, bearer(key, { sub: "other", name: "no good name" }));
    const missing = await login(v1, v1.unique("no-method"), "none");
    expect([nothing, forged, refused, missing].map(({ status }) => status)).toEqual([403, 403, 403, 403]);
    const place = { chain: "refusals/partition/default", partition: "default", namespace: "default" };
    expect(await refusalOf(v1.db, nothing)).toMatchObject({
      ...place,
      kind: "login",
      name,
      action: "login",
      detail: {
        login: { authMethod: name, subject: '["","robot"]', reason: expect.stringContaining("no binding rule") },
      },
    });
    expect(await refusalOf(v1.db, forged)).toMatchObject({ ...place, detail: { login: { subject: '["","thief"]' } } });
    expect(await refusalOf(v1.db, refused)).toMatchObject({ ...place, detail: { login: { bindingRule: rule } } });
    expect(await refusalOf(v1.db, missing)).toMatchObject({ name: "", detail: { login: { authMethod: "" } } });
  });

  test("incident 24: a secret in any field of a refused login is in no record", async () => {
    const key = createSigningKey("k1");
    const name = v1.unique("method");
    await makeMethod(v1, key, { Name: name });
    const answers = [
      await login(v1, name, CANARY),
      await login(v1, name, `${CANARY}.${CANARY}.${CANARY}`),
      await login(v1, name, `${bearer(key, {})}${CANARY}`),
      await login(v1, name, bearer(key, { team: CANARY, name: CANARY, jti: CANARY })),
      // In a place of its own: another one of its kind in this minute has been written.
      await login(v1, CANARY, CANARY, { Namespace: "nowhere" }),
      await login(v1, name, bearer(key, {}), { Meta: { [CANARY]: CANARY } }),
      await v1.post("/acl/oidc/auth-url", { AuthMethod: name, RedirectURI: `http://localhost/${CANARY}` }, ""),
      await v1.post("/acl/oidc/callback", { AuthMethod: name, State: CANARY, Code: CANARY, ClientNonce: CANARY }, ""),
    ];
    expect(answers.map(({ status }) => status).filter((status) => status !== 403)).toEqual([]);
    for (const answer of answers) await refusalOf(v1.db, answer);
    const telling = (await refusalsIn(v1.db)).filter((record) => JSON.stringify(record).includes(CANARY));
    expect(telling).toEqual([]);
  });

  test("refusals move no index, tell the feed nothing and wake nobody", async () => {
    const { secret } = await tokenOf('acl = "read"');
    const list = await v1.get("/acl/policies");
    const index = String(list.headers["x-service-index"]);
    const counter = await readCounter(v1.db, "partition/default");
    const told: unknown[] = [];
    const leave = v1.db.feed.subscribe({ onCommitted: (event) => void told.push(event) });
    let isOver = false;
    const waiting = v1.get(`/acl/policies?index=${index}&wait=30s`).finally(() => (isOver = true));
    const answers = [
      await v1.put("/acl/policy", { Name: "mine" }, secret),
      await v1.get("/acl/policies?ns=other", secret),
    ];
    for (const answer of answers) await refusalOf(v1.db, answer);
    expect({ isOver, told }).toEqual({ isOver: false, told: [] });
    expect(await readCounter(v1.db, "partition/default")).toBe(counter);
    // It is told behind whatever they would have told, and wakes.
    const policy = await v1.policy("");
    expect((await waiting).text).toContain(policy);
    leave();
    expect(told).toContainEqual(expect.objectContaining({ table: "policies", key: policy }));
    for (const event of told) expect(event).toMatchObject({ index: Number(counter) + 1 });
  });

  test("the line of a refused request says what was asked, and the metrics how much there is", async () => {
    const { secret } = await tokenOf('acl = "read"');
    const answer = await v1.put("/acl/policy", { Name: "mine" }, secret);
    const id = String(answer.headers["x-request-id"]);
    const find = () => v1.log.find((line) => line.includes(`"requestId":"${id}"`) && line.includes('"request"}'));
    await expect.poll(find).toBeDefined();
    expect(JSON.parse(find() ?? "{}")).toMatchObject({
      status: 403,
      refused: { resource: "acl", segment: "", access: "write" },
    });
    const { text } = await v1.send({
      method: "GET",
      url: "/metrics",
      headers: { "x-service-token": "0f6a3c1e-8d2b-4b7a-9c55-1e2d3f4a5b6c" },
    });
    expect(text).toMatch(/^tessera_refusals_gathered [1-9]\d*$/m);
    expect(text).toMatch(/^tessera_refusals_lost 0$/m);
  });

  test("a server that stops writes what it has gathered", async () => {
    const { secret } = await tokenOf('acl = "read"');
    const answer = await v1.put("/acl/policy", { Name: "mine" }, secret);
    await v1.close();
    const found = await refusalsIn(v1.db);
    expect(found.at(-1) !== undefined && JSON.stringify(found)).toContain(String(answer.headers["x-request-id"]));
  });
});
