import type { StoredChange } from "./store.ts";

/** A record as examples show it. */
export const EXAMPLE_CHANGE: StoredChange = {
  organizationId: "org-Ab3kXyZ12mNoPqRs",
  position: 1_179_648,
  at: "2026-01-02T03:04:05.678Z",
  accessorId: "6a1253d2-1785-24fd-91c2-f8e78c745511",
  requestId: "01JGJ5ZV3N8Q7R",
  jobId: "",
  kind: "workspace",
  objectId: "ws-Ab3kXyZ12mNoPqRs",
  name: "payments-prod",
  action: "tags-changed",
  details: JSON.stringify({
    bindings: { changed: [{ key: "env", from: "dev", to: "prod" }] },
  }),
};
