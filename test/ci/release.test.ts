/**
 * Tests of the reasons for which a release is refused. `npm run release -- --dry-run`, which .ci/run runs, shows that
 * everything is made twice alike.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import { MAY_DEVELOP, MAY_GO_ALONG, permits } from "../../packaging/licence-rules.ts";
import { licencesText, readLibraries, refusedLicences } from "../../packaging/licences.ts";
import { packFolder, sumOf } from "../../packaging/release/archive.ts";
import { billOfMaterials } from "../../packaging/release/bill.ts";
import { settleImage } from "../../packaging/release/image.ts";
import { checkChangelog, checkPackedLicences, checkVersion, compareSums } from "../../packaging/release/checks.ts";
import { temporaryDirectory } from "../support/engines.ts";

const repository = resolve(import.meta.dirname, "../..");
const CLEAN = { status: "", tags: ["v1.2.0"] };

interface Given {
  version?: string;
  client?: string;
  chart?: string;
  app?: string;
  changelog?: string;
}

/** A checkout as far as it is looked at; of version 1.2.0 unless said. */
function checkout(given: Given = {}): string {
  const { version = "1.2.0", client = version, chart = version, app = version } = given;
  const root = temporaryDirectory();
  const files = {
    "packaging/manifest.json": JSON.stringify({ version }),
    "packages/client/package.json": JSON.stringify({ version: client }),
    "deploy/helm/Chart.yaml": `version: ${chart}\nappVersion: "${app}"\n`,
    "CHANGELOG.md":
      given.changelog ?? "# Changelog\n\n## Unreleased\n\n## 1.2.0 - 2026-12-01\n\n### Added\n\n- A thing.\n",
  };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  return root;
}

describe("a release", () => {
  it("of a clean tree with its tag, one number everywhere and its changelog is not refused", () => {
    expect(checkVersion(checkout(), CLEAN)).toEqual([]);
    expect(checkChangelog(checkout())).toEqual([]);
  });

  it.each([
    ["the client has another version", { client: "1.1.0" }, "packages/client/package.json is 1.1.0"],
    ["the chart has another version", { chart: "1.1.0" }, "version of deploy/helm/Chart.yaml is 1.1.0"],
    ["the chart installs another version", { app: "1.1.0" }, "appVersion of deploy/helm/Chart.yaml is 1.1.0"],
    ["the version is none", { version: "next" }, "has the version next, which is none"],
  ])("is refused when %s", (_why, given, text) => {
    expect(checkVersion(checkout(given), CLEAN)).toContainEqual({ kind: "wrong", text: expect.stringContaining(text) });
  });

  it("is refused when the tree is not clean, or the tag says another version; without a tag it is only rehearsed", () => {
    const root = checkout();
    expect(checkVersion(root, { ...CLEAN, status: " M src/main.ts\n" })).toMatchObject([{ kind: "wrong" }]);
    expect(checkVersion(root, { ...CLEAN, tags: ["v1.1.9"] })).toMatchObject([{ kind: "wrong" }]);
    expect(checkVersion(root, { ...CLEAN, tags: [] })).toMatchObject([{ kind: "open" }]);
  });

  it.each([
    ["no day", "## Unreleased\n\n## 1.2.0\n\n- A thing.\n"],
    ["nothing in the version's part", "## Unreleased\n\n## 1.2.0 - 2026-12-01\n\n## 1.1.0 - 2026-11-01\n\n- Old.\n"],
    ["something that waits above it", "## Unreleased\n\n- New.\n\n## 1.2.0 - 2026-12-01\n\n- A thing.\n"],
    ["neither the part nor anything that waits", "## Unreleased\n\n## 1.1.0 - 2026-11-01\n\n- Old.\n"],
  ])("is refused by a changelog with %s", (_what, changelog) => {
    expect(checkChangelog(checkout({ changelog }))).toMatchObject([{ kind: "wrong" }]);
  });

  it("can be rehearsed while the changelog only waits", () => {
    expect(checkChangelog(checkout({ changelog: "## Unreleased\n\n- New.\n" }))).toMatchObject([{ kind: "open" }]);
  });

  it("is refused when a file is not made alike again, is missing, or is there once only", () => {
    const line = (name: string, digit: string) => `${digit.repeat(64)}  ${name}\n`;
    const first = line("a.tgz", "1") + line("b.deb", "2");
    expect(compareSums(first, first)).toEqual([]);
    expect(compareSums(first, line("a.tgz", "1") + line("b.deb", "3"))).toMatchObject([{ text: /^b\.deb is not/ }]);
    expect(compareSums(first, line("a.tgz", "1"))).toMatchObject([{ text: /^b\.deb is not/ }]);
    expect(compareSums(line("a.tgz", "1"), first)).toMatchObject([{ text: /^b\.deb is not/ }]);
  });
});

