/** Marks of use: on how many days an object was used, or for how long it was not. */
import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { usePlace } from "../../base/place.ts";
import { dayText } from "../../kit/dates.ts";
import { Field } from "../../kit/object-screen.tsx";
import { reportQuery, type UseEntry, type UseKind, type UseReport } from "./queries.ts";
import * as texts from "../../texts/unused.ts";

/** Days of which answers tell on how many something was used. */
const LAST_DAYS = 30;
const MOST_DAYS = 128;
const DAY_MS = 86_400_000;

/** Text of a mark; undefined where nothing is known. */
export function markOf(entry: UseEntry, since: string | undefined, isMatched = false): string | undefined {
  const { DaysUsed = 0, LastDay } = entry;
  if (DaysUsed > 0) return (isMatched ? texts.matchedOn : texts.usedOn)(DaysUsed, LAST_DAYS);
  if (LastDay !== undefined) return (isMatched ? texts.lastMatched : texts.lastUsed)(dayText(LastDay));
  if (since === undefined) return undefined;
  const known = Math.floor((Date.now() - Date.parse(since)) / DAY_MS);
  return (isMatched ? texts.neverMatched : texts.neverUsed)(Math.min(known, MOST_DAYS));
}

interface UseFieldProps {
  readonly of: Exclude<UseKind, "rule">;
  readonly id: string;
}

/** Field with the use of one object, for its page. */
export function UseField({ of, id }: UseFieldProps) {
  const isMatched = of === "binding-rule";
  return (
    <Field
      name={isMatched ? texts.matches : texts.recordedUse}
      hint={isMatched ? texts.matchesHint : texts.recordedUseHint}
    >
      <UseMark of={of} id={id} />
    </Field>
  );
}

function UseMark({ of, id }: UseFieldProps) {
  const place = usePlace();
  const { data } = useQuery(reportQuery(place, { by: of, id }));
  const [entry] = data?.Entries ?? [];
  const text = entry && markOf(entry, data?.Since, of === "binding-rule");
  return (
    <Text span inherit c={entry?.LastDay === undefined ? "dimmed" : ""}>
      {data === undefined ? "…" : (text ?? texts.notKnown)}
    </Text>
  );
}

/** A mark at a line of a policy. */
export interface LineMark {
  readonly line: number;
  readonly text: string;
  readonly isUnused: boolean;
}

/** Marks for the lines of a policy; none while they are not known. */
export function useLineMarks(policy: string): readonly LineMark[] {
  const place = usePlace();
  const { data } = useQuery({
    ...reportQuery(place, { by: "rule", policy }),
    select: marksOf,
  });
  return data ?? NONE;
}

const NONE: readonly LineMark[] = [];

function marksOf({ Entries, Since }: UseReport): readonly LineMark[] {
  return Entries.flatMap((entry) => {
    const line = entry.Rule?.Line;
    const text = markOf(entry, Since);
    return line === undefined || text === undefined ? [] : [{ line, text, isUnused: entry.LastDay === undefined }];
  });
}
