/** How far a job is, and what became of it. */
import { Badge, Progress, Stack, Text } from "@mantine/core";
import { isGoingOn, type JobRow } from "./queries.ts";
import { reasonOf, STATUSES } from "./words.ts";
import * as texts from "../../texts/tag-jobs.ts";

/** Errors that are shown. */
const MOST = 20;

const COLORS: Readonly<Record<string, string>> = {
  failed: "var(--mantine-color-error)",
  cancelled: "var(--warning)",
  paused: "var(--warning)",
  done: "var(--added-text)",
};

/** The state of a job, as a badge. */
export function JobStatus({ job }: { job: JobRow }) {
  const { status } = job.attributes;
  return (
    <Badge c={COLORS[status] ?? ""} flex="none">
      {STATUSES[status]}
    </Badge>
  );
}

/** A bar, and the numbers under it. */
export function JobProgress({ job }: { job: JobRow }) {
  const { status, refused, warned, errors, reason } = job.attributes;
  return (
    <Stack gap="xs" role="status">
      <Progress
        value={percent(job)}
        color={status === "failed" ? "red" : "teal"}
        animated={status === "running"}
        aria-label={texts.progressLabel}
      />
      <Text size="sm">{progressOf(job)}</Text>
      {reason !== null && (
        <Text size="sm" c="var(--mantine-color-error)">
          {reason}
        </Text>
      )}
      <Counts counts={refused} text={(count, code) => texts.skipped(count, reasonOf(code))} />
      <Counts counts={warned} text={texts.violatedRule} />
      {errors.slice(0, MOST).map((text) => (
        <Text key={text} size="sm" c="var(--mantine-color-error)">
          {text}
        </Text>
      ))}
    </Stack>
  );
}

function progressOf(job: JobRow): string {
  const { status, total, done, changed } = job.attributes;
  const isOver = !isGoingOn(job) && status !== "paused";
  const progress = texts.progressText(done, isOver ? null : total, changed);
  if (isOver) return texts.progressEnded(STATUSES[status], progress);
  return status === "queued" ? texts.progressQueued(progress) : progress;
}

interface CountsProps {
  readonly counts: Readonly<Record<string, number>>;
  /** Returns the line for a count and its name. */
  text(count: number, name: string): string;
}

/** Counts by name, one per line. */
export function Counts({ counts, text }: CountsProps) {
  return Object.entries(counts).map(([name, count]) => (
    <Text key={name} size="sm" c="var(--warning)">
      {text(count, name)}
    </Text>
  ));
}

/** How much of it is done, in percent. What there is to do can grow while it goes on. */
export function percent({ attributes: { status, total, done } }: Pick<JobRow, "attributes">): number {
  if (status === "done") return 100;
  if (total === null || total === 0) return 0;
  return Math.min(100, Math.round((100 * done) / total));
}
