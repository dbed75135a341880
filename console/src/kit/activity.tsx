/** Changes, logins and denied requests by day, as bars that choose a time. */
import { Group, Text } from "@mantine/core";
import { queryOptions, useQuery } from "@tanstack/react-query";
import type { BodyOf } from "@tessera-server/client";
import { scopedKey } from "../base/queries.ts";
import type { Place } from "../base/place.ts";
import classes from "./activity.module.css";
import { Bars, type Bar } from "./bars.tsx";
import { Refusal } from "./refusal.tsx";
import * as texts from "../texts/kit-graphs.ts";

type Days = BodyOf<"countAuditDays">;

const MONTH = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", timeZone: "UTC" });
/** Bars between two dates below them. */
const DATES_EVERY = 7;

/**
 * Query for the numbers by day. No change makes it old, as its noun is no topic of events: each answer looks at many records.
 */
function daysQuery(place: Place) {
  return queryOptions({
    queryKey: scopedKey(place.scope, "activity", "days"),
    queryFn: async ({ signal }) => (await place.client.request<Days>("countAuditDays", { signal })).body,
    staleTime: 60_000,
    refetchInterval: 300_000,
  });
}

interface ActivityProps {
  readonly place: Place;
  /** Chosen time, ISO 8601; empty for none. */
  readonly from?: string;
  readonly to?: string;
  /** @param to end of the last day */
  choose(from: string, to: string): void;
}

/** The chart with its legend. */
export function Activity({ place, from = "", to = "", choose }: ActivityProps) {
  const query = useQuery(daysQuery(place));
  if (query.isPending) return <div className={classes.waiting} />;
  if (query.isError) return <Refusal error={query.error} retry={() => void query.refetch()} />;
  const { Days: days, More: isCut } = query.data;
  const isFiltered = from !== "" || to !== "";
  const bars = days.map((day, index): Bar => {
    const [start, end] = timesOf(day.Day);
    return {
      id: day.Day,
      title: MONTH.format(new Date(start)),
      mark: (days.length - 1 - index) % DATES_EVERY === 0 ? MONTH.format(new Date(start)) : "",
      isChosen: isFiltered && start >= from.slice(0, start.length) && (to === "" || end <= to),
      parts: [
        { title: texts.writes, count: day.Writes, tone: "plain" },
        { title: texts.logins, count: day.Logins, tone: "quiet" },
        { title: texts.refusals, count: day.Refusals, tone: "danger" },
      ],
    };
  });
  const chosen = (first: number, last: number) => {
    const [start] = timesOf(days[first]?.Day ?? "");
    const [, end] = timesOf(days[last]?.Day ?? "");
    // The same days again: all of them.
    if (start === from && end === to) choose("", "");
    else choose(start, end);
  };
  return (
    <>
      <Group gap="md" mb={4} className={classes.legend}>
        {(["plain", "quiet", "danger"] as const).map((tone) => (
          <Text key={tone} span size="xs" c="dimmed">
            <span className={classes.swatch} data-tone={tone} aria-hidden="true" /> {LEGEND[tone]}
          </Text>
        ))}
        {isCut === true && (
          <Text span size="xs" c="dimmed">
            {texts.daysCut}
          </Text>
        )}
      </Group>
      <Bars label={texts.daysLabel} bars={bars} choose={chosen} isRange />
    </>
  );
}

const LEGEND = { plain: texts.writes, quiet: texts.logins, danger: texts.refusals } as const;

/** Begin and end of a day of UTC. */
function timesOf(day: string): readonly [string, string] {
  const start = Date.parse(`${day}T00:00:00.000Z`);
  return [new Date(start).toISOString(), new Date(start + 86_400_000).toISOString()];
}
