/** Reports of the use ledger: what was used of the permissions of a scope, and what was not. Implements `/v1/acl/use`. */
import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import type { QuestionLane } from "../rights/question-lane.ts";
import { unusedSince } from "../acl/tokens/filters.ts";
import { authorize, unnoted } from "../rights/authorize.ts";
import { checkPermission } from "../rights/permission.ts";
import type { Scope } from "../rights/scope.ts";
import type { PolicyEdition } from "../acl/policies/service.ts";
import { startTurn } from "../turns.ts";
import { dayOf } from "./flush.ts";
import { findMatched, type MatchedRules } from "./matched.ts";
import { findSubjects, type ReportKind, SUBJECTS, type Report } from "./reported.ts";
import { addRow, type ReportEntry } from "./sums.ts";
import { findSince, readGap, readRows } from "./store.ts";

/** Entries of one response. */
export const MOST_ENTRIES = 10_000;

/** Question of a request. */
export interface AskedReport {
  scope: Scope;
  by: string;
  /** ID of the one policy whose use is asked; empty for all. */
  policyId: string;
  /** ID of the one policy, token, role or binding rule that is reported; empty for all. */
  id: string;
  /** Such as `30d`; empty for all entries. */
  unusedFor: string;
}

/** Answer, before it is rendered. Days are numbers since 1970-01-01. */
export interface UseReport {
  /** Since which day use is recorded without interruption; undefined where it is not. */
  since: number | undefined;
  /** Last day on which uses of the scope were left out for lack of room. */
  gap: number | undefined;
  entries: readonly ReportEntry[];
  /** Today, as the days of use are counted back from it. */
  today: number;
  /** Whether there are more entries than are shown. */
  hasMore: boolean;
}

/**
 * Reports use in a scope.
 *
 * @throws AppError `forbidden` without acl:read, `bad_parameter`, `rate_limited`
 */
export async function reportUse(
  ctx: Context,
  { lane, edition }: { lane: QuestionLane; edition: PolicyEdition },
  { scope, by, policyId: ofPolicy, id: given, unusedFor }: AskedReport,
): Promise<UseReport> {
  checkPermission(ctx, scope, "acl", "read");
  if (by !== MATCHED && !isKind(by)) {
    const kinds = [...SUBJECTS, MATCHED].join(", ");
    throw new AppError("bad_parameter", `Invalid parameter "by": expected one of ${kinds}, got ${JSON.stringify(by)}`);
  }
  if (given !== "" && !WITH_ID.has(by))
    throw new AppError("bad_parameter", `The parameter "id" requires "by" with one of ${[...WITH_ID].join(", ")}`);
  const id = given.toLowerCase();
  const policyId = by === "policy" && id !== "" ? id : ofPolicy;
  const asked = { kind: by as ReportKind, scope, policyId, id, edition };
  const cutoff = unusedFor === "" ? undefined : dayOf(Date.parse(unusedSince(unusedFor, ctx.now()) ?? ""));
  return lane.run(ctx.actor, async () => {
    const gap = by === MATCHED ? undefined : await readGap(ctx.db, scope);
    const { entries: all, since } = by === MATCHED ? await findMatched(ctx, scope) : await findUsed(ctx, asked);
    const wanted = by === MATCHED && id !== "" ? [all.get(id)].filter((entry) => entry !== undefined) : all.values();
    const entries = [...wanted].filter((entry) => isShown(entry, cutoff, since));
    entries.sort((one, other) => (one.key < other.key ? -1 : 1));
    const today = dayOf(ctx.now());
    return { since, gap, today, entries: entries.slice(0, MOST_ENTRIES), hasMore: entries.length > MOST_ENTRIES };
  });
}

/** Binding rules are not in the ledger: records of logins name those that matched. */
const MATCHED = "binding-rule";

/** Subjects of which one can be asked for. */
const WITH_ID: ReadonlySet<string> = new Set(["policy", "token", "role", MATCHED]);

type AskedUse = Parameters<typeof findSubjects>[1];

async function findUsed(ctx: Context, asked: AskedUse): Promise<MatchedRules> {
  const since = await readSince(ctx);
  const report = await findSubjects(ctx, asked);
  await addAll(ctx, asked, report);
  return { entries: report.entries, since };
}

function isKind(by: string): by is ReportKind {
  return (SUBJECTS as ReadonlySet<string>).has(by);
}

async function readSince({ db }: Context): Promise<number | undefined> {
  const [row] = await db.run(findSince, {});
  return row && dayOf(Date.parse(row.value));
}

async function addAll(ctx: Context, { kind, scope, policyId, id }: AskedUse, report: Report): Promise<void> {
  const actor = unnoted(ctx.actor);
  const turn = startTurn();
  const ofPolicy = policyId === "" ? undefined : { policyId };
  const some = kind === "token" && id !== "" ? { accessorId: id } : ofPolicy;
  for await (const rows of readRows(ctx.db.long, scope, some)) {
    for (const row of rows) {
      if (policyId !== "" && row.rule.policyId !== policyId) continue;
      // A name is shown only to who may read it; another one is counted with its rule.
      const isNamed = row.name !== undefined && row.name !== "";
      const isSeen = isNamed && authorize(actor, row.resource, row.name ?? "", "read", row.decidedIn);
      for (const entry of report.entriesOf(row)) addRow(entry, row, isSeen);
      if (turn.isOver()) await turn.next();
    }
  }
}

/** Unused permissions are known to be unused only for as long as use is recorded. */
function isShown({ use }: ReportEntry, cutoff: number | undefined, since: number | undefined): boolean {
  if (cutoff === undefined) return true;
  return use === undefined ? since !== undefined && since <= cutoff : use.lastDay <= cutoff;
}
