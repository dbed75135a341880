/** Writes what a server has as files, such that applying them changes nothing. */
import { stringify } from "yaml";
import type { OperationId } from "@tessera-server/client";
import { KINDS, kindOf, type DeclaredKind, type KindName, type Where } from "./kinds.ts";
import { isLoginToken, liveOf, readLive, V1 } from "./live.ts";
import type { Live, WantedObjects } from "./object.ts";
import { ruleIdentities } from "./rule-identity.ts";
import { HIDDEN, mapSecrets } from "./secrets.ts";
import { inParallel, itemsOf, readOne, scopeQuery, type Server } from "./server.ts";
import { isRecord, isSame, type FileContent } from "./shape.ts";
import type { FileValue } from "./documents.ts";

/** A file to be written: its path in the directory, and its text. */
export interface ExportedFile {
  readonly path: string;
  readonly text: string;
}

export interface Exported {
  readonly files: readonly ExportedFile[];
  readonly objects: number;
  /** Environment variables that the files name in place of secrets. */
  readonly secrets: readonly string[];
}

/** Reads all that the token may see. Objects that the server itself made, and tokens of logins, are left out. */
export async function exportServer(server: Server): Promise<Exported> {
  const all = (await readAll(server)).filter((live) => !isOfServer(live));
  const secrets: string[] = [];
  const files: ExportedFile[] = [];
  const documents = new Map<string, string[]>();
  for (const live of all) {
    const file = fileOf(live);
    const { text, beside } = documentOf(live, secrets);
    documents.set(file, [...(documents.get(file) ?? []), text]);
    if (beside !== undefined) files.push(beside);
  }
  for (const [path, texts] of documents) files.push({ path, text: texts.join("---\n") });
  return { files, objects: all.length, secrets };
}

/** Descriptions of the tokens with which servers of this kind begin. */
const FIRST_TOKENS = ["Bootstrap Token (Global Management)", "Initial Management Token"];

/** The anonymous token and the first one are each server's own: on another one they would be a management token whose secret nobody knows. */
function isOfServer({ kind, id, content }: Live): boolean {
  if (kind.name !== "token") return false;
  const { description, policies } = content;
  const isFirst = FIRST_TOKENS.some((each) => each === description);
  return BUILTIN.test(id) || (isFirst && isSame("links", policies, ["global-management"]));
}

/** Called for every token that is read, with its secret where that is shown. */
export type ReadToken = (token: { id: string; secret: string | undefined; isOfLogin: boolean }) => void;

interface ReadOptions {
  readonly onToken?: ReadToken;
  /** Whether organizations and decision mappings are left out: Consul has none. */
  readonly isOnlyAccess?: boolean;
}

/** Kinds of namespaces that servers of Consul have too. */
const OF_CONSUL = ["policy", "role", "auth-method", "binding-rule", "token"] as const;
const OF_NAMESPACES = KINDS.filter(({ home }) => home === "namespace").map(({ name }) => name);

/** All objects, in order. */
export async function readAll(server: Server, options: ReadOptions = {}): Promise<Live[]> {
  const nowhere = { partition: "", namespace: "", organization: "" };
  const found: Live[] = [];
  const partitions = server.isCommunity ? [] : await listAll(server, "partition", nowhere);
  found.push(...partitions.filter(({ name }) => name !== "default"));
  const names = server.isCommunity ? ["default"] : partitions.filter(({ isGoing }) => !isGoing).map(({ name }) => name);
  for (const partition of names) {
    const where = { ...nowhere, partition };
    const namespaces = server.isCommunity ? [] : await listAll(server, "namespace", where);
    found.push(...namespaces.filter(isWorthIt));
    for (const namespace of server.isCommunity ? ["default"] : namespaces.map(({ name }) => name)) {
      for (const kind of options.isOnlyAccess === true ? OF_CONSUL : OF_NAMESPACES) {
        found.push(...(await listAll(server, kind, { ...where, namespace }, options.onToken)));
      }
    }
  }
  return options.isOnlyAccess === true ? found : [...found, ...(await readAllOrganizations(server, () => true))];
}

const BUILTIN = /^00000000-0000-0000-0000-0000000000\d\d$/;

/** The namespace `default` is there everywhere; it is declared where somebody wrote something into it. */
function isWorthIt({ name, content }: Live): boolean {
  if (name !== "default") return true;
  return Object.keys(content).some(
    (member) => member !== "description" || content[member] !== "Builtin Default Namespace",
  );
}

