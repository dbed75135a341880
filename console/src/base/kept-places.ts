/** Memory of the browser for a visit: texts by name, and the last scope and organization. */
import { BASE_PATH, DEFAULT_SCOPE, type Scope } from "./address.ts";
import type { FollowedPlaces } from "./event-start.ts";

export const KEPT_SCOPE = "tessera-scope";
export const KEPT_ORGANIZATION = "tessera-organization";

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

/** Returns the last visited scope; the default one when none is remembered. */
export function keptScope(): Scope {
  try {
    const [partition, namespace] = JSON.parse(kept(KEPT_SCOPE) ?? "[]") as unknown[];
    if (typeof partition === "string" && typeof namespace === "string") return { partition, namespace };
  } catch {
    // Invalid stored text: the default scope applies.
  }
  return DEFAULT_SCOPE;
}

/** Returns the places that the page of the address follows when it opens. */
export function placesOfAddress(): FollowedPlaces {
  const [area, name = ""] = location.pathname.slice(BASE_PATH.length).split("/").map(decoded);
  return {
    partition: area === "access" && name !== "" ? name : keptScope().partition,
    organization: area === "org" && name !== "" ? name : kept(KEPT_ORGANIZATION),
  };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
