/** How command lines are read, and what is said of those that mean nothing: beside servers that answer as a test says. */
import { expect, it } from "vitest";
import { EVERY_FLAGS } from "../../src/cli/client/every-flags.ts";
import { orderedWords } from "../../src/cli/words.ts";
import { answering, json } from "../support/answering.ts";
import { asProcess, command } from "../support/cli.ts";
import { temporaryDirectory } from "../support/engines.ts";

it("options stand anywhere: before the command, between its words and behind them", async () => {
  const env = await answering(json([{ ID: "1", Name: "web" }]));
  const address = env.TESSERA_ADDR;
  const elsewhere = { ...env, TESSERA_ADDR: "http://127.0.0.1:1", TESSERA_OUTPUT: "json" };
  for (const line of [
    `--address ${address} -o name policy list`,
    `-oname --address=${address} -q policy list`,
    `-qo name policy --address ${address} list`,
    `policy -o name list --address ${address}`,
    `policy --sort Name list -o name --address ${address}`,
    `policy list --address ${address} -o name`,
  ]) {
    // As a process: what stands before the command is read before it is known.
    const ended = await asProcess(line.split(" "), elsewhere);
    expect([line, ended]).toEqual([line, { code: 0, stdout: "web\n", stderr: "" }]);
  }
  expect(orderedWords(["--data-dir", "d", "--allow-insecure", "backup", "--config=c", "verify", "f"])).toEqual(
    "backup verify --data-dir d --allow-insecure --config=c f".split(" "),
  );
  // An option that nobody knows is not passed over.
  expect(orderedWords(["--bogus", "policy", "list"])).toEqual(["--bogus", "policy", "list"]);
});

it("help is the same text however it is asked for", async () => {
  const env = { HOME: temporaryDirectory() };
  for (const [words, others] of [
    [
      "policy check",
      ["help policy check", "policy help check", "policy check -h", "-h policy check", "policy -h check"],
    ],
    ["policy", ["help policy", "policy -h", "--help policy"]],
    ["plan", ["help plan", "plan -h"]],
    ["backup verify", ["help backup verify", "backup verify -h"]],
    ["serve", ["help serve", "serve -h"]],
    ["", ["help", "-h", "help help"]],
  ] as const) {
    const wanted = await asProcess([...words.split(" ").filter(Boolean), "--help"], env);
    expect([words, wanted.code, wanted.stderr]).toEqual([words, 0, ""]);
    expect(wanted.stdout).toContain(words);
    for (const other of others) expect([other, await asProcess(other.split(" "), env)]).toEqual([other, wanted]);
  }
});

it("the help of a command begins with its usage and what it is for, and then explains", async () => {
  const { stdout } = await asProcess(["policy", "tighten", "--help"], { HOME: temporaryDirectory() });
  const [, , first, , second] = stdout.split("\n");
  expect([first, second]).toEqual([
    "Propose a smaller policy, based on recorded use. Read-only.",
    expect.stringMatching(/^Prints the proposed policy rules to stdout/),
  ]);
});

it("the options of every command are shown once, by a page that the help of each command names", async () => {
  const env = { HOME: temporaryDirectory() };
  const shown = await asProcess(["help", "options"], env);
  expect(shown).toMatchObject({ code: 0, stderr: "" });
  for (const { name } of EVERY_FLAGS) expect(shown.stdout).toContain(`--${name}`);
  for (const line of ["tag list --help", "plan --help", "help policy"]) {
    const { stdout } = await asProcess(line.split(" "), env);
    expect([line, stdout]).toEqual([
      line,
      expect.stringMatching(/\n\nRun "tessera help options" to list the global options\.\n$/),
    ]);
    for (const { name } of EVERY_FLAGS) expect(stdout).not.toContain(` --${name} `);
  }
  // A mistyped one is known nevertheless.
  expect((await asProcess(["tag", "list", "--organisation", "a"], env)).stderr).toContain("--organization");
});

it("what is mistyped is refused with the word that is nearest, at each level", async () => {
  const env = { HOME: temporaryDirectory() };
  for (const [line, near] of [
    ["polcy list", "policy"],
    ["help polcy", "policy"],
    ["policy lst", "list"],
    ["policy lst --help", "list"],
    ["policy read web", "get"],
    ["token show 0a51", "get"],
    ["workspace ls", "list"],
    ["role rm web", "delete"],
    ["namespace new team", "create"],
    ["policy list --lmit 3", "--limit"],
    ["api listPolcies", "listPolicies"],
    ["watch polcy", "policy"],
    ["backup verfy nightly.backup", "verify"],
    ["backup --data-dir d verfy nightly.backup", "verify"],
  ] as const) {
    const { code, stdout, stderr } = await asProcess(line.split(" "), env);
    expect([line, code, stdout]).toEqual([line, 2, ""]);
    expect(stderr.toLowerCase()).toContain(`did you mean ${near.toLowerCase()}?`);
  }
});

