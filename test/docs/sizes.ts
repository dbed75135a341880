/** Sizes that modules have, by file: of what each is, and why it is no budget that callers share. `shares.test.ts` holds the lists. */
import type { PoolName } from "../../src/pools.ts";

/** Sizes of pools. */
export const OF_POOLS: Readonly<Record<string, PoolName>> = {
  "src/acl/sessions/service.ts MOST_OF_TOKEN": "sessions",
  "src/http/reads/services.ts EXPORTS": "exports",
  "src/http/receiving/limits.ts MOST_CONNECTIONS": "connections",
  "src/http/receiving/pipelining.ts MAX_HELD_PER_CONNECTION": "requestsAhead",
  "src/list-work.ts LIST_PLACES": "lists",
  "src/list-work.ts WAITING": "lists",
  "src/records/refusals/budget.ts MOST_NETWORKS": "refusalRecords",
  "src/records/refusals/budget.ts MOST_OF_ALL": "refusalRecords",
  "src/records/refusals/budget.ts MOST_OF_SOURCE": "refusalRecords",
  "src/records/uses/memory.ts MAX_BYTES": "uses",
  "src/rights/question-lane.ts RUNNING": "questions",
  "src/tags/jobs/imports/places.ts MAX_IMPORTS": "files",
  "src/tags/jobs/imports/places.ts MAX_RECEIVED_OF_TOKEN": "receivedFiles",
  "src/work-places.ts PLACES": "work",
  "src/work-places.ts WAITING": "work",
};

/** Caches: a forgotten entry is made or read again, and nobody is refused. */
const CACHED: Readonly<Record<string, string>> = {
  "src/acl/auth-methods/namespace-rules.ts": "MAX_BYTES",
  "src/acl/auth-methods/validators.ts": "MAX_BYTES",
  "src/acl/binding-rules/asked.ts": "MOST_WEIGHT",
  "src/acl/bindings/shared-expressions.ts": "MAX_TEXTS",
  "src/acl/declarations/elsewhere.ts": "MOST_OBJECTS",
  "src/acl/declarations/owned-index.ts": "MOST_OBJECTS",
  "src/acl/declarations/owners.ts": "MOST_BYTES",
  "src/acl/login/binding-rule-sets.ts": "MAX_BYTES",
  "src/http/reads/shared-answers.ts": "MAX_BYTES MAX_SHARED_BYTES",
  "src/http/v1/reads/shared-lists.ts": "MAX_HELD_BYTES",
  "src/identities/jwt/proven-tokens.ts": "MAX_BYTES",
  "src/outbound/trust.ts": "MAX_PINNED",
  "src/rights/rules/compile.ts": "MAX_LAYERS_BYTES MAX_PARTITIONS MAX_SCOPES",
  "src/storage/feed/touches.ts": "MAX_BYTES",
  "src/tags/changes/pages.ts": "MOST_SHARED",
};

/** Notes: those beyond the size are noted early, later, once more or together with others, and nobody loses one. */
const NOTED: Readonly<Record<string, string>> = {
  "src/acl/login/refusal-log.ts": "MOST_METHODS",
  "src/acl/sessions/activity.ts": "WAITING",
  "src/acl/sessions/on-record.ts": "MOST",
  "src/acl/tokens/uses.ts": "REMEMBERED WAITING",
  "src/limits/keyed-limit.ts": "MAX_ENTRIES",
  "src/records/refusals/gather.ts": "MOST_GROUPS",
  "src/records/refusals/own.ts": "MOST_OF_TOKEN MOST_TOKENS",
  "src/records/signed-marks.ts": "MOST",
  "src/storage/proofs/damaged-rows.ts": "REMEMBERED",
};

/** Reached only by what a pool has let through. */
const BEHIND_A_POOL: Readonly<Record<string, string>> = {
  "src/limits/owned-lane.ts": "WAITING",
  "src/records/refusals/gather.ts": "MOST_WAITING",
};

/** Work of the server itself: its log, its spans, its sinks, its threads and its other nodes. */
const OF_THE_SERVER: Readonly<Record<string, string>> = {
  "src/cli/logger.ts": "MAX_BUFFERED_BYTES",
  "src/records/heads.ts": "MOST_TOLD",
  "src/records/sinks/batch.ts": "MOST_BYTES MOST_LINES",
  "src/records/sinks/file.ts": "MOST_BLOCKS",
  "src/records/sinks/hints.ts": "MOST",
  "src/records/verify/database.ts": "MOST_TRIES",
  "src/records/verify/recent.ts": "MOST",
  "src/storage/feed/touches.ts": "MOST_RAISED",
  "src/storage/keys/key-command.ts": "MOST_BYTES MOST_REASON",
  "src/storage/keys/rotate.ts": "MOST_ATTEMPTS",
  "src/storage/keys/verify.ts": "MOST_NAMED",
  "src/storage/postgres/feed.ts": "MAX_FORGED",
  "src/storage/postgres/write-turns.ts": "MOST",
  "src/storage/sqlite/mark/write.ts": "MOST_MARKED",
  "src/tracing/sender.ts": "MOST_SPANS",
  "src/use/planning.ts": "MOST_KNOWN",
};

/** Counted in the database, for one token, scope or organization each. */
const STORED: Readonly<Record<string, string>> = {
  "src/acl/decision-mappings/store.ts": "MAX_MAPPINGS",
  "src/acl/idempotency.ts": "MOST_KEYS",
  "src/acl/kit/trash.ts": "MOST_KEPT MOST_OVER",
  "src/acl/views/service.ts": "MOST_VIEWS",
  "src/state-consumers/service.ts": "MAX_CONSUMERS",
  "src/tags/changes/hooks/service.ts": "MAX_WEBHOOKS",
  "src/tags/changes/hooks/store.ts": "MOST_PENDING",
  "src/tags/jobs/service.ts": "MOST_FINISHED MOST_UNFINISHED",
  "src/tags/rules/reserved-keys/service.ts": "MAX_KEYS",
  "src/tags/rules/rule.ts": "MAX_RULES",
};

/** Sizes that are not of one request, by what they are. */
export const NOT_SHARED = [CACHED, NOTED, BEHIND_A_POOL, OF_THE_SERVER, STORED];
