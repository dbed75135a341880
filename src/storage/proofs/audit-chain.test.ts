import { expect, test } from "vitest";
import { type AuditContent, chainHash, createChainHash } from "./audit-chain.ts";

const RECORD: AuditContent = {
  chain: "organization/org-1",
  seq: 1,
  at: "2026-01-02T03:04:05.678Z",
  partition: "",
  namespace: "",
  organization_id: "org-1",
  accessor_id: "one",
  kind: "workspace",
  object_id: "ws-1",
  name: 'quote " and \u2028 and \\',
  action: "change-tags",
  outcome: "done",
  request_id: "req-1",
  detail: '{"route":"x","details":{"tags":{"added":[{"id":"t","name":"ü"}]}}}',
};

test("records that are hashed together have the hashes that each has alone", () => {
  const columns = Object.keys(RECORD) as (keyof AuditContent)[];
  const changed = columns.map((column) => ({ ...RECORD, [column]: column === "seq" ? 2 : `other ${column} \n` }));
  // Every column changes and changes back.
  const records = [RECORD, RECORD, ...changed.flatMap((each) => [each, each, RECORD])];
  const hashOf = createChainHash();
  let [one, other] = ["", ""];
  for (const record of records) {
    one = hashOf(one, record);
    other = chainHash(other, record);
    expect(one).toBe(other);
  }
  expect(new Set(changed.map((each) => createChainHash()("", each))).size).toBe(columns.length);
});