it("a name that is taken is told in one sentence with exit code 5, whatever the server answers of a kind", async () => {
  const v2 = (detail: string) => ({ errors: [{ status: "422", title: "invalid attribute", detail }] });
  for (const [line, status, body, told] of [
    ["policy create a", 400, 'Invalid Policy: A Policy with Name "a" already exists', "policy a already exists"],
    ["role create a", 500, 'Invalid Role: A Role with Name "a" already exists', "role a already exists"],
    [
      "namespace create a",
      409,
      "Conflict: ModifyIndex is 8, but the request has cas=0. Read the object again",
      "namespace a already exists",
    ],
    [
      "auth-method create a --type jwt",
      409,
      "Conflict: ModifyIndex is 8, but the request has cas=0. Read the object again",
      "auth method a already exists",
    ],
    ["workspace create a", 422, v2("Name has already been taken"), "workspace a already exists"],
    ["workspace update b --name a", 422, v2("Name has already been taken"), "workspace a already exists"],
    [
      "organization create a --email a@example.com",
      422,
      v2("Name has already been taken"),
      "organization a already exists",
    ],
    ["tag reserve a", 422, v2("Key has already been taken"), "reserved tag key a already exists"],
    [
      "token create --accessor 0a51f1c2-96f4-4c3d-8a6d-2b1f0f0b7a11",
      400,
      "Invalid Token: AccessorID is already in use",
      "token 0a51f1c2-96f4-4c3d-8a6d-2b1f0f0b7a11 already exists",
    ],
    // Only the server knows which of the two it is.
    [
      "token create --accessor 0a51f1c2-96f4-4c3d-8a6d-2b1f0f0b7a11 --set SecretID=x",
      400,
      "Invalid Token: SecretID is already in use",
      "Invalid Token: SecretID is already in use",
    ],
  ] as const) {
    const type = typeof body === "string" ? "text/plain" : "application/vnd.api+json";
    const env = await answering((request, response) => {
      const isRead = request.method === "GET";
      response.writeHead(isRead ? 200 : status, { "content-type": isRead ? "application/vnd.api+json" : type });
      response.end(isRead ? '{"data":{"id":"ws-1"}}' : typeof body === "string" ? body : JSON.stringify(body));
    });
    const ended = await command(line.split(" "), { env });
    expect([line, ended.code, ended.stdout, ended.stderr.split("\n")[0]]).toEqual([line, 5, "", `tessera: ${told}`]);
    const { stderr } = await command([...line.split(" "), "-o", "json"], { env });
    expect(JSON.parse(stderr)).toMatchObject({ error: { exit: 5, message: told, status } });
  }
  // One that was named is no sign that there is such an object.
  const env = await answering(
    json("Conflict: ModifyIndex is 8, but the request has cas=7. Read the object again", 409),
  );
  const stale = await command(["namespace", "update", "a", "--description", "x", "--cas", "7"], { env });
  expect([stale.code, stale.stderr]).toEqual([5, expect.not.stringContaining("already exists")]);
});

it("of several words the one that leads to nothing is named, and a refusal names the server and the token", async () => {
  const env = await answering((request, response) => {
    const isThere = /\/(?:first|tag-1)$/.test(request.url ?? "");
    const headers = { "content-type": "application/json" };
    response
      .writeHead(isThere ? 200 : 404, headers)
      .end(JSON.stringify(isThere ? { ID: "1", Name: "first" } : "not found"));
  });
  for (const line of [
    "policy delete first second --yes",
    "namespace delete second --yes",
    "workspace delete second --yes",
  ]) {
    const { code, stderr } = await command(line.split(" "), { env });
    const [noun] = line.split(" ");
    expect([line, code]).toEqual([line, 3]);
    expect(stderr).toMatch(new RegExp(`^tessera: ${noun} "second" not found, or you may not read it\n`));
    expect(stderr).toContain("token from TESSERA_TOKEN");
    expect(stderr).toContain(`server ${env.TESSERA_ADDR} (from TESSERA_ADDR)`);
  }
  const refusing = await answering(json("Permission denied", 403));
  const { stderr } = await command(["policy", "list"], { env: refusing });
  expect(stderr).toContain(`token from TESSERA_TOKEN; server ${refusing.TESSERA_ADDR} (from TESSERA_ADDR)\n`);
});

it("why is named after a denial that it explains, without an ID to a token that could not ask for it", async () => {
  const denial = "Permission denied: token with AccessorID 'x' lacks permission";
  for (const [text, isExplained] of [
    [`${denial} 'acl:write'`, "run tessera why for the reason, or tessera why r-1 with a token that has acl:read"],
    [`${denial} 'acl:read'`, "run tessera why for the reason"],
    ["Permission denied: the token of this request is disabled", undefined],
    ["Limit reached: at most 10 policies per namespace (--policies-per-namespace)", undefined],
  ] as const) {
    const env = await answering(json(text, 403, { "x-request-id": "r-1" }));
    const { stderr } = await command(["policy", "list", "-o", "json"], { env });
    const { hints } = (JSON.parse(stderr) as { error: { hints: string[] } }).error;
    expect([text, hints.filter((hint) => hint.includes("why"))]).toEqual([text, isExplained ? [isExplained] : []]);
    const anonymous = await command(["policy", "list"], { env: { ...env, TESSERA_TOKEN: "" } });
    expect(anonymous.stderr).toContain("no token was sent");
    expect(anonymous.stderr).not.toContain("tessera why");
  }
});

