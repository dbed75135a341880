/** Tests of the output of commands, and of how they end. */
import { expect, it } from "vitest";
import process from "node:process";
import { readVersion } from "../../src/config/version.ts";
import { csvLine } from "../../src/cli/client/report/csv.ts";
import { cut, visible, widthOf } from "../../src/cli/client/output/values.ts";
import { answering, json } from "../support/answering.ts";
import { command } from "../support/cli.ts";
import { temporaryDirectory } from "../support/engines.ts";

const POLICIES = [
  { ID: "1", Name: "web", Description: "first" },
  { ID: "2", Name: "\u001b[31mred\u202e", Description: "two\nlines" },
];

it("each form of results holds the same objects, on standard output alone", async () => {
  const env = await answering(json(POLICIES));
  const of = async (...flags: string[]) => {
    const { code, stdout, stderr } = await command(["policy", "list", ...flags], { env });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    return stdout;
  };
  expect(JSON.parse(await of("-o", "json"))).toEqual(POLICIES);
  const { parse } = await import("yaml");
  expect(parse(await of("--output", "yaml"))).toEqual(POLICIES);
  expect(await of("-o", "name")).toBe("web\n\\u001b[31mred\\u202e\n");
  expect(await of()).toMatch(/^NAME +DESCRIPTION +ID\nweb +first +1\n\\u001b\[31mred\\u202e +two\\nlines +2\n$/);
  expect((await of("-o", "wide")).split("\n", 1)[0]).toContain("INDEX");
  expect(await command(["policy", "list", "-o", "xml"], { env })).toMatchObject({ code: 2, stdout: "" });
});

it("a terminal of 40 columns is never overrun but by a key, and no key is cut", async () => {
  const uuid = "0a51f1c2-96f4-4c3d-8a6d-2b1f0f0b7a11";
  const env = await answering(
    json([
      ...POLICIES,
      { ID: uuid, Name: "short", Description: "名前".repeat(30) },
      { ID: uuid, Description: "x".repeat(200) },
    ]),
  );
  const of = async (columns: number) => {
    const words = ["policy", "list", "-o", "wide", "--no-color"];
    const { stdout, stderr } = await command(words, { env, isTerminal: true, columns });
    for (const line of stdout.split("\n")) expect(widthOf(line)).toBeLessThanOrEqual(columns);
    return { stdout, stderr };
  };
  // The name and the description are there, the ID has no room, and is named.
  const narrow = await of(40);
  expect(narrow.stdout).toMatch(/^NAME +DESCRIP/);
  expect(narrow.stdout).toContain("…");
  expect(narrow.stderr).toContain("Columns not shown: ID, ");
  const wide = await of(80);
  expect(wide.stdout).toContain(uuid);
  expect(wide.stdout).toContain("…");
  const long = await answering(json([{ ID: uuid, Name: "n".repeat(60), Description: "x".repeat(200) }]));
  const { stdout } = await command(["policy", "list", "--no-color"], { env: long, isTerminal: true, columns: 40 });
  expect(stdout).toContain(`\n${"n".repeat(60)}\n`);
  expect(cut("名前", 3)).toBe("名…");
  expect(visible("a\u0007b\u009bc")).toBe(String.raw`a\u0007b\u009bc`);
});

it("an empty list is an empty document, and says so to people only", async () => {
  const env = await answering(json([]));
  expect(await command(["role", "list", "-o", "json"], { env })).toEqual({ code: 0, stdout: "[]\n", stderr: "" });
  expect(await command(["role", "list", "-o", "yaml"], { env })).toEqual({ code: 0, stdout: "[]\n", stderr: "" });
  expect(await command(["role", "list"], { env })).toEqual({ code: 0, stdout: "", stderr: "No results.\n" });
  expect(await command(["role", "list", "--quiet"], { env })).toEqual({ code: 0, stdout: "", stderr: "" });
});

it("a status is an exit code, and an error is JSON where the output is", async () => {
  for (const [status, code] of [
    [400, 1],
    [401, 4],
    [403, 4],
    [404, 3],
    [409, 5],
    [500, 1],
  ] as const) {
    const env = await answering(
      json({ errors: [{ status: String(status), title: "a title", detail: "a detail" }] }, status, {
        "content-type": "application/vnd.api+json",
        "x-request-id": "r-1",
      }),
    );
    const text = await command(["tag", "list"], { env });
    expect(text).toMatchObject({
      code,
      stdout: "",
      stderr: expect.stringMatching(/^tessera: a detail\n(?: {2}[^\n]+\n)* {2}request r-1\n$/),
    });
    const data = await command(["tag", "list", "-o", "json"], { env });
    expect(JSON.parse(data.stderr)).toMatchObject({
      error: { exit: code, status, title: "a title", message: "a detail", requestId: "r-1" },
    });
  }
  const usage = await command(["tag", "list", "--bogus", "-o", "json"], { env: {} });
  expect(JSON.parse(usage.stderr)).toMatchObject({ error: { exit: 2, message: expect.stringContaining("--bogus") } });
});

it("a server that is away, no server, and a list that is cut end with 6 and say what to do", async () => {
  const env = await answering((_, response) => {
    response.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
    response.write('[{"ID":');
    setImmediate(() => response.destroy());
  });
  expect(await command(["policy", "list"], { env })).toMatchObject({
    code: 6,
    stdout: "",
    stderr: expect.stringContaining("the connection was closed before the response was complete"),
  });
  const away = { ...env, TESSERA_ADDR: "http://127.0.0.1:1" };
  const refused = await command(["policy", "list"], { env: away });
  expect(refused).toMatchObject({ code: 6, stderr: expect.stringContaining("TESSERA_ADDR") });
  const tls = await command(["policy", "list"], {
    env: { ...env, TESSERA_ADDR: env["TESSERA_ADDR"]?.replace("http:", "https:") ?? "" },
  });
  expect(tls).toMatchObject({ code: 6, stderr: expect.stringContaining("the port does not use TLS") });
});

it("a list goes on over pages as a stream, and --limit ends it", async () => {
  let pages = 0;
  const env = await answering((request, response) => {
    pages++;
    const after = Number(new URL(request.url ?? "", "http://x").searchParams.get("after") ?? 0);
    json(
      [
        { Name: `p${after}`, ID: "x" },
        { Name: `p${after + 1}`, ID: "y" },
      ],
      200,
      after < 8 ? { "x-service-next": String(after + 2) } : {},
    )(request, response);
  });
  const all = await command(["policy", "list", "-o", "name"], { env });
  expect(all.stdout.trim().split("\n")).toEqual(Array.from({ length: 10 }, (_, index) => `p${index}`));
  pages = 0;
  expect((await command(["policy", "list", "-o", "name", "--limit", "3"], { env })).stdout).toBe("p0\np1\np2\n");
  expect(pages).toBe(2);
});

it("--dry-run sends nothing, and hides secrets", async () => {
  let asked = 0;
  const env = await answering((request, response) => {
    asked++;
    json({})(request, response);
  });
  const shown = await command(
    ["token", "create", "--description", "x", "--set", "SecretID=geheim", "--dry-run", "-o", "json"],
    { env },
  );
  expect(JSON.parse(shown.stdout)).toEqual({
    operation: "createToken",
    body: { Description: "x", SecretID: "<hidden>" },
  });
  expect(asked).toBe(0);
});

it("no cell of a report is a formula", () => {
  expect(csvLine(["=1+1", "+x", "-x", "@x", "\t=1", " =1", "＝1", 'a"b', "a,b", "a\nb", "plain"])).toBe(
    `'=1+1,'+x,'-x,'@x,'\t=1,' =1,'＝1,"a""b","a,b","a\nb",plain\r\n`,
  );
});

it("of JSON, YAML and errors a terminal obeys nothing, and a program reads what the server said", async () => {
  const text = "a\u0085b\u009b31mc\u202ed\u2066e\u007ff\tg\u061c";
  const objects = [{ ID: "1", Name: "x", Description: text, [text]: { Text: `${text}\n${text}` } }];
  const obeyed = /[\u007f-\u009f\u061c\u202a-\u202e\u2066-\u2069]/;
  const { parse } = await import("yaml");
  for (const [format, read] of [
    ["json", JSON.parse],
    ["yaml", parse],
  ] as const) {
    const list = await command(["policy", "list", "-o", format], { env: await answering(json(objects)) });
    expect(list.stdout).not.toMatch(obeyed);
    expect((read as (text: string) => unknown)(list.stdout)).toEqual(objects);
    const one = await command(["role", "get", "x", "-o", format], { env: await answering(json(objects[0])) });
    expect(one.stdout).not.toMatch(obeyed);
    expect((read as (text: string) => unknown)(one.stdout)).toEqual(objects[0]);
  }
  const refused = await answering((_, response) => response.writeHead(403).end(text));
  const { stderr } = await command(["policy", "list", "-o", "json"], { env: refused });
  expect(stderr).not.toMatch(obeyed);
  expect(JSON.parse(stderr).error.message).toBe(text);
});

it("what is no list and no object is told as such, and never as nothing found", async () => {
  for (const body of [{}, null, 5, [null], [5]]) {
    const env = await answering(json(body));
    const { code, stdout, stderr } = await command(["role", "list"], { env });
    expect({ code, stdout }, JSON.stringify(body)).toEqual({ code: 6, stdout: "" });
    expect(stderr).toContain("is it a Tessera server?");
    const directory = temporaryDirectory();
    for (const words of [
      ["export", directory],
      ["import", "consul", "--from", env.TESSERA_ADDR],
    ]) {
      const ended = await command(words, { env });
      expect(ended.code, words[0]).not.toBe(0);
      expect(ended.stderr).toMatch(/is it a Tessera server\?|check that the address is a Tessera server/);
    }
  }
  const nameless = await answering(json([{ Name: 5 }]));
  const { stderr } = await command(["import", "consul", "--from", nameless.TESSERA_ADDR], { env: nameless });
  expect(stderr).toContain("returned an object without Name");
});

it("every request says which tessera sent it", async () => {
  const seen: (string | undefined)[] = [];
  const env = await answering(({ headers }, response) => {
    seen.push(headers["user-agent"]);
    response.setHeader("content-type", "application/json").end("[]");
  });
  await command(["role", "list"], { env });
  expect(seen).toEqual([`tessera/${readVersion()} (${process.platform})`]);
});

it("what a new object needs is said by the flag that gives it, before anything is asked", async () => {
  let asked = 0;
  const env = await answering((_, response) => {
    asked++;
    response.setHeader("content-type", "application/json").end("{}");
  });
  for (const [line, flags] of [
    ["organization create acme", "--email ADDRESS"],
    ["auth-method create ci --description x", "--type TYPE"],
    ["binding-rule create --bind-name x", "--auth-method NAME and --bind-type TYPE"],
    ["webhook create inventory", "--url URL"],
  ] as const) {
    const { code, stderr } = await command(line.split(" "), { env });
    expect({ code, asked }, line).toEqual({ code: 2, asked: 0 });
    expect(stderr).toContain(`requires ${flags}`);
  }
  // In whatever way it is given.
  expect(await command("organization create acme --set email=a@example.com".split(" "), { env })).toMatchObject({
    code: 0,
  });
  expect(asked).toBe(1);
});