describe("licences", () => {
  it("of all dependencies are on the lists", () => {
    expect(refusedLicences(new Set())).toEqual([]);
  });

  it("that ask for more than to be told go along with nothing", () => {
    expect(permits(MAY_GO_ALONG, "MPL-2.0")).toBe(false);
    expect(permits(MAY_GO_ALONG, "(MPL-2.0 OR Apache-2.0)")).toBe(true);
    expect(permits(MAY_GO_ALONG, "(MIT AND GPL-3.0-only)")).toBe(false);
    expect(permits(MAY_GO_ALONG, "none")).toBe(false);
    expect(permits(MAY_DEVELOP, "MPL-2.0")).toBe(true);
    expect(permits(MAY_DEVELOP, "AGPL-3.0-only")).toBe(false);
    // A library of development that goes along is held to the narrower list.
    expect(refusedLicences(new Set(["axe-core"]))).toMatchObject([/^axe-core@.* has the licence MPL-2\.0$/]);
  });

  it("of the console, and of what Redoc's script has inside, stand in the package's text, and one that is missing is found", () => {
    const libraries = readLibraries({ server: ["node_modules/pino"], console: ["node_modules/react"] });
    const text = licencesText(libraries);
    expect(libraries.reference.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["redoc", "mobx", "lunr", "dompurify", "js-yaml"]),
    );
    expect(checkPackedLicences(libraries, text)).toEqual([]);
    const { reference, ...others } = libraries;
    expect(checkPackedLicences(libraries, licencesText({ ...others, reference: reference.slice(1) }))).toMatchObject([
      { kind: "wrong", text: expect.stringContaining("redoc 2.") },
    ]);
  });
});

it("a folder is packed alike whenever, by whomever and in whatever order its files were written", () => {
  const [one, other] = [temporaryDirectory(), temporaryDirectory()];
  for (const [folder, names, mode] of [
    [one, ["a", "b"], 0o600],
    [other, ["b", "a"], 0o664],
  ] as const) {
    mkdirSync(join(folder, "chart"));
    for (const name of names) writeFileSync(join(folder, "chart", name), name, { mode });
  }
  for (const folder of [one, other]) packFolder(folder, ["chart"], join(folder, "chart.tgz"), 1_790_000_000);
  expect(sumOf(join(one, "chart.tgz"))).toBe(sumOf(join(other, "chart.tgz")));
});

