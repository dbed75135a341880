/** Changes of a job: each object, with what came to it and what went. */
import { Button, Stack, Text } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { usePlace } from "../../base/place.ts";
import type { AuditRecord } from "../../kit/audit-record.ts";
import { changesOfDelta, changesOfTags, unfolded } from "../../kit/delta.ts";
import { A } from "../../kit/link.tsx";
import { textOf } from "../../kit/members.ts";
import { pathOfRecord } from "../../kit/records.tsx";
import { Refusal } from "../../kit/refusal.tsx";
import { ObjectSkeleton } from "../../kit/skeletons.tsx";
import { visible } from "../../kit/visible.ts";
import { changesQuery, isGoingOn, type JobRow } from "./queries.ts";
import classes from "./tag-jobs.module.css";
import * as texts from "../../texts/tag-jobs.ts";

interface ChangesProps {
  readonly job: JobRow;
  /** Whether each change is shown as its undo. */
  readonly isUndo?: boolean;
  /** Maximum number of changes; default: all, page by page. */
  readonly most?: number;
}

/** The changes that a job made, from the audit log. */
export function JobChanges({ job, isUndo = false, most = Infinity }: ChangesProps) {
  const query = useInfiniteQuery(changesQuery(usePlace(), job.id));
  if (query.isPending) return <ObjectSkeleton />;
  if (query.isError) return <Refusal error={query.error} retry={() => void query.refetch()} />;
  const records = query.data.pages.flatMap((page) => page.records);
  if (records.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {texts.changesNone}
      </Text>
    );
  }
  const shown = records.slice(0, most);
  return (
    <Stack gap="xs" maw={860}>
      {isGoingOn(job) && (
        <Text size="sm" c="dimmed">
          {texts.changesRunning}
        </Text>
      )}
      {/* Makes the scrollable area focusable by keyboard. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <ul className={classes.changes} data-whole={most === Infinity} tabIndex={0} aria-label={texts.changesTab}>
        {shown.map((record, index) => (
          <Change key={record.Hash ?? `${record.ID} ${index}`} record={record} isUndo={isUndo} />
        ))}
        {(records.length > shown.length || (query.hasNextPage && most !== Infinity)) && <li>…</li>}
      </ul>
      {most === Infinity && query.hasNextPage && (
        <Button
          variant="default"
          style={{ alignSelf: "flex-start" }}
          loading={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          {texts.showMore}
        </Button>
      )}
    </Stack>
  );
}

function Change({ record, isUndo }: { record: AuditRecord; isUndo: boolean }) {
  const { Kind: kind, ID: id, Name: name = "" } = record;
  const path = pathOfRecord(record);
  const title = name === "" ? id : name;
  const [came, went] = isUndo ? ["−", "+"] : ["+", "−"];
  const changes = [...unfolded(changesOfDelta(record.Changes)), ...changesOfTags(record.Detail)];
  return (
    <li>
      {kind.replaceAll("-", " ")} {path === undefined ? <b>{visible(title)}</b> : <A to={path}>{title}</A>}:{" "}
      {changes
        .flatMap(({ path: member, before, after }) => [...signed(went, member, before), ...signed(came, member, after)])
        .join("  ")}
    </li>
  );
}

function signed(sign: string, member: string, value: unknown): readonly string[] {
  const lines = textOf(value)
    .split("\n")
    .filter((line) => line !== "");
  const isList = Array.isArray(value);
  return lines.map((line) => visible(isList ? `${sign}${line}` : `${sign}${member}: ${line}`));
}
