/**
 * The weekly report of a tag policy: a record for the webhooks that ask for it. It is made with the first day of a week (UTC, from
 * Monday) that is counted, in the transaction that keeps this day: so a week has one report, and none that was not kept.
 */
import type { Transaction } from "../../../storage/database.ts";
import { listWebhooks } from "../../changes/hooks/store.ts";
import { isWanted } from "../../changes/hooks/wanted.ts";
import { noteChange, REPORTED } from "../../changes/record.ts";
import type { KeptCoverage } from "./count.ts";
import { dayOf, dayText, mondayOf } from "./day.ts";
import { listBetween, type CoverageDay } from "./store.ts";

const WEEK = 7;
/** The server itself makes the report. */
const NOBODY = { actor: { accessorId: "" }, requestId: "" };

/** Counts of an organization on a day. */
interface Counted {
  organization: string;
  policyId: string;
  /** Milliseconds since the epoch, by a clock that is trusted. */
  now: number;
  found: readonly KeptCoverage[];
}

/** Adds the report of a week to the transaction that keeps its first day, if a webhook of the organization asks for it. */
export async function reportWeek(tx: Transaction, { organization, policyId, now, found }: Counted): Promise<void> {
  // Without a key nothing is kept, so nothing would tell that the week has its report.
  if (found.length === 0) return;
  const kind = "tag-policy";
  const webhooks = await listWebhooks(tx, organization);
  if (!webhooks.some((webhook) => webhook.enabled === 1 && isWanted(webhook, { kind, action: REPORTED }))) return;
  const day = dayOf(now);
  const monday = mondayOf(day);
  const kept = await tx.run(listBetween, { organization, from: monday - WEEK, to: day });
  if (kept.some((each) => each.day >= monday)) return;
  await noteChange(
    tx,
    { ...NOBODY, now: () => now },
    {
      organizationId: organization,
      kind,
      objectId: policyId,
      name: "",
      action: REPORTED,
      details: { day: dayText(day), keys: found.map((key) => keyAsJson(key, before(kept, key.key))) },
    },
  );
}

/** The first day of the week before on which a key was counted: what the report of that week told. */
function before(kept: readonly CoverageDay[], key: string): CoverageDay | undefined {
  return kept.find((each) => each.key === key);
}

function keyAsJson(
  { key, workspaces, missing, withoutValue, valueCount }: KeptCoverage,
  last: CoverageDay | undefined,
) {
  return {
    key,
    workspaces,
    missing,
    "without-value": withoutValue,
    "value-count": valueCount,
    "missing-before": last?.missing ?? null,
  };
}
