/** A plan is refused for what its apply would be refused for, of every kind, and nothing is written (incident 81). */
import { beforeAll, expect, test } from "vitest";
import { command } from "../../test/support/command.ts";
import {
  addressOf,
  declare,
  planOf,
  SECRETS,
  serverOf,
  tracesOf,
  tryFiles,
  writeFiles,
} from "../../test/support/declared.ts";
import { forEachEngine, temporaryDirectory } from "../../test/support/engines.ts";
import { createSigningKey } from "../../test/support/key-server.ts";
import { MANAGEMENT, useV1 } from "../../test/support/v1.ts";
import { KINDS } from "./kinds.ts";
import { tryChanges } from "./trial.ts";

const ACCESSOR = "0a51f1c2-96f4-4c3d-8a6d-2b1f0f0b7a31";

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  let address = "";
  beforeAll(async () => {
    address = await addressOf(v1);
    for (const name of ["orchard", "meadow"])
      await v1.api("POST", "/organizations", {
        data: { type: "organizations", attributes: { name, email: "a@example.com" } },
      });
  });

  const tessera = (words: readonly string[], more: Readonly<Record<string, string>> = {}) =>
    command(words, { env: { HOME: temporaryDirectory(), TESSERA_ADDR: address, TESSERA_TOKEN: MANAGEMENT, ...more } });
  /** Plan and apply say the same, and write nothing. */
  async function bothSay(files: string, told: string | RegExp, env: Readonly<Record<string, string>> = {}) {
    const directory = writeFiles({ "a.yaml": files });
    const before = await tracesOf(v1);
    for (const words of [["plan"], ["apply", "--yes"]]) {
      const ended = await tessera([...words, directory], env);
      expect([words, ended.code]).toEqual([words, 2]);
      expect(ended.stderr).toMatch(told);
    }
    expect(await tracesOf(v1)).toEqual(before);
  }
  const triedOf = (files: Readonly<Record<string, string>>, token = MANAGEMENT, isLookedThrough = true) =>
    tryFiles(v1, files, { token, isLookedThrough });

  test("incident 81: the secret of a token that is none, is missing or is another's is told by the plan", async () => {
    const files = `
- { kind: policy, name: gate }
- { kind: token, accessor-id: ${ACCESSOR}, secret: env:GATE_SECRET, policies: [gate] }
`;
    const place = /^tessera: a\.yaml:3:3: token \S+ would be rejected: .*not a valid UUID/;
    await bothSay(files, place, { GATE_SECRET: "tooshort" });
    await bothSay(files, "environment variable GATE_SECRET of env:GATE_SECRET is not set");
    await bothSay(files, "already in use", { GATE_SECRET: MANAGEMENT });
    await bothSay(files.replace("env:GATE_SECRET", '"command:true"'), "requires --allow-commands");
    const env = { GATE_SECRET: "8ff82181-310d-41f3-ac40-3733f168539d" };
    const right = await tessera(["plan", writeFiles({ "a.yaml": files })], env);
    expect(right).toMatchObject({ code: 0, stderr: "" });
    expect(right.stdout).not.toContain("8ff82181");
    expect(right.stdout).not.toContain("Not tested");
  });

  test("incident 81: what the rules for tags refuse is told by the plan, and rules that come with it are not held against it", async () => {
    const rules = (...values: string[]) =>
      `- { kind: tag-rules, organization: orchard, enforce: refuse, rules: [{ name: seasons, key: season, allowed-values: [${values.join(", ")}] }] }\n`;
    const tree = "- { kind: workspace, organization: orchard, name: tree, tag-bindings: { season: winter } }\n";
    const first = await tessera(["apply", writeFiles({ "a.yaml": rules("spring", "autumn") }), "--yes"]);
    expect(first).toMatchObject({ code: 0 });
    await bothSay(
      tree,
      /workspace orchard\/tree would be rejected: Tag policy rule "seasons": The value of season must be one of/,
    );
    const together = writeFiles({ "a.yaml": rules("spring", "winter") + tree });
    const why = "depends on tag-rules orchard, which the plan changes";
    const plan = await tessera(["plan", together, "--require-tried"]);
    expect(plan).toEqual({
      code: 2,
      stdout: expect.stringContaining(`Not tested on the server, 1 of 2:\n  + workspace orchard/tree: ${why}\n`),
      stderr: expect.stringMatching(/^tessera: 1 of 2 changes were not tested.*\n {2}nothing was changed\n$/),
    });
    const told = await tessera(["plan", together, "-o", "json"]);
    expect(told.code).toBe(0);
    expect(JSON.parse(told.stdout)).toMatchObject({
      untried: [{ action: "create", kind: "workspace", object: "orchard/tree", why }],
    });
    expect(await tessera(["plan", together, "--markdown"])).toEqual({
      code: 0,
      stdout: expect.stringContaining("**Not tested: 1 of 2.**"),
      stderr: "",
    });
    expect(await tessera(["apply", together, "--yes"])).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("\nApplied 2 changes.\n"),
    });
  });

  test("of each kind what the server refuses is told, in the order of the plan", async () => {
    const bad: Readonly<Record<string, string>> = {
      partition: "name: bad name",
      namespace: "name: bad name",
      policy: "name: bad name",
      role: "name: bad name",
      "auth-method": "name: bad name, type: jwt",
      "binding-rule": "auth-method: there, bind-type: role, bind-name: x, selector: 'value.a =='",
      token: "accessor-id: 00000000-0000-0000-0000-000000000077",
      "decision-mapping": "name: bad name",
      organization: "name: bad name, email: a@example.com",
      project: "organization: meadow, name: ab, tag-bindings: { 'bad key!': x }",
      tag: "organization: meadow, name: 'bad,name'",
      "tag-rules": "organization: meadow, enforce: sometimes",
      workspace: "organization: meadow, name: bad name",
    };
    await v1.policy("", "x");
    await v1.role({ Name: "x" });
    await v1.put("/acl/auth-method", {
      Name: "there",
      Type: "jwt",
      Config: { JWTValidationPubKeys: [createSigningKey("trial").publicKey], ClaimMappings: { a: "a" } },
    });
    expect(Object.keys(bad).toSorted()).toEqual(KINDS.map(({ name }) => name).toSorted());
    for (const [kind, members] of Object.entries(bad)) {
      const { errors, untried } = await triedOf({ "a.yaml": `{ kind: ${kind}, ${members} }\n` }, MANAGEMENT, false);
      const told = [expect.stringMatching(new RegExp(`^${kind} .* would be rejected: .{10,}`))];
      expect([kind, untried, errors]).toEqual([kind, [], told]);
    }
    const files = { "a.yaml": "- { kind: role, name: bad 1 }\n- { kind: policy, name: bad 2 }\n" };
    const both = await triedOf(files, MANAGEMENT, false);
    expect(both.errors.map((each) => each.slice(0, 6))).toEqual(["policy", "role d"]);
  });

  test("links to what the plan makes are no fault, and the rest of such an object is tried", async () => {
    const files = (name: string) => ({
      "a.yaml": `
- { kind: policy, name: linked-new }
- { kind: role, name: ${name}, policies: [linked-new] }
- { kind: namespace, name: linked, role-defaults: [] }
- { kind: policy, namespace: linked, name: inner }
`,
    });
    expect(await triedOf(files("linking"))).toEqual({ errors: [], untried: [] });
    const { errors } = await triedOf(files("bad name"));
    expect(errors).toEqual([expect.stringMatching(/^role .* would be rejected/)]);
  });

  test("deletes are tried: what the server would not delete ends the plan, and nothing is deleted", async () => {
    await v1.api("POST", "/organizations", {
      data: { type: "organizations", attributes: { name: "full", email: "a@example.com" } },
    });
    const owner = "- { kind: directory, owner: goes }\n";
    const all = `${owner}
- { kind: policy, name: goes }
- { kind: role, name: goes, policies: [goes] }
- { kind: namespace, name: goes }
- { kind: policy, namespace: goes, name: goes }
- { kind: organization, name: full, email: a@example.com }
- { kind: tag, organization: full, name: goes }
- { kind: tag-rules, organization: full, enforce: advise }
`;
    expect(await tessera(["apply", writeFiles({ "a.yaml": all }), "--yes"])).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("\nApplied 6 changes.\n"),
    });
    await v1.api("POST", "/organizations/full/workspaces", {
      data: { type: "workspaces", attributes: { name: "in-it" } },
    });
    const before = await tracesOf(v1);
    const none = ["plan", writeFiles({ "a.yaml": owner }), "--prune", "--max-deletes", "20"];
    expect(await tessera(none)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("organization full would be rejected: organization full has workspaces"),
    });
    const kept = writeFiles({ "a.yaml": `${owner}- { kind: organization, name: full, email: a@example.com }\n` });
    const plan = await tessera(["plan", kept, "--prune", "--max-deletes", "20"]);
    expect(plan).toMatchObject({ code: 0, stderr: "", stdout: expect.stringContaining("6 to delete") });
    expect(await tracesOf(v1)).toEqual(before);
    const reads =
      'acl = "read" operator = "read" organization_prefix "" { policy = "read" } namespace_prefix "" { acl = "read" }';
    const { secret } = await v1.token({ Policies: [{ ID: await v1.policy(reads) }] });
    const read = await tessera(["plan", kept, "--prune", "--max-deletes", "20"], { TESSERA_TOKEN: secret });
    expect([read.code, read.stdout]).toEqual([0, expect.stringContaining("- policy default/default/goes: your token")]);
  });

  test("more than 1,000 changes are tried, the last as the first", async () => {
    const lines = Array.from({ length: 1_050 }, (_, at) => `- { kind: tag, organization: meadow, name: t${at} }\n`);
    const { errors, untried } = await triedOf({
      "a.yaml": `${lines.join("")}- { kind: tag, organization: meadow, name: "z,z" }\n`,
    });
    expect([errors, untried]).toEqual([[expect.stringMatching(/^tag meadow\/z,z would be rejected/)], []]);
  });

  // Its refusals are put on record a second later.
  test("a token that may only read has a plan, which says how much was not tried; an older server as well", async () => {
    await v1.policy('acl = "read" operator = "read"', "reads-only");
    const { secret } = await v1.token({ Policies: [{ Name: "reads-only" }] });
    const files = {
      "a.yaml": Array.from({ length: 30 }, (_, at) => `- { kind: policy, name: many-${at} }\n`).join(""),
    };
    expect(await triedOf(files, secret)).toEqual({
      errors: [],
      untried: Array.from({ length: 30 }, () => expect.stringContaining("your token may not write it")),
    });
    const older: typeof fetch = async (input, init) => {
      const url = input instanceof Request ? input.url : String(input);
      return fetch(url.includes("/dry-run/") ? `${address}/v1/no-such-path` : url, init);
    };
    const plan = await planOf(await serverOf(v1), declare(files));
    const options = { secrets: SECRETS, known: new Set<string>(), besideMethods: new Set<string>() };
    const tried = await tryChanges(await serverOf(v1, { fetch: older }), plan.changes, options);
    expect(tried).toEqual({
      errors: [],
      untried: plan.changes.map((change) => ({ change, why: expect.stringContaining("older than this tessera") })),
    });
  });
});
