/** Drawings of the uses of an object: from the subjects to a policy or role, and from an auth method to its permissions. */
import type { Place } from "../base/place.ts";
import type { Graph, GraphNode } from "./graph-layout.ts";
import type { NamedLink } from "./links.tsx";
import type { UsesAnswer as Answer } from "./uses.tsx";
import * as texts from "../texts/kit-graphs.ts";

type Kind = NonNullable<Answer["Roles"]>;
type Use = Kind["First"][number];

/** Number of names in a column; the others are one node. */
const MOST = 8;

interface Drawn {
  readonly name: string;
  readonly id: string;
  readonly place: Place;
}

type Edge = Graph["edges"][number];

/** Drawing of the subjects of a policy: tokens and logins that have it directly, and roles with their tokens. */
export function graphOfPolicy(uses: Answer, { name, id, place }: Drawn): Graph {
  const self = nodeOf("policy", id, name);
  const roles = shortened(uses.Roles, (use) => ({ ...nodeOf("role", use.ID, use.Name ?? use.ID, place), use }), {
    icon: "role",
    one: texts.roleOne,
    many: texts.roleMany,
  });
  const direct = directUses(uses, "policy", { id, place });
  const holders = roles.flatMap(({ id: role, use }): GraphNode[] => {
    const count = use?.Tokens?.Count ?? 0;
    if (use === undefined || count === 0) return [];
    const to = `${place.path("tokens")}?role=${use.ID}`;
    return [
      {
        id: `of:${role}`,
        icon: "key",
        text: texts.tokens(count, use.Tokens?.More === true),
        to,
        note: texts.withRole(use.Name ?? ""),
      },
    ];
  });
  return {
    label: texts.usesLabel(name),
    columns: [
      { title: texts.holders, nodes: [...holders, ...direct] },
      { title: texts.roles, nodes: roles },
      { title: texts.policy, nodes: [self] },
    ],
    edges: [
      ...holders.map(({ id: from }): Edge => ({ from, to: from.slice("of:".length) })),
      ...[...roles, ...direct].map(({ id: from }): Edge => ({ from, to: self.id })),
    ],
  };
}

/** Drawing of the subjects of a role, and of its policies. */
export function graphOfRole(uses: Answer, { name, id, place }: Drawn, links: readonly NamedLink[]): Graph {
  const self = nodeOf("role", id, name);
  const direct = directUses(uses, "role", { id, place });
  const named = links.map(({ ID = "", Name = "" }) => ({ ID, Name }));
  const policies = shortened(
    { Count: named.length, First: named },
    (use) => nodeOf("policy", use.ID, use.Name ?? use.ID, place),
    {
      icon: "policy",
      one: texts.policyOne,
      many: texts.policyMany,
    },
  );
  return {
    label: texts.usesLabel(name),
    columns: [
      { title: texts.holders, nodes: direct },
      { title: texts.role, nodes: [self] },
      { title: texts.policies, nodes: policies },
    ],
    edges: [
      ...direct.map(({ id: from }): Edge => ({ from, to: self.id })),
      ...policies.map(({ id: to }): Edge => ({ from: self.id, to })),
    ],
  };
}

/** Drawing of an auth method: its binding rules, the roles and policies that they grant, and the policies of the roles. */
export function graphOfMethod(uses: Answer, { name, id, place }: Drawn): Graph {
  const self = nodeOf("method", id, name);
  const rules = shortened(uses.BindingRules, (use) => ({ ...nodeOf("rule", use.ID, use.Name ?? use.ID, place), use }), {
    icon: "rule",
    one: texts.ruleOne,
    many: texts.ruleMany,
  });
  const granted = new Map<string, GraphNode>();
  const edges = rules.map(({ id: to }): Edge => ({ from: self.id, to }));
  for (const { id: from, use } of rules) {
    for (const link of use?.Links ?? []) {
      const node = grantOf(link, place);
      granted.set(node.id, node);
      edges.push({ from, to: node.id });
    }
  }
  const policies = new Map<string, GraphNode>();
  for (const { ID: role, Links = [] } of uses.Roles?.First ?? []) {
    for (const { ID = "", Name } of Links) {
      const node = nodeOf("policy", ID, Name, place);
      // A policy that is granted directly too stays in its column.
      if (granted.has(node.id)) continue;
      policies.set(node.id, node);
      edges.push({ from: `role:${role}`, to: node.id });
    }
  }
  return {
    label: texts.methodLabel(name),
    columns: [
      { title: texts.authMethod, nodes: [self] },
      { title: texts.bindingRules, nodes: rules },
      { title: texts.grants, nodes: [...granted.values()] },
      { title: texts.policies, nodes: [...policies.values()].slice(0, MOST * 2) },
    ],
    edges,
  };
}

/** Node of what a binding rule grants. */
export function grantOf(
  { Kind: kind, ID, Name }: { Kind: string; ID?: string | undefined; Name: string },
  place: Place,
): GraphNode {
  if (kind === "role" || kind === "policy") {
    if (ID !== undefined) return nodeOf(kind, ID, Name, place);
    const note = Name.includes("${") ? texts.template : undefined;
    return { id: `${kind}:${Name}`, icon: kind, text: Name, note };
  }
  return { id: `${kind}:${Name}`, icon: "template", text: Name, note: kind };
}

const NOUNS = { policy: "policies", role: "roles", rule: "binding-rules", method: "auth-methods" } as const;

/** Node of an object. @param place leads to its page; undefined for the object of the page itself */
export function nodeOf(kind: keyof typeof NOUNS, id: string, text: string, place?: Place): GraphNode {
  return { id: `${kind}:${id}`, icon: kind, text, to: place?.path(NOUNS[kind], id) };
}

/** Tokens, binding rules and namespaces that lead to an object without a role. */
function directUses(
  { Tokens, BindingRules, Namespaces }: Answer,
  kind: "policy" | "role",
  { id, place }: Omit<Drawn, "name">,
): readonly GraphNode[] {
  const tokens = Tokens?.Count ?? 0;
  const to = `${place.path("tokens")}?${kind}=${id}`;
  const rules = shortened(BindingRules, (use) => nodeOf("rule", use.ID, use.Name ?? use.ID, place), {
    icon: "rule",
    one: texts.ruleOne,
    many: texts.ruleMany,
  });
  return [
    ...(tokens === 0
      ? []
      : [
          {
            id: "direct",
            icon: "key",
            text: texts.tokens(tokens, Tokens?.More === true),
            to,
            note: texts.assigned,
          } as const,
        ]),
    ...rules.map((rule) => ({ ...rule, note: texts.bindingRule })),
    ...(Namespaces?.First ?? []).slice(0, MOST).map(({ ID }): GraphNode => ({
      id: `namespace:${ID}`,
      icon: "namespace",
      text: ID,
      to: place.path("namespaces", ID),
      note: texts.namespaceDefault,
    })),
  ];
}

type Few = Omit<Kind, "First"> & { readonly First: readonly Use[] };

/** The first objects of a kind, and one node for the others. */
function shortened<N extends GraphNode>(
  kind: Few | undefined,
  node: (use: Use) => N,
  { icon, one, many }: { icon: GraphNode["icon"]; one: string; many: string },
): readonly (N | (GraphNode & { readonly use?: undefined }))[] {
  if (kind === undefined) return [];
  const shown = kind.First.slice(0, MOST);
  const others = kind.Count - shown.length;
  const rest = others > 0 ? [{ id: `more:${many}`, icon, text: texts.more(others, one, many) }] : [];
  return [...shown.map(node), ...rest];
}
