/** Reads a server's objects in the form of files: all objects of some homes, or the wanted ones. */
import type { OperationId } from "@tessera-server/client";
import { keyOf, kindOf, pathOf, type DeclaredKind, type KindName, type Where } from "./kinds.ts";
import { readOrganizations } from "./live-organizations.ts";
import { ruleIdentities } from "./rule-identity.ts";
import { inParallel, itemsOf, readOne, scopeQuery, textIn, type Server } from "./server.ts";
import { fromWire, type FileContent } from "./shape.ts";
import type { Live, WantedObjects } from "./object.ts";

type Json = Readonly<Record<string, unknown>>;

interface V1Kind {
  list: OperationId;
  /** Operation that reads one object, where lists leave members out. */
  read?: OperationId;
  /** Member of the object that its paths contain, and the name of the path parameter. */
  id: string;
  parameter: string;
}

/** The operations of kinds under `/v1`. */
export const V1: Partial<Record<KindName, V1Kind>> = {
  partition: { list: "listPartitions", id: "Name", parameter: "name" },
  namespace: { list: "listNamespaces", id: "Name", parameter: "name" },
  policy: { list: "listPolicies", read: "readPolicy", id: "ID", parameter: "id" },
  role: { list: "listRoles", id: "ID", parameter: "id" },
  "auth-method": { list: "listAuthMethods", read: "readAuthMethod", id: "Name", parameter: "name" },
  "binding-rule": { list: "listBindingRules", id: "ID", parameter: "id" },
  "decision-mapping": { list: "listDecisionMappings", id: "Name", parameter: "name" },
  token: { list: "listTokens", id: "AccessorID", parameter: "accessor" },
};

/** Reads what is asked for. Objects that do not exist, or that the caller may not see, are left out. */
export async function readLive(server: Server, wanted: readonly WantedObjects[]): Promise<Live[]> {
  const ofV1 = wanted.filter(({ kind }) => V1[kind.name] !== undefined);
  const found: Live[] = [];
  for (const each of ofV1) {
    if (server.isCommunity && (each.kind.name === "namespace" || each.kind.name === "partition")) continue;
    found.push(...(await readHome(server, each)));
  }
  const ofOrganizations = wanted.filter(({ kind }) => V1[kind.name] === undefined);
  return [...found, ...(await readOrganizations(server, ofOrganizations))];
}

/** The objects of one kind in one home. */
async function readHome(server: Server, { kind, where, has }: WantedObjects): Promise<Live[]> {
  const ops = V1[kind.name] as V1Kind;
  const kept: Live[] = [];
  for await (const wire of itemsOf(server, ops.list, { query: scopeQuery(server, where) })) {
    const live = liveOf(kind, where, wire);
    // Rules are told apart by all of them.
    if (kind.name === "binding-rule" || has(live.key)) kept.push(live);
  }
  if (kind.name === "binding-rule") return ruleIdentities(kept).filter(({ key }) => has(key));
  const { read } = ops;
  return read === undefined ? kept : inParallel(server, kept, (live) => readWhole(server, live, read));
}

async function readWhole(server: Server, live: Live, read: OperationId): Promise<Live> {
  return liveOf(live.kind, live.where, await readAgain(server, live, read));
}

function readAgain(server: Server, { kind, where, id }: Live, read: OperationId): Promise<Json> {
  const { parameter } = V1[kind.name] as V1Kind;
  return readOne(server, read, { path: { [parameter]: id }, query: scopeQuery(server, where) });
}

/** An object as an answer of `/v1` has it. @throws ConnectionError when it has no ID, or no name */
export function liveOf(kind: DeclaredKind, where: Where, wire: Json): Live {
  const { id: idMember } = V1[kind.name] as V1Kind;
  const id = textIn(wire, idMember);
  const name = kind.named === undefined ? "" : kind.named === "accessor-id" ? id : textIn(wire, "Name");
  return {
    kind,
    key: keyOf(kind.name, where, name),
    where,
    name,
    path: pathOf(kind, where, name),
    content: contentOf(kind, wire),
    labels: {},
    place: undefined,
    id,
    index: Number(wire["ModifyIndex"]),
    isGoing: typeof wire["DeletedAt"] === "string" && wire["DeletedAt"] !== "",
  };
}

/** Returns the content of an object in a response. */
export function contentOf(kind: DeclaredKind, wire: Json): FileContent {
  const acls = kind.name === "namespace" ? (wire["ACLs"] as Json | undefined) : undefined;
  const content = fromWire(kind.members, { ...wire, ...acls });
  if (kind.name !== "token") return content;
  // A secret is read from nowhere, so that it gets into no file.
  const { secret: _secret, ...others } = content;
  return others;
}

/** Whether a token was made by a login, or is of the server itself: no file declares it. */
export function isLoginToken(wire: Json): boolean {
  return typeof wire["AuthMethod"] === "string" && wire["AuthMethod"] !== "";
}

/** The kind of a key, and where what it names lies; undefined for one of a kind that this version does not know. */
export function placeOfKey(key: string): { kind: DeclaredKind; where: Where; path: string } | undefined {
  const [, name = "", path = ""] = /^(\S+) (.*)$/s.exec(key) ?? [];
  let kind: DeclaredKind;
  try {
    kind = kindOf(name as KindName);
  } catch {
    return undefined;
  }
  const [first = "", second = ""] = path.split("/");
  const isWithin = kind.home === "namespace" || kind.home === "partition";
  const where = {
    partition: isWithin ? first : "",
    namespace: kind.home === "namespace" ? second : "",
    organization: kind.home === "organization" ? first : "",
  };
  return { kind, where, path };
}
