/** Rows, of which only those in sight are there: by mouse, by keyboard, and for screen readers. */
import { Checkbox } from "@mantine/core";
import { tableFeatures, useTable, type ColumnDef } from "@tanstack/react-table";
import { useVirtualizer, type Virtualizer } from "@tanstack/react-virtual";
import { useNavigate } from "@tanstack/react-router";
import {
  memo,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type CSSProperties,
  type MouseEvent,
} from "react";
import { usePlace } from "../base/place.ts";
import { useFilled } from "./filling.ts";
import { Icon } from "./icons.tsx";
import { asLink, partsOf } from "./link.tsx";
import { Cells, type Filtering } from "./list-cells.tsx";
import { later } from "./later.tsx";
import { ROW_HEIGHTS, type Density } from "./list-looks.ts";
import type { ListPanel as ListPanelOf } from "./list-panel.tsx";
import type { Column, List } from "./list.ts";
import type { Total } from "./list-source.ts";
import classes from "./list.module.css";
import type { Selection } from "./selection.ts";
import { isOwnTarget, isPlainLink } from "./row-clicks.ts";
import { useRowKeys } from "./row-keys.ts";
import { visible } from "./visible.ts";
import * as texts from "../texts/kit-lists.ts";

interface TableProps<Row> {
  readonly list: List<Row>;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly total: Total | undefined;
  readonly density: Density;
  readonly sort: string;
  onSort(sort: string): void;
  readonly selection: Selection<Row> | undefined;
  /** Reads more rows; undefined when there are no more, or while they load. */
  readonly onEnd: (() => void) | undefined;
  /** Whether more rows exist, so that their total number is unknown. */
  readonly hasMore: boolean;
  /** Rows in front of the first one. */
  readonly before: number;
  /** The row that is to be seen first. */
  readonly startAt: number;
  readonly filtering: Filtering;
  /** Closes the panel beside the table; undefined when there is none. */
  readonly closePanel: (() => void) | undefined;
}

/** Loaded when the user opens the panel. */
const ListPanel = later(async () => (await import("./list-panel.tsx")).ListPanel) as typeof ListPanelOf;

const FEATURES = tableFeatures({});

/** The table of a list. */
export function VirtualTable<Row>(props: TableProps<Row>) {
  const { list, columns, rows, selection, onEnd } = props;
  const place = usePlace();
  const navigate = useNavigate();
  const frame = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => ROW_HEIGHTS[props.density],
    overscan: 12,
  });
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? -1;
  const rowAt = useDrawnRows(props, items[0]?.index ?? 0, last);
  useEnd(last >= rows.length - 30, rows.length, onEnd);
  useStart(virtual, props.startAt);
  const open = (row: Row) => {
    const path = list.path?.(row, place);
    if (path !== undefined) void navigate(asLink(partsOf(path)));
  };
  const keys = useRowKeys({ rows, open, selection, virtual, frame });
  const [shown, setShown] = useState<string>();
  const template = [...(selection === undefined ? [] : ["20px"]), ...columns.map(({ width }) => width)].join(" ");
  const { closePanel } = props;
  const drawn = items.map(({ index, start }) => {
    const row = rowAt(index);
    if (row === undefined) return null;
    const focus = () => {
      keys.setActive(index);
      setShown(list.id(row));
    };
    const own = { row, index, start, template, isActive: index === keys.active, isPassing: virtual.isScrolling };
    return <TableRow key={list.id(row)} {...own} open={open} onFocus={focus} {...props} />;
  });
  return (
    // The element is there without the panel too: the table keeps its scroll position.
    <div className={classes.beside} data-panel={closePanel !== undefined || undefined}>
      <div
        ref={frame}
        className={classes.frame}
        style={{ "--row-height": `${ROW_HEIGHTS[props.density]}px` } as CSSProperties}
        role="grid"
        tabIndex={-1}
        aria-label={list.plural}
        aria-rowcount={props.hasMore || props.total?.isMore === true ? -1 : props.before + rows.length + 1}
        aria-multiselectable={selection !== undefined}
        onKeyDown={keys.onKeyDown}
      >
        <TableHead {...props} template={template} />
        <div className={classes.body} style={{ height: virtual.getTotalSize() }} role="rowgroup">
          {drawn}
        </div>
      </div>
      {closePanel !== undefined && (
        <ListPanel list={list} row={rows.find((row) => list.id(row) === shown)} close={closePanel} />
      )}
    </div>
  );
}

/** Reads more rows near the end of those that are there, once for each number of rows. */
function useEnd(isNear: boolean, length: number, onEnd: (() => void) | undefined): void {
  useEffect(() => {
    if (isNear) onEnd?.();
  }, [isNear, length, onEnd]);
}

