/** Valid contents of files, and the errors for invalid ones. */
import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { declare, writeFiles } from "../../test/support/declared.ts";
import { temporaryDirectory } from "../../test/support/engines.ts";
import { readDeclaration } from "./model.ts";
import { DeclarationError } from "./problem.ts";

const HOME = { partition: "default", namespace: "default" };

function problemsOf(files: Readonly<Record<string, string>>): string[] {
  try {
    declare(files);
  } catch (error) {
    if (error instanceof DeclarationError) return error.message.split("\n");
    throw error;
  }
  return [];
}

test("members are spelled as in the API, with hyphens or with underscores, and JSON is read as YAML is", () => {
  const yaml = 'kind: binding-rule\nauth-method: ci\nbind_type: role\nBindName: web\nselector: ""\n';
  const json = JSON.stringify([{ Kind: "x" }])
    .replace("Kind", "kind")
    .replace("x", "policy")
    .replace("}", ',"Name":"web","Rules":""}');
  const { objects } = declare({ "a.yaml": yaml, "b.json": json });
  expect(objects.map(({ kind, content, name }) => [kind.name, name || "", content])).toEqual([
    ["binding-rule", expect.stringMatching(/^ci\/~/), { "auth-method": "ci", "bind-type": "role", "bind-name": "web" }],
    ["policy", "web", {}],
  ]);
});

test("a duration may begin with days, and is what the server answers", () => {
  const method = (ttl: string) => `kind: auth-method\nname: a\ntype: jwt\nmax-token-ttl: "${ttl}"\n`;
  const ttlOf = (ttl: string) => declare({ "a.yaml": method(ttl) }).objects[0]?.content["max-token-ttl"];
  expect(["7d", "1d12h", "90m", "0"].map(ttlOf)).toEqual(["168h0m0s", "36h0m0s", "1h30m0s", "0s"]);
  for (const bad of ["d", "1h2d", "1.5d", "1d1d", "-1d", ""])
    expect([bad, problemsOf({ "a.yaml": method(bad) }).length > 0]).toEqual([bad, true]);
});

test("all faults of all files are told at once, each with its place", () => {
  expect(
    problemsOf({
      "a.yaml": "kind: polcy\nname: x\n---\nkind: role\npolicies: web\nname: y\nextra: 1\n---\nname: z\n",
      "sub/b.yaml": "- kind: token\n  accessor-id: not-a-uuid\n- text\n- kind: workspace\n  name: w\n",
      "c.yaml": "kind: policy\nname: web\nname: again\n",
      "d.yaml": "kind: policy\n  name: [broken\n",
    }),
  ).toEqual([
    'a.yaml:1:1: unknown kind "polcy"; did you mean policy?',
    "a.yaml:5:1: policies must be a list of strings",
    'a.yaml:7:1: unknown member "extra"',
    "a.yaml:9:1: missing kind, for example kind: policy",
    expect.stringMatching(/^c\.yaml:3:1: Map keys must be unique/),
    "d.yaml:1:7: Nested mappings are not allowed in compact mappings",
    "d.yaml:1:7: Implicit keys need to be on a single line",
    expect.stringMatching(/^d\.yaml:3:1: Flow sequence/),
    "sub/b.yaml:2:3: accessor-id must be a UUID",
    "sub/b.yaml:3:3: expected an object with kind and name",
    "sub/b.yaml:4:3: workspace requires organization",
  ]);
});

test("an object that is declared twice, in any case, is refused with both places", () => {
  expect(problemsOf({ "a.yaml": "kind: policy\nname: Web\n", "b.yaml": "kind: policy\nname: web\n" })).toEqual([
    "b.yaml:1:1: policy default/default/web is already declared, in a.yaml:1",
  ]);
});

test("aliases repeat a value, up to a bound; one within itself has no end and is refused", () => {
  const { objects } = declare({
    "a.yaml": "- &p { kind: role, name: a, policies: &l [x, y] }\n- { kind: role, name: b, policies: *l }\n",
  });
  expect(objects.map(({ content }) => content["policies"])).toEqual([
    ["x", "y"],
    ["x", "y"],
  ]);
  const levels = Array.from(
    { length: 30 },
    (_, n) => `l${n}: &l${n} [${n === 0 ? "x" : `*l${n - 1}, *l${n - 1}, *l${n - 1}`}]`,
  );
  expect(problemsOf({ "a.yaml": `kind: role\nname: bomb\n${levels.join("\n")}\n` })[0]).toMatch(
    /more than 1000 aliases|more than 1000000 values/,
  );
  expect(problemsOf({ "a.yaml": "kind: role\nname: x\npolicies: &a [*a]\n" })).toEqual([
    "a.yaml:3:15: alias *a is inside its own anchor &a",
  ]);
  expect(problemsOf({ "a.yaml": "kind: role\nname: x\npolicies: *none\n" })[0]).toMatch(/a\.yaml:3:11: /);
});

test("what is nested too deep, and what is too long, is refused in words", () => {
  expect(
    problemsOf({
      "a.yaml": `kind: auth-method\nname: x\ntype: jwt\nconfig: ${"[".repeat(100)}${"]".repeat(100)}\n`,
    })[0],
  ).toMatch(/nested deeper than 64/);
  expect(problemsOf({ "a.yaml": `# ${"x".repeat(17 * 1024 * 1024)}` })).toEqual([
    "a.yaml:1:1: the file has 17825794 bytes: maximum 16777216",
  ]);
});

