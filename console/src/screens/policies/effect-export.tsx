/** Export of an impact: one line for each change of each subject. */
import { Button, Group } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { Place } from "../../base/place.ts";
import { csvLine, download } from "../../kit/csv.ts";
import { Icon } from "../../kit/icons.tsx";
import { notifyRefusal } from "../../kit/notify-refusal.tsx";
import classes from "./editor.module.css";
import { readEffect, type Effect, type EffectDraft } from "./queries.ts";
import * as texts from "../../texts/policies.ts";

interface Props {
  readonly place: Place;
  readonly draft: EffectDraft;
}

/** The button that exports all pages. */
export function EffectExport({ place, draft }: Props) {
  const [done, setDone] = useState(0);
  const run = useMutation({
    mutationFn: async () => makeCsv(place, draft, setDone),
    onSuccess({ blob, rows, isCut }) {
      download(blob, `impact-${new Date().toISOString().slice(0, 10)}.csv`);
      notifications.show({
        color: isCut ? "yellow" : "teal",
        message: isCut ? texts.exportCut(rows) : texts.exported(rows),
      });
    },
    onError: (error) => notifyRefusal(error, { title: texts.exportFailed }),
  });
  return (
    <Group className={classes.row} justify="flex-end">
      <Button
        variant="default"
        size="compact-sm"
        leftSection={<Icon name="columns" size={14} />}
        disabled={run.isPending}
        onClick={() => run.mutate()}
      >
        {run.isPending ? texts.exporting(done) : texts.exportLabel}
      </Button>
    </Group>
  );
}

const COLUMNS = [
  "resource",
  "name",
  "prefix",
  "namespace",
  "partition",
  "from",
  "to",
  "subject",
  "subject_id",
  "subject_name",
  "subject_namespace",
  "subject_partition",
] as const;

/** A browser makes a file of this many lines without trouble. */
const MOST = 200_000;

async function makeCsv(place: Place, draft: EffectDraft, onProgress: (rows: number) => void) {
  const parts: Blob[] = [new Blob([csvLine(COLUMNS)])];
  let rows = 0;
  let isCut = false;
  for (let after: string | undefined = ""; after !== undefined;) {
    const { effect, next }: { effect: Effect; next: string | undefined } = await readEffect(place, draft, { after });
    const all = effect.Entries.flatMap((entry) => linesOf(effect, entry));
    const lines = all.slice(0, MOST - rows);
    isCut = lines.length < all.length || (rows + lines.length === MOST && next !== undefined);
    parts.push(new Blob(lines));
    rows += lines.length;
    onProgress(rows);
    after = isCut ? undefined : next;
  }
  return { blob: new Blob(parts, { type: "text/csv" }), rows, isCut };
}

function linesOf({ Changes }: Effect, entry: Effect["Entries"][number]): string[] {
  return entry.Changes.flatMap((position) => {
    const change = Changes[position];
    if (change === undefined) return [];
    const { Segment = "", Prefix = false, Namespace = "", Partition = "" } = change;
    const placed = (name: string, isPrefix?: boolean) => (isPrefix === true ? `${name}*` : name);
    return csvLine([
      change.Resource,
      Segment,
      String(Prefix),
      placed(Namespace, change.NamespacePrefix),
      placed(Partition, change.PartitionPrefix),
      change.From,
      change.To,
      entry.Kind,
      entry.ID,
      entry.Name ?? entry.Description ?? "",
      entry.Namespace ?? "",
      entry.Partition ?? "",
    ]);
  });
}
