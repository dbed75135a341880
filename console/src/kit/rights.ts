/**
 * Permissions of the session's token. The console batches the questions to the server, and caches the answers until a
 * change may affect them.
 */
import { queryOptions, useQueries, useQuery } from "@tanstack/react-query";
import { clientOf } from "../base/client.ts";
import type { Scope } from "../base/address.ts";
import { usePlace } from "../base/place.ts";

/** A question: may this be done? As `POST /v1/internal/acl/authorize` takes it. */
export interface Right {
  readonly resource: string;
  readonly access: "read" | "list" | "write";
  /** The object's name; all of them when left out. */
  readonly segment?: string;
}

/** Permission to change the objects of an organization. */
export const ORGANIZATION_WRITE: Right = { resource: "organization", access: "write" };

interface Asked {
  readonly scope: Scope;
  readonly right: Right;
  resolve(allow: boolean): void;
  reject(error: unknown): void;
}

/** Maximum number of questions in one request. */
const MOST = 64;

let waiting: Asked[] = [];

async function ask(scope: Scope, right: Right): Promise<boolean> {
  return new Promise((resolve, reject) => {
    if (waiting.length === 0) queueMicrotask(() => void sendAll());
    waiting.push({ scope, right, resolve, reject });
  });
}

async function sendAll(): Promise<void> {
  const all = waiting;
  waiting = [];
  for (let start = 0; start < all.length; start += MOST) await send(all.slice(start, start + MOST));
}

async function send(asked: readonly Asked[]): Promise<void> {
  try {
    const { body } = await clientOf(undefined, "live").request("authorizeInternally", {
      body: asked.map(({ scope, right: { resource, access, segment } }) => ({
        Resource: resource,
        Access: access,
        ...(segment === undefined ? {} : { Segment: segment }),
        ...(scope.namespace === "default" || scope.namespace === "*" ? {} : { Namespace: scope.namespace }),
        ...(scope.partition === "default" ? {} : { Partition: scope.partition }),
      })),
    });
    asked.forEach(({ resolve }, index) => resolve(body[index]?.Allow === true));
  } catch (error) {
    for (const { reject } of asked) reject(error);
  }
}

/** The answer to one question. */
export function mayQuery(scope: Scope, right: Right) {
  return queryOptions({
    queryKey: ["may", scope.partition, scope.namespace, right.resource, right.access, right.segment ?? ""],
    queryFn: async () => ask(scope, right),
    staleTime: 60_000,
  });
}

/** Whether the session's token may do it, in the scope of the address. False until that is known. */
export function useMay(right: Right | undefined, scope?: Scope): boolean {
  return useMayAll([right], scope)[0] === true;
}

/** Returns the answers for several permissions. An undefined permission is allowed. */
export function useMayAll(rights: readonly (Right | undefined)[], scope?: Scope): readonly boolean[] {
  const place = usePlace();
  return useMayIn(
    scope ?? place.scope,
    rights.map((right) => right && ofOrganization(right, place.organization)),
  );
}

/** Returns the answers independent of the current place: a permission names its organization itself. */
export function useMayIn(scope: Scope, rights: readonly (Right | undefined)[]): readonly boolean[] {
  const queries = rights.map((right) => right && mayQuery(scope, right));
  // Each question once: the cache knows no two of the same key in one place.
  const distinct = new Map(queries.flatMap((query) => (query === undefined ? [] : [[keyOf(query), query]])));
  const answers = useQueries({ queries: [...distinct.values()] });
  const keys = [...distinct.keys()];
  return queries.map((query) => query === undefined || answers[keys.indexOf(keyOf(query))]?.data === true);
}

/** Whether it is known that the session's token may not do it, in the place of the address. */
export function useLacks(right: Right | undefined): boolean {
  const place = usePlace();
  const asked = right ?? { resource: "organization", access: "read" };
  const query = mayQuery(place.scope, ofOrganization(asked, place.organization));
  return useQuery({ ...query, enabled: right !== undefined }).data === false && right !== undefined;
}

/** Restricts a permission on organizations to the current organization. */
export function ofOrganization(right: Right, organization: string | undefined): Right {
  if (right.resource !== "organization" || right.segment !== undefined || organization === undefined) return right;
  return { ...right, segment: organization };
}

function keyOf({ queryKey }: { queryKey: readonly unknown[] }): string {
  return JSON.stringify(queryKey);
}
