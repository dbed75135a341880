import { beforeAll, describe, expect, test } from "vitest";
import type { Answer } from "../../../test/support/api.ts";
import { forEachEngine } from "../../../test/support/engines.ts";
import {
  allRows,
  at,
  contentOf,
  idOf,
  KINDS,
  LISTS,
  loginIn,
  makeIn,
  makeMethodIn,
  makeNamespace,
  makePartition,
  METHOD,
  secretIn,
  type Kind,
  type Place,
} from "../../../test/support/scopes.ts";
import { MANAGEMENT, NOBODY, useV1 } from "../../../test/support/v1.ts";

type Entry = Record<"Description" | "Namespace" | "Partition", string> &
  Partial<Record<"ID" | "AccessorID" | "Name" | "SecretID", string>>;

const LONG = "z".repeat(63);
/** In order of their bytes: a hyphen stands before letters. */
const NAMESPACES = ["a", "a-b", "a0", "ab", "b", "default", LONG];

/** Rules of tokens in the namespace `default`, and where they may read `acl` by them. */
const CALLERS: readonly [what: string, rules: string, readable: string[]][] = [
  ["all", `acl = "read" namespace_prefix "" { acl = "read" }`, NAMESPACES],
  ["nothing", `key_prefix "" { policy = "write" }`, []],
  ["its own", `acl = "write"`, ["default"]],
  ["one by name", `namespace "b" { acl = "read" }`, ["b"]],
  ["one by a name in upper case", `namespace "AB" { acl = "read" }`, ["ab"]],
  ["one whole, but not its acl", `namespace "b" { policy = "write" key_prefix "" { policy = "write" } }`, []],
  ["some by a prefix", `namespace_prefix "a" { acl = "read" }`, ["a", "a-b", "a0", "ab"]],
  ["two by prefixes", `namespace_prefix "a-" { acl = "write" } namespace_prefix "zz" { acl = "read" }`, ["a-b", LONG]],
  [
    "incident 19: some but a denied one",
    `namespace_prefix "a" { acl = "read" } namespace "a0" { acl = "deny" }`,
    ["a", "a-b", "ab"],
  ],
  [
    "incident 19: all but a denied prefix, and one in it",
    `namespace_prefix "" { acl = "write" } namespace_prefix "a" { acl = "deny" } namespace "ab" { acl = "read" }`,
    ["ab", "b", "default", LONG],
  ],
  ["what there is not", `namespace "nowhere" { acl = "write" }`, []],
  ["all of another partition", `partition "p" { acl = "read" namespace_prefix "" { acl = "read" } }`, []],
  ["all of all partitions", `partition_prefix "" { namespace_prefix "" { acl = "read" } }`, NAMESPACES],
  ["some, by the rights of an operator", `operator = "write"`, []],
];

