/** Reports of the use ledger as they are on the wire. */
import { daysUsed, LAST_DAYS } from "./days.ts";
import type { ReportEntry } from "./sums.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

/** @param day since 1970-01-01. @returns such as `2026-11-29` */
export function renderDay(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

/** No time is finer than a day. @param today as days since 1970-01-01 */
export function renderEntry(entry: ReportEntry, today: number): object {
  const { enforced, own, others, use, names, hasHiddenNames } = entry;
  const shown = [...names.values()].map(({ name: Name, access: Access, total: Total, lastDay: last }) => ({
    Name,
    Access,
    Total,
    LastDay: renderDay(last),
  }));
  return {
    ...renderSubject(entry.of),
    Enforced: enforced,
    Own: own,
    Others: others,
    ...(use && {
      FirstDay: renderDay(use.firstDay),
      LastDay: renderDay(use.lastDay),
      DaysUsed: daysUsed(use, today, LAST_DAYS),
    }),
    ...(shown.length > 0 && { Names: shown }),
    ...(hasHiddenNames && { OtherNames: true }),
  };
}

function renderSubject({
  policy,
  rule,
  line,
  token,
  role,
  identity,
  bindingRule,
  decisionPoint,
}: ReportEntry["of"]): object {
  return {
    ...(policy && { Policy: { ID: policy.id, ...(policy.name !== undefined && { Name: policy.name }) } }),
    ...(rule && {
      Rule: {
        Resource: rule.resource,
        Segment: rule.segment,
        ...(rule.prefix && { Prefix: true }),
        Policy: rule.permission,
        ...(line !== undefined && { Line: line }),
        ...(rule.block && { Block: renderBlock(rule.block) }),
      },
    }),
    ...(token && { Token: { AccessorID: token.accessorId, Description: token.description ?? "" } }),
    ...(role && { Role: { ID: role.id, Name: role.name } }),
    ...(bindingRule && {
      BindingRule: {
        ID: bindingRule.id,
        Description: bindingRule.description,
        AuthMethod: bindingRule.authMethod,
      },
    }),
    ...(decisionPoint !== undefined && { DecisionPoint: decisionPoint }),
    ...(identity && {
      Identity: {
        AuthMethod: identity.authMethod,
        ...(identity.identity !== undefined && { Identity: identity.identity }),
      },
    }),
  };
}

/** Such as `namespace_prefix "team-"`, with the partition block around it. */
function renderBlock({
  kind,
  prefix,
  segment,
  partition,
}: NonNullable<NonNullable<ReportEntry["of"]["rule"]>["block"]>): string {
  const inner = `${kind}${prefix ? "_prefix" : ""} ${JSON.stringify(segment)}`;
  if (partition === undefined) return inner;
  return `partition${partition.prefix ? "_prefix" : ""} ${JSON.stringify(partition.segment)} ${inner}`;
}
