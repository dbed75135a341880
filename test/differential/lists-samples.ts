/** Values for the parameters of lists, those that a list refuses among them. */
import { METHOD } from "../support/scopes.ts";
import { ORGANIZATION, type World } from "./lists-world.ts";

const FLAGS = ["true", "false", ""];
const PLACES = ["default", "*", "zeta-0", "nowhere"];
/** None of hexadecimal digits alone: a search finds IDs too, and each server draws its own. */
const TEXTS = ["alp", "ALP", "Zeta", "zeta", "_", "%", "ä", "STRASSE", "日", "😀", ""];
const TAG_NAMES = ["Common", "common", "Zeta", "zeta", "Common,alpha_10", "nothing"];
const KEYS = ["env", "ENV", "Zeta", "nothing"];

const SAMPLES: Readonly<Record<string, readonly string[]>> = {
  ...fill(["q", "q[name]", "search", "search[name]"], TEXTS),
  ...fill(["q[email]"], ["lists@example.com", "LISTS", "@"]),
  ...fill(["search[wildcard-name]"], ["*a*", "A*", "*B", "a_*", "%", "*"]),
  ...fill(["search[tags]", "search[exclude-tags]", "search[exclude_tags]"], [...TAG_NAMES, "env", "Env"]),
  ...fill(["filter[tagged][0][key]", "filter[tagged]", "filter[key]"], KEYS),
  ...fill(
    ["filter[tagged][0][value]", "filter[tagged][value]"],
    ["prod", "Prod", "straße", "STRASSE", "ä", "a\u0308", "100%", ""],
  ),
  ...fill(["filter[tag-union]", "filter[tag-value-default-null]", "filter[unused]"], FLAGS),
  ...fill(["stale", "consistent", "expanded", "wan", "expires"], FLAGS),
  ...fill(["filter[permissions][update]", "filter[permissions][create-workspace]", "show_only_configured"], FLAGS),
  ...fill(["filter[names]"], ["Zeta", "zeta", "Zeta,alpha,nobody"]),
  ...fill(["filter[instance-count][gte]", "filter[instance-count][lte]"], ["0", "1", "4", "-1", "many"]),
  ...fill(["filter[current-run][status]"], ["applied", "pending,applied"]),
  ...fill(["filter[taggable-type]"], ["workspaces", "projects", "strange"]),
  ...fill(["fields[tag-binding]"], ["key", "key,value", "effective"]),
  ...fill(
    ["sort"],
    ["name", "-name", "created-at", "-created-at", "updated-at", "instance-count", "-instance-count", "strange"],
  ),
  ...fill(["include"], ["organization", "project", "effective_tag_bindings", "effective-tag-bindings", "strange"]),
  ...fill(["name"], ["Zeta", "zeta", "Common"]),
  ...fill(["page[number]"], ["1", "2", "100", "0"]),
  ...fill(["page[size]", "page-size", "limit"], ["1", "3", "100", "0"]),
  ...fill(["after", "at"], ["alpha", "Alpha-2", "a_b", "Zeta", "zz"]),
  ...fill(["ns", "partition"], PLACES),
  ...fill(["authmethod-ns"], PLACES),
  ...fill(["filter[id-prefix]"], ["tag-zeta", "ws-zeta", "prj-zeta", "zeta"]),
  ...fill(["id-prefix"], ["00000000", "zeta", "0"]),
  ...fill(["format"], ["csv", "json", "ndjson", "strange"]),
  ...fill(["namespace"], ["default", "zeta-0", "nowhere"]),
  ...fill(["filter[rule]", "filter[kind]"], ["required", "workspaces", "projects", "strange"]),
  ...fill(["authmethod", "auth-method"], [METHOD, "Zeta", "zeta", "nobody"]),
  ...fill(["servicename"], ["zeta", "Zeta", "nobody"]),
  ...fill(["unused-for"], ["24h", "0h", "strange"]),
  ...fill(["used-within"], ["24h", "strange"]),
  ...fill(["used"], ["ever", "never", "strange"]),
  ...fill(["expires-after"], ["2000-01-01T00:00:00Z", "strange"]),
  ...fill(["expires-before"], ["2100-01-01T00:00:00Z", "strange"]),
  ...fill(["index"], ["0", "-1"]),
  ...fill(["wait"], ["1s"]),
  ...fill(["max_stale"], ["10s"]),
  ...fill(["resource"], ["key", "strange"]),
  ...fill(["segment"], ["a", "A", "ä"]),
  ...fill(["access"], ["read", "write", "list"]),
  ...fill(["kind"], ["token", "role", "strange"]),
  ...fill(["accessor"], ["self", "nobody"]),
  ...fill(["namespace-defaults"], ["default", "Zeta-0", "nowhere"]),
  ...fill(["with"], ["role:Zeta", "accessor:self", "strange"]),
  ...fill(["by"], ["policy", "rule", "token", "role", "identity", "strange"]),
  ...fill(["binding-rule"], ["00000000-0000-4000-8000-000000000000", "nobody"]),
  ...fill(["id"], ["00000000-0000-4000-8000-000000000000", "nobody"]),
  ...fill(["list"], ["roles", "Roles", "strange"]),
  ...fill(["version"], ["1", "strange"]),
  ...fill(["filter"], ['Name == "Zeta"', 'Name contains "a"', 'Description matches "(?i)prod"', "Name =="]),
};

/** Parameters whose values are IDs of the world. */
const OF_WORLD: Readonly<Record<string, keyof World["ids"]>> = {
  "filter[project][id]": "project",
  "filter[exclude][taggable][id]": "workspace",
  policy: "policy",
  role: "role",
};

/** @returns values for a parameter; none where it is not known here */
export function samplesOf(name: string, { ids }: Pick<World, "ids">): readonly string[] {
  const kind = OF_WORLD[name];
  return kind === undefined ? (SAMPLES[name] ?? []) : [ids[kind], ORGANIZATION];
}

function fill(names: readonly string[], values: readonly string[]): Record<string, readonly string[]> {
  return Object.fromEntries(names.map((name) => [name, values]));
}
