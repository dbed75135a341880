/** Replays of rows that a test makes up, on the application's own database. */
import type { Context } from "../../src/context.ts";
import { draftsFrom } from "../../src/explain/effect/schema.ts";
import { resolveDrafts } from "../../src/explain/effect/resolve.ts";
import type { ListScope } from "../../src/rights/permission.ts";
import { compileAuthorizer } from "../../src/rights/rules/compile.ts";
import type { Access, Resource } from "../../src/rights/rules/rule.ts";
import { CHANGES } from "../../src/use/replay/entry.ts";
import { replay, type Replay, type ReplaySearch } from "../../src/use/replay/find.ts";
import type { UseRow } from "../../src/records/uses/row.ts";
import type { V1 } from "./v1.ts";

const HOME = { partition: "default", namespace: "default" };
const EVERYTHING: ListScope = {
  partition: "default",
  namespace: "*",
  visible: { ranges: [{ from: "", to: undefined }], names: [], except: [] },
};

/** A question in the spelling of the wire. */
export interface AskedOfLedger {
  Resource: Resource;
  Segment: string;
  Access: Access;
  Namespace: string;
}

/** A row of a token that asked this twice, on two days. @param namespace of the token */
export function useRow(accessorId: string, asked: AskedOfLedger, namespace = "default"): UseRow {
  const { Resource: resource, Segment: name, Access: access, Namespace } = asked;
  return {
    scope: { partition: "default", namespace },
    subject: { kind: "token", accessorId },
    rule: { policyId: "", resource: "key", prefix: false, segment: name, permission: "write" },
    decidedIn: { partition: "default", namespace: Namespace },
    resource,
    name,
    access,
    column: "enforced",
    askedBy: "",
    total: 2,
    firstDay: 20_000,
    lastDay: 20_001,
    days: 3n,
  };
}

/** Asks rows again by the draft of a request's body; all differences are listed unless `more` says otherwise. */
export async function replayRows(
  v1: V1,
  body: Parameters<typeof draftsFrom>[0],
  rows: readonly UseRow[],
  more: Partial<ReplaySearch> = {},
): Promise<Replay> {
  const rights = compileAuthorizer({ direct: [], defaults: [], defaultPolicy: "allow" });
  const ctx = { db: v1.db, actor: { rights }, now: v1.now } as unknown as Context;
  const own = (await v1.get("/acl/token/self")).body as { AccessorID: string };
  const search: ReplaySearch = {
    home: HOME,
    drafts: await resolveDrafts(ctx, HOME, draftsFrom(body), "enterprise"),
    bindings: [],
    list: EVERYTHING,
    changes: CHANGES,
    after: "",
    size: 100_000,
    now: v1.now(),
    options: { defaultPolicy: "deny", edition: "enterprise", datacenter: "dc1" },
    reader: { accessorId: own.AccessorID },
    ...more,
  };
  // In slices that end within a subject, as storage may give them.
  async function* read() {
    for (let start = 0; start < rows.length; start += 97) yield await Promise.resolve(rows.slice(start, start + 97));
  }
  const found = await replay(v1.db, search, read);
  if (found === undefined) throw new Error("the replay took too long");
  return found;
}
