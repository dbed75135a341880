/**
 * Makes a release, or rehearses it: from a clean clone of the commit, every artefact, twice, which must be the same byte for byte; and
 * checks whatever can be checked before anybody downloads it. It publishes nothing: docs/operations/release.md says who does, and how.
 *
 *     npm run release -- --dry-run            all of it, in a temporary folder that is removed
 *     npm run release -- --dry-run --short    without what .ci/run does in steps of its own
 *     npm run release                         the same for a commit that has its tag; dist/release keeps the artefacts
 */
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { refusedLicences, type Libraries } from "../licences.ts";
import { checkChangelog, checkPackedLicences, checkVersion, compareSums, type Finding, versionOf } from "./checks.ts";

const root = resolve(import.meta.dirname, "../..");
const { values } = parseArgs({ options: { "dry-run": { type: "boolean" }, short: { type: "boolean" } } });
const isRehearsal = values["dry-run"] === true;
const isShort = values.short === true;
if (isShort && !isRehearsal) throw new Error("--short is for --dry-run: a release leaves nothing out");

const scratch = mkdtempSync(join(tmpdir(), "tessera-release-"));
let refused = false;
try {
  release();
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
process.exitCode = refused ? 1 : 0;

function release(): void {
  const commit = git("rev-parse", "HEAD");
  const epoch = Number(git("log", "-1", "--format=%ct"));
  say(`${versionOf(root)} of commit ${commit}, dated ${new Date(epoch * 1000).toISOString()}`);
  const tags = git("tag", "--points-at", "HEAD").split("\n").filter(Boolean);
  tell("tree, version and tag", checkVersion(root, { status: git("status", "--porcelain"), tags }));
  tell("changelog", checkChangelog(root));
  // Elsewhere in the tree, and in another time zone: neither may be seen in what is made.
  const [one, two] = [join(scratch, "one"), join(scratch, "two/deeper/in/the/tree")] as const;
  clone(one, commit);
  install(one);
  const first = make(one, join(scratch, "first"), epoch, "UTC");
  clone(two, commit);
  if (isShort)
    cpSync(join(one, "node_modules"), join(two, "node_modules"), { recursive: true, verbatimSymlinks: true });
  else install(two);
  const second = make(two, join(scratch, "second"), epoch, "Pacific/Auckland");
  tell("made twice, byte for byte the same", compareSums(sumsIn(first), sumsIn(second)));
  list(first);
  tell("licences", licences(one));
  if (isShort)
    say("left out, as .ci/run has them: the image, upgrades, the API document; and the registry's signatures");
  else checkLong(one);
  if (!isRehearsal && !refused) {
    const target = join(root, "dist/release");
    rmSync(target, { recursive: true, force: true });
    cpSync(first, target, { recursive: true });
    say(`${target} holds what is to be approved and published; see docs/operations/release.md`);
  }
  say(refused ? "refused" : isRehearsal ? "this commit can be released, but for what is open" : "made");
}

/** Runs the checks that take minutes. */
function checkLong(folder: string): void {
  const upgrades = ["test/upgrades", "test/nodes/upgrade.test.ts"];
  tell("a database of the last release upgrades, rolling", command(folder, "npx", "vitest", "run", ...upgrades));
  tell(
    "the API document breaks no client of the last release",
    command(folder, "npm", "run", "--silent", "check:breaking"),
  );
  tell("signatures of the registry", signatures(folder));
}

/**
 * Verifies signatures of the configured npm registry. A registry without signatures, or an unreachable one, is only
 * reported.
 */
function signatures(folder: string): Finding[] {
  const { status, stdout, stderr } = spawnSync("npm", ["audit", "signatures"], { cwd: folder, encoding: "utf8" });
  const text = `${stdout}${stderr}`;
  if (status === 0) return [{ kind: "said", text: stdout.trim() }];
  // Only what was looked at and is wrong refuses: a missing or invalid signature.
  if (/invalid|have missing/i.test(text)) return [{ kind: "wrong", text }];
  return [
    {
      kind: "said",
      text: `not checked, as the registry cannot be asked: ${text.split("\n").find((line) => /error/i.test(line)) ?? "it says nothing"}`,
    },
  ];
}

function licences(folder: string): Finding[] {
  const packed = JSON.parse(readFileSync(join(folder, "dist/libraries.json"), "utf8")) as Libraries;
  const names = new Set(Object.values(packed).flatMap((each: Libraries["server"]) => each.map(({ name }) => name)));
  const text = readFileSync(join(folder, "dist/package/THIRD-PARTY-LICENSES"), "utf8");
  const outside = refusedLicences(names).map((each): Finding => ({ kind: "wrong", text: each }));
  return [...outside, ...checkPackedLicences(packed, text), { kind: "said", text: `${names.size} libraries go along` }];
}

function clone(folder: string, commit: string): void {
  run(root, "git", ["clone", "--quiet", "--no-hardlinks", root, folder]);
  run(folder, "git", ["checkout", "--quiet", "--detach", commit]);
}

function install(folder: string): void {
  run(folder, "npm", ["ci", "--prefer-offline", "--silent"]);
}

/** @returns the folder */
function make(folder: string, target: string, epoch: number, zone: string): string {
  const started = performance.now();
  const image = isShort ? "off" : "on";
  run(folder, "node_modules/.bin/node", ["packaging/release/make.ts", target], {
    SOURCE_DATE_EPOCH: String(epoch),
    TZ: zone,
    TESSERA_RELEASE_IMAGE: image,
  });
  say(`made in ${((performance.now() - started) / 1000).toFixed(0)} s`);
  const left = spawnSync("git", ["status", "--porcelain"], { cwd: folder, encoding: "utf8" }).stdout;
  if (left !== "") tell("making leaves the clone as it was", [{ kind: "wrong", text: left }]);
  return target;
}

function sumsIn(folder: string): string {
  return readFileSync(join(folder, "SHA256SUMS"), "utf8");
}

function list(folder: string): void {
  const sums = sumsIn(folder);
  for (const name of readdirSync(folder).toSorted()) {
    const [sum = ""] = sums.split("\n").filter((line) => line.endsWith(`  ${name}`));
    say(`  ${String(statSync(join(folder, name)).size).padStart(10)} bytes  ${sum.slice(0, 16).padEnd(16)}  ${name}`);
  }
  if (!readdirSync(folder).includes("image-digest.txt"))
    say("  no image: there is no buildah here, or it was left out");
}

function command(cwd: string, name: string, ...args: string[]): Finding[] {
  const { status, stdout, stderr, error } = spawnSync(name, args, { cwd, encoding: "utf8", maxBuffer: 1 << 28 });
  return status === 0 ? [] : [{ kind: "wrong", text: error?.message ?? `${stdout}${stderr}`.slice(-4000) }];
}

function run(cwd: string, name: string, args: readonly string[], env: Record<string, string> = {}): void {
  const stdio = ["ignore", "inherit", "inherit"] as ["ignore", "inherit", "inherit"];
  const { status, error } = spawnSync(name, args, { cwd, stdio, env: { ...process.env, ...env } });
  if (status !== 0) throw new Error(`${name} ${args.join(" ")} failed`, { cause: error });
}

function git(...args: string[]): string {
  const { status, stdout, stderr } = spawnSync("git", args, { cwd: root, encoding: "utf8" });
  if (status !== 0) throw new Error(`git ${args.join(" ")} failed: ${stderr}`);
  return stdout.trimEnd();
}

/** Prints what a check found. What is open refuses a release, and no rehearsal. */
function tell(name: string, findings: readonly Finding[]): void {
  const bad = findings.filter(({ kind }) => kind === "wrong" || (kind === "open" && !isRehearsal));
  if (bad.length > 0) refused = true;
  say(`${bad.length > 0 ? "WRONG" : findings.some(({ kind }) => kind === "open") ? "open " : "right"}  ${name}`);
  for (const { text } of findings) say(`       ${text.replaceAll("\n", "\n       ")}`);
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
