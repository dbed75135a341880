/** Times: how long ago, or until when, in the viewer's words; exact in the viewer's zone on hover. */
import { Text, Tooltip } from "@mantine/core";
import { useEffect, useState } from "react";
import * as texts from "../texts/kit-lists.ts";

const EXACT = new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeStyle: "long" });
const DAY = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" });
const RELATIVE = new Intl.RelativeTimeFormat(undefined, { numeric: "auto", style: "long" });

const STEPS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
];

/** In words, such as `5 minutes ago`; what is further than a month is a date. */
export function relativeTime(at: number, now: number): string {
  const distance = at - now;
  if (Math.abs(distance) > 31 * 86_400_000) return DAY.format(at);
  for (const [unit, size] of STEPS) {
    if (Math.abs(distance) >= size) return RELATIVE.format(Math.trunc(distance / size), unit);
  }
  return Math.abs(distance) < 10_000 ? texts.justNow : distance < 0 ? texts.momentsAgo : texts.inAMoment;
}

/** A time; `none` where there is none. */
export function Time({ value, none = "–" }: { value: string | undefined; none?: string }) {
  const now = useNow();
  if (value === undefined || value === "")
    return (
      <Text span inherit c="dimmed">
        {none}
      </Text>
    );
  const at = Date.parse(value);
  if (Number.isNaN(at)) return <>{value}</>;
  return (
    <Tooltip label={`${EXACT.format(at)} (${value})`}>
      <time dateTime={value}>{relativeTime(at, now)}</time>
    </Tooltip>
  );
}

const listeners = new Set<(now: number) => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** The time, once a minute: one timer for all that show one. */
export function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    listeners.add(setNow);
    timer ??= setInterval(() => {
      const next = Date.now();
      for (const listener of listeners) listener(next);
    }, 60_000);
    return () => {
      listeners.delete(setNow);
      if (listeners.size > 0) return;
      clearInterval(timer);
      timer = undefined;
    };
  }, []);
  return now;
}