/** Callers whose lists are read in pages of every size: they see all, nothing, whole namespaces, and with gaps in between. */
const PAGED = new Set(["management", "anonymous", "one by name", "a tenant", "incident 19: some but a denied one"]);

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  const secrets = new Map<string, string>([
    ["management", MANAGEMENT],
    ["anonymous", ""],
  ]);
  const ids: Record<string, string> = {};
  const tenantNames = ["a tenant", "a tenant by its namespace's defaults", "another partition's"];
  const callers = ["management", "anonymous", ...tenantNames, ...CALLERS.map(([what]) => what)];

  beforeAll(async () => {
    await makePartition(v1, "p");
    for (const namespace of NAMESPACES) {
      if (namespace !== "default") await makeNamespace(v1, { namespace });
      await fillNamespace({ namespace });
    }
    await makeNamespace(v1, { namespace: "a", partition: "p" });
    await fillNamespace({ namespace: "a", partition: "p" });
    for (const [what, rules] of CALLERS) secrets.set(what, await secretIn(v1, {}, rules));
    secrets.set("a tenant", await secretIn(v1, { namespace: "b" }, `acl = "write"`));
    secrets.set("another partition's", await secretIn(v1, { partition: "p" }, `namespace_prefix "" { acl = "read" }`));
    const { ID } = await makeIn(v1, {}, "policy", { Name: "given", Rules: `namespace_prefix "a" { acl = "read" }` });
    await makeNamespace(v1, { namespace: "a-b" }, { ACLs: { PolicyDefaults: [{ ID }] } });
    const { SecretID } = await makeIn(v1, { namespace: "a-b" }, "token", {});
    secrets.set("a tenant by its namespace's defaults", SecretID);
  });

  async function fillNamespace(place: Place): Promise<void> {
    const { namespace = "", partition = "" } = place;
    const policy = idOf(await makeIn(v1, place, "policy", { Name: "Needle/x" }));
    await makeIn(v1, place, "policy", { Name: "needle" });
    const Policies = [{ ID: policy }];
    const role = idOf(await makeIn(v1, place, "role", { Name: "-".repeat(256), Policies }));
    await makeIn(v1, place, "role", { Name: "A-needle", Description: "last in b only" });
    const identities = namespace === "b" ? { ServiceIdentities: [{ ServiceName: "web" }] } : {};
    await makeIn(v1, place, "token", { Description: "needle", Policies, Roles: [{ ID: role }], ...identities });
    await makeIn(v1, place, "token", { Description: `only ${namespace}`, ...identities });
    await makeMethodIn(v1, place, { Description: "needle" });
    await makeIn(v1, place, "auth-method", { Name: "Needle-x" });
    await makeIn(v1, place, "binding-rule", { BindType: "policy", BindName: "Needle" });
    await makeIn(v1, place, "binding-rule", { Description: `only ${namespace}`, AuthMethod: "needle-X" });
    await loginIn(v1, place);
    if (partition !== "p") Object.assign(ids, { [`policy ${namespace}`]: policy, [`role ${namespace}`]: role });
  }

  const secretOf = (caller: string) => secrets.get(caller) ?? "no such caller";
  const partitionOf = (caller: string) => (caller === "another partition's" ? "p" : "default");

  /** How many entries a list has of which nobody asks for a part; tests change none. */
  const lengths = new Map<string, number>();
  async function lengthOf(path: string): Promise<number> {
    const known = lengths.get(path) ?? ((await v1.get(path)).body as Entry[]).length;
    lengths.set(path, known);
    return known;
  }

  /** The same lists of the namespaces one by one; what is in those that may not be read is hidden, looked for or not. */
  async function oneByOne(caller: string, path: string) {
    const shown: Entry[] = [];
    let hidden = 0;
    const partition = partitionOf(caller);
    for (const namespace of NAMESPACES) {
      const single = await v1.get(at(path, { namespace, partition }), secretOf(caller));
      expect([200, 403]).toContain(single.status);
      expect(single.headers).not.toHaveProperty("x-consul-results-filtered-by-acls");
      if (single.status === 200) shown.push(...(single.body as Entry[]));
      else hidden += await lengthOf(at(path.replace(/\?.*/, ""), { namespace, partition }));
    }
    return { shown, hidden };
  }

  const filteredBy = ({ headers }: Answer) =>
    ["service", "consul"].map((name) => headers[`x-${name}-results-filtered-by-acls`]);

  const any = (path: string) => `${path}${path.includes("?") ? "&" : "?"}ns=*`;
  /** Lists with all that can narrow them; texts in braces stand for IDs. */
  const NARROWED: Record<Kind, string[]> = {
    policy: ["", "?search=needle", "?search=namespace-management", "?search=nobody-at-all"],
    role: ["", "?search=a-needle", "?search=nobody-at-all", "?policy={policy b}", "?policy={policy default}"],
    token: [
      "",
      "?search=needle",
      "?search=only+b",
      "?search=only+a",
      "?servicename=WEB",
      "?servicename=nobody",
      "?policy={policy b}",
      "?policy={policy a}",
      "?role={role default}",
      `?role=${NOBODY}`,
      "?authmethod=nobody",
      "?authmethod=RULED",
      "?authmethod=ruled&authmethod-ns=b",
      "?servicename=web&search=only",
    ],
    "auth-method": ["", "?search=needle", "?search=nobody-at-all"],
    "binding-rule": [
      "",
      "?search=needle",
      "?search=only+b",
      "?authmethod=NEEDLE-x",
      "?authmethod=nobody",
      "?authmethod=ruled&search=needle",
    ],
  };
  const queriesOf = (kind: Kind) =>
    NARROWED[kind].map((query) => query.replaceAll(/\{(.+?)\}/g, (_all, what: string) => ids[what] ?? ""));

  describe.each(callers)("a token that may read %s", (caller) => {
    test.each(KINDS)("incident 18: sees in the list of every %s what it sees in each namespace's own", async (kind) => {
      for (const query of queriesOf(kind)) {
        const path = `/acl/${LISTS[kind]}${query}`;
        const { shown, hidden } = await oneByOne(caller, path);
        const answer = await v1.get(any(path), secretOf(caller));
        expect(answer.status).toBe(200);
        // In order of namespaces and then as each of them has it, secrets and all.
        expect({ path, entries: answer.body }).toEqual({ path, entries: shown });
        expect(filteredBy(answer)).toEqual(hidden > 0 ? ["true", "true"] : [undefined, undefined]);
      }
    });

    test.each(KINDS)(
      "is given the list of every %s in pages that make the whole, each saying if it is",
      async (kind) => {
        for (const query of queriesOf(kind).slice(0, 2)) {
          const path = any(`/acl/${LISTS[kind]}${query}`);
          const whole = await v1.get(path, secretOf(caller));
          for (const size of PAGED.has(caller) ? [1, 3, 1000] : [3]) {
            const pages: Entry[][] = [];
            for (let after = ""; ;) {
              const page = await v1.get(`${path}&page-size=${size}${after && `&after=${after}`}`, secretOf(caller));
              expect(page.status, page.text).toBe(200);
              pages.push(page.body);
              expect(filteredBy(page)).toEqual(filteredBy(whole));
              const next = page.headers["x-service-next"] as string | undefined;
              if (next === undefined) break;
              after = next;
            }
            expect(pages.flat()).toEqual(whole.body);
            expect(pages).toHaveLength(Math.max(1, Math.ceil(whole.body.length / size)));
          }
        }
      },
    );
  });

  test.each(CALLERS)("who may read %s sees the namespaces that the rules say", async (what, _rules, readable) => {
    for (const kind of KINDS) {
      const { body } = await v1.get(any(`/acl/${LISTS[kind]}`), secretOf(what));
      const seen = [...new Set((body as Entry[]).map(({ Namespace }) => Namespace))];
      expect(seen).toEqual(readable);
    }
  });

  test("it is in order of the bytes of namespaces, then of names, of AccessorIDs and of the IDs of rules", async () => {
    for (const kind of KINDS) {
      const entries = (await v1.get(any(`/acl/${LISTS[kind]}`))).body as Entry[];
      const keys = entries.map(({ Namespace, Name, AccessorID, ID }) => [
        Namespace,
        (Name ?? AccessorID ?? ID ?? "").toLowerCase(),
      ]);
      expect(keys.length).toBeGreaterThanOrEqual(2 * NAMESPACES.length);
      expect(keys).toEqual(
        keys.toSorted(([a = "", x = ""], [b = "", y = ""]) => (a + "\0" + x < b + "\0" + y ? -1 : 1)),
      );
      expect(new Set(entries.map(({ Partition }) => Partition))).toEqual(new Set(["default"]));
    }
  });

  test("secrets are shown entry by entry: only where the caller may write", async () => {
    const rules = `namespace_prefix "a" { acl = "read" } namespace "ab" { acl = "write" }`;
    const secret = await secretIn(v1, {}, rules);
    for (const path of [
      any("/acl/tokens"),
      `${any("/acl/tokens")}&page-size=100`,
      `${any("/acl/tokens")}&search=only`,
    ]) {
      const entries = (await v1.get(path, secret)).body as Entry[];
      const shown = entries.filter(({ SecretID }) => SecretID !== "<hidden>");
      expect(new Set(shown.map(({ Namespace }) => Namespace))).toEqual(new Set(["ab"]));
      expect(new Set(entries.map(({ Namespace }) => Namespace))).toEqual(new Set(["a", "a-b", "a0", "ab"]));
      const all = (await v1.get(path)).body as Entry[];
      const real = new Map(all.map(({ AccessorID, SecretID }) => [AccessorID, SecretID]));
      for (const { AccessorID, SecretID } of shown) expect(SecretID).toBe(real.get(AccessorID));
    }
  });

  test("it is asked for by every source that can name a namespace, and of one partition at a time", async () => {
    const all = await v1.get(any("/acl/roles"));
    for (const header of ["x-service-namespace", "x-consul-namespace"]) {
      const headers = { "x-service-token": MANAGEMENT, [header]: "*" };
      expect((await v1.send({ method: "GET", url: "/v1/acl/roles", headers })).text).toBe(all.text);
      expect((await v1.send({ method: "GET", url: "/v1/acl/roles?ns=b", headers })).text).not.toBe(all.text);
    }
    expect((await v1.get("/acl/roles?namespace=*")).text).toBe(all.text);
    expect((await v1.get("/acl/roles?ns=%2A")).text).toBe(all.text);
    const inP = (await v1.get(`${any("/acl/roles")}&partition=p`)).body as Entry[];
    expect(inP).toHaveLength(2);
    expect(new Set(inP.map(({ Partition }) => Partition))).toEqual(new Set(["p"]));
    expect((await v1.get(`${any("/acl/roles")}&partition=nowhere`)).text).toBe("[]");
  });

  test("a cursor of one namespace's list, or of other rights, shows nothing more", async () => {
    const reader = secretOf("one by name");
    const readable = ((await v1.get(any("/acl/roles"), reader)).body as Entry[]).map(idOf);
    for (const path of ["/acl/roles?ns=*&page-size=1", "/acl/roles?ns=a&page-size=1"]) {
      const next = String((await v1.get(path)).headers["x-service-next"]);
      const page = await v1.get(`${any("/acl/roles")}&page-size=100&after=${next}`, reader);
      expect(page.status).toBe(200);
      expect(readable).toEqual(expect.arrayContaining((page.body as Entry[]).map(idOf)));
    }
  });

  test("no other request is of all namespaces: reads and writes answer 400 and do nothing", async () => {
    const before = await allRows(v1);
    const text = `Namespace "*" is not a name; only lists accept * for all namespaces`;
    for (const kind of KINDS) {
      const known: Partial<Record<Kind, string | undefined>> = { policy: ids["policy b"], role: ids["role b"] };
      const id = kind === "auth-method" ? METHOD : (known[kind] ?? NOBODY);
      const content = contentOf(kind, { Name: kind === "auth-method" ? METHOD : "new" });
      const headers = { "x-service-token": MANAGEMENT, "x-consul-namespace": "*" };
      const url = `/v1/acl/${kind}/${id}`;
      for (const answer of [
        await v1.get(any(`/acl/${kind}/${id}`)),
        await v1.get(any(kind === "token" ? `/acl/token/${id}?expanded` : `/acl/policy/name/needle`)),
        await v1.put(any(`/acl/${kind}`), content),
        await v1.put(`/acl/${kind}`, { ...content, Namespace: "*" }),
        await v1.put(any(`/acl/${kind}/${id}`), content),
        await v1.patch(any(`/acl/${kind}/${id}`), content),
        await v1.patch(`/acl/${kind}/${id}?ns=b`, { ...content, Namespace: "*" }),
        await v1.delete(any(`/acl/${kind}/${id}`)),
        await v1.put(any(`/acl/token/${id}/clone`)),
        await v1.send({ method: "GET", url, headers }),
        await v1.send({ method: "DELETE", url, headers }),
      ]) {
        expect(answer).toMatchObject({ status: 400, text });
      }
    }
    expect(await allRows(v1)).toEqual(before);
  });
});
