/** Which route a path is of, for routes that the lane may answer: by the path alone, as the router would find it. */
import type { RouteRecord } from "../route-table.ts";
import type { LaneRoute } from "./route.ts";

/** Route of a path, with the value of its last segment if that is a parameter. */
export interface FoundRoute {
  readonly route: LaneRoute;
  readonly params: Readonly<Record<string, string>>;
}

const NO_PARAMS: FoundRoute["params"] = Object.freeze({});
const PARAMETER = /^:(\w+)$/;

export class LaneRoutes {
  /** By method and path; undefined for a route that is none of the lane's. */
  readonly #exact = new Map<string, LaneRoute | undefined>();
  /** By method and path up to the last segment, which is a parameter. */
  readonly #last = new Map<string, { route: LaneRoute; name: string }>();

  /** Notes a route, so that its path is not taken for a parameter of another one. */
  know({ method, pattern }: RouteRecord): void {
    const key = `${method} ${pattern}`;
    if (!pattern.includes(":") && !this.#exact.has(key)) this.#exact.set(key, undefined);
  }

  /** Takes a route whose path has no parameter but its last segment; others it leaves to Node. */
  add(route: LaneRoute): void {
    const { method, pattern } = route.record;
    const [, name] = PARAMETER.exec(pattern.slice(pattern.lastIndexOf("/") + 1)) ?? [];
    const before = pattern.slice(0, pattern.lastIndexOf("/") + 1);
    if (before.includes(":") || pattern.includes("*")) return;
    if (name === undefined) this.#exact.set(`${method} ${pattern}`, route);
    else this.#last.set(`${method} ${before}`, { route, name });
  }

  /** @param path without escapes */
  find(method: string, path: string): FoundRoute | undefined {
    const key = `${method} ${path}`;
    const exact = this.#exact.get(key);
    if (exact !== undefined) return { route: exact, params: NO_PARAMS };
    if (this.#exact.has(key)) return undefined;
    const cut = path.lastIndexOf("/") + 1;
    const last = this.#last.get(`${method} ${path.slice(0, cut)}`);
    const value = path.slice(cut);
    return last === undefined || value === "" ? undefined : { route: last.route, params: { [last.name]: value } };
  }
}
