/**
 * Which test file runs in which project of vitest, by what it needs. A file that no list names needs a database in its own
 * process and runs in `sqlite`. test/ci/projects.test.ts holds the lists against what the files import.
 */

import { matchesGlob } from "node:path";

/** The projects of vitest.config.ts. */
export type Project = "pure" | "sqlite" | "postgres" | "program" | "page" | "alone";

/** Files that need neither a database nor a program: nothing is set up for them. */
export const PURE: readonly string[] = [
  "src/acl/kit/in-order.test.ts",
  "src/acl/auth-methods/kept-namespace-rules.test.ts",
  "src/acl/auth-methods/namespace-rules.test.ts",
  "src/acl/bindings/*.test.ts",
  "src/explain/effect/points.test.ts",
  "src/acl/login/failure-key.test.ts",
  "src/acl/login/ttl.test.ts",
  "src/rights/rules/*.test.ts",
  "src/tags/pool/alike/key.test.ts",
  "src/records/refusals/gather.test.ts",
  "src/backup/indexes.test.ts",
  "src/backup/schedule/retention.test.ts",
  "src/callers.test.ts",
  "src/cli/process-numbers.test.ts",
  "src/cli/progress.test.ts",
  "src/config/audit-options.test.ts",
  "src/config/backup-options.test.ts",
  "src/config/sources.test.ts",
  "src/config/trace-options.test.ts",
  "src/config/unsafe.test.ts",
  "src/config/values.test.ts",
  "src/go/*.test.ts",
  "src/http/connections.test.ts",
  "src/http/document-text.test.ts",
  "src/http/sending/entry-texts.test.ts",
  "src/http/origin-check.test.ts",
  "src/http/receiving/receiving.test.ts",
  "src/http/sending/sending.test.ts",
  "src/http/v1/body-random.test.ts",
  "src/http/v1/body.test.ts",
  "src/http/v1/reads/shared-lists.test.ts",
  "src/identities/*.test.ts",
  "src/identities/aws-iam/*.test.ts",
  "src/identities/jwt/*.test.ts",
  "src/identities/kubernetes/api-server.test.ts",
  "src/identities/kubernetes/validator.test.ts",
  "src/identities/oidc/*.test.ts",
  "src/limits/*.test.ts",
  "src/outbound/bounded-ask.test.ts",
  "src/outbound/guard.test.ts",
  "src/outbound/lookups.test.ts",
  "src/outbound/reach.test.ts",
  "src/selectors/*.test.ts",
  "src/storage/clock/trusted.test.ts",
  "src/storage/proofs/damaged-rows.test.ts",
  "src/storage/reads/derived-cache-current.test.ts",
  "src/storage/feed/feed.test.ts",
  "src/storage/keys/sealed-columns.test.ts",
  "src/storage/migrations/migrate.test.ts",
  "src/storage/keys/open-sealed.test.ts",
  "src/storage/postgres/feed-counters.test.ts",
  "src/storage/postgres/feed-message.test.ts",
  "src/storage/postgres/hosts.test.ts",
  "src/storage/postgres/tls.test.ts",
  "src/storage/proofs/shown.test.ts",
  "src/storage/sqlite/commit-board.test.ts",
  "src/storage/writes/write-queue.test.ts",
  "src/tags/files/policy-record.test.ts",
  "src/tags/files/read-file.test.ts",
  "src/tags/rules/check.test.ts",
  "src/tags/pool/marks.test.ts",
  "src/templates/*.test.ts",
  "src/tracing/sender.test.ts",
  "src/turns.test.ts",
  "test/boundaries/*.test.ts",
  "test/budgets.test.ts",
  "test/ci/bench-compare.test.ts",
  "test/ci/mutations.test.ts",
  "test/ci/projects.test.ts",
  "test/ci/sleeps.test.ts",
  "test/ci/words.test.ts",
  "test/console/durations.test.ts",
  "test/console/refusal-words.test.ts",
  "test/console/screens.test.ts",
  "test/console/styles.test.ts",
  "test/console/visible.test.ts",
  "test/docs/cli.test.ts",
  "test/docs/errors.test.ts",
  "test/docs/glossary.test.ts",
  "test/docs/remembered.test.ts",
  "test/docs/site.test.ts",
  "test/history/check/*.test.ts",
  "test/history/faults.test.ts",
  "test/soak/*.test.ts",
];

