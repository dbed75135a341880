/** A replay as people and machines read it. */
import type { Replayed } from "./replay.ts";

/** Groups of lines: the differences, and what was not found out. */
export function replayedLines(replayed: Replayed): string[][] {
  const { refused, allowed, alreadyRefused, unreplayable, first, gaps, ledgerGap } = replayed;
  const named = first.map(({ who, right, what }) => `  ${who}: ${right}: ${what}`);
  const more = refused + allowed > first.length ? [`  and ${refused + allowed - first.length} more`] : [];
  const { total, subjects, names, claims } = unreplayable;
  const reasons = [
    ...(subjects > 0 ? [`${subjects} of deleted subjects`] : []),
    ...(names > 0 ? [`${names} without a name`] : []),
    ...(claims > 0 ? [`${claims} that depend on claims`] : []),
  ];
  return [
    named.length === 0 ? [] : ["Recorded use with another result:", ...named, ...more],
    [
      ...(alreadyRefused > 0 ? [`Recorded use that is already denied: ${alreadyRefused}`] : []),
      ...(total > 0 ? [`Recorded use that cannot be replayed: ${total} (${reasons.join(", ")})`] : []),
      ...(ledgerGap === undefined ? [] : [`Recorded use is incomplete up to ${ledgerGap}`]),
      ...(allowed > 0 ? [reachOf(replayed)] : []),
      ...gaps.map((each) => `Recorded use was not replayed in ${each}`),
    ],
  ];
}

function reachOf({ refusalsSince, readRefusalsSince }: Replayed): string {
  const since = [
    ...(refusalsSince === undefined ? [] : [`writes since ${refusalsSince}`]),
    ...(readRefusalsSince === undefined ? [] : [`reads since ${readRefusalsSince}`]),
  ];
  return `Records of denied requests: ${since.join(", ")}`;
}

/** The same as JSON; its form does not change but by additions. */
export function replayedJson({ first, alreadyRefused, gaps, ...more }: Replayed): object {
  const { pairs, refused, allowed, unreplayable, ledgerGap, refusalsSince, readRefusalsSince } = more;
  return {
    pairs,
    refused,
    allowed,
    "already-refused": alreadyRefused,
    unreplayable,
    "ledger-gap": ledgerGap,
    "refusals-since": refusalsSince,
    "read-refusals-since": readRefusalsSince,
    first,
    gaps,
  };
}
