/** Places that are reachable from here. The browser remembers the last scope and the last organization. */
import { useEffect, useMemo } from "react";
import { useParams } from "@tanstack/react-router";
import { DEFAULT_SCOPE, inOrganization, inScope, type Scope } from "../base/address.ts";
import type { Screen } from "./screen.ts";

export interface Places {
  readonly scope: Scope;
  readonly organization: string | undefined;
}

const SCOPE = "tessera-scope";
const ORGANIZATION = "tessera-organization";

/** Returns the current scope and organization. The last visited ones fill in for those that the address lacks. */
export function usePlaces(): Places {
  const params = useParams({ strict: false }) as Readonly<Record<string, string | undefined>>;
  const { partition, namespace, organization } = params;
  useEffect(() => {
    if (partition !== undefined && namespace !== undefined) keep(SCOPE, JSON.stringify([partition, namespace]));
    if (organization !== undefined) keep(ORGANIZATION, organization);
  }, [partition, namespace, organization]);
  return useMemo(
    () => ({
      scope: partition === undefined || namespace === undefined ? keptScope() : { partition, namespace },
      organization: organization ?? kept(ORGANIZATION),
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

function keptScope(): Scope {
  try {
    const [partition, namespace] = JSON.parse(kept(SCOPE) ?? "[]") as unknown[];
    if (typeof partition === "string" && typeof namespace === "string") return { partition, namespace };
  } catch {
    // Invalid stored text: the default scope applies.
  }
  return DEFAULT_SCOPE;
}

/** Remembers a text in the browser, which may refuse that: then nothing is remembered. */
export function keep(name: string, value: string): void {
  try {
    localStorage.setItem(name, value);
  } catch {
    // The place is not remembered.
  }
}

/** Returns a text that the browser remembers. */
export function kept(name: string): string | undefined {
  try {
    const value = localStorage.getItem(name);
    return value === null || value === "" ? undefined : value;
  } catch {
    return undefined;
  }
}
