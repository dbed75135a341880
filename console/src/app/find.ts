/** Objects of every kind by a few letters, for the palette. */
import { useDebouncedValue } from "@mantine/hooks";
import { queryOptions, useQueries } from "@tanstack/react-query";
import { TesseraError, type ItemOf, type OperationId } from "@tessera-server/client";
import { titleOf } from "../screens/binding-rules/named.ts";
import type { Template } from "../screens/templated-policies/queries.ts";
import { atTop, inOrganization, inScope } from "../base/address.ts";
import { clientOf } from "../base/client.ts";
import type { Places } from "../kit/places.ts";
import * as texts from "../texts/app.ts";

export interface Found {
  readonly name: string;
  readonly path: string;
}

interface Asked extends Places {
  readonly text: string;
  readonly signal: AbortSignal;
}

/** A kind of objects that can be looked for. */
export interface FoundKind {
  /** Noun of the screen of this kind. The search skips a kind when the token lacks the permission for its screen. */
  readonly noun: string;
  readonly singular: string;
  /** The server has no search for it: its first page is read once, and looked through here. */
  readonly isWhole?: true;
  find(asked: Asked): Promise<readonly Found[]>;
}

/** Maximum number of results of each kind. */
const MOST = 5;
/** Maximum number of objects that the search reads of a kind without a server-side search. */
const MOST_WHOLE = 100;
/** Minimum length of a search text: nearly every name contains a single letter. */
const LEAST_LETTERS = 2;

const KINDS: readonly FoundKind[] = [
  ofOrganization("tags", texts.tag, "listTags", "q", ({ attributes }) => attributes.name),
  ofOrganization("workspaces", texts.workspace, "listWorkspaces", "search[name]", ({ attributes }) => attributes.name),
  ofOrganization("projects", texts.project, "listProjects", "q", ({ attributes }) => attributes.name),
  ofOrganization("reserved-tag-keys", texts.reservedKey, "listReservedTagKeys", "", ({ attributes }) => attributes.key),
  ofOrganization("tag-webhooks", texts.webhook, "listTagWebhooks", "", ({ attributes }) => attributes.name),
  {
    noun: "organizations",
    singular: texts.organization,
    async find({ text, signal }) {
      const query = { q: text, "page[size]": MOST };
      const { body } = await clientOf(undefined).request("listOrganizations", { query, signal });
      return body.data.map(({ id, attributes }) => ({ name: attributes.name, path: inOrganization(id, "settings") }));
    },
  },
  ofScope("tokens", texts.token, "listTokens", ({ AccessorID, Description }) => [AccessorID, Description]),
  ofScope("policies", texts.policy, "listPolicies", ({ ID, Name }) => [ID, Name]),
  ofScope("roles", texts.role, "listRoles", ({ ID, Name }) => [ID, Name]),
  ofScope("auth-methods", texts.authMethod, "listAuthMethods", ({ Name, DisplayName = "" }) => [Name, DisplayName]),
  ofScope("binding-rules", texts.bindingRule, "listBindingRules", (rule) => [rule.ID, titleOf(rule)]),
  ofScope("namespaces", texts.namespace, "listNamespaces", ({ Name }) => [Name, Name]),
  {
    noun: "partitions",
    singular: texts.partition,
    async find({ text, signal }) {
      const query = { search: text, limit: MOST };
      const { body } = await clientOf(undefined).request("listPartitions", { query, signal });
      return body.map(({ Name }) => ({ name: Name, path: atTop("partitions", Name) }));
    },
  },
  {
    noun: "templated-policies",
    singular: texts.templatedPolicy,
    isWhole: true,
    async find({ scope, signal }) {
      const client = clientOf(scope);
      const { body } = await client.request<Readonly<Record<string, Template>>>("listTemplatedPolicies", { signal });
      return Object.values(body).map(({ TemplateName }) => ({
        name: TemplateName,
        path: inScope(scope, "templated-policies", TemplateName),
      }));
    },
  },
];

