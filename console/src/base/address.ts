/** Paths of the console and of its server, and the form of a place on the server in the console's address. */

/** The path of the console, such as `/ui/`, from `<base>`: a proxy may have the server below a path of its own. */
export const BASE_PATH: string = new URL(document.baseURI).pathname;

/** The address of the server itself, without a slash at its end. */
export const SERVER_ADDRESS: string = location.origin + BASE_PATH.replace(/\/ui\/$/, "");

/** Scope of access control objects. Namespace `*` stands for all namespaces of the partition. */
export interface Scope {
  readonly partition: string;
  readonly namespace: string;
}

export type { Search } from "./search.ts";

export const DEFAULT_SCOPE: Scope = { partition: "default", namespace: "default" };

const NAME = "([a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)";
const OF_SCOPE = new RegExp(`^access/${NAME}/${NAME}(?:/|$)`, "i");

/** The scope of the address as it is now; the default one where it has none, or one whose parts are no names, such as `*`. */
export function scopeOfAddress(): Scope {
  const [, partition, namespace] = OF_SCOPE.exec(location.pathname.slice(BASE_PATH.length)) ?? [];
  return partition === undefined || namespace === undefined ? DEFAULT_SCOPE : { partition, namespace };
}

/** A path in a scope: `inScope(scope, "tokens", id)`. */
export function inScope({ partition, namespace }: Scope, ...parts: readonly string[]): string {
  return `/${["access", partition, namespace, ...parts].map(encodeURIComponent).join("/")}`;
}

/** A path in an organization: `inOrganization("acme", "tags")`. */
export function inOrganization(organization: string, ...parts: readonly string[]): string {
  return `/${["org", organization, ...parts].map(encodeURIComponent).join("/")}`;
}

/** A path outside both. */
export function atTop(...parts: readonly string[]): string {
  return `/${parts.map(encodeURIComponent).join("/")}`;
}

/** Path of the screen that explains why a request was denied. */
export function whyPath(requestId: string): string {
  return `/why?request=${encodeURIComponent(requestId)}`;
}