it("of two builds of one image, with numbers and names that were drawn, comes one digest, and what it runs stays", () => {
  const built = (drawn: string): string => {
    const folder = temporaryDirectory();
    const config = { created: "2026-09-21T14:13:20Z", container: drawn, container_config: { Hostname: drawn } };
    const text = JSON.stringify({
      ...config,
      config: { Hostname: drawn, User: "65532:65532", Healthcheck: { Test: ["CMD"] } },
    });
    writeFileSync(join(folder, drawn), text);
    const manifest = {
      schemaVersion: 2,
      config: { digest: `sha256:${drawn}`, size: text.length },
      layers: [{ size: 1 }],
    };
    writeFileSync(join(folder, "manifest.json"), JSON.stringify(manifest));
    return folder;
  };
  const [one, other] = [built("74eac5e96b3f"), built("0dc6f1dc85f2")];
  const digest = settleImage(one);
  expect(settleImage(other)).toBe(digest);
  expect(digest).toBe(`sha256:${sumOf(join(one, "manifest.json"))}`);
  const manifest = JSON.parse(readFileSync(join(one, "manifest.json"), "utf8")) as { config: { digest: string } };
  const config = readFileSync(join(one, manifest.config.digest.slice("sha256:".length)), "utf8");
  expect(manifest.config.digest).toBe(`sha256:${sumOf(join(one, manifest.config.digest.slice("sha256:".length)))}`);
  expect(JSON.parse(config)).toMatchObject({ config: { User: "65532:65532", Healthcheck: { Test: ["CMD"] } } });
});

it("the bill of materials is one by the schema of CycloneDX, says the same of the same, and has each part's libraries", () => {
  const root = temporaryDirectory();
  mkdirSync(join(root, "dist/package"), { recursive: true });
  const libraries = readLibraries({
    server: ["node_modules/pino"],
    console: ["node_modules/react", "node_modules/diff"],
  });
  const manifest = JSON.parse(readFileSync(join(repository, "packaging/manifest.json"), "utf8")) as object;
  const { optionalDependencies } = JSON.parse(readFileSync(join(repository, "package.json"), "utf8")) as {
    optionalDependencies: object;
  };
  writeFileSync(join(root, "dist/libraries.json"), JSON.stringify(libraries));
  writeFileSync(join(root, "dist/package/package.json"), JSON.stringify({ ...manifest, optionalDependencies }));
  writeFileSync(join(root, "package-lock.json"), readFileSync(join(repository, "package-lock.json")));
  const text = billOfMaterials(root, 1_790_000_000);
  expect(billOfMaterials(root, 1_790_000_000)).toBe(text);
  const bill = JSON.parse(text) as {
    serialNumber?: string;
    metadata: { timestamp: string };
    components: { "bom-ref": string; hashes?: object[] }[];
  };
  expect(faultsOf(bill)).toEqual([]);
  expect(bill.serialNumber).toBeUndefined();
  expect(bill.metadata.timestamp).toBe("2026-09-21T14:13:20.000Z");
  const refs = bill.components.map((each) => each["bom-ref"]);
  expect(refs).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^server:pkg:npm\/pino@/),
      expect.stringMatching(/^console:pkg:npm\/react@/),
      "reference:pkg:npm/mobx",
    ]),
  );
  const pino = bill.components.find((each) => each["bom-ref"].startsWith("server:pkg:npm/pino@"));
  expect(pino?.hashes).toMatchObject([{ alg: "SHA-512", content: expect.stringMatching(/^[0-9a-f]{128}$/) }]);
});

/** By the standard's own schemas. */
function faultsOf(bill: object): unknown[] {
  const folder = join(
    dirname(createRequire(import.meta.url).resolve("@cyclonedx/cyclonedx-library/package.json")),
    "res/schema",
  );
  const read = (name: string): object => JSON.parse(readFileSync(join(folder, name), "utf8")) as object;
  const formats = Object.fromEntries(
    ["iri-reference", "idn-email", "date-time", "email", "uri"].map((name) => [name, true as const]),
  );
  const ajv = new Ajv({ strict: false, formats });
  ajv.addSchema(read("spdx.SNAPSHOT.schema.json"), "http://cyclonedx.org/schema/spdx.SNAPSHOT.schema.json");
  ajv.addSchema(read("jsf-0.82.SNAPSHOT.schema.json"), "http://cyclonedx.org/schema/jsf-0.82.SNAPSHOT.schema.json");
  const validate = ajv.compile(read("bom-1.6.SNAPSHOT.schema.json"));
  return validate(bill) ? [] : (validate.errors ?? []);
}
