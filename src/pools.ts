/**
 * All that callers share and that can be used up: of each, how much there is, and what of it one caller cannot take from the
 * others. What bounds work of several callers names its entry, so that nothing is added that has none; `docs/limits.md` shows
 * them all, as a test holds.
 */

export interface PoolEntry {
  /** As the table names it. */
  readonly resource: string;
  /** How much there is for all, as the table says it. */
  readonly forAll: string;
  /** The part that is kept for others, as the table says it. */
  readonly kept: string;
  /** How much there is where nothing else is configured; absent where it is made of several bounds, or the code that has it says it. */
  readonly size?: number;
}

const MIB = 1024 * 1024;
/** Kept by `createPool`. */
const LAST_QUARTER = "the last quarter";

/** By the names that the code has for them. */
export const POOLS = {
  sending: {
    resource: "bytes of responses over 16 KiB in flight",
    forAll: "256 MiB, `--max-sending`",
    kept: LAST_QUARTER,
    size: 256 * MIB,
  },
  sendingOfWrites: {
    resource:
      "bytes of responses to writes over 16 KiB in flight; callers with many unread bytes cannot start further writes",
    forAll: "256 MiB, `--max-sending`",
    kept: LAST_QUARTER,
    size: 256 * MIB,
  },
  receiving: {
    resource: "bytes of request bodies of at least 16 KiB in flight",
    forAll: "128 MiB",
    kept: `${LAST_QUARTER}; 16 MiB of one token, or of one address without one; half of all for tokens`,
    size: 128 * MIB,
  },
  writes: {
    resource: "waiting writes",
    forAll: "1,024",
    kept: LAST_QUARTER,
    size: 1024,
  },
  writesOfCounter: {
    resource: "waiting writes of one organization or partition",
    forAll: "512",
    kept: LAST_QUARTER,
    size: 512,
  },
  longReads: {
    resource: "waiting reads of many rows",
    forAll: "256",
    kept: LAST_QUARTER,
    size: 256,
  },
  work: {
    resource: "operations longer than 5 ms, such as checks of policy rules and long documents",
    forAll: "8 at a time, and 1,024 that wait",
    kept: `2 at a time for other namespaces than one, 6 for other tokens; ${LAST_QUARTER} of both`,
  },
  questions: {
    resource: "requests of `explain`, `why`, `access` and `effect`",
    forAll: "8 at a time, and 64 that wait",
    kept: `2 at a time for other namespaces than one, 6 for other tokens; ${LAST_QUARTER} of both`,
  },
  lists: {
    resource: "lists",
    forAll: "24 at a time, and 16,384 that wait",
    kept: `8 at a time for other namespaces than one, 22 for other tokens; ${LAST_QUARTER} of both`,
  },
  alikeTags: {
    resource: "lists of similar tags",
    forAll: "2 at a time, and 64 that wait",
    kept: `1 at a time for other organizations than one; ${LAST_QUARTER} of both`,
  },
  tagReports: {
    resource: "compliance reports",
    forAll: "2 at a time, and 64 that wait",
    kept: `1 at a time for other organizations than one; ${LAST_QUARTER} of both`,
  },
  jobPreviews: {
    resource: "previews of tag jobs",
    forAll: "2 at a time, and 64 that wait",
    kept: `1 at a time for other organizations than one; ${LAST_QUARTER} of both`,
  },
  importPreviews: {
    resource: "previews of imports",
    forAll: "2 at a time, and 64 that wait",
    kept: `1 at a time for other organizations than one; ${LAST_QUARTER} of both`,
  },
  revocationPreviews: {
    resource: "previews of revocations",
    forAll: "2 at a time, and 64 that wait",
    kept: `1 at a time for other namespaces than one; ${LAST_QUARTER} of both`,
  },
  webhookTests: {
    resource: "tests of the webhooks of an organization",
    forAll: "2 at a time, and 4 that wait",
    kept: "each organization has its own",
  },
  lookups: {
    resource: "look-ups of names for the auth methods of a partition",
    forAll: "256 at a time, and 4,096 that wait",
    kept: "all but 8 at a time, and 256 that wait, for other namespaces than one",
  },
  providerRequests: {
    resource: "requests to the provider of an auth method",
    forAll: "32 at a time, and 1,000 that wait",
    kept: LAST_QUARTER,
  },
  suspects: {
    resource: "login verifications for an address with many denied logins, by auth method",
    forAll: "4 at a time, and 256 that wait",
    kept: "each address has its own",
  },
  exports: {
    resource: "running audit exports",
    forAll: "64",
    kept: `${LAST_QUARTER}; 8 of one token`,
    size: 64,
  },
  waits: {
    resource: "blocking queries, waiting reads of `/api/v2` and event streams",
    forAll: "as many as connections",
    kept: `${LAST_QUARTER}; \`--waits-per-token\`, \`--waits-per-address\``,
    size: 20_480,
  },
  connections: {
    resource: "connections of clients",
    forAll: "20,480, `--max-connections`",
    kept: `${LAST_QUARTER}, by address: where \`--trusted-proxies\` is set, of all but those, and otherwise of public addresses`,
    size: 20_480,
  },
  requestsAhead: {
    resource: "requests sent ahead",
    forAll: "16,384",
    kept: `${LAST_QUARTER}, by connection, and by address as for connections; 1,000 of one connection`,
    size: 16_384,
  },
  files: {
    resource: "files of an organization that are received, previewed or imported",
    forAll: "8",
    kept: LAST_QUARTER,
    size: 8,
  },
  filesOfOthers: {
    resource: "such files of callers without write permission on the organization",
    forAll: "4",
    kept: LAST_QUARTER,
    size: 4,
  },
  webhookLanes: {
    resource: "deliveries to webhooks",
    forAll: "256",
    kept: `${LAST_QUARTER}, by organization; organizations with the fewest deliveries come first`,
    size: 256,
  },
  sessions: {
    resource: "sessions of a token at the console",
    forAll: "50",
    kept: "by address: a new session ends one of the address that has the most",
    size: 50,
  },
} as const satisfies Readonly<Record<string, PoolEntry>>;

export type PoolName = keyof typeof POOLS;
