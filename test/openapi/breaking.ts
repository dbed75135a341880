/**
 * `npm run check:breaking`: whether a client of the last release can go on as it is with this checkout's server, by oasdiff
 * (needs Go). `npm run release:openapi` writes the document that is compared with, at a release.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fetchDocument } from "../../packages/client/fetch-document.ts";

const OASDIFF = "github.com/oasdiff/oasdiff@v1.36.0";
const RELEASED = resolve(import.meta.dirname, "../../docs/api/openapi-released.json");
/**
 * Findings that break no client, line by line: values that the server has always refused, and that the document now
 * names; members of organizations that are left out where the answer was 404 before.
 */
const KNOWN = resolve(import.meta.dirname, "no-breaks.txt");

interface Document {
  paths: Record<string, Record<string, { parameters?: object[] }>>;
}

/**
 * Changes between two documents that break clients, in words; empty for none. @throws Error when they cannot be
 * compared
 */
function breaksBetween(folder: string, before: string, after: string): string {
  const files = [join(folder, "before.json"), join(folder, "after.json")] as const;
  writeFileSync(files[0], before);
  writeFileSync(files[1], after);
  const { status, stdout, stderr, error } = spawnSync(
    "go",
    ["run", OASDIFF, "breaking", ...files, "--fail-on", "ERR", "--err-ignore", KNOWN],
    {
      cwd: folder,
      encoding: "utf8",
      env: { ...process.env, GOFLAGS: "-mod=mod" },
    },
  );
  if (status === 0) return "";
  if (status !== 1 || !stdout.includes("[")) throw error ?? new Error(`oasdiff failed: ${stdout}${stderr}`);
  return stdout;
}

/** Changes that break clients, each with what it is called; the comparison has to find each of them. */
const BREAKING: readonly (readonly [rule: string, change: (document: Document) => void])[] = [
  ["api-path-removed", (document) => delete document.paths["/v1/acl/policy/{id}"]],
  ["api-removed", (document) => delete document.paths["/api/v2/tags/{tag_id}"]?.["patch"]],
  [
    "new-required-request-parameter",
    (document) =>
      document.paths["/v1/acl/policies"]?.["get"]?.parameters?.push({
        name: "team",
        in: "query",
        required: true,
        schema: { type: "string" },
      }),
  ],
];

function proveComparison(folder: string, released: string): void {
  const broken = JSON.parse(released) as Document;
  for (const [, change] of BREAKING) change(broken);
  const found = breaksBetween(folder, released, JSON.stringify(broken));
  for (const [rule] of BREAKING)
    if (!found.includes(`[${rule}`)) throw new Error(`The comparison does not find ${rule}:\n${found}`);
}

const folder = mkdtempSync(join(tmpdir(), "tessera-breaking-"));
try {
  const now = await fetchDocument();
  if (process.argv[2] === "--release") {
    writeFileSync(RELEASED, `${now}\n`);
  } else {
    const released = readFileSync(RELEASED, "utf8");
    proveComparison(folder, released);
    const breaks = breaksBetween(folder, released, now);
    if (breaks !== "") throw new Error(`Clients of the last release break:\n${breaks}`);
    console.log(`No client of the last release breaks, and ${BREAKING.length} changes that break some are found.`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
