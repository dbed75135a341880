/** A kind of objects of access control: what its list, its page and its forms have in common. */
import { queryOptions } from "@tanstack/react-query";
import type { UseFormReturnType } from "@mantine/form";
import type { OperationId } from "@tessera-server/client";
import type { ReactNode } from "react";
import type { Place } from "../base/place.ts";
import { scopedKey } from "../base/queries.ts";
import type { HclResource } from "./hcl.ts";
import type { NamedLink } from "./links.tsx";
import { commandOf, flagsOf, type Members, type Plan } from "./plan.ts";
import type { Right } from "./rights.ts";

/** How objects of a kind are read, found and called. Small: what declares a screen has it. */
export interface Named<T> {
  /** Noun in the address and in events. */
  readonly noun: string;
  /** Words for lists and headings. */
  readonly singular: string;
  readonly plural: string;
  readonly read: OperationId;
  /** Name of the key in the API's path. */
  readonly parameter: "id" | "name";
  key(object: T): string;
  title(object: T): string;
  /** Returns the object without secrets. Only this copy is cached. */
  withoutSecrets?(object: T): T;
}

/** One object. */
export function oneQuery<T>({ noun, read, parameter, withoutSecrets }: Named<T>, place: Place, key: string) {
  return queryOptions({
    queryKey: scopedKey(place.scope, noun, "one", key),
    queryFn: async ({ signal }) => {
      const { body } = await place.client.request<T>(read, { path: { [parameter]: key }, signal });
      return withoutSecrets === undefined ? body : withoutSecrets(body);
    },
  });
}

/** Members of an earlier version of an object. @param parameter that names the kind */
export function versionQuery(place: Place, parameter: string, key: string, version: string) {
  return queryOptions({
    queryKey: scopedKey(place.scope, "history", parameter, key, version),
    queryFn: async ({ signal }) => {
      const query = { [parameter]: key, version };
      const { body } = await place.client.request<readonly { Content?: Members }[]>("listVersions", { query, signal });
      const members = Object.entries(body[0]?.Content ?? {});
      return Object.fromEntries(members.map(([name, value]) => [name, value ?? undefined]));
    },
  });
}

export interface Marked {
  readonly ModifyIndex: number;
}

/** Operations, form and texts for objects of a kind. */
export interface Kind<T extends Marked, V extends object> {
  readonly named: Named<T>;
  /** Name of the kind in audit records. */
  readonly record: string;
  /** Whether audit records identify the object by name, with an ID that the API does not show. */
  readonly isRecordedByName?: boolean;
  /** Query parameter of the operation that lists uses of an object. */
  readonly uses?: "policy" | "role" | "auth-method" | "namespace";
  /** Policies of an object, for the drawing of its uses. */
  policies?(object: T): readonly NamedLink[];
  /** Query of **Access checks** for the permissions of an object. */
  readonly why?: { query(key: string): Readonly<Record<string, string>> };
  readonly write: Right;
  readonly create: OperationId;
  readonly update: OperationId;
  readonly delete: OperationId;
  /** Command behind `tessera`, such as `role`. */
  readonly command: string;
  /** Whether `create` takes its name as a word, and not as a flag. */
  readonly isNamed: boolean;
  readonly flags: Readonly<Record<string, (value: unknown) => readonly string[] | undefined>>;
  readonly empty: V;
  valuesOf(object: T): V;
  /** The values of another one like it. */
  copyOf(values: V): V;
  members(values: V): Members;
  check(values: V, isNew: boolean): Partial<Record<keyof V & string, string>>;
  fields(form: UseFormReturnType<V>, isNew: boolean): ReactNode;
  /** Which values may hold a secret: the browser keeps them nowhere. */
  readonly secrets?: readonly (keyof V & string)[];
  terraform?(body: Members): HclResource;
  readonly aboutNew: string;
}

/** Returns the write that creates an object. Empty members are omitted: empty is their default. */
export function createPlan<T extends Marked, V extends object>(kind: Kind<T, V>, members: Members): Plan {
  const body = Object.fromEntries(Object.entries(members).filter(([, value]) => !isEmpty(value)));
  const { Name: name, ...rest } = body;
  const verb = [kind.command, "create"];
  const names = [typeof name === "string" ? name : ""];
  return {
    operation: kind.create,
    body,
    command: kind.isNamed
      ? commandOf(verb, names, flagsOf(rest, kind.flags))
      : commandOf(verb, [], flagsOf(body, kind.flags)),
    ...(kind.terraform === undefined ? {} : { terraform: kind.terraform(body) }),
  };
}

/** Returns the write that changes an object from the state that was read. Removed members are sent as null. */
export function updatePlan<T extends Marked, V extends object>(
  kind: Kind<T, V>,
  key: string,
  { before, changed, mark }: { before: Members; changed: Members; mark: string },
): Plan {
  const body = Object.fromEntries(
    Object.entries(changed).map(([name, value]) => [name, value === undefined ? null : patchOf(before[name], value)]),
  ) as Members;
  return {
    operation: kind.update,
    path: { [kind.named.parameter]: key },
    query: { cas: mark },
    body,
    command: commandOf(
      [kind.command, "update"],
      [key],
      [...flagsOf(body, hasNulls(body) ? {} : kind.flags), "--cas", mark],
    ),
  };
}

/** Returns the write that deletes an object. */
export function deletePlan<T extends Marked, V extends object>({ named, ...kind }: Kind<T, V>, object: T): Plan {
  const key = named.key(object);
  const mark = String(object.ModifyIndex);
  return {
    operation: kind.delete,
    path: { [named.parameter]: key },
    query: { cas: mark },
    command: commandOf([kind.command, "delete"], [key], ["--cas", mark, "--yes"]),
  };
}

/** A JSON Merge Patch from one value to another: what went is `null`. */
export function patchOf(before: unknown, after: unknown): unknown {
  if (!isRecord(before) || !isRecord(after)) return after;
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return Object.fromEntries(
    [...names]
      .filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
      .map((name) => [name, after[name] === undefined ? null : patchOf(before[name], after[name])]),
  );
}

/** Checks for null: flags can set values, but cannot remove them. */
function hasNulls(value: unknown): boolean {
  return value === null || (isRecord(value) && Object.values(value).some(hasNulls));
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === "") return true;
  return Array.isArray(value) ? value.length === 0 : isRecord(value) && Object.values(value).every(isEmpty);
}

/** How a list that comes whole from a server without pages is searched and sorted. */
export function localOf<Row extends object>(...names: readonly (keyof Row & string)[]) {
  const valueOf = (row: Row, name: string) => {
    const value = (row as Readonly<Record<string, unknown>>)[name];
    return typeof value === "string" || typeof value === "number" ? value : undefined;
  };
  return { text: (row: Row) => names.map((name) => valueOf(row, name) ?? "").join("\n"), value: valueOf };
}
