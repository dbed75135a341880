/**
 * Declared files of 10,000 objects: a plan on an empty server, the first apply, a plan and an apply with nothing to do, and the
 * most memory that the command took. `node bench/declared.ts [--objects N] [--engine postgres --database URL]`
 */
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";

const { values } = parseArgs({
  options: { objects: { type: "string", default: "10000" }, database: { type: "string" } },
});
const objects = Number(values.objects);
const folder = mkdtempSync(join(tmpdir(), "tessera-bench-declared-"));
const main = resolve(import.meta.dirname, "../src/main.ts");

/** A quarter each of policies (with rules in files), roles, workspaces with tags, and tokens. */
function writeDirectory(): string {
  const directory = join(folder, "files");
  mkdirSync(join(directory, "policies"), { recursive: true });
  const each = Math.floor(objects / 4);
  const lists: Record<string, string[]> = { policies: [], roles: [], workspaces: [], tokens: [] };
  for (let n = 0; n < each; n++) {
    writeFileSync(
      join(directory, `policies/p-${n}.hcl`),
      `service "web-${n}" {\n  policy = "write"\n}\nkey_prefix "web/${n}/" {\n  policy = "read"\n}\n`,
    );
    lists["policies"]?.push(
      `kind: policy\nname: p-${n}\ndescription: What web ${n} needs\nrules-file: policies/p-${n}.hcl\n`,
    );
    lists["roles"]?.push(`kind: role\nname: r-${n}\npolicies: [p-${n}, p-${(n * 7) % each}]\n`);
    lists["workspaces"]?.push(
      `kind: workspace\norganization: bench\nname: w-${n}\ntags: [t-${n % 100}, t-${n % 7}]\ntag-bindings: { env: e-${n % 5} }\n`,
    );
    const id = `6f1c7c5e-0000-4000-8000-${String(n).padStart(12, "0")}`;
    lists["tokens"]?.push(`kind: token\naccessor-id: ${id}\ndescription: token ${n}\nroles: [r-${n}]\n`);
  }
  for (const [name, documents] of Object.entries(lists))
    writeFileSync(join(directory, `${name}.yaml`), documents.join("---\n"));
  writeFileSync(
    join(directory, "directory.yaml"),
    "kind: directory\nowner: bench\n---\nkind: organization\nname: bench\nemail: bench@example.com\n",
  );
  return directory;
}

/** Runs a command; gives how long it took, and the most memory that it had. */
async function measure(
  args: readonly string[],
  env: Record<string, string>,
): Promise<{ seconds: number; megabytes: number; last: string }> {
  const began = performance.now();
  const child = spawn(
    "/usr/bin/env",
    [process.execPath, "--import", `data:text/javascript,${encodeURIComponent(REPORT)}`, main, ...args],
    {
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  let out = "";
  let errors = "";
  child.stdout.on("data", (part: Buffer) => (out = (out + part.toString()).slice(-400)));
  child.stderr.on("data", (part: Buffer) => (errors = (errors + part.toString()).slice(-2000)));
  const code = await new Promise<number | null>((done) => child.on("close", done));
  const seconds = (performance.now() - began) / 1000;
  const kilobytes = Number(/max-rss (\d+)/.exec(errors)?.[1]);
  if (code !== 0) throw new Error(`${args.join(" ")} ended with ${code}: ${errors}`);
  return { seconds, megabytes: Math.round(kilobytes / 1024), last: out.trim().split("\n").at(-1) ?? "" };
}

const REPORT = 'process.on("exit", () => process.stderr.write(`max-rss ${process.resourceUsage().maxRSS}\\n`));';

async function startServer() {
  const place = [
    "--data-dir",
    join(folder, "data"),
    ...(values.database === undefined ? [] : ["--database", values.database]),
  ];
  const server = spawn(process.execPath, [main, "serve", ...place, "--listen", "127.0.0.1:0"], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  const address = await new Promise<string>((done, failed) => {
    const look = (part: Buffer) => {
      said += part.toString();
      const found = /listens on (http:\/\/\S+)/.exec(said)?.[1];
      if (found !== undefined) done(found);
    };
    server.stdout.on("data", look);
    server.stderr.on("data", look);
    server.on("exit", () => failed(new Error(said)));
  });
  return { server, address, token: readFileSync(join(folder, "data/management-token"), "utf8").trim() };
}

const directory = writeDirectory();
const { server, address, token } = await startServer();
try {
  const env = { TESSERA_ADDR: address, TESSERA_TOKEN: token };
  for (const [name, args, bound] of [
    ["plan", ["plan", directory, "--allow-untried"], 10],
    ["first apply", ["apply", directory, "--yes"], 60],
    ["plan with nothing to do", ["plan", directory], 10],
    ["apply with nothing to do", ["apply", directory, "--yes"], 10],
    ["export", ["export", join(folder, "exported")], 10],
  ] as const) {
    const { seconds, megabytes, last } = await measure(args, env);
    console.log(`${name}: ${seconds.toFixed(1)} s (bound ${bound}), ${megabytes} MB (bound 200); ${last}`);
  }
} finally {
  server.kill();
  rmSync(folder, { recursive: true, force: true });
}
