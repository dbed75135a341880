/** Drawing of a decision: the subject, its roles and policies, and the rule that decides. */
import type { Place } from "../../base/place.ts";
import type { Graph, GraphNode } from "../../kit/graph-layout.ts";
import type { NamedLink } from "../../kit/links.tsx";
import { nodeOf } from "../../kit/uses-graph.ts";
import type { Decision, WhoIsAsked } from "./queries.ts";
import * as texts from "../../texts/kit-graphs.ts";
import * as why from "../../texts/why.ts";

type Step = NonNullable<Decision["Path"]>[number];
type Link = Step["Links"][number];
type Edge = Graph["edges"][number];

/** Links of the subject besides those on the path, which the drawing shows too. */
export interface OtherLinks {
  readonly roles: readonly NamedLink[];
  readonly policies: readonly NamedLink[];
}

/** Placeholder that the server sends for a name that the caller may not know. */
const HIDDEN = "hidden";
/** Number of roles, and of policies, that do not decide. */
const MOST_OTHERS = 4;
const RULE = "rule";

/** Makes the drawing; undefined where there is nothing on the path. */
export function graphOfDecision(
  decision: Decision,
  who: WhoIsAsked,
  others: OtherLinks,
  place: Place,
): Graph | undefined {
  const { Allow, Path = [] } = decision;
  if (Allow === undefined || Path.length === 0) return undefined;
  const subject = { ...subjectOf(who, place), isDeciding: true };
  const columns: Record<"subjects" | "roles" | "policies", Map<string, GraphNode>> = {
    subjects: new Map([[subject.id, subject]]),
    roles: new Map(),
    policies: new Map(),
  };
  const edges: Edge[] = [];
  for (const step of Path) {
    const policy = policyOf(step, place);
    columns.policies.set(policy.id, policy);
    edges.push({ from: policy.id, to: RULE, isDeciding: true });
    for (const link of step.Links) {
      const role = roleOf(link, who, place);
      if (role !== undefined) {
        columns.roles.set(role.id, role);
        edges.push({ from: subject.id, to: role.id, isDeciding: true });
      }
      edges.push({ from: role?.id ?? subject.id, to: policy.id, isDeciding: true });
    }
  }
  for (const [column, node] of othersOf(others, place)) {
    if (columns[column].has(node.id)) continue;
    columns[column].set(node.id, node);
    edges.push({ from: subject.id, to: node.id });
  }
  return {
    label: texts.decisionLabel,
    columns: [
      { title: texts.subject, nodes: [...columns.subjects.values()] },
      { title: texts.roles, nodes: [...columns.roles.values()] },
      { title: texts.policies, nodes: [...columns.policies.values()] },
      { title: texts.rule, nodes: [ruleOf(decision, Allow)] },
    ],
    edges: distinct(edges),
  };
}

const KINDS = { token: "key", role: "role", method: "method" } as const;

function subjectOf({ as, id, name }: WhoIsAsked, place: Place): GraphNode {
  if (as === "token") return { id: `token:${id}`, icon: "key", text: name, to: place.path("tokens", id) };
  return nodeOf(KINDS[as] === "role" ? "role" : "method", id, name, place);
}

function policyOf({ ID, Name, Places = [] }: Step, place: Place): GraphNode {
  if (ID === HIDDEN) return { id: "policy:hidden", icon: "lock", text: why.hiddenKind(why.policy), isDeciding: true };
  const at = Places.map(({ Line, Column }) => `${Line}:${Column}`).join(", ");
  return { ...nodeOf("policy", ID, Name, place), note: at === "" ? undefined : texts.line(at), isDeciding: true };
}

/** The node between the subject and a policy; undefined where there is none. */
function roleOf(
  { Kind, ID = "", Name = "", Role, Namespace }: Link,
  who: WhoIsAsked,
  place: Place,
): GraphNode | undefined {
  if (Kind === "direct") return undefined;
  if (Kind === "default") {
    return {
      id: `default:${Namespace ?? Name}`,
      icon: "namespace",
      text: why.namespaceDefault(Namespace ?? Name),
      note: Role,
      isDeciding: true,
    };
  }
  if (Kind === "identity") {
    return {
      id: `identity:${Name}`,
      icon: "template",
      text: why.identity(Name, undefined),
      note: Role,
      isDeciding: true,
    };
  }
  // The role itself is the subject.
  if (ID === who.id) return undefined;
  if (ID === HIDDEN) return { id: "role:hidden", icon: "lock", text: why.hiddenKind(why.hiddenRole), isDeciding: true };
  return { ...nodeOf("role", ID, Name || ID.slice(0, 8), place), isDeciding: true };
}

function ruleOf({ Rule }: Decision, isAllowed: boolean): GraphNode {
  const node = { id: RULE, icon: isAllowed ? "check" : "close", isAllowed, isDeciding: true } as const;
  if (Rule === undefined) return { ...node, text: why.hiddenKind(texts.ruleKind) };
  const { Resource, Prefix = false, Segment, Policy } = Rule;
  const name = Segment !== "" || Prefix ? ` "${Segment}"` : "";
  return { ...node, text: `${Resource}${Prefix ? "_prefix" : ""}${name} → ${Policy}` };
}

function othersOf({ roles, policies }: OtherLinks, place: Place): (readonly ["roles" | "policies", GraphNode])[] {
  const some = (column: "roles" | "policies", links: readonly NamedLink[]) => {
    const kind = column === "roles" ? "role" : "policy";
    const nodes = links.slice(0, MOST_OTHERS).map(({ ID = "", Name = "" }) => nodeOf(kind, ID, Name || ID, place));
    const rest = links.length - nodes.length;
    const words = kind === "role" ? [texts.roleOne, texts.roleMany] : [texts.policyOne, texts.policyMany];
    const [one = "", many = ""] = words;
    const more = { id: `more:${column}`, icon: kind, text: texts.more(rest, one, many) } as const;
    return [...nodes, ...(rest > 0 ? [more] : [])].map((node) => [column, node] as const);
  };
  return [...some("roles", roles), ...some("policies", policies)];
}

function distinct(edges: readonly Edge[]): readonly Edge[] {
  return [...new Map(edges.map((edge) => [`${edge.from}>${edge.to}`, edge])).values()];
}
