/**
 * Links that a plan adds and that deny something. A server that compares no rights does not report what they take, so
 * that they are found by the rules of what is linked to.
 */
import { fold } from "../fold.ts";
import type { PlannedChange } from "./change.ts";
import { contentOf } from "./live.ts";
import { keyOf, kindOf, type KindName, type Where } from "./kinds.ts";
import { readIfThere, scopeQuery, type Server } from "./server.ts";
import type { FileContent } from "./shape.ts";

/** Returns what a changed object is given and denies something, such as `policy-default no-keys`. */
export type FindDenials = (change: PlannedChange) => Promise<string[]>;

/** Members that link, by what they link to. */
const LINKS: Readonly<Record<string, "policy" | "role">> = {
  policies: "policy",
  roles: "role",
  "policy-defaults": "policy",
  "role-defaults": "role",
};

const READS = { policy: "readPolicyByName", role: "readRoleByName" } as const;

/** @param where the place of what is linked to. @param changes all changes of the plan, which count as made */
export function denialsAt(server: Server, where: Where, changes: readonly PlannedChange[]): FindDenials {
  const planned = new Map(changes.map(({ object, content }) => [object.key, content]));
  const known = new Map<string, Promise<boolean>>();

  async function contentAt(kind: "policy" | "role", name: string): Promise<FileContent> {
    const content = planned.get(keyOf(kind, where, name));
    if (content !== undefined) return content;
    const query = scopeQuery(server, where);
    const wire = await readIfThere(server, READS[kind], { path: { name }, query });
    return wire === undefined ? {} : contentOf(kindOf(kind), wire);
  }

  async function readDenies(kind: "policy" | "role", name: string): Promise<boolean> {
    const { rules, policies } = await contentAt(kind, name);
    if (kind === "policy") return typeof rules === "string" && /\bdeny\b/i.test(rules);
    for (const policy of textsIn(policies)) if (await denies("policy", policy)) return true;
    return false;
  }

  function denies(kind: "policy" | "role", name: string): Promise<boolean> {
    const key = keyOf(kind, where, name);
    const found = known.get(key) ?? readDenies(kind, name);
    known.set(key, found);
    return found;
  }

  return async ({ action, object, fields }) => {
    if (action !== "update" || !HOLDERS.includes(object.kind.name)) return [];
    const found: string[] = [];
    for (const { name, before, after } of fields) {
      const kind = LINKS[name];
      if (kind === undefined) continue;
      const had = new Set(textsIn(before).map(fold));
      for (const each of textsIn(after)) {
        if (!had.has(fold(each)) && (await denies(kind, each))) found.push(`${linkName(name)} ${each}`);
      }
    }
    return found;
  };
}

const HOLDERS: readonly KindName[] = ["role", "token", "namespace"];

/** Returns the name of one link of a member, such as `policy` of `policies`. */
export function linkName(member: string): string {
  return member.replace(/ies$/, "y").replace(/s$/, "");
}

function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
