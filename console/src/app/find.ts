/** Objects by a few letters, for the palette. */
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { IconName } from "../kit/icons.tsx";
import { inScope, inOrganization } from "./address.ts";
import { clientOf } from "./client.ts";
import type { Places } from "./places.ts";

export interface Found {
  readonly name: string;
  readonly kind: string;
  readonly icon: IconName;
  readonly path: string;
}

/** Of each kind so many. */
const MOST = 5;

/** Looks in the kinds of the place. Nothing before two letters; a kind that may not be read gives nothing. */
export function findQuery({ scope, organization }: Places, text: string) {
  const wanted = text.trim();
  return queryOptions({
    queryKey: ["find", scope.partition, scope.namespace, organization ?? "", wanted],
    enabled: wanted.length >= 2,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<Found[]> => {
      const client = clientOf(scope, "live");
      const query = { search: wanted, "page-size": MOST };
      const [policies, roles, tokens, tags, workspaces] = await Promise.all([
        read(async () => (await client.request("listPolicies", { query, signal })).body),
        read(async () => (await client.request("listRoles", { query, signal })).body),
        read(async () => (await client.request("listTokens", { query, signal })).body),
        organization === undefined ? [] : read(async () => tagsOf(organization, wanted, signal)),
        organization === undefined ? [] : read(async () => workspacesOf(organization, wanted, signal)),
      ]);
      return [
        ...tags,
        ...workspaces,
        ...first(policies).map(({ ID, Name }) => found(Name, "Policy", "policy", inScope(scope, "policies", ID))),
        ...first(roles).map(({ ID, Name }) => found(Name, "Role", "role", inScope(scope, "roles", ID))),
        ...first(tokens).map(({ AccessorID, Description }) =>
          found(Description || AccessorID, "Token", "key", inScope(scope, "tokens", AccessorID)),
        ),
      ];
    },
  });
}

function found(name: string, kind: string, icon: IconName, path: string): Found {
  return { name, kind, icon, path };
}

function first<T>(items: readonly T[]): readonly T[] {
  return items.slice(0, MOST);
}

async function tagsOf(organization: string, q: string, signal: AbortSignal): Promise<Found[]> {
  const query = { q, "page[size]": MOST };
  const { body } = await clientOf(undefined, "live").request("listTags", {
    path: { organization_name: organization },
    query,
    signal,
  });
  return body.data.map(({ id, attributes }) =>
    found(attributes.name, "Tag", "tag", inOrganization(organization, "tags", id)),
  );
}

async function workspacesOf(organization: string, name: string, signal: AbortSignal): Promise<Found[]> {
  const query = { "search[name]": name, "page[size]": MOST };
  const { body } = await clientOf(undefined, "live").request("listWorkspaces", {
    path: { organization_name: organization },
    query,
    signal,
  });
  return body.data.map(({ id, attributes }) =>
    found(attributes.name, "Workspace", "workspace", inOrganization(organization, "workspaces", id)),
  );
}

async function read<T>(ask: () => Promise<readonly T[]>): Promise<readonly T[]> {
  try {
    return await ask();
  } catch {
    return [];
  }
}