/** A kind of `/v1`. @param entry its key, and what it is called */
function ofScope<K extends OperationId>(
  noun: string,
  singular: string,
  operation: K,
  entry: (row: ItemOf<K>) => readonly [key: string, title: string],
): FoundKind {
  return {
    noun,
    singular,
    async find({ scope, text, signal }) {
      const query = { search: text, limit: MOST };
      const { body } = await clientOf(scope).request<readonly (ItemOf<K> & { Namespace?: string })[]>(operation, {
        query,
        signal,
      });
      return body.map((row) => {
        const [key, title] = entry(row);
        // Requests for all namespaces: each object is in one namespace; a namespace itself is in none.
        const namespace = scope.namespace === "*" ? (row.Namespace ?? "*") : scope.namespace;
        return { name: title || key, path: inScope({ ...scope, namespace }, noun, key) };
      });
    },
  };
}

/** A kind of an organization. @param searchName the parameter that searches; empty where there is none */
function ofOrganization<K extends OperationId>(
  noun: string,
  singular: string,
  operation: K,
  searchName: string,
  title: (row: ItemOf<K>) => string,
): FoundKind {
  const isWhole = searchName === "";
  return {
    noun,
    singular,
    ...(isWhole ? { isWhole } : {}),
    async find({ organization = "", text, signal }) {
      const { body } = await clientOf(undefined).request<{ data: readonly (ItemOf<K> & { id: string })[] }>(operation, {
        path: { organization_name: organization },
        query: isWhole ? { "page[size]": MOST_WHOLE } : { [searchName]: text, "page[size]": MOST },
        signal,
      });
      return body.data.map((row) => ({ name: title(row), path: inOrganization(organization, noun, row.id) }));
    },
  };
}

function findQuery(kind: FoundKind, places: Places, text: string) {
  const { scope, organization = "" } = places;
  const { isWhole = false } = kind;
  return queryOptions({
    queryKey: ["find", kind.noun, scope.partition, scope.namespace, organization, isWhole ? "" : text],
    async queryFn({ signal }): Promise<readonly Found[]> {
      try {
        return await kind.find({ ...places, text, signal });
      } catch (error) {
        // Objects that the token may not read are treated as absent.
        if (error instanceof TesseraError && (error.status === 403 || error.status === 404)) return [];
        throw error;
      }
    },
    select: (all) => all.filter(({ name }) => !isWhole || holds(name, text)).slice(0, MOST),
  });
}

function holds(name: string, text: string): boolean {
  return name.toLowerCase().includes(text.toLowerCase());
}

/** Results of a search for a text, and its progress. */
export interface SearchResult {
  readonly found: readonly (Found & { readonly kind: FoundKind })[];
  readonly isSearching: boolean;
  /** Kinds that could not be looked in, with why. */
  readonly failed: readonly { readonly kind: FoundKind; readonly error: Error }[];
  again(): void;
}

/** Looks in these kinds, by the nouns of their screens. What was found by another text than this is not given. */
export function useFinding(places: Places, text: string, nouns: ReadonlySet<string>): SearchResult {
  const wanted = text.trim();
  const [settled] = useDebouncedValue(wanted, 150);
  const isCurrent = settled === wanted && settled.length >= LEAST_LETTERS;
  const kinds = isCurrent ? KINDS.filter(({ noun }) => nouns.has(noun)) : [];
  const answers = useQueries({ queries: kinds.map((kind) => findQuery(kind, places, settled)) });
  const each = kinds.flatMap((kind, index) => {
    const answer = answers[index];
    return answer === undefined ? [] : [{ kind, answer }];
  });
  return {
    found: each.flatMap(({ kind, answer }) => (answer.data ?? []).map((found) => ({ ...found, kind }))),
    isSearching: wanted.length >= LEAST_LETTERS && (!isCurrent || answers.some(({ isFetching }) => isFetching)),
    failed: each.flatMap(({ kind, answer: { error } }) => (error === null ? [] : [{ kind, error }])),
    again: () => {
      for (const { isError, refetch } of answers) if (isError) void refetch();
    },
  };
}
