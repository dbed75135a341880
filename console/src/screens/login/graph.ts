/** Drawing of a login: the auth method, the binding rules that match, and the permissions that they grant. */
import type { Place } from "../../base/place.ts";
import type { Graph, GraphNode } from "../../kit/graph-layout.ts";
import { grantOf, nodeOf } from "../../kit/uses-graph.ts";
import type { Explanation } from "./queries.ts";
import * as texts from "../../texts/kit-graphs.ts";
import * as login from "../../texts/login.ts";

/** Number of binding rules that match; the others are in the list below. */
const MOST = 8;
const RESULT = "token";

interface Drawn {
  readonly method: string;
  /** Titles of binding rules by ID. */
  readonly titles: ReadonlyMap<string, string> | undefined;
  readonly place: Place;
}

/** Makes the drawing; undefined where no identity was evaluated. */
export function graphOfLogin(explanation: Explanation, { method, titles, place }: Drawn): Graph | undefined {
  const { Identity, Rules, Token, Refusal } = explanation;
  if (Identity === undefined) return undefined;
  const self = { ...nodeOf("method", method, method, place), isDeciding: true };
  const matched = Rules.filter(({ Verdict }) => Verdict === "matched").slice(0, MOST);
  const others = Rules.length - matched.length;
  const grants = new Map<string, GraphNode>();
  const edges: Graph["edges"][number][] = [];
  const links = linksOf(Token);
  for (const { ID, BindType = "", BindName = "" } of matched) {
    edges.push({ from: self.id, to: `rule:${ID}`, isDeciding: true });
    if (BindType === "") continue;
    const id = links.get(`${BindType}:${BindName.toLowerCase()}`);
    const grant = grantOf({ Kind: BindType, ID: id, Name: BindName }, place);
    // A name that nothing has grants nothing.
    const isGranted = id !== undefined || (BindType !== "role" && BindType !== "policy");
    grants.set(grant.id, { ...grant, note: isGranted ? grant.note : texts.grantMissing, isDeciding: isGranted });
    edges.push({ from: `rule:${ID}`, to: grant.id, isDeciding: isGranted });
    if (isGranted) edges.push({ from: grant.id, to: RESULT, isDeciding: true });
  }
  if (others > 0) edges.push({ from: self.id, to: "others" });
  return {
    label: texts.loginLabel,
    columns: [
      { title: texts.authMethod, nodes: [self] },
      {
        title: texts.bindingRules,
        nodes: [
          ...matched.map(({ ID }) => ({
            ...nodeOf("rule", ID, titles?.get(ID) ?? ID.slice(0, 8), place),
            isDeciding: true,
          })),
          ...(others > 0 ? [{ id: "others", icon: "rule", text: texts.otherRules(others) } as const] : []),
        ],
      },
      { title: texts.grants, nodes: [...grants.values()] },
      { title: texts.result, nodes: [resultOf(Token !== undefined, Refusal)] },
    ],
    edges: [...new Map(edges.map((edge) => [`${edge.from}>${edge.to}`, edge])).values()],
  };
}

function resultOf(isAllowed: boolean, refusal: string | undefined): GraphNode {
  const text = isAllowed ? login.tokenTitle : login.loginDenied;
  return { id: RESULT, icon: isAllowed ? "key" : "lock", text, note: refusal, isAllowed, isDeciding: true };
}

/** IDs of the roles and policies of the token, by kind and name. */
function linksOf(token: Explanation["Token"]): ReadonlyMap<string, string> {
  const of = (kind: string, links: unknown) =>
    (Array.isArray(links) ? (links as readonly { ID?: string; Name?: string }[]) : []).map(
      ({ ID = "", Name = "" }) => [`${kind}:${Name.toLowerCase()}`, ID] as const,
    );
  return new Map([...of("role", token?.["Roles"]), ...of("policy", token?.["Policies"])]);
}
