/** Places that are reachable from here. The browser remembers the last scope and the last organization. */
import { useEffect, useMemo } from "react";
import { useParams } from "@tanstack/react-router";
import { inOrganization, inScope, type Scope } from "../base/address.ts";
import { keep, kept, KEPT_ORGANIZATION, KEPT_SCOPE, keptScope } from "../base/kept-places.ts";
import type { Screen } from "./screen.ts";

export interface Places {
  readonly scope: Scope;
  readonly organization: string | undefined;
}

/** Returns the current scope and organization. The last visited ones fill in for those that the address lacks. */
export function usePlaces(): Places {
  const params = useParams({ strict: false }) as Readonly<Record<string, string | undefined>>;
  const { partition, namespace, organization } = params;
  useEffect(() => {
    if (partition !== undefined && namespace !== undefined) keep(KEPT_SCOPE, JSON.stringify([partition, namespace]));
    if (organization !== undefined) keep(KEPT_ORGANIZATION, organization);
  }, [partition, namespace, organization]);
  return useMemo(
    () => ({
      scope: partition === undefined || namespace === undefined ? keptScope() : { partition, namespace },
      organization: organization ?? kept(KEPT_ORGANIZATION),
    }),
    [partition, namespace, organization],
  );
}

/** Returns the path of a screen; undefined when the screen needs an organization and none is known. */
export function pathOfScreen({ place, pages }: Screen, { scope, organization }: Places): string | undefined {
  const parts = (pages[0]?.path ?? "").split("/").filter((part) => part !== "");
  if (place === "top") return `/${parts.join("/")}`;
  if (place === "scope") return inScope(scope, ...parts);
  return organization === undefined ? undefined : inOrganization(organization, ...parts);
}
