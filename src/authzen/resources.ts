/**
 * Resources of the decision point. Organizations and workspaces are stored; of other types those are known whose names a rule of
 * the scope's policies has exactly, since nothing else says which there are.
 */
import type { Context } from "../context.ts";
import { findOrganization } from "../organizations/store.ts";
import { authorize } from "../rights/authorize.ts";
import type { PolicyEdition } from "../acl/policies/service.ts";
import { ACCESSES, isResource, type Resource, SCALARS } from "../rights/rules/rule.ts";
import type { RightsQuestion } from "../rights/rules/question.ts";
import type { Scope } from "../rights/scope.ts";
import { findWorkspaceByName } from "../workspaces/store.ts";
import { EXACT_NAMES } from "./find.ts";
import { listOrganizationNames, listWorkspaceNames, type NamedResource } from "./store.ts";
import type { AuthzenEntity } from "./request.ts";

type Stored = "organization" | "workspace";

/** @returns the question; undefined where there is no such type of resources, or no such access to it */
export function questionOf({ type, id }: AuthzenEntity, action: string, scope: Scope): RightsQuestion | undefined {
  if (!isResource(type)) return undefined;
  const access = ACCESSES.get(type)?.find((each) => each === action);
  return access === undefined ? undefined : { resource: type, segment: id, access, scope };
}

/** Whether resources of a type are stored objects, which are shown to callers who may read them. */
export function isStored(type: string): type is Stored {
  return type === "organization" || type === "workspace";
}

/** Names that exact rules of a scope's policies have of a type, in order. */
interface NamesInRules {
  readonly list: readonly string[];
  readonly names: ReadonlySet<string>;
}

/** Returns what reads the names in rules of a type, once for each. */
export function namesIn(ctx: Context, scope: Scope, edition: PolicyEdition): (type: Resource) => Promise<NamesInRules> {
  const known = new Map<Resource, Promise<NamesInRules>>();
  const read = async (resource: Resource): Promise<NamesInRules> => {
    if ((SCALARS as readonly Resource[]).includes(resource)) return { list: [], names: new Set() };
    const list = await ctx.db.apart(EXACT_NAMES, { resource, scope, edition });
    return { list, names: new Set(list) };
  };
  return (type) => {
    const names = known.get(type) ?? read(type);
    known.set(type, names);
    return names;
  };
}

/**
 * Returns what tells whether a resource of a built-in type is known, to this caller. Names in rules are read once for each type.
 */
export function knownIn(
  ctx: Context,
  scope: Scope,
  edition: PolicyEdition,
): (resource: AuthzenEntity) => Promise<boolean> {
  const inRules = namesIn(ctx, scope, edition);
  return async ({ type, id }) => {
    if (!isResource(type)) return false;
    if ((SCALARS as readonly Resource[]).includes(type)) return true;
    return isStored(type) ? isStoredHere(ctx, type, id) : (await inRules(type)).names.has(id);
  };
}

async function isStoredHere(ctx: Context, type: Stored, id: string): Promise<boolean> {
  if (type === "organization") {
    const found = await findOrganization(ctx.db, id);
    return found !== undefined && mayRead(ctx, type, found.name);
  }
  // One statement, whether the organization is there or not: the time tells nothing.
  const [organization = "", workspace = ""] = id.split("/");
  const found = await findWorkspaceByName(ctx.db, organization, workspace);
  return found !== undefined && mayRead(ctx, type, `${found.organizationName}/${found.name}`);
}

/** Lists resources of a type after a key, in order of their keys, those that the caller may read. */
export async function listResources(
  ctx: Context,
  type: Resource,
  after: string,
  limit: number,
): Promise<{ resources: NamedResource[]; last: string | undefined }> {
  const list = type === "organization" ? listOrganizationNames : listWorkspaceNames;
  const read = await list(ctx.db.long, after, limit);
  const resources = read.filter(({ name }) => mayRead(ctx, type, name));
  return { resources, last: read.length < limit ? undefined : read.at(-1)?.key };
}

function mayRead({ actor }: Context, type: Resource, name: string): boolean {
  return authorize(actor, type, name, "read");
}
