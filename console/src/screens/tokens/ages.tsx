/** Tokens by expiration and by last use, as bars that filter the list. */
import { Text } from "@mantine/core";
import { queryOptions, useQuery } from "@tanstack/react-query";
import type { BodyOf } from "@tessera-server/client";
import type { Search } from "../../base/address.ts";
import { scopedKey } from "../../base/queries.ts";
import type { Place } from "../../base/place.ts";
import { Bars, type Bar } from "../../kit/bars.tsx";
import type { ChangeFilter } from "../../kit/filter.ts";
import classes from "./tokens.module.css";
import * as texts from "../../texts/tokens.ts";

type Counts = BodyOf<"countTokens">;
type Bucket = Counts["LastUse"][number];

/** Filters of the list that show the tokens of a bucket. */
const EXPIRATION: Readonly<Record<string, Search>> = {
  "1d": { "expires-before": "24h" },
  "7d": { "expires-after": "1d", "expires-before": "7d" },
  "30d": { "expires-after": "7d", "expires-before": "30d" },
  "90d": { "expires-after": "30d", "expires-before": "90d" },
  "365d": { "expires-after": "90d", "expires-before": "365d" },
  later: { "expires-after": "365d" },
  never: { expires: "never" },
};
const LAST_USE: Readonly<Record<string, Search>> = {
  "1d": { "used-within": "1d" },
  "7d": { "unused-for": "1d", "used-within": "7d" },
  "30d": { "unused-for": "7d", "used-within": "30d" },
  "90d": { "unused-for": "30d", "used-within": "90d" },
  "365d": { "unused-for": "90d", "used-within": "365d" },
  earlier: { "unused-for": "365d", used: "ever" },
  never: { used: "never" },
};
const NO_EXPIRATION: Search = { "expires-after": "", "expires-before": "", expires: "" };
const NO_USE: Search = { "unused-for": "", "used-within": "", used: "" };

/** Query for the numbers. Its noun is no topic of events: a login changes them, and each answer looks at all tokens. */
function countsQuery(place: Place) {
  return queryOptions({
    queryKey: scopedKey(place.scope, "token-ages"),
    queryFn: async ({ signal }) => (await place.client.request<Counts>("countTokens", { signal })).body,
    staleTime: 30_000,
  });
}

interface AgesProps {
  readonly place: Place;
  readonly search: Search;
  readonly change: ChangeFilter;
}

/** Both charts. Nothing is shown until the numbers are there, or where they cannot be read: the list shows why. */
export function TokenAges({ place, search, change }: AgesProps) {
  const { data } = useQuery(countsQuery(place));
  if (data === undefined) return <div className={classes.ages} />;
  const chart = (
    label: string,
    buckets: readonly Bucket[],
    filters: Readonly<Record<string, Search>>,
    none: Search,
  ) => {
    const filterOf = (bucket: Bucket | undefined) => ({ ...none, ...filters[bucket?.Within ?? ""] });
    const isChosen = (bucket: Bucket | undefined) =>
      Object.entries(filterOf(bucket)).every(([name, value]) => (search[name] ?? "") === value);
    const bars = buckets.map((bucket): Bar => {
      const mark = texts.ageOf(bucket.Within);
      const parts = [{ title: texts.tokensCounted, count: bucket.Count, tone: "plain" } as const];
      return { id: bucket.Within, title: `${label} ${mark}`, mark, isChosen: isChosen(bucket), parts };
    });
    return (
      <div className={classes.age}>
        <Text size="xs" c="dimmed">
          {label}
        </Text>
        <Bars
          label={label}
          bars={bars}
          choose={(index) => change(isChosen(buckets[index]) ? none : filterOf(buckets[index]))}
        />
      </div>
    );
  };
  return (
    <div className={classes.ages}>
      {chart(texts.expiresChart, data.Expiration, EXPIRATION, NO_EXPIRATION)}
      {chart(texts.lastUsedChart, data.LastUse, LAST_USE, NO_USE)}
    </div>
  );
}
