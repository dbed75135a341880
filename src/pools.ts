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
      "bytes of write responses in flight, which are always sent; a caller over its share starts no other write",
    forAll: "256 MiB, `--max-sending`",
    kept: LAST_QUARTER,
    size: 256 * MIB,
  },
  receiving: {
    resource: "bytes of request bodies of 16 KiB and more in progress",
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
    resource: "work over 5 ms, such as checks of policy rules and long documents",
    forAll: "8 at a time, and 1,024 waiting",
    kept: `2 at a time for other namespaces, 6 for other tokens; ${LAST_QUARTER} of both`,
  },
  questions: {
    resource:
      "requests for `explain`, `why`, `access`, `effective`, `effect`, `replay`, `tighten`, `use` and the decision point (about others, searches)",
    forAll: "8 at a time, and 64 waiting",
    kept: `2 at a time for other namespaces, 6 for other tokens; ${LAST_QUARTER} of both`,
  },
  lists: {
    resource: "lists in progress",
    forAll: "24 at a time, and 16,384 waiting",
    kept: `8 at a time for other namespaces, 22 for other tokens; ${LAST_QUARTER} of both`,
  },
  alikeTags: {
    resource: "lists of similar tags in progress",
    forAll: "2 at a time, and 64 waiting",
    kept: `1 at a time for other organizations; ${LAST_QUARTER} of both`,
  },
  tagReports: {
    resource: "tag policy reports in progress",
    forAll: "2 at a time, and 64 waiting",
    kept: `1 at a time for other organizations; ${LAST_QUARTER} of both`,
  },
  jobPreviews: {
    resource: "previews of bulk jobs",
    forAll: "2 at a time, and 64 waiting",
    kept: `1 at a time for other organizations; ${LAST_QUARTER} of both`,
  },
  importPreviews: {
    resource: "previews of imports",
    forAll: "2 at a time, and 64 waiting",
    kept: `1 at a time for other organizations; ${LAST_QUARTER} of both`,
  },
  revocationPreviews: {
    resource: "previews of revocations",
    forAll: "2 at a time, and 64 waiting",
    kept: `1 at a time for other namespaces; ${LAST_QUARTER} of both`,
  },
  webhookTests: {
    resource: "webhook tests of an organization",
    forAll: "2 at a time, and 4 waiting",
    kept: "each organization has its own",
  },
  lookups: {
    resource: "DNS lookups for the auth methods of a partition",
    forAll: "256 at a time, and 4,096 waiting",
    kept: "all but 8 at a time, and 256 waiting, for other namespaces",
  },
  providerRequests: {
    resource: "requests to the provider of an auth method",
    forAll: "32 at a time, and 1,000 waiting",
    kept: LAST_QUARTER,
  },
  suspects: {
    resource: "verifications by one auth method for an address with too many failed logins",
    forAll: "4 at a time, and 256 waiting",
    kept: "each address has its own",
  },
  exports: {
    resource: "exports of audit records in flight",
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
    resource: "client connections",
    forAll: "20,480, `--max-connections`",
    kept: `${LAST_QUARTER}, by address. With \`--trusted-proxies\`: for all addresses except the proxies. Without it: for public addresses only`,
    size: 20_480,
  },
  requestsAhead: {
    resource: "pipelined requests",
    forAll: "16,384",
    kept: `${LAST_QUARTER}, by connection, and by address as for connections; 1,000 of one connection`,
    size: 16_384,
  },
  receivedFiles: {
    resource: "import files that a process receives",
    forAll: "64",
    kept: `${LAST_QUARTER}; 16 of one token`,
    size: 64,
  },
  files: {
    resource: "import files of an organization in progress",
    forAll: "8",
    kept: LAST_QUARTER,
    size: 8,
  },
  filesOfOthers: {
    resource: "import files of callers without write permission for the organization",
    forAll: "4",
    kept: LAST_QUARTER,
    size: 4,
  },
  webhookLanes: {
    resource: "deliveries to webhooks",
    forAll: "256",
    kept: `${LAST_QUARTER}, by organization; the organization with the fewest is first`,
    size: 256,
  },
  refusalRecords: {
    resource: "records of denied requests per hour",
    forAll: "1,000 of writes, 5,000 of reads, 1,000 of logins, 500 of authentications",
    kept: `${LAST_QUARTER}, for logins and authentications by network (/16 or /32); 300 of one caller, of each action`,
  },
  uses: {
    resource: "bytes of unwritten uses of rules",
    forAll: "24 MiB",
    kept: `${LAST_QUARTER}, by token or identity`,
    size: 24 * MIB,
  },
  sessions: {
    resource: "console sessions of a token",
    forAll: "50",
    kept: "by address: the address with the most sessions loses one",
    size: 50,
  },
} as const satisfies Readonly<Record<string, PoolEntry>>;

export type PoolName = keyof typeof POOLS;
