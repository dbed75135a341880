/**
 * The keys by which declared files find objects (kind, where it lies, name; see docs/declared.md), as they follow from records of
 * what was written, and what lies around an object.
 */
import { createHash } from "node:crypto";
import type { AuditEntry, RuleContent } from "../../storage/database.ts";
import { fold } from "../../fold.ts";

/** Names an organization by its ID, as a transaction finds it; undefined when it is gone. */
export type NameOf = (id: string) => Promise<string | undefined>;

/** Kinds that lie in an organization. */
const OF_ORGANIZATIONS: ReadonlySet<string> = new Set(["project", "tag", "tag-rules", "workspace"]);
/** Kinds that lie in nothing. */
const OF_SERVERS: ReadonlySet<string> = new Set(["organization", "partition"]);
/** Kinds that records call otherwise than files do. */
const IN_FILES: Readonly<Record<string, string>> = { "tag-policy": "tag-rules" };

/** The parts of a key. */
function partsOf(key: string): { kind: string; path: string[] } {
  const end = key.indexOf(" ");
  return { kind: key.slice(0, end), path: key.slice(end + 1).split("/") };
}

/** The partition that an object lies in; undefined for what lies in none. */
export function partitionOf(key: string): string | undefined {
  const { kind, path } = partsOf(key);
  return OF_ORGANIZATIONS.has(kind) || OF_SERVERS.has(kind) ? undefined : path[0];
}

/** The organization that an object is or lies in; undefined for any other. */
export function organizationOf(key: string): string | undefined {
  const { kind, path } = partsOf(key);
  return OF_ORGANIZATIONS.has(kind) || kind === "organization" ? path[0] : undefined;
}

/** The keys of what an object lies in: with it, the object goes, or is found by another key. */
export function containersOf(key: string): string[] {
  const { kind, path } = partsOf(key);
  const [first = "", namespace = "", method = ""] = path;
  if (OF_SERVERS.has(kind)) return [];
  if (OF_ORGANIZATIONS.has(kind)) return [`organization ${first}`];
  if (kind === "namespace") return [`partition ${first}`];
  const around = [`partition ${first}`, `namespace ${first}/${namespace}`];
  return kind === "binding-rule" ? [...around, `auth-method ${first}/${namespace}/${method}`] : around;
}

/**
 * The keys of an object that was written: that by which it is found now, and that by which it was found before.
 *
 * @returns also whether what lies in it goes with it, or is found by other keys from now on
 */
export async function keysOf(entry: AuditEntry, nameOf: NameOf): Promise<{ keys: string[]; isAround: boolean }> {
  const { partition = "", namespace = "", organizationId } = entry;
  const kind = IN_FILES[entry.kind] ?? entry.kind;
  const ofPartition = kind === "namespace" ? [partition] : [partition, namespace];
  const ofOrganization = async (id: string) => [(await nameOf(id)) ?? ""];
  const place = OF_SERVERS.has(kind)
    ? []
    : organizationId === undefined
      ? ofPartition
      : await ofOrganization(organizationId);
  const keys = namesOf(kind, entry).map((name) =>
    fold(`${kind} ${[...place, name].filter((part) => part !== "").join("/")}`),
  );
  return { keys, isAround: entry.action === "delete" || keys.length > 1 };
}

function namesOf(kind: string, { objectId, name, otherName = name, within = "", says = [] }: AuditEntry): string[] {
  if (kind === "token") return [objectId];
  const names = [...new Set([name, otherName])];
  if (kind !== "binding-rule") return names;
  // Whether another rule has this description too is not known here.
  const rules = [...names.filter((each) => each !== "").map(describedName), ...says.map(undescribedName)];
  return rules.map((each) => `${within}/${each}`);
}

const LONGEST_DESCRIPTION = 200;

/** Returns the name of a binding rule in keys, by its description. */
export function describedName(description: string): string {
  if (description.length <= LONGEST_DESCRIPTION) return description;
  return `${description.slice(0, LONGEST_DESCRIPTION)}~${digest(description)}`;
}

/** Returns the name of a binding rule in keys that has no description of its own. */
export function undescribedName(content: RuleContent): string {
  return `~${digest(JSON.stringify(content))}`;
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}
