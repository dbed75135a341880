/** `tessera policy test` as CI runs it: a process, beside a real server. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createClient, type Client } from "@tessera-server/client";
import { SaxesParser } from "saxes";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { asProcess } from "../support/cli.ts";
import { forEachEngine, temporaryDirectory } from "../support/engines.ts";
import { startServer, type RunningServer } from "../support/server.ts";

const RULES = 'key_prefix "app/" { policy = "write" }\nkey "app/live" { policy = "read" }\n';

/** A file of tests: `as` may write every key of the app but that which is live. */
function asking(as: string, mayWriteLive = false): string {
  return `
tests:
  - name: "writers leave <live> & 'others' alone"
    as: ${as}
    questions:
      - { resource: key, segment: app/next, access: write, allow: true }
      - { resource: key, segment: app/live, access: write, allow: ${mayWriteLive} }
`;
}

function folder(files: Readonly<Record<string, string>>): string {
  const directory = temporaryDirectory();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, name)), { recursive: true });
    writeFileSync(join(directory, name), text);
  }
  return directory;
}

interface Case {
  suite: string;
  name: string;
  failure: string | undefined;
}

/** The cases of a report, as a parser of XML that is strict reads them; what a suite says of their number has to be so. */
function casesIn(file: string): Case[] {
  const cases: Case[] = [];
  const counts: { tests: number; failures: number }[] = [];
  let suite = "";
  const parser = new SaxesParser();
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", ({ name, attributes }) => {
    if (name === "testsuite") {
      suite = String(attributes["name"]);
      counts.push({ tests: Number(attributes["tests"]), failures: Number(attributes["failures"]) });
    }
    if (name === "testcase") cases.push({ suite, name: String(attributes["name"]), failure: undefined });
    const last = cases.at(-1);
    if (name === "failure" && last !== undefined) last.failure = String(attributes["message"]);
  });
  parser.write(readFileSync(file, "utf8")).close();
  expect(counts).toEqual(
    [...Map.groupBy(cases, (each) => each.suite).values()].map((some) => ({
      tests: some.length,
      failures: some.filter(({ failure }) => failure !== undefined).length,
    })),
  );
  return cases;
}

const NAME = "writers leave <live> & 'others' alone";
const nowhere = { TESSERA_ADDR: "http://127.0.0.1:1", TESSERA_TOKEN: "x" };

describe("policy tests of files alone", () => {
  it("need no server, end with 0 or 1, and write a report that a parser of XML reads", async () => {
    const directory = folder({
      "rules/writers.hcl": RULES,
      "a.test.yaml": asking("{ policies: [writers] }"),
      "b.test.yaml": asking("{ policies: [writers] }", true),
    });
    const report = join(directory, "report.xml");
    const ended = await asProcess(["policy", "test", directory, "--junit", report], nowhere);
    expect(ended).toMatchObject({ code: 1, stderr: "tessera: 1 of 2 policy tests failed\n" });
    expect(ended.stdout).toContain(`ok   a.test.yaml: ${NAME}\nFAIL b.test.yaml: ${NAME}\n`);
    const failure = 'write key "app/live": expected allowed, was denied (key "app/live" = read in writers)';
    expect(casesIn(report)).toEqual([
      { suite: "a.test.yaml", name: NAME, failure: undefined },
      { suite: "b.test.yaml", name: NAME, failure },
    ]);
    writeFileSync(join(directory, "b.test.yaml"), asking("{ policies: [writers] }"));
    const again = await asProcess(["policy", "test", directory, "--junit", report, "-o", "json"], nowhere);
    expect(again).toMatchObject({ code: 0, stderr: "" });
    expect(JSON.parse(again.stdout)).toMatchObject({ Failed: 0, Results: [{ file: "a.test.yaml" }, {}] });
    expect(casesIn(report).map(({ failure: each }) => each)).toEqual([undefined, undefined]);
  });

  it("end with 2 when the files are none, and say which and where", async () => {
    const directory = folder({ "sub/a.test.yaml": "tests: [{ name: x, as: {}, questions: [{}] }]" });
    const ended = await asProcess(["policy", "test", directory], nowhere);
    expect(ended).toMatchObject({ code: 2, stdout: "" });
    expect(ended.stderr).toMatch(/^tessera: sub\/a\.test\.yaml: tests\[0\]/);
    const missing = await asProcess(["policy", "test", join(directory, "missing"), "-o", "json"], nowhere);
    expect([missing.code, JSON.parse(missing.stderr)]).toMatchObject([
      2,
      { error: { exit: 2, message: expect.stringContaining("directory not found") } },
    ]);
    const unwritable = folder({ "a.hcl": RULES, "a.test.yaml": asking("{ policies: [a] }") });
    const report = join(unwritable, "no/folder/report.xml");
    expect(await asProcess(["policy", "test", unwritable, "--junit", report], nowhere)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("ENOENT"),
    });
  });
});

forEachEngine((_engine, makeUrl) => {
  describe("policy tests of a server", () => {
    let server: RunningServer;
    let client: Client;
    let env: Record<string, string>;

    beforeAll(async () => {
      server = await startServer({ database: await makeUrl() });
      client = createClient({ address: server.url, token: server.token });
      env = { HOME: temporaryDirectory(), TESSERA_ADDR: server.url, TESSERA_TOKEN: server.token };
      await client.request("createPolicy", { body: { Name: "app-writers", Rules: RULES } });
      await client.request("createRole", { body: { Name: "writers", Policies: [{ Name: "app-writers" }] } });
    });
    afterAll(async () => server.stop());

    it("end with 4 for whoever may not ask, and with 6 when it is away", async () => {
      const directory = folder({ "a.test.yaml": asking("{ role: writers }") });
      const { body } = await client.request<{ SecretID: string }>("createToken", { body: {} });
      const refused = await asProcess(["policy", "test", directory], { ...env, TESSERA_TOKEN: body.SecretID });
      expect(refused).toMatchObject({ code: 4, stdout: "", stderr: expect.stringContaining("acl:read") });
      const away = await asProcess(["policy", "test", directory], { ...env, ...nowhere });
      expect(away).toMatchObject({ code: 6, stdout: "", stderr: expect.stringContaining("no server listens") });
    });
  });
});
