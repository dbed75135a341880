import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { makeDatabaseUrl, temporaryDirectory, type Engine } from "../../test/support/engines.ts";
import { letRotationAge, makeKeyFile, rotateKey } from "../../test/support/rotate-key.ts";
import { startServer, type RunningServer, type ServerOptions } from "../../test/support/server.ts";
import { openForOperator } from "../storage/operator/operator.ts";

async function place(engine: Engine) {
  const dataDir = temporaryDirectory();
  const database = engine === "sqlite" ? `sqlite:${join(dataDir, "tessera.db")}` : await makeDatabaseUrl(engine);
  return { dataDir, database, flags: ["--data-dir", dataDir, "--database", database] };
}

async function start(options: ServerOptions): Promise<RunningServer> {
  const server = await startServer(options);
  onTestFinished(() => server.kill());
  return server;
}

async function createToken({ url }: RunningServer, token: string): Promise<string> {
  const headers = { "x-consul-token": token };
  const answer = await fetch(`${url}/v1/acl/token`, { method: "PUT", headers, body: "{}" });
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { SecretID: string }).SecretID;
}

async function answersTo({ url }: RunningServer, secret: string): Promise<number> {
  return (await fetch(`${url}/v1/acl/token/self`, { headers: { "x-consul-token": secret } })).status;
}

it.each<Engine>(["sqlite", "postgres"])(
  "an operator replaces the master key beside a server, proves that all opens, and has it sealed anew (%s)",
  async (engine) => {
    const { dataDir, database, flags } = await place(engine);
    const [old, next] = [makeKeyFile(), makeKeyFile()];
    let server = await start({ dataDir, database, args: ["--key-file", old.file] });
    const { token } = server;
    const secrets = [await createToken(server, token)];
    const run = (...args: string[]) => rotateKey(flags, args);
    expect(await run()).toMatchObject({ code: 0, stdout: "The master key was never rotated\n" });
    expect(await run("--key-file", old.file, "--new-key-command", `cat ${next.file}`)).toMatchObject({
      code: 0,
      stderr: "",
      stdout: expect.stringContaining("both master keys are valid now"),
    });
    secrets.push(await createToken(server, token));
    expect(await run()).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/\(current\), \S+ \(next\)/),
    });
    if (engine === "sqlite") await server.kill({ keepData: true });
    const other = await start({ dataDir, database, args: ["--key-file", next.file] });
    if (engine === "postgres") secrets.push(await createToken(server, token));
    secrets.push(await createToken(other, token));
    for (const secret of secrets) {
      expect(await answersTo(other, secret)).toBe(200);
      if (engine === "postgres") expect(await answersTo(server, secret)).toBe(200);
    }
    if (engine === "postgres") await server.stop();
    server = other;
    await letRotationAge(database);
    expect(await run("--key-file", next.file, "--finish")).toMatchObject({ code: 0, stderr: "" });
    const opens = await run("--key-file", next.file, "--verify");
    expect(opens).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`${secrets.length + 2} of tokens.secret_sealed`),
    });
    expect(await run("--key-file", next.file, "--reseal")).toMatchObject({ code: 0, stderr: "" });
    await expect
      .poll(async () => (await run()).stdout, { timeout: 30_000 })
      .toContain(`${secrets.length + 2} re-encrypted, 0 cannot be decrypted; waiting for pass`);
    for (const secret of [...secrets, await createToken(server, token)])
      expect(await answersTo(server, secret)).toBe(200);
    // As of the last look of that server.
    const metrics = async () => {
      const answer = await fetch(`${server.url}/metrics`, { headers: { "x-consul-token": token } });
      return answer.text();
    };
    await expect
      .poll(metrics, { timeout: 20_000 })
      .toMatch(new RegExp(`^tessera_reseal_resealed ${secrets.length + 2}$`, "m"));
  },
);

it("what does not open is named, and a command that cannot be done is refused in one line", async () => {
  const { dataDir, database, flags } = await place("sqlite");
  const [key, other] = [makeKeyFile(), makeKeyFile()];
  const run = (...args: string[]) => rotateKey(flags, args);
  expect(await run("--verify")).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^tessera: database [^\n]+ not found\. Check --database and --data-dir\n$/),
  });
  const server = await start({ dataDir, database, args: ["--key-file", key.file] });
  await createToken(server, server.token);
  const db = await openForOperator(database);
  await db.inTransaction({ kind: "root" }, async (tx) => {
    tx.write(tx.sql.updateTable("tokens").set({ secret_sealed: "nonsense" }).where("accessor_id", "like", "%-%"));
  });
  const [row] = await db.sql.selectFrom("tokens").select("accessor_id as id").execute();
  await db.close();
  const found = await run("--key-file", key.file, "--verify");
  expect(found).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^tessera: \d+ encrypted values cannot be decrypted; see /),
  });
  expect(found.stdout).toContain(`cannot decrypt: tokens.secret_sealed of ${row?.id}\n`);
  const none = join(temporaryDirectory(), "none");
  writeFileSync(other.file, "no key");
  const cases: [string[], RegExp][] = [
    [["--key-file", key.file, "--new-key-file", none], /key file \S+ not found\. Create it with/],
    [["--key-file", none, "--new-key-file", key.file], /key file \S+ not found\. Create it with/],
    [["--key-file", key.file, "--new-key-file", key.file], /the new master key is already in use/],
    [["--key-file", key.file, "--new-key-file", other.file], /does not contain a master key/],
    [
      ["--key-file", key.file, "--new-key-command", "exit 7"],
      /the command of --new-key-command failed \(exit code 7\)/,
    ],
    [["--key-file", key.file, "--finish"], /no master key rotation is running/],
    [["--key-file", key.file, "--finish", "--verify"], /rotate-key takes only one action/],
    [["--key-file", key.file, "--key-command", "true", "--verify"], /--key-file and --key-command cannot be combined/],
  ];
  for (const [args, text] of cases) {
    const { code, stdout, stderr } = await run(...args);
    expect([args, code, stdout, stderr]).toEqual([args, 2, "", expect.stringMatching(text)]);
    expect(stderr).toMatch(/^tessera: [^\n]+\n$/);
  }
});

it.each<[Engine, number]>([
  ["sqlite", 1],
  ["postgres", 2],
])("the command that gives the master key is run once for each process (%s, %s)", async (engine, processes) => {
  const { dataDir, database } = await place(engine);
  const { file } = makeKeyFile();
  const count = join(temporaryDirectory(), "count");
  const command = `echo once >> ${count}; cat ${file}`;
  const server = await start({ dataDir, database, args: ["--processes", String(processes), "--key-command", command] });
  const { token } = server;
  const secret = await createToken(server, token);
  const number = async () => {
    const answer = await fetch(`${server.url}/metrics`, { headers: { "x-consul-token": token } });
    return Number(/^tessera_processes (\d)$/m.exec(await answer.text())?.[1]);
  };
  await expect.poll(number).toBe(processes);
  for (let request = 0; request < 20; request++) expect(await answersTo(server, secret)).toBe(200);
  expect(readFileSync(count, "utf8")).toBe("once\n".repeat(processes));
});
