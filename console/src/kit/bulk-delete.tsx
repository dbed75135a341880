/** Deletes selected objects one after the other: a preview before, the progress, and each failure by name. */
import { Button, Group, Modal, Progress, Stack, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState, type ReactNode } from "react";
import { placeOfObject, usePlace } from "../base/place.ts";
import { scopedKey } from "../base/queries.ts";
import { ReasonRequests, useChangeReason } from "./change-reason.tsx";
import { Icon } from "./icons.tsx";
import { send, withReason, type Plan } from "./plan.ts";
import { Refusal } from "./refusal.tsx";
import { useMay, type Right } from "./rights.ts";
import type { Selection } from "./selection.ts";
import { visible } from "./visible.ts";
import * as texts from "../texts/kit-lists.ts";

/** How selected objects of a kind are deleted. */
export interface BulkDeletion<Row> {
  /** Noun of the queries to read again. */
  readonly noun: string;
  readonly singular: string;
  readonly plural: string;
  /** Consequences of the delete. */
  readonly warning: string;
  readonly write: Right;
  title(row: Row): string;
  plan(row: Row): Plan;
  /** Returns why a row is not deleted, such as a built-in object. */
  keeps?(row: Row): string | undefined;
  /** Shows the impact of the delete before it starts. */
  impact?(rows: readonly Row[]): ReactNode;
}

interface Failure {
  readonly title: string;
  readonly error: unknown;
}

interface Run {
  readonly done: number;
  readonly failures: readonly Failure[];
  readonly isOver: boolean;
}

type Placed = { readonly Namespace?: string | undefined };

interface Props<Row> {
  readonly selection: Selection<Row>;
  readonly deletion: BulkDeletion<Row>;
}

/** The button and its dialog. */
export function BulkDelete<Row extends Placed>({ selection, deletion }: Props<Row>) {
  const { preview, failed, run, open, start, end } = useBulk(selection, deletion);
  const { reason, ...ask } = useChangeReason();
  const mayWrite = useMay(deletion.write);
  if (!mayWrite) return null;
  const { singular, plural } = deletion;
  const count = preview?.rows.length;
  const isOpen = preview !== undefined || failed !== undefined;
  return (
    <>
      <Button
        color="red"
        variant="outline"
        ml="auto"
        leftSection={<Icon name="trash" size={14} />}
        onClick={() => void open()}
      >
        {texts.deleteLabel}
      </Button>
      <Modal opened={isOpen} onClose={end} size="lg" title={texts.deleteRows(count, singular, plural, true)}>
        <Stack gap="md">
          <Text size="sm">{deletion.warning}</Text>
          {failed !== undefined && <Refusal error={failed} failed={texts.readRowsFailed} />}
          {preview !== undefined && run === undefined && (
            <>
              <Names rows={preview.rows} title={deletion.title} label={texts.toDelete} />
              <Kept kept={preview.kept} />
              <ReasonRequests request={ask.request}>{impactOf(preview.rows, deletion)}</ReasonRequests>
              {ask.input}
            </>
          )}
          {run !== undefined && <Progressing run={run} count={count ?? 0} {...deletion} />}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={end} data-autofocus>
              {run === undefined ? texts.cancel : run.isOver ? texts.close : texts.stop}
            </Button>
            {run === undefined && preview !== undefined && (
              <Button
                color="red"
                disabled={count === 0}
                loading={ask.isWaiting}
                onClick={() => ask.confirm(() => void start(reason))}
              >
                {texts.deleteRows(count, singular, plural)}
              </Button>
            )}
          </Group>
        </Stack>
      </Modal>
    </>
  );
}

/** Number of objects whose impact the server computes together. */
const MOST_COMPARED = 1000;

function impactOf<Row>(rows: readonly Row[], { impact }: BulkDeletion<Row>): ReactNode {
  if (impact === undefined || rows.length === 0) return null;
  if (rows.length <= MOST_COMPARED) return impact(rows);
  return (
    <Text size="sm" c="dimmed">
      {texts.impactTooMany(MOST_COMPARED)}
    </Text>
  );
}

/** Number of names that are shown at a time. */
const NAMED = 50;

