/** Budgets: a figure is at most what `figures.json` says. It may fall; it rises only with a reason beside it. */
import { BYTES, type Figures, type Parts } from "./figures.ts";

export interface Budget {
  readonly most: number;
  /** Why it was raised last. */
  readonly reason?: string;
}

export type Budgets = Readonly<Record<string, Budget>>;

export function amountOf(parts: Parts): number {
  return [...parts.values()].reduce((sum, { amount }) => sum + amount, 0);
}

/** The figures above their budget, or without one. */
export function risen(figures: Figures, budgets: Budgets): string[] {
  return [...figures].filter(([name, parts]) => amountOf(parts) > mostOf(name, budgets)).map(([name]) => name);
}

/** Says of a figure that rose in which places, and what is to be done. @param before undefined where that is unknown */
export function explain(name: string, figures: Figures, budgets: Budgets, before: Figures | undefined): string {
  const parts: Parts = figures.get(name) ?? new Map();
  const old = before?.get(name);
  const grown = [...parts]
    .map(([place, { amount, note }]) => ({
      place: note === undefined ? place : `${place}: ${note}`,
      by: amount - (old?.get(place)?.amount ?? 0),
    }))
    .filter(({ by }) => by > 0)
    .toSorted((one, other) => other.by - one.by);
  const places = grown.slice(0, 10).map(({ place, by }) => `  ${old === undefined ? "" : "+"}${by} ${place}`);
  if (grown.length > places.length) places.push(`  and ${grown.length - places.length} more`);
  const most = mostOf(name, budgets);
  return [
    `${name}: ${amountOf(parts)}, and ${most} at most (${amountOf(parts) - most} too many).`,
    old === undefined ? "It is made of:" : "Since the budgets were written last it rose in:",
    ...places,
    "Take as much away, there or elsewhere; where a new feature needs it: npm run budgets -- --update --raise 'why'",
  ].join("\n");
}

/** A line for each budget that may be lowered, or taken away with what it was of. */
export function lowerable(figures: Figures, budgets: Budgets): string[] {
  return Object.entries(budgets).flatMap(([name, { most }]) => {
    const parts = figures.get(name);
    if (parts === undefined)
      return name === BYTES ? `${BYTES}: passed over, git says of none here` : `${name}: is gone`;
    return amountOf(parts) < most ? `${name}: may be lowered from ${most} to ${amountOf(parts)}` : [];
  });
}

/** Writes the figures as the new budgets. @param reason without one, what rose stays as it was */
export function renew(figures: Figures, budgets: Budgets, reason?: string): Budgets {
  const renewed = [...figures].flatMap(([name, parts]): [string, Budget][] => {
    const amount = amountOf(parts);
    const old = budgets[name];
    if (amount <= mostOf(name, budgets)) return [[name, { ...old, most: amount }]];
    if (reason !== undefined) return [[name, { most: amount, reason }]];
    return old === undefined ? [] : [[name, old]];
  });
  const bytes = budgets[BYTES];
  if (!figures.has(BYTES) && bytes !== undefined) renewed.push([BYTES, bytes]);
  return Object.fromEntries(renewed.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** The text of the file: a line for each budget, as the formatter wants it. */
export function textOf(budgets: Budgets): string {
  const lines = Object.entries(budgets).map(([name, { most, reason }]) => {
    const start = `  ${JSON.stringify(name)}: {`;
    if (reason === undefined) return `${start} "most": ${most} }`;
    const line = `${start} "most": ${most}, "reason": ${JSON.stringify(reason)} }`;
    // The comma behind it is the 120th at most.
    if (line.length < 120) return line;
    return `${start}\n    "most": ${most},\n    "reason": ${JSON.stringify(reason)}\n  }`;
  });
  return `{\n${lines.join(",\n")}\n}\n`;
}

/** A figure without a budget is a new one, which has a reason too. */
function mostOf(name: string, budgets: Budgets): number {
  return budgets[name]?.most ?? 0;
}
