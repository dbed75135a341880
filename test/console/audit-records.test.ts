/** How records of audit are put in words and links, without a browser. */
import { expect, it, vi } from "vitest";
import type { AuditRecord } from "../../console/src/kit/audit-record.ts";
import { unfolded } from "../../console/src/kit/delta.ts";
import { pathOfRecord } from "../../console/src/kit/records.tsx";

// Addresses begin with the page's own.
vi.hoisted(() =>
  Object.assign(globalThis, {
    document: { baseURI: "http://tessera.test/ui/" },
    location: { origin: "http://tessera.test" },
  }),
);

function recordOf(kind: string, more: Partial<AuditRecord> = {}): AuditRecord {
  return { Time: "", Outcome: "done", Action: "create", Kind: kind, ID: "id-1", Name: "one", Actor: {}, ...more };
}

it.each([
  ["workspace", "workspaces/id-1"],
  ["project", "projects/id-1"],
  ["tag", "tags/id-1"],
  ["webhook", "tag-webhooks/id-1"],
  ["reserved-tag-key", "reserved-tag-keys/id-1"],
  ["tag-policy", "tag-rules"],
])("a record of a %s of an organization leads to it", (kind, tail) => {
  expect(pathOfRecord(recordOf(kind, { Organization: "acme" }))).toMatch(new RegExp(`/acme/${tail}$`));
});

it("what is gone, or was refused, leads nowhere", () => {
  expect(pathOfRecord(recordOf("project", { Organization: "acme", Action: "delete" }))).toBeUndefined();
  expect(pathOfRecord(recordOf("project", { Organization: "acme", Outcome: "refused" }))).toBeUndefined();
});

it.each([
  ["900000000000", "15m0s"],
  [90_061_000_000_000, "25h1m1s"],
  ["1500000000", "1.5s"],
  ["0", ""],
])("a time of life of %s nanoseconds is %s", (nanoseconds, words) => {
  const change = { path: "MaxTokenTTL", before: undefined, after: nanoseconds };
  expect(unfolded([change])).toEqual([{ path: "MaxTokenTTL", before: "", after: words }]);
});
