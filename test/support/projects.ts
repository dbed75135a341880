/**
 * How the test files share the machine. A file that is named here neither in OWN nor in ALONE shares a process with
 * others, one after the other (`isolate: false`): loading the program once for many files is a third of the time.
 */

/**
 * Files that start servers, databases or programs, or that measure their own process: each has a process of its own.
 * test/ci/projects.test.ts finds those that are missing.
 */
export const OWN: readonly string[] = [
  "src/cli/*.test.ts",
  "src/acl/auth-methods/nodes.test.ts",
  "src/acl/binding-rules/api-nodes.test.ts",
  "src/acl/namespaces/defaults-nodes.test.ts",
  "src/console/*.test.ts",
  "src/declared/secret-files.test.ts",
  "src/http/after-surge.test.ts",
  "src/http/docs/docs.test.ts",
  "src/http/forwarding/*.test.ts",
  "src/http/media-type.test.ts",
  "src/outbound/ask.test.ts",
  "src/outbound/trust.test.ts",
  "src/storage/postgres/retries.test.ts",
  "src/storage/postgres/writer.test.ts",
  "src/storage/sqlite/open.test.ts",
  "src/storage/sqlite/kill-batches.test.ts",
  "src/storage/sqlite/sync-failure.test.ts",
  "src/tracing/collector-away.test.ts",
  "src/tracing/otlp.test.ts",
  "test/backup/*.test.ts",
  "test/boundaries.test.ts",
  "test/cli/*.test.ts",
  "test/ci/*.test.ts",
  "test/client/*.test.ts",
  "test/clients/terraform/terraform.test.ts",
  "test/console/*.test.ts",
  "test/deploy/*.test.ts",
  "test/docs/*.test.ts",
  "test/nodes/*.test.ts",
  "test/postgres/*.test.ts",
  "test/recipe/*.test.ts",
  "test/support/*.test.ts",
  "test/upgrades/*.test.ts",
  "test/attacks/*.test.ts",
  "test/faults/*.test.ts",
];

/** Files that need the whole machine: thousands of connections, and enough requests within a time to prove something. */
export const ALONE: readonly string[] = [
  "test/faults/watching.test.ts",
  "test/history/history.test.ts",
  "test/history/threads.test.ts",
];