/** Files that have the console or a document open in a browser. */
export const PAGE: readonly string[] = [
  "src/http/docs/docs.test.ts",
  "test/client/browser.test.ts",
  "test/console/*.test.ts",
];

/**
 * Files that start servers, databases, commands or Node, or that measure or change their process: each has a process of
 * its own. Their groups (groups.ts) say when they run.
 */
export const PROGRAM: readonly string[] = [
  "src/acl/auth-methods/nodes.test.ts",
  "src/acl/binding-rules/api-nodes.test.ts",
  "src/acl/namespaces/defaults-nodes.test.ts",
  "src/cli/*.test.ts",
  "src/declared/brakes.test.ts",
  "src/declared/secret-files.test.ts",
  "src/declared/trial.test.ts",
  "src/http/sending/after-surge.test.ts",
  "src/http/forwarding/*.test.ts",
  "src/http/media-type.test.ts",
  "src/outbound/ask.test.ts",
  "src/outbound/trust.test.ts",
  "src/storage/postgres/stalls.test.ts",
  "src/storage/sqlite/kill-batches.test.ts",
  "src/storage/sqlite/open.test.ts",
  "src/storage/sqlite/sync-failure.test.ts",
  "src/tracing/collector-away.test.ts",
  "src/tracing/otlp.test.ts",
  "test/attacks/*.test.ts",
  "test/backup/*.test.ts",
  "test/boundaries.test.ts",
  "test/ci/*.test.ts",
  "test/cli/*.test.ts",
  "test/client/*.test.ts",
  "test/clients/terraform/*.test.ts",
  "test/deploy/*.test.ts",
  "test/docs/*.test.ts",
  "test/faults/*.test.ts",
  "test/nodes/*.test.ts",
  "test/postgres/*.test.ts",
  "test/recipe/*.test.ts",
  "test/support/*.test.ts",
  "test/upgrades/*.test.ts",
];

/** Files of programs that need the whole machine: thousands of connections, and enough requests within a time to prove something. */
export const ALONE: readonly string[] = [
  "test/faults/watching.test.ts",
  "test/history/history.test.ts",
  "test/history/threads.test.ts",
];

/** Files that know PostgreSQL alone, or compare both engines by themselves. */
export const POSTGRES_ALONE: readonly string[] = ["src/storage/postgres/*.test.ts", "test/differential/*.test.ts"];

/**
 * Files of `sqlite` whose cases run on PostgreSQL too whenever tests run, since the engines can differ there. `npm run
 * test:matrix` runs all of them on it.
 */