async function listAll(server: Server, name: KindName, where: Where, onToken?: ReadToken): Promise<Live[]> {
  const kind = kindOf(name);
  const ops = V1[name] as { list: OperationId; read?: OperationId; parameter: string };
  const found: Live[] = [];
  for await (const wire of itemsOf(server, ops.list, { query: scopeQuery(server, where) })) {
    const live = liveOf(kind, where, wire);
    if (name === "token" && !BUILTIN.test(live.id)) {
      const { SecretID: secret } = wire;
      const isShown = typeof secret === "string" && secret !== "" && secret !== HIDDEN;
      onToken?.({ id: live.id, secret: isShown ? secret : undefined, isOfLogin: isLoginToken(wire) });
    }
    if (isExported(live, wire)) found.push(live);
  }
  const { read } = ops;
  if (name === "binding-rule") return ruleIdentities(found).toSorted((a, b) => (a.key < b.key ? -1 : 1));
  if (read === undefined) return found;
  return inParallel(server, found, async ({ id }) =>
    liveOf(
      kind,
      where,
      await readOne(server, read, { path: { [ops.parameter]: id }, query: scopeQuery(server, where) }),
    ),
  );
}

/**
 * Checks whether an object is exported. Objects that the server creates itself are not, except the anonymous token when
 * it has more than a description.
 */
function isExported({ kind, id, content, isGoing }: Live, wire: Readonly<Record<string, unknown>>): boolean {
  if (isGoing || (kind.name === "policy" && BUILTIN.test(id))) return false;
  if (kind.name !== "token") return true;
  return BUILTIN.test(id) ? Object.keys(content).some((each) => each !== "description") : !isLoginToken(wire);
}

/** Reads all objects of organizations. @param isWanted which of them, by their names */
export async function readAllOrganizations(server: Server, isWanted: (name: string) => boolean): Promise<Live[]> {
  const anything = { has: () => true };
  const nowhere = { partition: "", namespace: "", organization: "" };
  const organizations = await readLive(server, [{ kind: kindOf("organization"), where: nowhere, ...anything }]);
  const inside = KINDS.filter(({ home }) => home === "organization");
  const found: Live[] = [];
  for (const organization of organizations
    .filter(({ name }) => isWanted(name))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const where = { ...nowhere, organization: organization.name };
    const wanted: WantedObjects[] = inside.map((kind) => ({ kind, where, ...anything }));
    found.push(organization, ...(await readLive(server, wanted)));
  }
  return found;
}

function fileOf({ kind, where, name }: Live): string {
  if (kind.name === "organization") return `organizations/${fileName(name)}.yaml`;
  if (kind.home === "organization") return `organizations/${fileName(where.organization)}.yaml`;
  if (kind.home === "server") return `${kind.plural}.yaml`;
  return `${homeFolder(where)}/${kind.plural}.yaml`;
}

function homeFolder({ partition, namespace }: Where): string {
  const place = partition === "default" || partition === "" ? [] : [fileName(partition)];
  return ["access", ...place, ...(namespace === "" ? [] : [fileName(namespace)])].join("/");
}

/** A name as part of a path, on every system; no two have the same. */
function fileName(name: string): string {
  return name.replaceAll("/", "__");
}

function documentOf(live: Live, secrets: string[]): { text: string; beside: ExportedFile | undefined } {
  const { kind, where, name } = live;
  const head: Record<string, FileValue> = { kind: kind.name };
  if (kind.home === "partition" || kind.home === "namespace") {
    if (where.partition !== "default") head["partition"] = where.partition;
    // Said, so that the files mean the same whoever applies them.
    if (kind.home === "namespace" && where.namespace !== "default") head["namespace"] = where.namespace;
  }
  if (kind.home === "organization") head["organization"] = where.organization;
  if (kind.named !== undefined) head[kind.named] = name;
  const content: Record<string, FileValue> = { ...saidOf(kind, live.content, name, secrets) };
  const { rules } = content;
  if (kind.name !== "policy" || typeof rules !== "string" || rules === "")
    return { text: yaml({ ...head, ...content }), beside: undefined };
  delete content["rules"];
  const path = `${homeFolder(where)}/policies/${fileName(name)}.hcl`;
  const named = { ...head, ...content, "rules-file": `policies/${fileName(name)}.hcl` };
  return { text: yaml(named), beside: { path, text: rules } };
}

/** Returns the content for the file: of an object of `/api/v2`, only members that are not empty. */
function saidOf(kind: DeclaredKind, content: FileContent, name: string, secrets: string[]): FileContent {
  const said: Record<string, FileValue> = {};
  for (const [member, value] of Object.entries(content)) {
    if (
      kind.isSparse === true &&
      (value === "" || (typeof value === "object" && value !== null && Object.keys(value).length === 0))
    )
      continue;
    said[member] = member === "config" && isRecord(value) ? withReferences(value, name, secrets) : value;
  }
  return said;
}

/** No secret gets into a file: where it was stands the name of a variable that is to hold it. */
function withReferences(config: Readonly<Record<string, FileValue>>, name: string, secrets: string[]): FileContent {
  return mapSecrets(config, (key) => {
    const variable = `${name}_${key}`.toUpperCase().replaceAll(/[^A-Z0-9]+/g, "_");
    secrets.push(variable);
    return `env:${variable}`;
  });
}

function yaml(object: object): string {
  return stringify(object, { lineWidth: 0, aliasDuplicateObjects: false });
}
