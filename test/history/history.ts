/**
 * What is recorded of a run: every request of every client with when it was sent, when its answer came and what that
 * said. Times are milliseconds of one monotonic clock, that of the process that runs the clients.
 */
import type { Fault } from "./faults.ts";

/** What became of a request. */
export type Outcome =
  /** A 2xx answer. */
  | "done"
  /** An answer that says that nothing happened: any 4xx, a 503 that does not say that the outcome is unknown. */
  | "refused"
  /** No answer, or one that says that the outcome is unknown: it may have happened, or happen yet. */
  | "unknown";

export interface Entry {
  /** Who asked; each client asks one thing at a time. */
  readonly client: number;
  /** Which node was asked, from 0. */
  readonly node: number;
  readonly invoked: number;
  /** Undefined where no answer came. */
  readonly returned: number | undefined;
  readonly outcome: Outcome;
  /** HTTP status; 0 without an answer. */
  readonly status: number;
  /** `X-Consul-Index` of the answer, where it had one. */
  readonly index?: number;
  readonly operation: Operation;
}

/** A policy whose description is the value; its ModifyIndex is the version. */
export type Operation =
  /** An unconditional update of a register. `version` is what the answer said. */
  | { readonly kind: "write"; readonly register: string; readonly value: string; readonly version?: number }
  /** The same with `?cas=expected`; 409 when the version was another. */
  | {
      readonly kind: "cas";
      readonly register: string;
      readonly value: string;
      readonly expected: number;
      readonly version?: number;
    }
  | { readonly kind: "read"; readonly register: string; readonly value?: string; readonly version?: number }
  /**
   * Objects that are made together: all of them or none. `pool` says where their names are unique, such as `roles` or
   * `tags`. `ids` are those of the answer, in the order of the names. A `tags` pool gives a name that is taken its
   * present id; any other refuses it.
   */
  | {
      readonly kind: "create";
      readonly pool: string;
      readonly names: readonly string[];
      readonly ids?: readonly string[];
    }
  /** Objects that are deleted together: all of them or none. */
  | {
      readonly kind: "delete";
      readonly pool: string;
      readonly names: readonly string[];
      readonly ids: readonly string[];
    }
  /** A list of all that a pool holds, in the default mode. */
  | { readonly kind: "list"; readonly pool: string; readonly found?: Contents }
  /** A blocking query for a list, begun with `since`. `found` and the entry's `index` are of the answer. */
  | { readonly kind: "watch"; readonly pool: string; readonly since: number; readonly found?: Contents }
  /** A token that was in use is deleted. `token` is its AccessorID. */
  | { readonly kind: "revoke"; readonly token: string }
  /** A request with that token; accepted when it was answered 2xx, refused when 403 with `ACL not found`. */
  | { readonly kind: "use"; readonly token: string; readonly accepted?: boolean };

/** Names with the version of each; of a pool without versions the version is 0. */
export type Contents = Readonly<Record<string, number>>;

/** What is there in the end, when every fault has been mended and nothing is under way any more. */
export interface FinalState {
  /**
   * What each node shows: by pool, name → version and id. `indexes` has the `X-Consul-Index` of those lists, of the
   * pools that have one.
   */
  readonly nodes: readonly {
    readonly pools: Readonly<Record<string, readonly Stored[]>>;
    readonly indexes?: Readonly<Record<string, number>>;
  }[];
  /** By register, as each node shows them. */
  readonly registers: readonly Readonly<Record<string, { readonly value: string; readonly version: number }>>[];
  /** What does not fit together in the database: counts that a recount does not find, links of nothing. */
  readonly contradictions: readonly string[];
}

export interface Stored {
  readonly name: string;
  readonly id: string;
  readonly version: number;
}

/** What the nemesis did: `what` for who reads a failure, the rest for who counts. */
export interface Inflicted {
  readonly at: number;
  readonly what: string;
  readonly kind?: Fault["kind"];
  readonly node?: number;
  /** That it is mended; otherwise that it begins. */
  readonly over?: boolean;
}

/** A run: what was asked for, what happened, and what remained. */
export interface History {
  readonly seed: number;
  readonly entries: readonly Entry[];
  readonly faults: readonly Inflicted[];
  /** When the last fault was mended and the clients stopped. Watchers went on until `ended`. */
  readonly quietFrom: number;
  readonly ended: number;
  readonly final: FinalState;
}

/** What a history must not show. Empty when all is well; each text names the entries that contradict each other. */
export type Check = (history: History) => string[];
