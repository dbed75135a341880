/** Release checks that read only the checkout: versions, changelog, licenses. They finish quickly. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Libraries } from "../licences.ts";

/** Finding of a check. */
export interface Finding {
  /**
   * `wrong` blocks any release. `open` is a step that only the release commit itself does, so a rehearsal continues.
   * `said` is for information.
   */
  kind: "wrong" | "open" | "said";
  text: string;
}

/** State of the commit to release. */
export interface Commit {
  /** Output of `git status --porcelain`. */
  status: string;
  /** Tags that point at the commit. */
  tags: readonly string[];
}

/**
 * Whether the tree is clean, and whether all that names the version names the same, the tag included.
 *
 * @param root of the checkout @throws Error when a file that names it is missing
 */
export function checkVersion(root: string, { status, tags }: Commit): Finding[] {
  const version = versionOf(root);
  const chart = readFileSync(join(root, "deploy/helm/Chart.yaml"), "utf8");
  const others: Record<string, string | undefined> = {
    "packages/client/package.json": readJson<{ version: string }>(root, "packages/client/package.json").version,
    "version of deploy/helm/Chart.yaml": /^version: "?([^"\n]+)"?$/m.exec(chart)?.[1],
    "appVersion of deploy/helm/Chart.yaml": /^appVersion: "?([^"\n]+)"?$/m.exec(chart)?.[1],
  };
  const findings: Finding[] = [];
  if (!/^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/.test(version)) {
    findings.push({ kind: "wrong", text: `packaging/manifest.json has the version ${version}, which is none` });
  }
  for (const [place, told] of Object.entries(others)) {
    if (told !== version) {
      findings.push({
        kind: "wrong",
        text: `${place} is ${told ?? "missing"}, where packaging/manifest.json says ${version}`,
      });
    }
  }
  if (status.trim() !== "") findings.push({ kind: "wrong", text: `the tree is not clean:\n${status.trimEnd()}` });
  const releases = tags.filter((tag) => /^v\d/.test(tag));
  if (releases.length === 0) findings.push({ kind: "open", text: `the commit has no tag v${version}` });
  for (const tag of releases.filter((each) => each !== `v${version}`)) {
    findings.push({ kind: "wrong", text: `the commit has the tag ${tag}, and the version is ${version}` });
  }
  return findings;
}

/** Whether the changelog has the version's part, with a day and something in it, and nothing that waits above it. */
export function checkChangelog(root: string): Finding[] {
  const version = versionOf(root);
  const parts = readFileSync(join(root, "CHANGELOG.md"), "utf8").split(/^## /m).slice(1);
  const own = parts.find((part) => part.startsWith(`${version} `) || part.startsWith(`[${version}] `));
  const waiting = parts.find((part) => part.startsWith("Unreleased"));
  const holds = (part: string | undefined): boolean => part !== undefined && /^- /m.test(part);
  if (own === undefined) {
    return holds(waiting)
      ? [{ kind: "open", text: `CHANGELOG.md has no part "## ${version} - DAY" yet; its Unreleased becomes that` }]
      : [{ kind: "wrong", text: `CHANGELOG.md has neither a part for ${version} nor anything under Unreleased` }];
  }
  const findings: Finding[] = [];
  if (!/^\S+ - \d{4}-\d\d-\d\d$/m.test(own.split("\n")[0] ?? "")) {
    findings.push({
      kind: "wrong",
      text: `the part for ${version} in CHANGELOG.md has no day: "## ${version} - 2026-12-01"`,
    });
  }
  if (!holds(own)) findings.push({ kind: "wrong", text: `the part for ${version} in CHANGELOG.md is empty` });
  if (holds(waiting)) {
    findings.push({
      kind: "wrong",
      text: `CHANGELOG.md still has something under Unreleased beside the part for ${version}`,
    });
  }
  return findings;
}

/** Whether each library that was packed stands, by name and version, in the licences that go along. */
export function checkPackedLicences(packed: Libraries, text: string): Finding[] {
  return Object.values(packed)
    .flat()
    .map(
      ({ name, version, license }: Libraries["server"][number]) =>
        `${name}${version === undefined ? "" : ` ${version}`} (${license})\n`,
    )
    .filter((title) => !text.includes(`${"=".repeat(80)}\n${title}`))
    .map((title) => ({ kind: "wrong", text: `THIRD-PARTY-LICENSES has no part for ${title.trim()}` }));
}

/** Whether two folders of sums are the same. */
export function compareSums(first: string, second: string): Finding[] {
  const read = (text: string): Map<string, string> =>
    new Map(
      text
        .trimEnd()
        .split("\n")
        .map((line) => [line.slice(66), line.slice(0, 64)]),
    );
  const [one, other] = [read(first), read(second)];
  return [...new Set([...one.keys(), ...other.keys()])]
    .toSorted()
    .filter((name) => one.get(name) !== other.get(name))
    .map((name) => ({ kind: "wrong", text: `${name} is not the same when it is made a second time` }));
}

/** Returns the version of the released package. @throws Error when the manifest is missing */
export function versionOf(root: string): string {
  return readJson<{ version: string }>(root, "packaging/manifest.json").version;
}

function readJson<T>(root: string, name: string): T {
  const path = join(root, name);
  if (!existsSync(path)) throw new Error(`there is no ${name}`);
  return JSON.parse(readFileSync(path, "utf8")) as T;
}
