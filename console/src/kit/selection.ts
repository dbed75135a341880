/** Rows that are selected: some of them by hand, or all that are found, also those that were not loaded yet. */
import { useCallback, useMemo, useState } from "react";
import type { ListQuery } from "./filter.ts";
import type { ListSource } from "./list-source.ts";

export interface Selection<Row> {
  /** Number of selected rows; undefined when all are selected and their number is unknown. */
  readonly count: number | undefined;
  readonly isEmpty: boolean;
  readonly isAll: boolean;
  /** Rows selected by hand. When all rows are selected: the rows that the user deselected. */
  readonly picked: readonly Row[];
  has(id: string): boolean;
  toggle(row: Row): void;
  /** Selects the rows from the last toggled one to this one. */
  extendTo(row: Row, rows: readonly Row[]): void;
  /** Selects these rows in addition. */
  pick(rows: readonly Row[]): void;
  selectAll(): void;
  clear(): void;
  /** Drops rows that are no longer in the list. @param rows the whole list */
  retain(rows: readonly Row[]): void;
  /** Returns the selected rows. When all are selected, it reads them page by page. */
  rows(signal: AbortSignal): AsyncIterable<Row>;
}

interface State<Row> {
  readonly asked: string;
  readonly isAll: boolean;
  /** Selected rows. With `isAll`: the rows that are not selected. */
  readonly picked: ReadonlyMap<string, Row>;
  readonly last: string | undefined;
}

/** Selection of a list. It ends when the search, the filters or the order change: hidden rows are not selected. */
export function useSelection<Row>(
  idOf: (row: Row) => string,
  asked: ListQuery,
  source: ListSource<Row>,
  total: number | undefined,
): Selection<Row> {
  const key = JSON.stringify(asked);
  const none = useMemo<State<Row>>(() => ({ asked: key, isAll: false, picked: new Map(), last: undefined }), [key]);
  const [kept, setState] = useState<State<Row>>(none);
  const state = kept.asked === key ? kept : none;
  const toggle = useCallback(
    (row: Row) => {
      const picked = new Map(state.picked);
      const id = idOf(row);
      if (!picked.delete(id)) picked.set(id, row);
      setState({ ...state, picked, last: id });
    },
    [state, idOf],
  );
  const extendTo = useCallback(
    (row: Row, rows: readonly Row[]) => {
      const ids = rows.map(idOf);
      const from = state.last === undefined ? -1 : ids.indexOf(state.last);
      const to = ids.indexOf(idOf(row));
      if (from < 0 || to < 0 || state.isAll) return toggle(row);
      const picked = new Map(state.picked);
      for (const one of rows.slice(Math.min(from, to), Math.max(from, to) + 1)) picked.set(idOf(one), one);
      setState({ ...state, picked });
    },
    [state, idOf, toggle],
  );
  const retain = useCallback(
    (rows: readonly Row[]) => {
      const ids = new Set(rows.map(idOf));
      const picked = new Map([...state.picked].filter(([id]) => ids.has(id)));
      if (!state.isAll && picked.size < state.picked.size) setState({ ...state, picked });
    },
    [state, idOf],
  );
  return {
    count: state.isAll ? (total === undefined ? undefined : total - state.picked.size) : state.picked.size,
    isEmpty: !state.isAll && state.picked.size === 0,
    isAll: state.isAll,
    picked: useMemo(() => [...state.picked.values()], [state.picked]),
    has: (id) => state.picked.has(id) !== state.isAll,
    toggle,
    extendTo,
    pick: (rows) =>
      setState({ ...none, picked: new Map([...state.picked, ...rows.map((row) => [idOf(row), row] as const)]) }),
    selectAll: () => setState({ ...none, isAll: true }),
    clear: () => setState(none),
    retain,
    rows: (signal) => (state.isAll ? allBut(source, asked, state.picked, idOf, signal) : each(state.picked.values())),
  };
}

async function* each<Row>(rows: Iterable<Row>): AsyncGenerator<Row> {
  yield* rows;
}

async function* allBut<Row>(
  source: ListSource<Row>,
  asked: ListQuery,
  left: ReadonlyMap<string, Row>,
  idOf: (row: Row) => string,
  signal: AbortSignal,
): AsyncGenerator<Row> {
  for (let cursor: string | undefined, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
    const page = await source.page(asked, cursor, signal);
    for (const row of page.rows) if (!left.has(idOf(row))) yield row;
    cursor = page.next;
  }
}