interface NamesProps<Row> {
  readonly rows: readonly Row[];
  title(row: Row): string;
  readonly label: string;
}

function Names<Row>({ rows, title, label }: NamesProps<Row>) {
  const [shown, setShown] = useState(NAMED);
  if (rows.length === 0) return null;
  return (
    <div>
      <ul aria-label={label} style={{ margin: 0, paddingLeft: 20, columns: "220px" }}>
        {rows.slice(0, shown).map((row, index) => (
          <Text component="li" size="sm" key={index} style={{ overflowWrap: "anywhere" }}>
            <bdi>{visible(title(row))}</bdi>
          </Text>
        ))}
      </ul>
      {rows.length > shown && (
        <Button variant="default" size="compact-sm" mt={4} onClick={() => setShown(shown + 10 * NAMED)}>
          {texts.showMore(rows.length - shown)}
        </Button>
      )}
    </div>
  );
}

function Kept({ kept }: { kept: readonly string[] }) {
  if (kept.length === 0) return null;
  return (
    <div>
      <Text size="sm" fw={600}>
        {texts.notDeleted(kept.length)}
      </Text>
      <Names rows={kept} title={(line) => line} label={texts.notDeleted(kept.length)} />
    </div>
  );
}

interface ProgressProps {
  readonly run: Run;
  readonly count: number;
  readonly singular: string;
  readonly plural: string;
}

function Progressing({ run: { done, failures }, count, singular, plural }: ProgressProps) {
  const [shown, setShown] = useState(NAMED);
  return (
    <Stack gap="xs" role="status">
      <Progress value={count === 0 ? 100 : (100 * (done + failures.length)) / count} aria-label={texts.progress} />
      <Text size="sm">{texts.deletedRows(done, failures.length, singular, plural)}</Text>
      {failures.slice(0, shown).map(({ title, error }, index) => (
        <Refusal key={index} error={error} failed={texts.deleteRowFailed(title)} isWrite />
      ))}
      {failures.length > shown && (
        <Button variant="default" size="compact-sm" onClick={() => setShown(shown + NAMED)}>
          {texts.showMore(failures.length - shown)}
        </Button>
      )}
    </Stack>
  );
}

interface Preview<Row> {
  readonly rows: readonly Row[];
  /** Names of rows that are not deleted, each with the reason. */
  readonly kept: readonly string[];
}

function useBulk<Row extends Placed>(selection: Selection<Row>, deletion: BulkDeletion<Row>) {
  const place = usePlace();
  const queries = useQueryClient();
  const [preview, setPreview] = useState<Preview<Row>>();
  const [failed, setFailed] = useState<unknown>();
  const [run, setRun] = useState<Run>();
  const controller = useRef<AbortController>(undefined);
  const open = async () => {
    const { signal } = (controller.current = new AbortController());
    const rows: Row[] = [];
    const kept: string[] = [];
    try {
      // All rows first: each deleted row would move the pages behind it.
      for await (const row of selection.rows(signal)) {
        const why = deletion.keeps?.(row);
        if (why === undefined) rows.push(row);
        else kept.push(texts.keptRow(deletion.title(row), why));
      }
      setPreview({ rows, kept });
    } catch (error) {
      setFailed(error);
    }
  };
  const start = async (reason: string) => {
    const { signal } = (controller.current = new AbortController());
    let done = 0;
    const failures: Failure[] = [];
    const tell = (isOver: boolean) => setRun({ done, failures: [...failures], isOver });
    tell(false);
    for (const row of preview?.rows ?? []) {
      if (signal.aborted) break;
      try {
        await send(withReason(deletion.plan(row), reason), placeOfObject(place, row));
        done++;
      } catch (error) {
        failures.push({ title: deletion.title(row), error });
      }
      tell(false);
    }
    tell(true);
    await queries.invalidateQueries({ queryKey: scopedKey(place.scope, deletion.noun) });
  };
  const end = () => {
    controller.current?.abort();
    if (run !== undefined && !run.isOver) return;
    if (run?.isOver === true) selection.clear();
    setRun(undefined);
    setPreview(undefined);
    setFailed(undefined);
  };
  return { preview, failed, run, open, start, end };
}
