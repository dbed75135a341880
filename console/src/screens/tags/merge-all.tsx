/** Merges several groups of tags, one job after the other, after all of them were shown. */
import { Button, Group, Modal, Progress, Stack, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { usePlace, type Place } from "../../base/place.ts";
import { CodePanel } from "../../kit/code-panel.tsx";
import { Icon } from "../../kit/icons.tsx";
import { A } from "../../kit/link.tsx";
import { send } from "../../kit/plan.ts";
import { Refusal } from "../../kit/refusal.tsx";
import { visible } from "../../kit/visible.ts";
import { isGoingOn, jobPlan, type JobAttributes } from "../tag-jobs/queries.ts";
import jobs from "../tag-jobs/tag-jobs.module.css";
import * as texts from "../../texts/tags.ts";

/** One group: the tags that go, and the one that stays. */
export interface Merge {
  readonly others: readonly string[];
  readonly to: string;
}

/** The merge of a group of names into one of them. */
export function mergeOf(names: readonly string[], to: string): Merge {
  return { others: names.filter((name) => name !== to), to };
}

function attributesOf({ others, to }: Merge): JobAttributes {
  return { action: "merge", tags: others.map((name) => ({ name })), to };
}

/** The button and its dialog. */
export function MergeAll({ merges, done }: { merges: readonly Merge[]; done: () => void }) {
  const [asked, setAsked] = useState<readonly Merge[]>();
  return (
    <>
      {merges.length > 0 && (
        <Button leftSection={<Icon name="rule" size={14} />} onClick={() => setAsked(merges)}>
          {texts.mergeGroups(merges.length)}
        </Button>
      )}
      {asked !== undefined && (
        <Dialog
          merges={asked}
          close={(isDone) => {
            setAsked(undefined);
            if (isDone) done();
          }}
        />
      )}
    </>
  );
}

function Dialog({ merges, close }: { merges: readonly Merge[]; close: (isDone: boolean) => void }) {
  const place = usePlace();
  const { count, error, isRunning, start } = useMerging(merges);
  const isDone = count === merges.length;
  return (
    <Modal opened onClose={() => close(count > 0)} title={texts.mergeGroupsTitle(merges.length)} size="lg">
      <Stack gap="md">
        {/* Makes the scrollable area focusable by keyboard. */}
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
        <ul className={jobs.changes} tabIndex={0} aria-label={texts.mergesLabel}>
          {merges.map(({ others, to }) => (
            <li key={to}>{visible(texts.mergeLine(others, to))}</li>
          ))}
        </ul>
        <Text size="sm">{texts.mergeEffect}</Text>
        {count > 0 || isRunning ? (
          <Stack gap={4} role="status">
            <Progress value={(100 * count) / merges.length} aria-label={texts.mergesLabel} />
            <Text size="sm">
              {texts.mergedGroups(count, merges.length)} <A to={place.path("tag-jobs")}>{texts.showJobs}</A>
            </Text>
          </Stack>
        ) : (
          <CodePanel plan={merges.map((merge) => jobPlan(place, attributesOf(merge)))} />
        )}
        {error !== undefined && <Refusal error={error} isWrite />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" size="sm" onClick={() => close(count > 0)} data-autofocus>
            {isDone ? texts.close : texts.cancel}
          </Button>
          {!isDone && (
            <Button size="sm" loading={isRunning} onClick={() => void start()}>
              {texts.mergeGroups(merges.length - count)}
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  );
}

/** Time in ms between two reads of a job. */
const REST = 300;

/** Runs the merges. An organization has a limit of unfinished jobs, so each one waits for the one before. */
function useMerging(merges: readonly Merge[]) {
  const place = usePlace();
  const queries = useQueryClient();
  const [count, setCount] = useState(0);
  const [error, setError] = useState<unknown>();
  const [isRunning, setRunning] = useState(false);
  const isLeft = useRef(false);
  useEffect(() => {
    isLeft.current = false;
    return () => void (isLeft.current = true);
  }, []);
  const start = async () => {
    setRunning(true);
    setError(undefined);
    try {
      for (const [index, merge] of merges.entries()) {
        if (index < count) continue;
        if (isLeft.current) break;
        await finished(place, await send(jobPlan(place, attributesOf(merge)), place));
        setCount(index + 1);
      }
    } catch (failure) {
      setError(failure);
    }
    setRunning(false);
    await queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] === "v2" });
  };
  return { count, error, isRunning, start };
}

async function finished(place: Place, answer: unknown): Promise<void> {
  let job = (answer as { data: Parameters<typeof isGoingOn>[0] & { id: string } }).data;
  while (isGoingOn(job)) {
    await new Promise((resolve) => setTimeout(resolve, REST));
    job = (await place.client.tagJobs.read({ tagJob: job.id })).data;
  }
}
