/** The page of clients names what runs: each module of test/clients with its version, and what recordings and checks are of. */
import { globSync, readFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { expect, test } from "vitest";

const repository = resolve(import.meta.dirname, "../..");
const read = (path: string) => readFileSync(join(repository, path), "utf8");

/** By what the first column has, the version that the second one has. */
function rows(): Map<string, string> {
  const [, table = ""] = /\n\| Client \|.*\n\|.*\n((?:\|.*\n)+)/.exec(read("docs/clients.md")) ?? [];
  return new Map(
    table
      .trimEnd()
      .split("\n")
      .map((line) => line.split("|").map((cell) => cell.trim().replaceAll("`", "")))
      .map(([, client = "", version = ""]) => [client, version]),
  );
}

test("each Go module of test/clients stands in the table with the version of its go.mod", () => {
  const modules = globSync("test/clients/*/go.mod", { cwd: repository });
  expect(modules.length).toBeGreaterThan(2);
  for (const path of modules) {
    const text = read(path);
    const clients = [...text.matchAll(/^\t(github\.com\/hashicorp\/(?:go-tfe(?:\/v\d+)?|consul\/api)) v(\S+)$/gm)];
    expect(clients, basename(dirname(path))).toHaveLength(1);
    for (const [, client = "", version = ""] of clients) expect(rows().get(client), client).toBe(version);
  }
});

test("the Python client stands there with the version of its requirements", () => {
  const [, version] = /^pytfe==(.+)$/m.exec(read("test/clients/pytfe/requirements.txt")) ?? [];
  expect(version).toBeDefined();
  expect(rows().get("pytfe")).toBe(version);
});

test("the recordings are of the provider that the table names", () => {
  const agents = globSync("test/clients/terraform/exchanges/*.json", { cwd: repository }).map(
    (path) => (JSON.parse(read(path)) as { headers: Record<string, string> }).headers["user-agent"] ?? "",
  );
  const versions = new Set(agents.flatMap((agent) => /^terraform-provider-tfe\/(.+)$/.exec(agent)?.[1] ?? []));
  expect([...versions]).toEqual([rows().get("hashicorp/tfe provider")]);
});

test("the compilers and releases of Node.js are those with which the client is tried", () => {
  const text = read("test/client/nodes.ts");
  const majors = (name: string) =>
    JSON.parse(new RegExp(`const ${name} = (\\[.*\\]);`).exec(text)?.[1] ?? "[]") as readonly string[];
  const page = read("docs/clients.md");
  for (const release of majors("RELEASES"))
    expect(page).toMatch(new RegExp(`Node\\.js .*\\b${release.split(".")[0]}\\b`));
  for (const release of majors("COMPILERS")) {
    const [major, minor] = release.split(".");
    expect(page).toMatch(new RegExp(`TypeScript .*\\b${major}${major === "7" ? "" : `\\.${minor}`}\\b`));
  }
  expect([majors("RELEASES").length, majors("COMPILERS").length]).toEqual([4, 3]);
});