it("what the check of a refused body finds is told once", async () => {
  const syntax = "Failed to parse ACL rules: line 1, column 10: expected a name";
  const found = (Message: string) => ({ Errors: [{ Code: "invalid", Message, Member: "Rules", Line: 1, Column: 10 }] });
  for (const [refusal, finding, shown] of [
    [syntax, syntax, []],
    ["invalid rules", "invalid rules", ["Rules 1:10"]],
    ["Invalid key policy", 'invalid policy "rede"', ['Rules 1:10: invalid policy "rede"']],
  ] as const) {
    const env = await answering((request, response) => {
      const isCheck = request.url?.includes("/check") === true;
      response.writeHead(isCheck ? 200 : 400, { "content-type": isCheck ? "application/json" : "text/plain" });
      response.end(isCheck ? JSON.stringify({ ...found(finding), Warnings: [] }) : refusal);
    });
    const { stderr } = await command(["policy", "create", "a", "--rules", "x"], { env });
    expect(stderr).toBe([`tessera: ${refusal}`, ...shown.map((line) => `  ${line}`), ""].join("\n"));
  }
});

it("durations are given in days too, wherever a command or a file takes one", async () => {
  const sent: unknown[] = [];
  const env = await answering((request, response) => {
    let body = "";
    request.on("data", (part) => (body += String(part)));
    request.on("end", () => {
      if (body !== "") sent.push(JSON.parse(body));
      response.writeHead(200, { "content-type": "application/json" }).end('{"ID":"1","Name":"a"}');
    });
  });
  const id = "0a51f1c2-96f4-4c3d-8a6d-2b1f0f0b7a11";
  for (const line of [
    "token create --ttl 7d",
    `token rotate ${id} --overlap 1d12h`,
    "auth-method update a --max-token-ttl 1d",
    "token create --ttl 90m",
    "token create --ttl d",
  ])
    expect([line, (await command(line.split(" "), { env })).code]).toEqual([line, 0]);
  expect(sent).toEqual([
    { ExpirationTTL: "168h" },
    { Overlap: "24h12h" },
    { MaxTokenTTL: "24h" },
    { ExpirationTTL: "90m" },
    // Text that is no duration is left to the server, which says why.
    { ExpirationTTL: "d" },
  ]);
});

it("a server that does not know id-prefix is never taken for one that found a single object", async () => {
  const env = await answering(json([{ AccessorID: "ffffffff-0000-4000-8000-000000000000" }]));
  const { code, stderr } = await command(["token", "delete", "0a51", "--yes"], { env });
  expect([code, stderr]).toEqual([3, expect.stringContaining('token "0a51" not found')]);
});

it("IDs of tags, workspaces and projects that begin alike are listed as candidates, and nothing is written", async () => {
  const written: string[] = [];
  const env = await answering((request, response) => {
    const { method, url = "" } = request;
    if (method !== "GET") written.push(`${method} ${url}`);
    const [, type = "", prefix = ""] = /(tags|workspaces|projects)\?.*id-prefix(?:%5D|\])=(\w+)-/.exec(url) ?? [];
    const data = ["ABCD000000000001", "ABCD000000000002"].map((rest, i) => ({
      id: `${prefix}-${rest}`,
      type,
      attributes: { name: `n${i}` },
    }));
    response
      .writeHead(url.includes("workspaces/") ? 404 : 200, { "content-type": "application/vnd.api+json" })
      .end(JSON.stringify(url.includes("workspaces/") ? { errors: [] } : { data: prefix === "" ? [] : data }));
  });
  for (const [noun, prefix] of [
    ["tag", "tag"],
    ["workspace", "ws"],
    ["project", "prj"],
  ]) {
    const words = [`${noun}`, "delete", `${prefix}-ABCD`, "--yes", "--organization", "acme"];
    expect(await command(words, { env })).toMatchObject({
      code: 2,
      stderr:
        `tessera: ambiguous ID ${prefix}-ABCD: several ${noun} IDs start with it\n` +
        `  n0 (${prefix}-ABCD000000000001)\n  n1 (${prefix}-ABCD000000000002)\n`,
    });
  }
  const attached = ["tag", "attach", "tag-ABCD", "--workspace", "ws-ABCD000000000009", "--organization", "acme"];
  expect(await command(attached, { env })).toMatchObject({ code: 2 });
  expect(written).toEqual([]);
});

it("signals end a command with 128 and their number", async () => {
  const env = await answering(() => undefined);
  const interrupted = new AbortController();
  const ended = command(["policy", "list"], { env, signal: interrupted.signal });
  interrupted.abort();
  expect(await ended).toMatchObject({ code: 130, stderr: "tessera: interrupted\n" });
});
