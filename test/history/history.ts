/**
 * Record of a run: every request of every client, with when it was sent, when its answer came and what the answer
 * contained. Times are milliseconds of one monotonic clock, that of the process that runs the clients.
 */
import type { Fault } from "./faults.ts";

/** Outcome of a request. */
export type Outcome =
  /** A 2xx answer. */
  | "done"
  /** An answer that says that nothing happened: any 4xx, a 503 that does not say that the outcome is unknown. */
  | "refused"
  /** No answer, or one that says that the outcome is unknown: it may have happened, or happen yet. */
  | "unknown";

export interface Entry {
  /** Client that sent it; each client sends one request at a time. */
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
  /** Somebody logs in, or signs in at the console. `token` names what was given, as for `revoke`. */
  | { readonly kind: "begin"; readonly of: "login" | "session"; readonly token?: string }
  /** A credential that was in use is ended: a token is deleted, its secret rotated, a session ended. `token` names it. */
  | { readonly kind: "revoke"; readonly token: string; readonly of?: Credential }
  /**
   * A request that presents it, `consistent` or in the default mode; accepted when it was answered 2xx, refused when 403
   * with `ACL not found`.
   */
  | {
      readonly kind: "use";
      readonly token: string;
      readonly of?: Credential;
      readonly consistent?: boolean;
      readonly accepted?: boolean;
    }
  /** A right is taken from a token that stays, or given back: by its policy, its role or itself. One client does that. */
  | { readonly kind: "grant"; readonly right: string; readonly allowed: boolean }
  /** A request that needs the right. `allowed` says whether it was. */
  | { readonly kind: "ask"; readonly right: string; readonly consistent: boolean; readonly allowed?: boolean }
  /** A key of a workspace is given a value, which nobody gives twice. One client does that. */
  | { readonly kind: "assign"; readonly key: string; readonly value: string }
  /** A look at the key; `value` is null for none. */
  | { readonly kind: "value"; readonly key: string; readonly value?: string | null }
  /** A job that gives keys of several workspaces a value, some time after the answer. */
  | { readonly kind: "job"; readonly keys: readonly string[]; readonly value: string; readonly job?: string }
  /** How far a job is. */
  | { readonly kind: "progress"; readonly job: string; readonly status?: string }
  /** A part of a stream of events, from its beginning or going on behind the last id. */
  | { readonly kind: "follow"; readonly after?: string; readonly begun?: Begun; readonly told: readonly Told[] };

/** Kinds of things that a `revoke` ends. */
export type Credential = "token" | "login" | "session" | "secret";

/** Id from which a stream can continue, and when the stream sent it, in milliseconds of the run. */
export interface Begun {
  readonly at: number;
  readonly id: string;
}

/** An event, and the values that it says keys were given. */
export interface Told {
  readonly id: string;
  readonly values: readonly string[];
}

/** Names with the version of each; of a pool without versions the version is 0. */
export type Contents = Readonly<Record<string, number>>;

/** Final state, when every fault has ended and nothing is under way any more. */
export interface FinalState {
  /**
   * Objects that each node shows: by pool, name → version and id. `indexes` has the `X-Consul-Index` of those lists, of
   * the pools that have one.
   */
  readonly nodes: readonly {
    readonly pools: Readonly<Record<string, readonly Stored[]>>;
    readonly indexes?: Readonly<Record<string, number>>;
  }[];
  /** By register, as each node shows them. */
  readonly registers: readonly Readonly<Record<string, { readonly value: string; readonly version: number }>>[];
  /** Contradictions in the database: counts that a recount does not find, links to nothing. */
  readonly contradictions: readonly string[];
}

export interface Stored {
  readonly name: string;
  readonly id: string;
  readonly version: number;
}

/** Fault that the nemesis began or ended: `what` for a reader of a failure, the rest for counts. */
export interface Inflicted {
  readonly at: number;
  readonly what: string;
  readonly kind?: Fault["kind"];
  readonly node?: number;
  /** True when the fault ends; otherwise it begins. */
  readonly over?: boolean;
}

/** A run: its requests, its faults, and the final state. */
export interface History {
  readonly seed: number;
  readonly entries: readonly Entry[];
  readonly faults: readonly Inflicted[];
  /** Time at which the last fault had ended and the clients stopped. Watchers continued until `ended`. */
  readonly quietFrom: number;
  readonly ended: number;
  readonly final: FinalState;
}

/**
 * Finds contradictions in a history. Empty if there are none; each text names the entries that contradict each other.
 */
export type Check = (history: History) => string[];
