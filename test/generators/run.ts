/**
 * `npm run test:generators`: three generators of clients make one from the document of this checkout's server, each is
 * compiled, and each is used once against that server. Needs Go and Python 3 with `venv`; each generator alone by its name.
 */
import { spawn, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const root = resolve(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "tessera-generators-"));
const documentFile = join(folder, "openapi.json");

/** Runs a program to its end. @throws Error when it fails, behind what it said */
function run(where: string, program: string, ...args: string[]): void {
  const { status, error } = spawnSync(program, args, { cwd: where, stdio: "inherit", env: process.env });
  if (status !== 0) throw error ?? new Error(`${program} ${args.join(" ")}: exit status ${status}`);
}

const GENERATORS: Readonly<Record<string, (where: string) => void>> = {
  typescript(where) {
    run(where, "npm", "ci", "--silent");
    run(where, "node_modules/.bin/openapi-ts", "-i", documentFile, "-o", "client", "--silent");
    run(where, "node_modules/.bin/tsc", "-p", ".");
    run(where, process.execPath, "made/use.js");
  },
  python(where) {
    run(where, "python3", "-m", "venv", "venv");
    run(where, "venv/bin/pip", "install", "--quiet", "--disable-pip-version-check", "-r", "requirements.txt");
    const settings = "generate --meta none --output-path client --config config.yaml --fail-on-warning --path";
    process.env["PATH"] = `${join(where, "venv/bin")}:${process.env["PATH"]}`;
    run(where, "venv/bin/openapi-python-client", ...settings.split(" "), documentFile);
    run(where, "venv/bin/python", "-m", "compileall", "-q", "client");
    run(where, "venv/bin/python", "use.py");
  },
  go(where) {
    mkdirSync(join(where, "client"));
    run(
      where,
      "go",
      "tool",
      "oapi-codegen",
      "-generate",
      "types,client",
      "-package",
      "client",
      "-o",
      "client/client.go",
      documentFile,
    );
    run(where, "go", "build", "-o", "use", ".");
    run(where, "./use");
  },
};

const addressFile = join(folder, "address");
const data = join(folder, "data");
const server = spawn(
  process.execPath,
  [join(root, "src/main.ts"), "serve", "--listen", "127.0.0.1:0", "--data-dir", data, "--address-file", addressFile],
  { stdio: ["ignore", "ignore", "inherit"] },
);
try {
  for (let tries = 0; !existsSync(addressFile) || !readFileSync(addressFile, "utf8").endsWith("\n"); tries++) {
    if (tries > 1200 || server.exitCode !== null) throw new Error("the server did not start");
    await sleep(50);
  }
  const address = readFileSync(addressFile, "utf8").trim();
  process.env["TESSERA_ADDRESS"] = address;
  process.env["TESSERA_TOKEN"] = readFileSync(join(data, "management-token"), "utf8").trim();
  writeFileSync(documentFile, await (await fetch(new URL("/openapi.json", address))).text());
  const asked = process.argv.slice(2);
  for (const [name, generate] of Object.entries(GENERATORS)) {
    if (asked.length > 0 && !asked.includes(name)) continue;
    const started = performance.now();
    const where = join(folder, name);
    cpSync(join(import.meta.dirname, name), where, {
      recursive: true,
      filter: (path) => !path.includes("node_modules"),
    });
    generate(where);
    console.log(`${name}: generated, compiled and used in ${Math.round((performance.now() - started) / 1000)} s`);
  }
} finally {
  server.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
}
