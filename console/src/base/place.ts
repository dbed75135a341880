/** Place of a screen on the server: a scope, an organization, or neither. It is part of the address. */
import type { Client } from "@tessera-server/client";
import { useParams } from "@tanstack/react-router";
import { useMemo } from "react";
import { atTop, DEFAULT_SCOPE, inOrganization, inScope, type Scope } from "./address.ts";
import { clientOf } from "./client.ts";
import * as texts from "../texts/base.ts";

export interface Place {
  /** The scope of the address; outside of scopes the default one. */
  readonly scope: Scope;
  readonly organization: string | undefined;
  /** Asks in the scope. */
  readonly client: Client;
  /** A path in this place: `place.path("tokens", id)`. */
  path(...parts: readonly string[]): string;
}

type Params = Readonly<Record<string, string | undefined>>;

/** Nouns of screens outside scopes and organizations; their paths are the same from every place. */
const AT_TOP: ReadonlySet<string | undefined> = new Set(["organizations", "partitions"]);

/** The place that the parameters of an address name. */
export function placeOf({ partition, namespace, organization }: Params): Place {
  const scope = partition === undefined || namespace === undefined ? DEFAULT_SCOPE : { partition, namespace };
  return {
    scope,
    organization,
    client: clientOf(scope),
    path: (...parts) => {
      if (AT_TOP.has(parts[0])) return atTop(...parts);
      return organization === undefined ? inScope(scope, ...parts) : inOrganization(organization, ...parts);
    },
  };
}

/** The place of the address. */
export function usePlace(): Place {
  const { partition, namespace, organization } = useParams({ strict: false }) as Params;
  return useMemo(() => placeOf({ partition, namespace, organization }), [partition, namespace, organization]);
}

/** A parameter of the path, such as `$accessor`. @throws Error when the route has none of this name */
export function usePathParameter(name: string): string {
  const value = (useParams({ strict: false }) as Params)[name];
  if (value === undefined) throw new Error(texts.addressLacks(name));
  return value;
}

/** The same place for an object that lies in one namespace, though the list shows all of them. */
export function placeOfObject(place: Place, object: { Namespace?: string | undefined }): Place {
  if (place.scope.namespace !== "*" || object.Namespace === undefined) return place;
  return placeOf({ partition: place.scope.partition, namespace: object.Namespace });
}
