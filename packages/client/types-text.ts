import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const generator = join(import.meta.dirname, "generator");

type Json = Readonly<Record<string, unknown>>;

/** Members of a document that are prose. They change more often than the structure that a program requires. */
const PROSE = new Set(["description", "summary", "example", "examples", "title", "info", "servers"]);

/**
 * The text of `src/types.gen.ts`: the types of all that operations take and answer, made by hey-api's generator, which is
 * installed where it is missing.
 *
 * @throws Error when the generator fails
 */
export function typesText(document: object): string {
  const folder = mkdtempSync(join(tmpdir(), "tessera-types-"));
  try {
    writeFileSync(join(folder, "document.json"), JSON.stringify(withoutFailures(document as Json)));
    if (!existsSync(join(generator, "node_modules"))) run("npm", ["ci", "--prefix", generator]);
    const options = ["-i", join(folder, "document.json"), "-o", join(folder, "out"), "-p", "@hey-api/typescript"];
    run(process.execPath, [join(generator, "node_modules/@hey-api/openapi-ts/bin/run.js"), ...options]);
    const types = readFileSync(join(folder, "out/types.gen.ts"), "utf8").split("\n").slice(2).join("\n");
    const head = "// Made by `npm run generate:client` from the server's own document; do not edit.\n";
    return `${head}// Structure: ${structureOf(document)}\n\n${types.trimEnd()}\n\n${byOperation(document, types)}`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A digest of what types follow from: all of a document but its prose. */
export function structureOf(document: object): string {
  const text = JSON.stringify(document, (key, value: unknown) =>
    // A property of an object may be called as prose is.
    PROSE.has(key) && !isSchema(value) ? undefined : value,
  );
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}

function isSchema(value: unknown): boolean {
  return typeof value === "object" && value !== null && ["type", "anyOf", "$ref"].some((name) => name in value);
}

/** Removes responses other than 2xx: errors have types of the client's own, and 304 is handled inside the client. */
function withoutFailures(document: Json): Json {
  const copy = structuredClone(document) as {
    paths: Record<string, Record<string, { responses?: Record<string, unknown> }>>;
  };
  for (const operation of Object.values(copy.paths).flatMap((methods) => Object.values(methods))) {
    for (const status of Object.keys(operation.responses ?? {})) {
      if (!/^2\d\d$/.test(status)) delete operation.responses?.[status];
    }
  }
  return copy;
}

/** An interface by which the types of an operation are found by its name. */
function byOperation(document: object, types: string): string {
  const { paths } = document as { paths: Record<string, Record<string, { operationId?: string }>> };
  // A path contains its operations, and may contain parameters that all of them share.
  const ids = Object.values(paths)
    .flatMap((parts) => Object.values(parts))
    .flatMap(({ operationId }) => operationId ?? []);
  const lines = ids.map((id) => {
    const name = id[0]?.toUpperCase() + id.slice(1);
    for (const part of ["Data", "Responses"]) {
      if (!types.includes(`export type ${name}${part} =`)) throw new Error(`no type ${name}${part} for ${id}`);
    }
    return `    ${id}: { takes: ${name}Data; answers: ${name}Responses };\n`;
  });
  return `/** Parameters, bodies and responses of each operation. */\nexport interface OperationTypes {\n${lines.join("")}}\n`;
}

function run(command: string, given: readonly string[]): void {
  const { status, stdout, stderr, error } = spawnSync(command, given, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${command} ${given.join(" ")} failed\n${stdout}${stderr}`, { cause: error });
}
