/** In which order changes are made: what an object needs comes before it, and what it was needed by goes before it goes. */
import { fold } from "../fold.ts";
import type { PlannedChange } from "./change.ts";
import { keyOf, KINDS, type KindName, type Where } from "./kinds.ts";
import type { Declared } from "./object.ts";
import { wrong } from "./problem.ts";
import type { FileContent } from "./shape.ts";

/** Keys of all that an object needs to be there before it. */
export function needsOf({ kind, where, content, name }: Declared): string[] {
  const key = (other: KindName, named: unknown, at: Where = where) => keyOf(other, at, String(named));
  const links = (member: string) => (content[member] ?? []) as string[];
  const home = homesOf({ kind, where });
  switch (kind.name) {
    case "namespace": {
      const at = { ...where, namespace: "default" };
      // The links of the namespace `default` are to objects in it, and it exists already.
      return [
        ...home,
        ...links("policy-defaults").map((each) => key("policy", each, at)),
        ...links("role-defaults").map((each) => key("role", each, at)),
      ].filter((each) => each !== keyOf("namespace", where, name));
    }
    case "role":
      return [...home, ...links("policies").map((each) => key("policy", each))];
    case "token":
      return [
        ...home,
        ...links("policies").map((each) => key("policy", each)),
        ...links("roles").map((each) => key("role", each)),
      ];
    case "binding-rule":
      return [...home, key("auth-method", content["auth-method"]), ...boundBy(content, key)];
    case "tag-rules":
      return [
        ...home,
        ...((content["rules"] ?? []) as FileContent[]).flatMap(({ project }) =>
          project ? [key("project", project)] : [],
        ),
      ];
    case "workspace":
      return [
        ...home,
        ...(content["project"] === undefined ? [] : [key("project", content["project"])]),
        // Tags come first: a tag that stays without uses is pinned before it has one.
        ...links("tags").map((each) => key("tag", each)),
      ];
    default:
      return home;
  }
}

/** A name that is computed at each login leads to nothing that could be looked for now. */
function boundBy(content: FileContent, key: (kind: KindName, name: unknown) => string): string[] {
  const { "bind-type": type, "bind-name": name } = content;
  if ((type !== "role" && type !== "policy") || typeof name !== "string" || name.includes("$")) return [];
  return [key(type, name)];
}

/** Names of what a server makes with what it lies in: a partition, a namespace or an organization. */
const MADE_BY_HOMES: Partial<Record<KindName, string>> = {
  namespace: "default",
  policy: "namespace-management",
  project: "default project",
};

/** Whether the server makes an object of this kind and name with what it lies in. */
export function isMadeByHome(kind: KindName, name: string): boolean {
  return MADE_BY_HOMES[kind] === fold(name);
}

/** Returns the keys of what the server makes with a new object. */
export function madeWith({ kind, where, name }: Pick<Declared, "kind" | "where" | "name">): string[] {
  const inNew = (made: KindName, home: Partial<Where>) => keyOf(made, { ...where, ...home }, MADE_BY_HOMES[made] ?? "");
  switch (kind.name) {
    case "partition": {
      const home = { partition: name, namespace: "default" };
      return [inNew("namespace", home), inNew("policy", home)];
    }
    case "namespace":
      return [inNew("policy", { namespace: name })];
    case "organization":
      return [inNew("project", { organization: name })];
    default:
      return [];
  }
}

/** Returns the keys of the containers of an object. Containers that always exist are left out. */
function homesOf({ kind, where }: Pick<Declared, "kind" | "where">): string[] {
  const { partition, namespace, organization } = where;
  const nowhere = { partition: "", namespace: "", organization: "" };
  const homes: string[] = [];
  if (kind.home !== "server" && partition !== "" && partition !== "default")
    homes.push(keyOf("partition", nowhere, partition));
  if (kind.home === "namespace" && namespace !== "default")
    homes.push(keyOf("namespace", { ...nowhere, partition }, namespace));
  if (kind.home === "organization") homes.push(keyOf("organization", nowhere, organization));
  return homes;
}

/** Keys of the rules that judge an object when it is written: those that the plan makes, not those that it replaces. */
function judgedBy({ kind, where }: Declared): string[] {
  return kind.name === "workspace" || kind.name === "tag" ? [keyOf("tag-rules", where, "")] : [];
}

const RANK = new Map(KINDS.map(({ name }, at) => [name, at]));

/** Gives each change its stage. @throws DeclarationError when some need each other */
export function inOrder(changes: readonly PlannedChange[]): PlannedChange[] {
  const goes = changes.filter(({ action }) => action === "delete");
  const comes = changes.filter(({ action }) => action !== "delete");
  const depths = depthsOf(comes);
  const last = Math.max(0, ...depths.values()) + 1;
  const staged = [
    ...comes.map((change) => ({ ...change, stage: depths.get(change.object.key) ?? 0 })),
    ...goes.map((change) => ({ ...change, stage: last + KINDS.length - rankOf(change) })),
  ];
  return staged.toSorted((a, b) => a.stage - b.stage || rankOf(a) - rankOf(b) || compare(a.object.path, b.object.path));
}

function rankOf({ object }: PlannedChange): number {
  return RANK.get(object.kind.name) ?? 0;
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** How many changes have to be made before each, one after the other. */
function depthsOf(changes: readonly PlannedChange[]): Map<string, number> {
  const byKey = new Map(changes.map((change) => [change.object.key, change]));
  const depths = new Map<string, number>();
  const depthOf = (key: string, within: readonly string[]): number => {
    const known = depths.get(key);
    if (known !== undefined) return known;
    const change = byKey.get(key);
    if (change === undefined) return -1;
    if (within.includes(key)) {
      const circle = [...within.slice(within.indexOf(key)), key].join(" needs ");
      throw wrong(`circular dependency: ${circle}`, change.object.place);
    }
    const needs = [...needsOf({ ...change.object, content: change.content }), ...judgedBy(change.object)];
    const depth = 1 + Math.max(-1, ...needs.map((need) => depthOf(need, [...within, key])));
    depths.set(key, depth);
    return depth;
  };
  for (const key of byKey.keys()) depthOf(key, []);
  return depths;
}
