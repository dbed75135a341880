/** The client as it is published. */
import { execFile } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { rolldown } from "rolldown";
import { beforeAll, describe, expect, it } from "vitest";
import { structureOf } from "../../packages/client/types-text.ts";
import { makeDatabaseUrl, temporaryDirectory } from "../support/engines.ts";
import { startServer } from "../support/server.ts";
import { callsProgram } from "./calls-program.ts";
import { compileWith, installClient, readmeProgram, run, USERS_SETTINGS } from "./installed.ts";

const root = resolve(import.meta.dirname, "../..");

describe("the packed client", () => {
  let program: string;
  let calls: string;

  beforeAll(async () => {
    program = installClient(temporaryDirectory(), readmeProgram());
    calls = callsProgram(await readDocument());
  }, 120_000);

  it("runs every example of its README, compiled against its types, with what it exports and nothing else", async () => {
    const server = await startServer({ database: await makeDatabaseUrl("sqlite") });
    const env = { PATH: process.env["PATH"], TESSERA_ADDR: server.url, TESSERA_TOKEN: server.token };
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [program], { env });
    await server.stop();
    const [tag, policies, roles, missing, index, ...rest] = stdout.trim().split("\n");
    expect(tag).toBe("production");
    expect(policies).toBe("1");
    expect(roles).toBe("roles: 0");
    expect(missing).toMatch(/^404 not found .+ [\w-]+$/);
    expect(index).toMatch(/^\d+ [\w-]+ 2$/);
    expect([rest, stderr]).toEqual([[], ""]);
  });

  const compile = (options: object, file: string, text: string) => {
    writeFileSync(join(dirname(program), file), text);
    const compiler = join(root, "node_modules/typescript/bin/tsc");
    compileWith(dirname(program), options, [file], compiler, join(root, "node_modules/@types"));
  };

  it.each([...USERS_SETTINGS])(
    "incident 79: compiles its README, and a call of each operation, by %s",
    (_name, options) => {
      expect(failureOf(() => compile(options, "readme.ts", readmeProgram()))).toBe(COMPILES);
      expect(failureOf(() => compile(options, "calls.ts", calls))).toBe(COMPILES);
    },
  );

  it.each([true, false])("refuses a call that the server does not know (exact optional members: %s)", (isExact) => {
    const wrong = `import { createClient } from "@tessera-server/client";
      const tessera = createClient({ address: "http://127.0.0.1" });
      await tessera.tags.list({});
      await tessera.policies.create({ body: { Rulez: "" } });
      await tessera.policies.list({ sarch: "x" }).all();
      await tessera.request("listPolicy");
      await tessera.account.read({ body: {} });`;
    const options = { target: "es2022", module: "nodenext", strict: true, exactOptionalPropertyTypes: isExact };
    const said = failureOf(() => compile(options, "wrong.ts", wrong)).split("wrong.ts(");
    for (const [line, name] of ["organization", "Rulez", "sarch", "listPolicy", "body"].entries())
      expect(said[line + 1]).toMatch(new RegExp(`^${line + 3},[^]*['"]${name}['"]`));
    expect(said).toHaveLength(6);
  });

  it("has no dependencies, a licence, and no file that is not JavaScript or its types", () => {
    const folder = join(dirname(program), "node_modules/@tessera-server/client");
    const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as object;
    expect(manifest).not.toHaveProperty("dependencies");
    expect(manifest).toMatchObject({ engines: { node: ">=20" }, license: "Apache-2.0" });
    expect(existsSync(join(folder, "LICENSE"))).toBe(true);
    const files = run(folder, "find", ".", "-type", "f").trim().split("\n");
    expect(
      files.filter((name) => !/^\.\/(dist\/[\w.]+\.(js|d\.ts)|package\.json|README\.md|LICENSE)$/.test(name)),
    ).toEqual([]);
  });

  it("takes at most 12 kB, minified and packed", async () => {
    const made = await rolldown({ input: join(root, "packages/client/src/index.ts"), logLevel: "silent" });
    const { output } = await made.generate({ format: "esm", minify: true });
    await made.close();
    const bytes = gzipSync(output[0].code, { level: 9 }).length;
    expect(output).toHaveLength(1);
    expect(bytes).toBeGreaterThan(1000);
    expect(bytes).toBeLessThanOrEqual(12_000);
  });
});

describe("the client's types", () => {
  it("are those of the server's document", async () => {
    const types = readFileSync(join(root, "packages/client/src/types.gen.ts"), "utf8");
    // Else: npm run generate:client
    expect(types).toContain(`// Structure: ${structureOf(await readDocument())}\n`);
  });
});

const COMPILES = "it compiles";

async function readDocument(): Promise<object> {
  const server = await startServer({ database: await makeDatabaseUrl("sqlite") });
  const document: unknown = await (await fetch(`${server.url}/openapi.json`)).json();
  await server.stop();
  return document as object;
}

function failureOf(compile: () => void): string {
  try {
    compile();
  } catch (thrown) {
    return String(thrown);
  }
  return COMPILES;
}
