/** Deletes the tokens that are selected, one after the other, and says how far it is. */
import { Button, Group, Modal, Progress, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { usePlace, placeOfObject } from "../../base/place.ts";
import { scopedKey } from "../../base/queries.ts";
import { Icon } from "../../kit/icons.tsx";
import { Refusal } from "../../kit/refusal.tsx";
import { useMay } from "../../kit/rights.ts";
import type { Selection } from "../../kit/selection.ts";
import { titleOf, type TokenRow } from "./queries.ts";

interface Failure {
  readonly name: string;
  readonly error: unknown;
}

interface Run {
  readonly done: number;
  readonly failures: readonly Failure[];
  readonly isOver: boolean;
}

/** Failures that are listed; all are counted. */
const MOST = 20;

/** The button and its dialog. */
export function BulkDelete({ selection }: { selection: Selection<TokenRow> }) {
  const [isOpen, { open, close }] = useDisclosure(false);
  const { run, start, stop } = useRun(selection);
  const mayWrite = useMay({ resource: "acl", access: "write" });
  if (!mayWrite) return null;
  const { count } = selection;
  const words =
    count === undefined ? "all tokens that match" : `${count.toLocaleString()} ${count === 1 ? "token" : "tokens"}`;
  const end = () => {
    stop();
    close();
    if (run?.isOver === true) selection.clear();
  };
  return (
    <>
      <Button color="red" variant="outline" ml="auto" leftSection={<Icon name="trash" size={14} />} onClick={open}>
        Delete
      </Button>
      <Modal opened={isOpen} onClose={end} title={`Delete ${words}?`}>
        <Stack gap="md">
          <Text size="sm">Whoever calls with one of them is refused from then on. This cannot be undone.</Text>
          {run !== undefined && <Progressing run={run} count={count} />}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={end} data-autofocus>
              {run === undefined ? "Keep" : run.isOver ? "Close" : "Stop"}
            </Button>
            {run === undefined && (
              <Button color="red" onClick={() => void start()}>
                Delete {words}
              </Button>
            )}
          </Group>
        </Stack>
      </Modal>
    </>
  );
}

function Progressing({ run, count }: { run: Run; count: number | undefined }) {
  const { done, failures, isOver } = run;
  return (
    <Stack gap="xs" role="status">
      <Progress
        value={count === undefined || count === 0 ? (isOver ? 100 : 50) : (100 * (done + failures.length)) / count}
        aria-label="How far it is"
      />
      <Text size="sm">
        {done.toLocaleString()} deleted{failures.length > 0 ? `, ${failures.length.toLocaleString()} were not` : ""}
      </Text>
      {failures.slice(0, MOST).map(({ name, error }) => (
        <Refusal key={name} error={error} says={{ title: name }} isWrite />
      ))}
    </Stack>
  );
}

function useRun(selection: Selection<TokenRow>) {
  const place = usePlace();
  const queries = useQueryClient();
  const [run, setRun] = useState<Run>();
  const controller = useRef<AbortController>(undefined);
  const start = async () => {
    const { signal } = (controller.current = new AbortController());
    let done = 0;
    const failures: Failure[] = [];
    const tell = (isOver: boolean) => setRun({ done, failures: [...failures], isOver });
    tell(false);
    // All of them first: with each that goes the pages behind it would move.
    const rows: TokenRow[] = [];
    try {
      for await (const row of selection.rows(signal)) rows.push(row);
      for (const row of rows) {
        if (signal.aborted) break;
        try {
          await placeOfObject(place, row).client.tokens.delete({ accessor: row.AccessorID });
          done++;
        } catch (error) {
          failures.push({ name: titleOf(row), error });
        }
        tell(false);
      }
    } catch (error) {
      failures.push({ name: "The rest", error });
    }
    tell(true);
    await queries.invalidateQueries({ queryKey: scopedKey(place.scope, "tokens") });
  };
  const stop = () => {
    controller.current?.abort();
    if (run?.isOver === true) setRun(undefined);
  };
  return { run, start, stop };
}
