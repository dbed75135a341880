import { spawnSync } from "node:child_process";
import { readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { placesOf, readLines } from "../../test/support/audit-target.ts";
import { makeDatabaseUrl, temporaryDirectory, type Engine } from "../../test/support/engines.ts";
import { programFile } from "../../test/support/program.ts";
import { startServer, type RunningServer } from "../../test/support/server.ts";

function verify(args: readonly string[]) {
  return spawnSync(process.execPath, [programFile(), "audit", "verify", ...args], {
    encoding: "utf8",
    timeout: 60_000,
  });
}

async function makePolicy(server: RunningServer, name: string): Promise<void> {
  const headers = { authorization: `Bearer ${server.token}` };
  const answer = await fetch(`${server.url}/v1/acl/policy`, {
    method: "PUT",
    headers,
    body: JSON.stringify({ Name: name }),
  });
  expect(answer.status).toBe(200);
}

it.each<Engine>(["sqlite", "postgres"])(
  "tessera audit verify walks the chains beside a server, keeps their heads, and compares with them (%s)",
  async (engine) => {
    const dataDir = temporaryDirectory();
    const database = engine === "sqlite" ? `sqlite:${join(dataDir, "tessera.db")}` : await makeDatabaseUrl(engine);
    const place = ["--database", database, "--data-dir", dataDir];
    const server = await startServer({ database, dataDir });
    await makePolicy(server, "one");
    const heads = join(dataDir, "heads");
    const first = verify([...place, "--save-heads", heads]);
    expect(first).toMatchObject({
      status: 0,
      stderr: "",
      stdout: expect.stringContaining("all verified"),
    });
    expect(statSync(heads).mode & 0o777).toBe(0o600);
    const saved = readLines(readFileSync(heads, "utf8"));
    expect(saved.map((line) => line.type === "head" && line.head.chain)).toContain("partition/default");
    for (const line of saved) if (line.type === "head") expect(first.stdout).toContain(line.head.hash);
    await makePolicy(server, "two");
    expect(verify([...place, "--head", heads])).toMatchObject({ status: 0 });
    expect(verify([...place, "--save-heads", heads])).toMatchObject({ status: 0 });
    const key = readFileSync(join(dataDir, "master-key"), "utf8");
    for (const other of [join(dataDir, "master-key"), dataDir, "/dev/null"])
      expect(verify([...place, "--save-heads", other])).toMatchObject({
        status: 2,
        stderr: expect.stringContaining("is not overwritten"),
      });
    expect(readFileSync(join(dataDir, "master-key"), "utf8")).toBe(key);
    writeFileSync(heads, readFileSync(heads, "utf8").replaceAll(/"hash":"../g, '"hash":"xx'));
    expect(verify([...place, "--head", heads])).toMatchObject({
      status: 1,
      stdout: expect.stringMatching(
        /^chain "partition\/default": record \d+ of \S+ does not match the head saved at /m,
      ),
    });
    expect(await server.stop()).toBe(0);
    expect(verify(place)).toMatchObject({ status: 0, stdout: expect.not.stringContaining("not yet signed") });
  },
);

it("what was changed in the database is named with exit code 1, what cannot be read with 2", async () => {
  const dataDir = temporaryDirectory();
  const server = await startServer({ dataDir });
  await makePolicy(server, "one");
  expect(await server.stop()).toBe(0);
  const db = new DatabaseSync(join(dataDir, "tessera.db"));
  db.exec("update audit_records set accessor_id = 'somebody' where chain = 'partition/default' and seq = 1");
  db.close();
  expect(verify(["--data-dir", dataDir])).toMatchObject({
    status: 1,
    stdout: expect.stringMatching(
      /^chain "partition\/default": record 1 of \S+ was modified or inserted: .*\n.*; 1 chains failed verification\n$/,
    ),
  });
  expect(verify(["--data-dir", temporaryDirectory()])).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(/^tessera: database [^\n]+ not found\. Check --database and --data-dir\n$/),
  });
  writeFileSync(join(dataDir, "master-key"), `${"A".repeat(43)}=\n`);
  expect(verify(["--data-dir", dataDir])).toMatchObject({ status: 2, stderr: expect.stringContaining("master key") });
  expect(verify(["--file", join(dataDir, "missing")])).toMatchObject({
    status: 2,
    stderr: expect.stringContaining("ENOENT"),
  });
  const empty = join(dataDir, "empty");
  writeFileSync(empty, "");
  expect(verify(["--file", empty])).toMatchObject({
    status: 2,
    stdout: "",
    stderr: `tessera: ${empty} contains no audit records: nothing was verified\n`,
  });
  expect(verify(["--file", empty, "--head", empty])).toMatchObject({
    status: 2,
    stderr: expect.stringContaining("contains no chain head"),
  });
});

it("--audit-file holds every change from the first start on, is begun anew on SIGHUP, and its parts are one chain", async () => {
  const dataDir = temporaryDirectory();
  const file = join(dataDir, "audit.jsonl");
  const server = await startServer({ dataDir, args: ["--audit-file", file] });
  const namesIn = (path: string) =>
    readLines(readFileSync(path, "utf8")).flatMap((line) => (line.type === "record" ? [line.record.name] : []));
  await makePolicy(server, "one");
  await expect.poll(() => namesIn(file)).toContain("one");
  renameSync(file, `${file}.1`);
  process.kill(server.pid, "SIGHUP");
  await makePolicy(server, "two");
  await expect.poll(() => namesIn(file)).toEqual(["two"]);
  expect(namesIn(`${file}.1`)).not.toContain("two");
  expect(await server.stop()).toBe(0);
  expect(placesOf(readLines(readFileSync(`${file}.1`, "utf8")), "partition/default")[0]).toBe(1);
  expect(verify(["--file", `${file}.1`, "--file", file])).toMatchObject({ status: 0, stderr: "" });
  expect(verify(["--file", file, "--file", `${file}.1`]).status).toBe(1);
});
