/** PostgreSQL servers below the nodes of a run of histories, whoever keeps them in order. */
export interface Cluster {
  /** The `--database` value of each node, by its number. Every connection in it goes through proxies of that node alone. */
  readonly databaseUrls: readonly string[];
  /** The `--replica` value of each node; undefined where the cluster offers none. Also through proxies of that node. */
  readonly replicaUrls: readonly (string | undefined)[];
  /** URL of the present primary, past every proxy, for reading the tables. It has one host. */
  adminUrl(): Promise<string>;
  /** Stops a standby applying what the primary sends for so many milliseconds; resolves when it goes on. */
  delayReplica(milliseconds: number): Promise<void>;
  /**
   * The primary dies by SIGKILL and a synchronous standby takes its place. Resolves when that takes writes and a
   * synchronous standby follows it again. Throws when this takes longer than about a minute.
   */
  failOver(): Promise<void>;
  /** Cuts all database connections of a node; new ones are let through. */
  cut(node: number): void;
  /**
   * Loses all that passes on the database connections of a node, either way, for so many milliseconds: those there are
   * and those made meanwhile. Afterwards cuts them, as what was lost cannot be made up for. Resolves then.
   */
  swallow(node: number, milliseconds: number): Promise<void>;
  /** Ends the servers and proxies and removes their files. */
  stop(): Promise<void>;
}
