/** Deletes selected objects one after the other. */
import type { ReactNode } from "react";
import { BulkWrite, type BulkWords } from "./bulk-write.tsx";
import type { Plan } from "./plan.ts";
import type { Right } from "./rights.ts";
import type { Selection } from "./selection.ts";
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

interface Props<Row> {
  readonly selection: Selection<Row>;
  readonly deletion: BulkDeletion<Row>;
}

/** The button and its dialog. */
export function BulkDelete<Row extends { readonly Namespace?: string | undefined }>({
  selection,
  deletion: { warning, singular, plural, ...deletion },
}: Props<Row>) {
  const words: BulkWords = {
    button: texts.deleteLabel,
    title: (count) => texts.deleteRows(count, singular, plural, true),
    confirm: (count) => texts.deleteRows(count, singular, plural),
    names: texts.toDelete,
    left: texts.notDeleted,
    done: (done, failed) => texts.deletedRows(done, failed, singular, plural),
    failed: texts.deleteRowFailed,
  };
  return (
    <BulkWrite selection={selection} work={{ ...deletion, words, note: warning, icon: "trash", isDanger: true }} />
  );
}
