/** How far a job is, and what became of it. */
import { Badge, Progress, Stack, Text } from "@mantine/core";
import { isGoingOn, type JobRow } from "./queries.ts";
import { reasonOf } from "./words.ts";

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
      {status}
    </Badge>
  );
}

/** A bar, and the numbers under it. */
export function JobProgress({ job }: { job: JobRow }) {
  const { status, total, done, changed, refused, warned, errors, reason } = job.attributes;
  const isOver = !isGoingOn(job) && status !== "paused";
  return (
    <Stack gap="xs" role="status">
      <Progress
        value={percent(job)}
        color={status === "failed" ? "red" : "teal"}
        animated={status === "running"}
        aria-label="How far the job is"
      />
      <Text size="sm">
        {isOver ? `${capital(status)}. ` : status === "queued" ? "Waits for jobs before it. " : ""}
        {done.toLocaleString()}
        {total === null || isOver ? "" : ` of ${total.toLocaleString()}`} looked at, {changed.toLocaleString()} changed
      </Text>
      {reason !== null && (
        <Text size="sm" c="var(--mantine-color-error)">
          {reason}
        </Text>
      )}
      <Counts title="refused" counts={refused} word={reasonOf} />
      <Counts title="changed, against the rule" counts={warned} word={(rule) => rule} />
      {errors.slice(0, MOST).map((text) => (
        <Text key={text} size="sm" c="var(--mantine-color-error)">
          {text}
        </Text>
      ))}
    </Stack>
  );
}

/** Counts by what they are of. */
export function Counts({
  title,
  counts,
  word,
}: {
  title: string;
  counts: Readonly<Record<string, number>>;
  word: (name: string) => string;
}) {
  return Object.entries(counts).map(([name, count]) => (
    <Text key={name} size="sm" c="var(--warning)">
      {count.toLocaleString()} {title}: {word(name)}
    </Text>
  ));
}

/** How much of it is done, in percent. What there is to do can grow while it goes on. */
export function percent({ attributes: { status, total, done } }: Pick<JobRow, "attributes">): number {
  if (status === "done") return 100;
  if (total === null || total === 0) return 0;
  return Math.min(100, Math.round((100 * done) / total));
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
