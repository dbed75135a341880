/** Plans that are held up until somebody says that they are meant, and those that find nothing and say so (incident 81). */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { command } from "../../test/support/cli.ts";
import { addressOf, declare, planOf, serverOf, tracesOf, writeFiles } from "../../test/support/declared.ts";
import { forEachEngine, temporaryDirectory } from "../../test/support/engines.ts";
import { MANAGEMENT, useV1 } from "../../test/support/v1.ts";
import { exportServer } from "./export.ts";
import { lint } from "./lint.ts";
import { findLosses } from "./losses.ts";

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  const other = useV1(makeUrl);
  let address = "";
  beforeAll(async () => {
    address = await addressOf(v1);
  });

  const tessera = (words: readonly string[], more: Readonly<Record<string, string>> = {}) =>
    command(words, { env: { HOME: temporaryDirectory(), TESSERA_ADDR: address, TESSERA_TOKEN: MANAGEMENT, ...more } });
  const directoryOf = (owner: string, ...names: string[]) =>
    writeFiles({
      "directory.yaml": `kind: directory\nowner: ${owner}\n`,
      "a.yaml": names.map((name) => `- { kind: policy, name: ${owner}-${name} }\n`).join(""),
    });

  test("incident 81: a directory without a document is no success, whoever asks", async () => {
    const empty = temporaryDirectory();
    mkdirSync(join(empty, ".hidden"));
    writeFiles(
      { "notes.txt": "kind: policy\nname: x\n", ".hidden/a.yaml": "kind: policy\nname: x\n", "only.yaml": "# none\n" },
      empty,
    );
    for (const words of [["plan"], ["drift"], ["apply", "--yes"]]) {
      const ended = await tessera([...words, empty]);
      expect([words, ended]).toEqual([
        words,
        { code: 2, stdout: "", stderr: expect.stringContaining("contains no documents") },
      ]);
    }
  });

  test("incident 81: a directory that names nothing but its owner is no success, nor is an owner of nothing", async () => {
    const none = directoryOf("hollow");
    const verbs = [["plan"], ["drift"], ["apply", "--yes"]];
    for (const more of [[], ["--prune"], ["--owner", "nobody"], ["--owner", "nobody", "--prune"]]) {
      for (const words of verbs) {
        const { code, stderr } = await tessera([...words, none, ...more]);
        const owner = more.includes("nobody") ? "nobody" : "hollow";
        expect([words, more, code, stderr]).toEqual([
          words,
          more,
          2,
          expect.stringContaining(`declare no objects, and ${owner} owns no objects on the server`),
        ]);
      }
    }
    expect(await tessera(["apply", directoryOf("hollow", "a"), "--yes"])).toMatchObject({ code: 0 });
    for (const words of verbs)
      expect(await tessera([...words, none])).toMatchObject({
        code: 2,
        stderr: expect.stringContaining("declare no objects: to delete all objects of hollow, pass --prune"),
      });
    // Objects are as the files say, and the owner is another one than the server knows.
    expect(await tessera(["drift", directoryOf("hollow", "a"), "--owner", "nobody"])).not.toMatchObject({ code: 0 });
    expect(await tessera(["drift", directoryOf("hollow", "a")])).toMatchObject({ code: 0 });
  });

  test("incident 81: a selector of a kind that there is not is an error, one that fits nothing a warning", async () => {
    const directory = writeFiles({ "a.yaml": "{ kind: policy, name: fits, labels: { team: web } }\n" });
    const planned = (selector: string) => tessera(["plan", directory, "--selector", selector]);
    for (const selector of ["kind=polcy", "team=web,kind!=polcy"])
      expect(await planned(selector)).toMatchObject({
        code: 2,
        stdout: "",
        stderr: expect.stringContaining('unknown kind "polcy" in the selector; did you mean policy?'),
      });
    const nothing = await planned("kind=role");
    expect(nothing).toMatchObject({ code: 0, stderr: "warning: the selector matches none of 1 objects\n" });
    const label = await planned("tem=web");
    expect(label.stderr).toContain("no object has the label tem; did you mean team?\n");
    expect((await planned("team=web,kind=Policy")).stderr).toBe("");
  });

  test("incident 81: --prune of all or more than half needs --max-deletes, and half of it does not", async () => {
    expect(await tessera(["apply", directoryOf("brake", "a", "b", "c", "d"), "--yes"])).toMatchObject({ code: 0 });
    const before = await tracesOf(v1);
    for (const [names, told] of [
      [[], "all 4 objects of brake: if this is intended, set --max-deletes 4"],
      [["a"], "3 of the 4 objects of brake: if this is intended, set --max-deletes 3"],
    ] as const) {
      const directory = directoryOf("brake", ...names);
      for (const words of [["plan"], ["apply", "--yes"], ["apply", "--dry-run"], ["apply", "--yes", "-o", "json"]]) {
        const { code, stderr } = await tessera([...words, directory, "--prune"]);
        expect([words, code, stderr]).toEqual([words, 2, expect.stringContaining(told)]);
      }
      // A job that looks says that it is not as the files say, as before.
      expect(await tessera(["drift", directory, "--prune"])).toMatchObject({ code: 7 });
    }
    const none = directoryOf("brake");
    expect(await tessera(["apply", none, "--prune", "--max-deletes", "3", "--yes"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("but --max-deletes allows 3"),
    });
    expect(await tessera(["apply", none, "--prune", "--max-deletes", "x", "--yes"])).toMatchObject({ code: 2 });
    expect(await tracesOf(v1)).toEqual(before);
    const half = await tessera(["apply", directoryOf("brake", "a", "b"), "--prune", "--yes"]);
    expect(half).toMatchObject({ code: 0, stderr: expect.stringContaining("\nApplied 2 changes.\n") });
    const all = await tessera(["apply", none, "--prune", "--max-deletes", "2", "--yes"]);
    expect(all).toMatchObject({ code: 0, stderr: expect.stringContaining("\nApplied 2 changes.\n") });
  });

  test("incident 81: an apply that asks nobody takes no rights from its own token without --allow-lockout", async () => {
    await v1.policy('acl = "write" operator = "write"', "own-rights");
    const { secret } = await v1.token({ Policies: [{ Name: "own-rights" }] });
    const directory = writeFiles({ "a.yaml": "{ kind: policy, name: own-rights, rules: 'operator = \"write\"' }\n" });
    const before = await tracesOf(v1);
    for (const more of [["--yes"], ["--yes", "--dry-run"]]) {
      const { code, stderr } = await tessera(["apply", directory, ...more], { TESSERA_TOKEN: secret });
      expect([code, stderr]).toEqual([2, expect.stringContaining("pass --allow-lockout")]);
    }
    expect(await tracesOf(v1)).toEqual(before);
    // Another token takes nothing from itself.
    const words = ["apply", directory, "--yes"];
    expect(await tessera([...words, "--allow-lockout"], { TESSERA_TOKEN: secret })).toMatchObject({ code: 0 });
  });

  test("incident 81: rights that the token has by the defaults of its namespace count alike, whether the server compares or not", async () => {
    await v1.policy('operator = "write" acl = "write" namespace "giving" { acl = "read" }', "by-default");
    await v1.policy('operator = "write" acl = "write"', "unread-default");
    await v1.role({ Name: "by-default", Policies: [{ Name: "by-default" }] });
    const ACLs = { RoleDefaults: [{ Name: "by-default" }] };
    await v1.put("/namespace/giving", { Description: "gives", ACLs });
    const { body } = await v1.put("/acl/token?ns=giving", {});
    const env = { TESSERA_TOKEN: String(body.SecretID) };
    const mine = await serverOf(v1, { token: env.TESSERA_TOKEN });
    const without = writeFiles({ "a.yaml": "{ kind: namespace, name: giving, description: gives }\n" });
    const before = await tracesOf(v1);
    expect(await tessera(["apply", without, "--yes"], env)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("pass --allow-lockout"),
    });
    expect(await tracesOf(v1)).toEqual(before);
    // As a server answers that knows no such drafts.
    const older: typeof fetch = async (input, init) => {
      const url = input instanceof Request ? input.url : String(input);
      return fetch(url.replace("/acl/effect", "/acl/no-such-path"), init);
    };
    const ofOld = await serverOf(v1, { token: env.TESSERA_TOKEN, fetch: older });
    const changes = async (declared: string) => (await planOf(mine, declare({ "a.yaml": declared }))).changes;
    const own = async (server: typeof mine, declared: string) =>
      (await findLosses(server, await changes(declared))).first.find(({ isOwn }) => isOwn)?.what;
    const fewer = "{ kind: namespace, name: giving, description: gives }";
    const less = "{ kind: policy, name: by-default, rules: 'acl = \"read\"' }";
    expect(await own(mine, fewer)).toMatch(/^loses (read|write) (operator|acl)/);
    expect(await own(ofOld, fewer)).toBe("no longer grants its tokens role-default by-default");
    expect(await own(mine, less)).toMatch(/^loses (read|write) (operator|acl)/);
    expect(await own(ofOld, less)).toContain("policy default/default/by-default has different rules");
    for (const server of [mine, ofOld]) {
      const kept =
        "{ kind: namespace, name: giving, description: other, role-defaults: [by-default], policy-defaults: [by-default] }";
      expect((await findLosses(server, await changes(kept))).count).toBe(0);
    }
    // The server compares no rights of a token that lies where this one may not read.
    await v1.put("/namespace/giving", { ACLs: { PolicyDefaults: [{ Name: "unread-default" }] } });
    expect(await own(mine, fewer)).toBe("no longer grants its tokens policy-default unread-default");
    expect(await own(mine, less.replace("by-default", "unread-default"))).toContain("has different rules");
    expect(await tessera(["apply", without, "--yes", "--allow-lockout"], env)).toMatchObject({ code: 0 });
  });

  test("incident 81: an import that asks nobody takes no rights from its own token without --allow-lockout", async () => {
    await other.policy('acl = "read"', "imports");
    await v1.policy('acl = "write" operator = "write"', "imports");
    const { secret } = await v1.token({ Policies: [{ Name: "imports" }] });
    const env = { TESSERA_TOKEN: secret, CONSUL_HTTP_ADDR: await addressOf(other), CONSUL_HTTP_TOKEN: MANAGEMENT };
    const before = await tracesOf(v1);
    const { code, stdout, stderr } = await tessera(["import", "consul", "--yes"], env);
    expect([code, stderr]).toEqual([2, expect.stringContaining("pass --allow-lockout")]);
    expect(stdout).toContain("<- your own token");
    expect(await tracesOf(v1)).toEqual(before);
    const meant = await tessera(["import", "consul", "--yes", "--allow-lockout"], env);
    expect(meant.stderr).not.toContain("pass --allow-lockout");
    expect((await v1.get("/acl/policy/name/imports")).body.Rules).toBe('acl = "read"');
  });

  test("a token loses all of its rights with the namespace that it lies in, and the plan says so", async () => {
    await v1.put("/namespace/going", { Description: "described" });
    const rules = 'operator = "write" namespace_prefix "" { acl = "write" }';
    await v1.put("/acl/policy?ns=going", { Name: "all", Rules: 'acl = "write"' });
    await v1.policy(rules, "all");
    const { body } = await v1.put("/acl/token?ns=going", { Policies: [{ Name: "all" }] });
    const server = await serverOf(v1);
    const files = {
      "directory.yaml": "kind: directory\nowner: goes\n",
      "a.yaml": "{ kind: namespace, name: going, description: described }\n",
    };
    const owned = await tessera(["apply", writeFiles(files), "--yes"]);
    expect(owned.code).toBe(0);
    const plan = await planOf(server, declare({ "directory.yaml": files["directory.yaml"] }), { prune: true });
    const mine = await serverOf(v1, { token: String(body.SecretID) });
    const { first } = await findLosses(mine, plan.changes);
    expect(first[0]).toMatchObject({ who: "namespace default/going (described)", isOwn: true });
    expect((await findLosses(server, plan.changes)).first[0]).toMatchObject({ isOwn: false });
  });

  test("a token that files make without a secret is warned of, and one that is there is not", async () => {
    const server = await serverOf(v1);
    const id = "0a51f1c2-96f4-4c3d-8a6d-2b1f0f0b7a21";
    const files = { "a.yaml": `{ kind: token, accessor-id: ${id}, description: new }\n` };
    const warningsOf = async (declared: typeof files) =>
      (await lint(server, (await planOf(server, declare(declared))).changes)).warnings;
    expect(await warningsOf(files)).toEqual([
      {
        place: { file: "a.yaml", line: 1, column: 1 },
        message: expect.stringContaining("has no secret"),
        key: expect.any(String),
      },
    ]);
    const named = { "a.yaml": files["a.yaml"].replace(" }", ", secret: env:NEW }") };
    expect(await warningsOf(named)).toEqual([]);
    await v1.put("/acl/token", { AccessorID: id });
    expect(await warningsOf(files)).toEqual([]);
  });

  test("an export leaves the anonymous token and the first one out, whatever they were given", async () => {
    await v1.policy('key "a" { policy = "read" }', "for-all");
    const anonymous = "00000000-0000-0000-0000-000000000002";
    expect((await v1.put(`/acl/token/${anonymous}`, { Policies: [{ Name: "for-all" }] })).status).toBe(200);
    const { accessor } = await v1.token({ Description: "deploys", Policies: [{ Name: "for-all" }] });
    const first = await v1.token({
      Description: "Bootstrap Token (Global Management)",
      Policies: [{ Name: "global-management" }],
    });
    // One that only is called so is somebody's.
    const named = await v1.token({
      Description: "Bootstrap Token (Global Management)",
      Policies: [{ Name: "for-all" }],
    });
    const text = (await exportServer(await serverOf(v1))).files.map((file) => file.text).join("");
    expect(text).toContain(accessor);
    expect(text).toContain(named.accessor);
    for (const own of [anonymous, first.accessor]) expect(text).not.toContain(own);
  });

  test("incident 81: an import that reads nothing ends with 4 and names the other server and its token", async () => {
    const { secret } = await v1.token({});
    const env = { CONSUL_HTTP_ADDR: address, CONSUL_HTTP_TOKEN: secret, TFE_ADDRESS: address, TFE_TOKEN: secret };
    for (const [kind, variable] of [
      ["consul", "CONSUL_HTTP_TOKEN"],
      ["hcp", "TFE_TOKEN"],
    ]) {
      const { code, stderr } = await tessera(["import", String(kind), "--yes"], env);
      expect([kind, code]).toEqual([kind, 4]);
      expect(stderr).toMatch(new RegExp(`^tessera: [^\n]*${address}[^\n]*\n {2}token from ${variable}\n$`));
    }
  });

  test("the token of an import that cannot be had is wrong usage", async () => {
    const env = { CONSUL_HTTP_ADDR: address, TFE_ADDRESS: address };
    for (const kind of ["consul", "hcp"])
      for (const [reference, told] of [
        ["env:MISSING", "environment variable MISSING of env:MISSING is not set"],
        ["plain", "invalid secret reference: use env:NAME"],
        [`file:${join(temporaryDirectory(), "none")}`, "none"],
      ] as const)
        expect([kind, reference, await tessera(["import", kind, "--from-token", reference], env)]).toEqual([
          kind,
          reference,
          { code: 2, stdout: "", stderr: expect.stringMatching(new RegExp(`^tessera: --from-token: .*${told}`)) },
        ]);
  });

  test("of an import of organizations that are named, those that are not there are named too", async () => {
    await v1.api("POST", "/organizations", {
      data: { type: "organizations", attributes: { name: "there", email: "a@b.example" } },
    });
    const env = { TFE_ADDRESS: address, TFE_TOKEN: MANAGEMENT };
    const { stderr } = await tessera(["import", "hcp", "--only", "there", "--only", "nowhere", "--dry-run"], env);
    expect(stderr).toContain("organizations that do not exist, or that the token may not read: nowhere\n");
  });
});
