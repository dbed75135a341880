/** Writes selected objects one after the other: a preview before, the progress, and each failure by name. */
import { Button, Group, Modal, Progress, Stack, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState, type ReactNode } from "react";
import { placeOfObject, usePlace } from "../base/place.ts";
import { scopedKey } from "../base/queries.ts";
import { ReasonRequests, useChangeReason } from "./change-reason.tsx";
import { Icon, type IconName } from "./icons.tsx";
import { send, withReason, type Plan } from "./plan.ts";
import { Refusal } from "./refusal.tsx";
import { useMay, type Right } from "./rights.ts";
import type { Selection } from "./selection.ts";
import { visible } from "./visible.ts";
import * as texts from "../texts/kit-lists.ts";

/** How selected objects of a kind are written. */
export interface BulkWork<Row> {
  /** Noun of the queries to read again. */
  readonly noun: string;
  /** Consequences of the write. */
  readonly note: string;
  readonly write: Right;
  readonly words: BulkWords;
  readonly icon: IconName;
  readonly isDanger?: boolean;
  title(row: Row): string;
  plan(row: Row): Plan;
  /** Returns why a row is left out, such as a built-in object. */
  keeps?(row: Row): string | undefined;
  /** Shows the impact of the write before it starts. */
  impact?(rows: readonly Row[]): ReactNode;
  /** Fields of the dialog that the plans depend on. */
  readonly fields?: ReactNode;
  /** Whether the fields are incomplete, so that nothing can be written yet. */
  readonly isIncomplete?: boolean;
  /** Line of a row in the preview. Default: its title. */
  line?(row: Row): string;
}

/** Texts of a kind of write. Counts are undefined until the rows were read. */
export interface BulkWords {
  readonly button: string;
  title(count: number | undefined): string;
  confirm(count: number | undefined): string;
  /** Label of the names of the rows to write. */
  readonly names: string;
  left(count: number): string;
  done(done: number, failed: number): string;
  failed(name: string): string;
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

interface Props<Selected, Row> {
  readonly selection: Selection<Selected>;
  readonly work: BulkWork<Row>;
  /** Returns the objects to write for the selected rows. */
  targets(this: void, selected: readonly Selected[]): readonly Row[];
}

/** The button and its dialog. */
export function BulkWrite<Row extends Placed>(props: Omit<Props<Row, Row>, "targets">) {
  return <BulkWriteTo {...props} targets={(selected: readonly Row[]) => selected} />;
}

/** The same where other objects than the selected ones are written. */
export function BulkWriteTo<Selected, Row extends Placed>({ selection, work, targets }: Props<Selected, Row>) {
  const { preview, failed, run, open, start, end } = useBulk({ selection, work, targets });
  const { reason, ...ask } = useChangeReason();
  const mayWrite = useMay(work.write);
  if (!mayWrite) return null;
  const { words } = work;
  const count = preview?.rows.length;
  const isOpen = preview !== undefined || failed !== undefined;
  return (
    <>
      <Button
        {...(work.isDanger === true ? { color: "red", variant: "outline", ml: "auto" } : { variant: "default" })}
        leftSection={<Icon name={work.icon} size={14} />}
        onClick={() => void open()}
      >
        {words.button}
      </Button>
      <Modal opened={isOpen} onClose={end} size="lg" title={words.title(count)}>
        <Stack gap="md">
          <Text size="sm">{work.note}</Text>
          {failed !== undefined && <Refusal error={failed} failed={texts.readRowsFailed} />}
          {preview !== undefined && run === undefined && (
            <>
              {work.fields}
              <Names rows={preview.rows} title={work.line ?? work.title} label={words.names} />
              <Kept kept={preview.kept} label={words.left(preview.kept.length)} />
              <ReasonRequests request={ask.request}>{impactOf(preview.rows, work)}</ReasonRequests>
              {ask.input}
            </>
          )}
          {run !== undefined && <Progressing run={run} count={count ?? 0} words={words} />}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={end} data-autofocus>
              {run === undefined ? texts.cancel : run.isOver ? texts.close : texts.stop}
            </Button>
            {run === undefined && preview !== undefined && (
              <Button
                {...(work.isDanger === true && { color: "red" })}
                disabled={count === 0 || work.isIncomplete === true}
                loading={ask.isWaiting}
                onClick={() => ask.confirm(() => void start(reason))}
              >
                {words.confirm(count)}
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

function impactOf<Row>(rows: readonly Row[], { impact }: BulkWork<Row>): ReactNode {
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

function Kept({ kept, label }: { kept: readonly string[]; label: string }) {
  if (kept.length === 0) return null;
  return (
    <div>
      <Text size="sm" fw={600}>
        {label}
      </Text>
      <Names rows={kept} title={(line) => line} label={label} />
    </div>
  );
}

interface ProgressProps {
  readonly run: Run;
  readonly count: number;
  readonly words: BulkWords;
}

function Progressing({ run: { done, failures }, count, words }: ProgressProps) {
  const [shown, setShown] = useState(NAMED);
  return (
    <Stack gap="xs" role="status">
      <Progress value={count === 0 ? 100 : (100 * (done + failures.length)) / count} aria-label={texts.progress} />
      <Text size="sm">{words.done(done, failures.length)}</Text>
      {failures.slice(0, shown).map(({ title, error }, index) => (
        <Refusal key={index} error={error} failed={words.failed(title)} isWrite />
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
  /** Names of rows that are left out, each with the reason. */
  readonly kept: readonly string[];
}

/** Divides the rows into those to write and those that are left out. */
function previewOf<Row>(all: readonly Row[], work: BulkWork<Row>): Preview<Row> {
  const rows: Row[] = [];
  const kept: string[] = [];
  for (const row of all) {
    const why = work.keeps?.(row);
    if (why === undefined) rows.push(row);
    else kept.push(texts.keptRow(work.title(row), why));
  }
  return { rows, kept };
}

function useBulk<Selected, Row extends Placed>({ selection, work, targets }: Props<Selected, Row>) {
  const place = usePlace();
  const queries = useQueryClient();
  const [read, setRead] = useState<readonly Selected[]>();
  const preview = read && previewOf(targets(read), work);
  const [failed, setFailed] = useState<unknown>();
  const [run, setRun] = useState<Run>();
  const controller = useRef<AbortController>(undefined);
  const open = async () => {
    const { signal } = (controller.current = new AbortController());
    const rows: Selected[] = [];
    try {
      // All rows first: each deleted row would move the pages behind it.
      for await (const row of selection.rows(signal)) rows.push(row);
      setRead(rows);
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
        await send(withReason(work.plan(row), reason), placeOfObject(place, row));
        done++;
      } catch (error) {
        failures.push({ title: work.title(row), error });
      }
      tell(false);
    }
    tell(true);
    await queries.invalidateQueries({ queryKey: scopedKey(place.scope, work.noun) });
  };
  const end = () => {
    controller.current?.abort();
    if (run !== undefined && !run.isOver) return;
    if (run?.isOver === true) selection.clear();
    setRun(undefined);
    setRead(undefined);
    setFailed(undefined);
  };
  return { preview, failed, run, open, start, end };
}
