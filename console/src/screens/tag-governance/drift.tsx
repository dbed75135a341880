/** Coverage of one required key by day, drawn as small columns. */
import { Text, VisuallyHidden } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { usePlace } from "../../base/place.ts";
import { daysQuery, shareOf, type CoverageDay } from "./queries.ts";
import classes from "./tag-governance.module.css";
import * as texts from "../../texts/tag-governance.ts";

const DATE = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", timeZone: "UTC" });
const DAY_MS = 86_400_000;
const HEIGHT = 40;
/** Columns of a chart of few days stay narrow. */
const LEAST_DAYS = 30;

/** The chart with a table for screen readers; nothing before the first day, and for a caller who may not see all workspaces. */
export function Drift({ of }: { readonly of: string }) {
  const days = useQuery(daysQuery(usePlace(), of)).data ?? [];
  const [first] = days;
  const last = days.at(-1);
  if (first === undefined || last === undefined) return null;
  const label = texts.driftOf(of);
  return (
    <figure className={classes.drift} aria-label={label}>
      <Text component="figcaption" size="xs" c="dimmed">
        {first !== last && (
          <>
            <bdi>{dateOf(first)}</bdi>
            {texts.onDay(shareOf(first))}{" "}
          </>
        )}
        <bdi>{dateOf(last)}</bdi>
        {texts.onDay(shareOf(last))}
      </Text>
      <Columns days={days} first={numberOf(first)} last={numberOf(last)} />
      <VisuallyHidden>
        <table>
          <caption>{label}</caption>
          <thead>
            <tr>
              <th scope="col">{texts.day}</th>
              <th scope="col">{texts.workspaces}</th>
              <th scope="col">{texts.missing}</th>
            </tr>
          </thead>
          <tbody>
            {days.map((day) => (
              <tr key={day.day}>
                <th scope="row">{dateOf(day)}</th>
                <td>{day.workspaces.toLocaleString()}</td>
                <td>{day.missing.toLocaleString()}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </VisuallyHidden>
    </figure>
  );
}

/** A column for each day; a day without numbers leaves a gap. */
function Columns({
  days,
  first,
  last,
}: {
  readonly days: readonly CoverageDay[];
  readonly first: number;
  readonly last: number;
}) {
  const width = Math.max(LEAST_DAYS, last - first + 1);
  const most = Math.max(1, ...days.map(({ workspaces }) => workspaces));
  return (
    <svg viewBox={`0 0 ${width} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      {days.map((day) => {
        const x = numberOf(day) - first;
        const [all, covered] = [day.workspaces, day.workspaces - day.missing].map((count) => (HEIGHT * count) / most);
        return (
          <g key={day.day}>
            <title>{texts.dayTitle(isolated(dateOf(day)), day.missing, day.workspaces)}</title>
            <rect x={x} y={HEIGHT - (all ?? 0)} width={0.8} height={all} data-tone="danger" />
            <rect x={x} y={HEIGHT - (covered ?? 0)} width={0.8} height={covered} />
          </g>
        );
      })}
    </svg>
  );
}

/** A date of a script from right to left does not draw the numbers beside it into its order. */
function isolated(date: string): string {
  return `\u2068${date}\u2069`;
}

function numberOf({ day }: CoverageDay): number {
  return Date.parse(`${day}T00:00:00.000Z`) / DAY_MS;
}

function dateOf({ day }: CoverageDay): string {
  return DATE.format(new Date(`${day}T00:00:00.000Z`));
}