export const BOTH_ENGINES: readonly string[] = [
  "src/acl/auth-methods/races.test.ts",
  "src/acl/binding-rules/api-cas.test.ts",
  "src/acl/binding-rules/api-lists.test.ts",
  "src/acl/binding-rules/api-order.test.ts",
  "src/acl/binding-rules/api-waiting.test.ts",
  "src/acl/binding-rules/idempotency-limits.test.ts",
  "src/acl/binding-rules/idempotency.test.ts",
  "src/acl/declarations/held.test.ts",
  "src/acl/declarations/owners.test.ts",
  "src/acl/deletion/at-once.test.ts",
  "src/acl/deletion/deletion.test.ts",
  "src/acl/deletion/many.test.ts",
  "src/acl/deletion/steps.test.ts",
  "src/acl/deletion/tables.test.ts",
  "src/acl/deletion/writers.test.ts",
  "src/lists/lists.test.ts",
  "src/acl/login/limits.test.ts",
  "src/acl/login/once.test.ts",
  "src/acl/login/races.test.ts",
  "src/acl/namespaces/blocking.test.ts",
  "src/acl/namespaces/marked.test.ts",
  "src/acl/partial-writes.test.ts",
  "src/acl/partitions/counters.test.ts",
  "src/acl/policies/stored-rules.test.ts",
  "src/acl/races.test.ts",
  "src/acl/scopes/any-namespace-waiting.test.ts",
  "src/acl/scopes/uniqueness.test.ts",
  "src/acl/sessions/sessions.test.ts",
  "src/acl/sessions/turns.test.ts",
  "src/lists/sorted-lists.test.ts",
  "src/acl/tokens/bootstrap-routes.test.ts",
  "src/acl/tokens/expiry.test.ts",
  "src/acl/tokens/last-used.test.ts",
  "src/acl/tokens/revocation/revocation.test.ts",
  "src/acl/tokens/rotation.test.ts",
  "src/acl/tokens/set-back.test.ts",
  "src/acl/tokens/whole-list.test.ts",
  "src/tags/pool/alike/alike-tags.test.ts",
  "src/audit/audit.test.ts",
  "src/audit/damaged-filtered.test.ts",
  "src/records/refusals/refusals.test.ts",
  "src/records/retention.test.ts",
  "src/records/verify/database.test.ts",
  "src/tags/changes/*.test.ts",
  "src/events/*.test.ts",
  "src/http/jsonapi/preconditions.test.ts",
  "src/http/jsonapi/trials.test.ts",
  "src/http/v1/reads/blocking.test.ts",
  "src/http/v1/reads/sharing.test.ts",
  "src/http/v1/reads/waiters.test.ts",
  "src/organizations/delete.test.ts",
  "src/organizations/gone.test.ts",
  "src/organizations/list.test.ts",
  "src/organizations/seen.test.ts",
  "src/races.test.ts",
  "src/storage/clock/watch.test.ts",
  "src/storage/contract/*.test.ts",
  "src/storage/reads/derived-cache.test.ts",
  "src/storage/writes/object-limits.test.ts",
  "src/storage/writes/recorded.test.ts",
  "src/storage/migrations/upgrade-check.test.ts",
  "src/tags/holders/bindings/effective.test.ts",
  "src/tags/jobs/imports/cut.test.ts",
  "src/tags/jobs/imports/objects-once.test.ts",
  "src/tags/jobs/imports/places.test.ts",
  "src/tags/jobs/life.test.ts",
  "src/tags/jobs/meanwhile.test.ts",
  "src/tags/jobs/undo/undo.test.ts",
  "src/tags/rules/report.test.ts",
  "src/tags/pool/deletion.test.ts",
  "src/tags/pool/excluding.test.ts",
  "src/tags/pool/filters.test.ts",
  "src/tags/pool/paging-race.test.ts",
  "src/tags/pool/tags.test.ts",
  "src/watch/watches.test.ts",
  "src/tags/holders/workspace-tags/workspace-tags.test.ts",
  "src/workspaces/list.test.ts",
  "test/wall/*.test.ts",
];

/** In the order in which a file is looked for: the first list that has it counts. */
const LISTS: readonly (readonly [Project, readonly string[]])[] = [
  ["pure", PURE],
  ["page", PAGE],
  ["alone", ALONE],
  ["program", PROGRAM],
  ["postgres", POSTGRES_ALONE],
];

/** Whether one of some patterns has a file; paths are from the root of the repository. */
export function isIn(patterns: readonly string[], file: string): boolean {
  // Most patterns are names, which are compared a hundred times faster.
  return patterns.some((pattern) => pattern === file || (pattern.includes("*") && matchesGlob(file, pattern)));
}

/** Tells in which project a test file runs; those of BOTH_ENGINES run in `postgres` beside. */
export function projectOf(file: string): Project {
  return LISTS.find(([, patterns]) => isIn(patterns, file))?.[0] ?? "sqlite";
}