/** Scrolls once: rows that are added or removed later do not move the view. */
function useStart(virtual: Virtualizer<HTMLDivElement, Element>, startAt: number): void {
  useEffect(() => {
    if (startAt > 0) virtual.scrollToIndex(startAt, { align: "start" });
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, []);
}

/** Models the drawn rows only: a model of all loaded rows would be rebuilt with each page. */
function useDrawnRows<Row>({ list, columns, rows }: TableProps<Row>, first: number, last: number) {
  const definitions = useMemo(
    () => columns.map((column): ColumnDef<typeof FEATURES, Row & object> => ({ id: column.id, header: column.title })),
    [columns],
  );
  const drawn = useMemo(() => rows.slice(first, last + 1) as (Row & object)[], [rows, first, last]);
  const table = useTable({ features: FEATURES, columns: definitions, data: drawn, getRowId: list.id });
  const { rows: model } = table.getRowModel();
  return (index: number): Row | undefined => model[index - first]?.original;
}

function TableHead<Row>(props: TableProps<Row> & { template: string }) {
  const { list, columns, rows, sort, onSort, selection, template } = props;
  const isWhole = selection?.isEmpty === false && rows.every((row) => selection.has(list.id(row)));
  const field = sort.replace(/^-/, "");
  const isDown = sort.startsWith("-");
  return (
    <div className={classes.head} role="row" aria-rowindex={1} style={{ gridTemplateColumns: template }}>
      {selection !== undefined && (
        <span role="columnheader">
          <Checkbox
            size="xs"
            aria-label={texts.selectLoaded}
            checked={isWhole}
            indeterminate={!isWhole && !selection.isEmpty}
            onChange={() => (selection.isEmpty ? selection.pick(rows) : selection.clear())}
          />
        </span>
      )}
      {columns.map((column) => {
        const isSorted = column.sort !== undefined && column.sort === field;
        return (
          <span
            key={column.id}
            role="columnheader"
            className={classes.cell}
            data-align={column.align}
            aria-sort={isSorted ? (isDown ? "descending" : "ascending") : undefined}
          >
            {column.sort === undefined ? (
              column.title
            ) : (
              <button
                type="button"
                className={classes.headButton}
                data-sorted={isSorted || undefined}
                onClick={() => onSort(!isSorted ? (column.sort ?? "") : isDown ? "" : `-${column.sort}`)}
              >
                {column.title}
                {isSorted && <Icon name={isDown ? "down" : "up"} size={12} />}
              </button>
            )}
          </span>
        );
      })}
    </div>
  );
}

interface RowProps<Row> extends TableProps<Row> {
  readonly row: Row;
  readonly index: number;
  readonly start: number;
  readonly template: string;
  readonly isActive: boolean;
  /** Whether the user is scrolling. */
  readonly isPassing: boolean;
  open(row: Row): void;
  onFocus(): void;
}

function TableRow<Row>({ row, index, start, template, isActive, isPassing, open, onFocus, ...props }: RowProps<Row>) {
  const { list, columns, selection, rows, before } = props;
  const place = usePlace();
  const [isUnderPointer, setUnderPointer] = useState(false);
  const isSelected = selection?.has(list.id(row)) === true;
  const pick = usePick(selection, rows, row);
  // A screen of rows that is drawn in one piece holds up the next frames.
  const isFilled = useFilled(isPassing);
  return (
    // The keyboard is handled by the table: row-keys.ts.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <div
      className={classes.row}
      role="row"
      aria-rowindex={before + index + 2}
      aria-selected={selection === undefined ? undefined : isSelected}
      data-index={index}
      data-selected={isSelected || undefined}
      tabIndex={isActive ? 0 : -1}
      style={{ transform: `translateY(${start}px)`, gridTemplateColumns: template }}
      onFocus={onFocus}
      onPointerEnter={() => setUnderPointer(true)}
      onPointerLeave={() => setUnderPointer(false)}
      onClickCapture={(event) => {
        if (props.closePanel === undefined || !isPlainLink(event, list.path?.(row, place))) return;
        event.preventDefault();
        event.stopPropagation();
        event.currentTarget.focus();
      }}
      onClick={(event) => {
        // The panel shows the row that has the focus.
        if (props.closePanel === undefined && !isOwnTarget(event)) open(row);
      }}
    >
      {isFilled && selection !== undefined && <Pick name={list.name(row)} isSelected={isSelected} pick={pick} />}
      {isFilled && (
        <Cells
          list={list}
          columns={columns}
          row={row}
          place={place}
          filtering={isUnderPointer || isActive ? props.filtering : undefined}
        />
      )}
      {!isFilled && <PassingCells name={list.name(row)} isSelectable={selection !== undefined} />}
    </div>
  );
}

/** Cells of a row that passes while the user scrolls. */
function PassingCells({ name, isSelectable }: { name: string; isSelectable: boolean }) {
  return (
    <>
      {isSelectable && <span role="gridcell" aria-label={texts.selectRow(name)} />}
      <span role="gridcell" className={classes.cell}>
        {visible(name)}
      </span>
    </>
  );
}

/** Returns the click on the checkbox of a row: the same function at each drawing, so that a memoized checkbox stays as it is. */
function usePick<Row>(selection: Selection<Row> | undefined, rows: readonly Row[], row: Row) {
  const latest = useRef({ selection, rows, row });
  useLayoutEffect(() => {
    latest.current = { selection, rows, row };
  });
  return useCallback((event: MouseEvent) => {
    const now = latest.current;
    if (event.shiftKey) now.selection?.extendTo(now.row, now.rows);
    else now.selection?.toggle(now.row);
  }, []);
}

const Pick = memo(function PickOf(props: { name: string; isSelected: boolean; pick: (event: MouseEvent) => void }) {
  return (
    <span role="gridcell">
      <Checkbox
        size="xs"
        tabIndex={-1}
        checked={props.isSelected}
        aria-label={texts.selectRow(props.name)}
        onChange={() => undefined}
        onClick={props.pick}
      />
    </span>
  );
});
