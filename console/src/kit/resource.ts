/** A kind of objects of `/api/v2`: what its page and its forms have in common. */
import { queryOptions } from "@tanstack/react-query";
import type { UseFormReturnType } from "@mantine/form";
import type { OperationId } from "@tessera-server/client";
import type { ReactNode } from "react";
import type { Place } from "../base/place.ts";
import { organizationKey } from "../base/queries.ts";
import type { HclResource } from "./hcl.ts";
import { commandOf, flagsOf, textFlag, type Members, type Plan } from "./plan.ts";
import * as texts from "../texts/kit-objects.ts";

/** An object, as documents of `/api/v2` have it. */
export interface ResourceRow {
  readonly id: string;
  readonly attributes: object;
}

/** How objects of a kind are read, found and called. Small: what declares a screen has it. */
export interface NamedResource<Row extends ResourceRow> {
  /** Noun in the address and in the keys of queries. */
  readonly noun: string;
  readonly singular: string;
  readonly plural: string;
  /** Operation that reads one object. `list` where the API has only that, without an ETag for conditional writes. */
  readonly read: OperationId | "list";
  readonly list: OperationId;
  /** Name of the key in the API's path, such as `project_id`. */
  readonly parameter: string;
  title(row: Row): string;
  /** When it was changed last, where it has no ETag. */
  changedAt?(row: Row): string;
}

/** Object with the ETag for conditional writes. The ETag is empty where the API returns none. */
export interface ReadResource<Row> {
  readonly row: Row;
  readonly etag: string;
}

/** Maximum number of objects searched for one that only a list contains. */
const MOST = 2000;

/** One object. */
export function resourceQuery<Row extends ResourceRow>(named: NamedResource<Row>, place: Place, key: string) {
  return queryOptions({
    queryKey: organizationKey(place.organization ?? "", named.noun, "one", key),
    queryFn: async ({ signal }): Promise<ReadResource<Row>> => {
      if (named.read === "list") return { row: await findInList(named, place, key, signal), etag: "" };
      const path = { [named.parameter]: key };
      const { body, headers } = await place.client.request<{ data: Row }>(named.read, { path, signal });
      return { row: body.data, etag: headers.get("etag") ?? "" };
    },
  });
}

async function findInList<Row extends ResourceRow>(
  { list, singular }: NamedResource<Row>,
  { client, organization = "" }: Place,
  key: string,
  signal: AbortSignal,
): Promise<Row> {
  const pages = client.pages<Row>(list, {
    path: { organization_name: organization },
    query: { "page[size]": 100 },
    signal,
  });
  let seen = 0;
  for await (const row of pages.items()) {
    if (row.id === key) return row;
    if (++seen >= MOST) break;
  }
  throw new Error(texts.noSuchObject(singular));
}

/** Operations, form and texts for objects of a kind. */
export interface Resource<Row extends ResourceRow, V extends object> {
  readonly named: NamedResource<Row>;
  /** `type` of its documents. */
  readonly type: string;
  /** Name of the kind in audit records; `recordId` returns the ID of an object in them. */
  readonly record: string;
  recordId(row: Row): string;
  readonly create: OperationId;
  readonly update: OperationId;
  readonly delete: OperationId;
  /** Command behind `tessera`, such as `project`. */
  readonly command: string;
  /** Command names, and the attribute that is their first argument, where they differ from the default. */
  readonly words?: Readonly<Record<"create" | "update" | "delete" | "name", string>>;
  readonly flags: Readonly<Record<string, (value: unknown) => readonly string[] | undefined>>;
  readonly empty: V;
  valuesOf(row: Row): V;
  /** Attributes, as the API has them. */
  members(values: V): Members;
  /** Returns the attributes of a new object, whose form has fewer fields. */
  newMembers?(values: V): Members;
  check(values: V, isNew: boolean): Partial<Record<keyof V & string, string>>;
  fields(form: UseFormReturnType<V>, isNew: boolean): ReactNode;
  /** Which values may hold a secret: the browser keeps them nowhere. */
  readonly secrets?: readonly (keyof V & string)[];
  terraform?(attributes: Members, place: Place): HclResource;
  readonly aboutNew: string;
  /** Query of **Access checks**: who may change the object. */
  why?(row: Row): Readonly<Record<string, string>>;
  /** Returns the reason why the object cannot be deleted by any token; undefined when it can. */
  keptBy?(row: Row): string | undefined;
}

/** Members of a resource that an edit requires. */
export type EditedResource<Row extends ResourceRow, V extends object> = Pick<
  Resource<Row, V>,
  "named" | "type" | "update" | "command" | "words" | "flags" | "valuesOf" | "members" | "check" | "fields" | "secrets"
>;

const WORDS = { create: "create", update: "update", delete: "delete", name: "name" };

/** Returns the write that creates an object. Empty attributes are omitted: empty is their default. */
export function createResourcePlan<Row extends ResourceRow, V extends object>(
  { type, create, command, words = WORDS, flags, terraform }: Resource<Row, V>,
  place: Place,
  members: Members,
): Plan {
  const attributes = Object.fromEntries(Object.entries(members).filter(([, value]) => !isEmpty(value)));
  const { [words.name]: name, ...rest } = attributes;
  return {
    operation: create,
    path: place.organization === undefined ? {} : { organization_name: place.organization },
    body: { data: { type, attributes } },
    command: commandOf([command, words.create], [typeof name === "string" ? name : ""], flagsOf(rest, flags)),
    ...(terraform === undefined ? {} : { terraform: terraform(attributes, place) }),
  };
}

/** Returns the write that changes an object, on condition that it has not changed since it was read. */
export function updateResourcePlan<Row extends ResourceRow, V extends object>(
  { named, type, update, command, words = WORDS, flags }: EditedResource<Row, V>,
  row: Row,
  changed: Members,
  etag: string,
): Plan {
  return {
    operation: update,
    path: { [named.parameter]: row.id },
    ...(named.read === "list" ? {} : { ifMatch: etag }),
    body: { data: { type, attributes: changed } },
    command: [command, words.update, row.id, ...flagsOf(changed, { [words.name]: textFlag(words.name), ...flags })],
  };
}

/** Returns the write that deletes an object, on condition that it has not changed since it was read. */
export function deleteResourcePlan<Row extends ResourceRow, V extends object>(
  { named, command, words = WORDS, ...resource }: Resource<Row, V>,
  { row, etag }: ReadResource<Row>,
): Plan {
  return {
    operation: resource.delete,
    path: { [named.parameter]: row.id },
    ifMatch: etag,
    command: [command, words.delete, row.id, "--yes"],
  };
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === "" || value === null || (Array.isArray(value) && value.length === 0);
}
