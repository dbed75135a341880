import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { forEachEngine, temporaryDirectory } from "../../test/support/engines.ts";
import { useV1 } from "../../test/support/v1.ts";
import { PolicyTestError } from "./read.ts";
import { runPolicyTests } from "./run.ts";

function folder(files: Readonly<Record<string, string>>): string {
  const directory = temporaryDirectory();
  for (const [name, text] of Object.entries(files)) {
    const path = join(directory, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  return directory;
}

const RULES = 'workspace_prefix "acme/" { policy = "write" }\nworkspace "acme/prod" { policy = "read" }\n';
const TESTS = `
tests:
  - name: writers leave <prod> alone
    as: { policies: [writers] }
    questions:
      - { resource: workspace, segment: acme/dev, access: write, allow: true }
      - { resource: workspace, segment: acme/prod, access: write, allow: false }
  - name: a wrong wish
    as: { policies: [writers] }
    questions:
      - { resource: workspace, segment: acme/prod, access: write, allow: true }
`;

describe("policy tests of files", () => {
  test("pass where the rules decide as wanted, and else say which rule decided", async () => {
    const directory = folder({ "policies/writers.hcl": RULES, "prod.test.yaml": TESTS });
    const junit = join(directory, "report.xml");
    const { failed, results, text } = await runPolicyTests({ directory, junit });
    expect([failed, results.map(({ failures }) => failures.length)]).toEqual([1, [0, 1]]);
    expect(text).toContain('expected allowed, was denied (workspace "acme/prod" = read in writers)');
    const xml = readFileSync(junit, "utf8");
    expect(xml).toContain('tests="2" failures="1"');
    expect(xml).toContain('name="writers leave &lt;prod&gt; alone"/>');
    expect(xml).toContain("<failure message=");
  });

  test("fail, and do not stop, for a policy that is not there and for rules that are none", async () => {
    const one = (name: string) => TESTS.replaceAll("[writers]", `[${name}]`);
    const directory = folder({ "a.test.yaml": one("missing"), "b.test.yml": one("broken"), "broken.hcl": "acl = " });
    const { failed, text } = await runPolicyTests({ directory });
    expect(failed).toBe(4);
    expect(text).toContain("no policy file found for policy missing");
    expect(text).toContain("line 1, column 7");
  });

  test.each([
    ["tests: [", "at line 1"],
    ["a: 1", "tests: expected a non-empty list"],
    ["tests: [{ name: x, as: {}, questions: [1] }]", "expected an object"],
    [
      "tests: [{ name: x, as: { nobody: 1 }, questions: [{ resource: acl, access: read, allow: true }] }]",
      "expected policies",
    ],
    [
      "tests: [{ name: x, as: { policies: [a] }, questions: [{ resource: acl, access: read, allow: yes please }] }]",
      "allow",
    ],
    [
      `a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b]\ntests: [*c,*c,*c]`,
      "alias",
    ],
  ])("are refused with the file and the place: %s", async (text, said) => {
    const running = runPolicyTests({ directory: folder({ "x.test.yaml": text }) });
    await expect(running).rejects.toThrow(PolicyTestError);
    await expect(running).rejects.toThrow(said);
  });
});

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  test("policy tests of a server ask it about tokens and roles", async () => {
    const role = v1.unique("writers");
    const policy = await v1.policy(RULES);
    const id = await v1.role({ Name: role, Policies: [{ ID: policy }] });
    const { accessor } = await v1.token({ Roles: [{ ID: id }] });
    const about = (who: string) => TESTS.replaceAll("{ policies: [writers] }", who);
    const directory = folder({
      "a.test.yaml": about(`{ token: ${accessor} }`),
      "b.test.yaml": about(`{ role: ${role} }`),
    });
    const ask = async (body: object) => (await v1.post("/acl/explain", body)).body as { Answers: [] };
    const { results } = await runPolicyTests({ directory, ask });
    expect(results.map(({ failures }) => failures.length)).toEqual([0, 1, 0, 1]);
    const alone = await runPolicyTests({ directory });
    expect(alone.failed).toBe(4);
  });
});