test("10 MB of YAML are read, document by document", () => {
  const one = `kind: policy\nname: p-N\ndescription: ${"x".repeat(1000)}\n---\n`;
  const text = Array.from({ length: 10_000 }, (_, n) => one.replace("N", String(n))).join("");
  expect(text.length).toBeGreaterThan(10_000_000);
  expect(declare({ "a.yaml": text }).objects).toHaveLength(10_000);
});

test("files outside of the directory are not read, by whatever way they are named", () => {
  const outside = writeFiles({ "secret.hcl": "secret", "other.yaml": "kind: policy\nname: other\n" });
  const directory = temporaryDirectory();
  mkdirSync(join(directory, "sub"));
  symlinkSync(join(outside, "secret.hcl"), join(directory, "linked.hcl"));
  for (const named of [
    "../secret.hcl",
    "../../../etc/passwd",
    join(outside, "secret.hcl"),
    "linked.hcl",
    "missing.hcl",
  ]) {
    writeFileSync(join(directory, "a.yaml"), `kind: policy\nname: x\nrules-file: ${named}\n`);
    expect(() => readDeclaration(directory, HOME), named).toThrow(
      /a\.yaml:3:1: .*(is outside|links out|cannot read missing\.hcl \(ENOENT\))/,
    );
  }
  symlinkSync(join(outside, "other.yaml"), join(directory, "b.yaml"));
  expect(() => readDeclaration(directory, HOME)).toThrow("b.yaml links out of the directory");
  expect(() => readDeclaration(join(directory, "nothing"), HOME)).toThrow(/cannot read \S*nothing \(ENOENT\)/);
});

test("a secret that is written out is refused, and the refusal does not repeat it", () => {
  const method = (secret: string) => ({
    "a.yaml": `kind: auth-method\nname: x\ntype: oidc\nconfig: { OIDCClientSecret: ${secret} }\n`,
  });
  const [told = ""] = problemsOf(method("hunter22"));
  expect(told).toContain(
    "the value of OIDCClientSecret must be a reference to a secret: env:NAME, file:PATH or command:LINE",
  );
  expect(told).not.toContain("hunter22");
  expect(problemsOf(method("env:X"))).toEqual([]);
  // The program's own placeholder for secrets is not a valid reference in files.
  expect(problemsOf(method('"taken:0"'))).toHaveLength(1);
});

test("two owners of one directory, and one that cannot be a name, are refused", () => {
  expect(problemsOf({ "a.yaml": "kind: directory\nowner: a\n---\nkind: directory\nowner: b\n" })).toEqual([
    "a.yaml:4:1: kind: directory is already declared in a.yaml",
  ]);
  expect(problemsOf({ "a.yaml": "kind: directory\nowner: a/b\n" })[0]).toMatch(/owner must be/);
});

test("what is no file is not read, whatever it is called", () => {
  const directory = writeFiles({ "a.yaml": "kind: policy\nname: x\nrules-file: pipe.hcl\n" });
  for (const name of ["z.yaml", "pipe.hcl"]) execFileSync("mkfifo", [join(directory, name)]);
  expect(() => readDeclaration(directory, HOME)).toThrow("a.yaml:3:1: pipe.hcl is not a file");
  writeFileSync(join(directory, "a.yaml"), "kind: policy\nname: x\n");
  expect(readDeclaration(directory, HOME).objects).toHaveLength(1);
});

test("hidden files are no rules, by whatever way they are named", () => {
  const directory = writeFiles({ ".git/config": "token = hunter22", "sub/.env": "x" });
  symlinkSync(join(directory, ".git/config"), join(directory, "seen.hcl"));
  for (const named of [".git/config", "sub/.env", "./sub/../.git/config", "seen.hcl"]) {
    writeFileSync(join(directory, "a.yaml"), `kind: policy\nname: x\nrules-file: ${named}\n`);
    expect(() => readDeclaration(directory, HOME), named).toThrow(/a\.yaml:3:1: .*hidden/);
  }
});

test("however deep a file nests, it is told in one fault, and the next document is read", () => {
  const depth = 20_000;
  for (const deep of [
    "[".repeat(depth),
    "{ a: ".repeat(depth),
    "- ".repeat(depth),
    `${"- ".repeat(depth)}x\n---\nkind: policy\nname: x\n`,
    "? ".repeat(depth),
    Array.from({ length: 2000 }, (_, n) => `${" ".repeat(n)}a:`).join("\n"),
  ]) {
    const told = problemsOf({ "a.yaml": deep });
    expect(told, deep.slice(0, 10)).toEqual([expect.stringMatching(/^a\.yaml:\d+:\d+: nested deeper than 64/)]);
  }
  expect(problemsOf({ "a.yaml": `${"[".repeat(1000)}${"]".repeat(1000)}\n---\nkind: nothing\n` })).toEqual([
    expect.stringContaining("nested deeper"),
    expect.stringContaining("unknown kind"),
  ]);
});

test("of very many faults a hundred are told, and how many there are more", () => {
  const told = problemsOf({ "a.yaml": "- x\n".repeat(5000) });
  expect([told.length, told.at(-1)]).toEqual([101, "and 4900 more"]);
});

test("rules that no server takes are refused with their place", () => {
  const files = {
    "a.yaml": "kind: policy\nname: x\nrules-file: x.hcl\n",
    "x.hcl": `# ${"x".repeat(512 * 1024)}`,
  };
  expect(problemsOf(files)).toEqual(["x.hcl:1:1: the rules exceed the maximum of 512 KiB"]);
});
