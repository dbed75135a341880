/** A list as a screen: searched, sorted and filtered by the server, with all of that in the address. */
import { Alert, Button, Group, Text } from "@mantine/core";
import { TesseraError } from "@tessera-server/client";
import { useDocumentVisibility, useMediaQuery } from "@mantine/hooks";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback, useEffect, useMemo, useRef } from "react";
import { usePlace, type Place } from "../base/place.ts";
import type { Search } from "../base/address.ts";
import { askedForAll, askedOf } from "./filter.ts";
import { Icon } from "./icons.tsx";
import { isShown, jumpOf, listQuery, mayJump, type Column, type List } from "./list.ts";
import { PANEL_FITS, useDensity, useKeptColumns, useKeptPanel } from "./list-looks.ts";
import { CreateLink, ListEmpty } from "./list-empty.tsx";
import classes from "./list.module.css";
import { PageHead } from "./page-head.tsx";
import { Refusal } from "./refusal.tsx";
import { useLacks, useMay } from "./rights.ts";
import { useScreenKeys } from "./screen-keys.ts";
import { SelectionBar } from "./selection-bar.tsx";
import { useSelection, type Selection } from "./selection.ts";
import { TableSkeleton } from "./skeletons.tsx";
import { ListToolbar } from "./list-toolbar.tsx";
import { VirtualTable } from "./virtual-table.tsx";
import * as texts from "../texts/kit-lists.ts";

/** The screen of a list. */
export function ListScreen<Row>({ list }: { list: List<Row> }) {
  const place = usePlace();
  const { search, change } = useSearchState();
  const searchField = useRef<HTMLInputElement>(null);
  useScreenKeys({ "/": () => searchField.current?.focus() });
  const reading = useReading(list, place, search);
  const { query, rows, total, to, isPending } = reading;
  const columns = useColumns(list, search);
  const [density] = useDensity();
  const asked = askedOf(list, search);
  const source = useMemo(() => list.source(place), [list, place]);
  const selection = useSelection(list.id, asked, source, query.isPlaceholderData ? undefined : total?.count);
  useRetained(selection, reading);
  const filtering = useMemo(() => ({ search, change }), [search, change]);
  const panel = usePanel(list);
  const mayBulk = useMay(list.bulkRight) && list.bulk !== undefined;
  return (
    <section className={classes.screen} aria-label={list.title ?? list.plural}>
      <PageHead title={list.title ?? list.plural} about={list.about} actions={<Tools list={list} />} />
      {list.charts?.(place, search, change)}
      <ListToolbar
        list={list}
        search={search}
        change={change}
        field={searchField}
        mayJump={mayJump(list, place, search)}
        total={total}
        isBusy={query.isFetching && !query.isFetchingNextPage && !isPending}
        togglePanel={panel.toggle}
        hasPanel={panel.close !== undefined}
      />
      <ListNotes list={list} reading={reading} leave={() => change({ to: "" })} />
      {isPending && <TableSkeleton columns={columns.map(({ width }) => width)} />}
      {query.isError && (
        <ListFailure reading={reading} clear={() => change({ ...askedForAll(list, search), sort: "" })} />
      )}
      {query.isSuccess && rows.length === 0 && to === "" && (
        <ListEmpty list={list} asked={asked} clear={() => change(askedForAll(list, search))} />
      )}
      {rows.length > 0 && !isPending && (
        <VirtualTable
          key={`${density} ${to}`}
          {...{ density, list, columns, filtering }}
          {...tableOf(reading)}
          sort={asked.sort}
          onSort={(sort) => change({ sort })}
          selection={mayBulk ? selection : undefined}
          closePanel={panel.close}
        />
      )}
      {mayBulk && !selection.isEmpty && (
        <SelectionBar selection={selection} total={total} plural={list.plural}>
          {list.bulk?.(selection, place)}
        </SelectionBar>
      )}
    </section>
  );
}

/** The panel beside a list: there is none on a narrow window, and none for rows without a page. */
function usePanel<Row>({ path }: List<Row>) {
  const [isOpen, setOpen] = useKeptPanel();
  const mayShow = useMediaQuery(PANEL_FITS) && path !== undefined;
  const toggle = mayShow ? () => setOpen(!isOpen) : undefined;
  useScreenKeys({ d: () => (toggle === undefined ? false : toggle()) });
  return { toggle, close: mayShow && isOpen ? () => setOpen(false) : undefined };
}

/** Reads a list: its rows so far, and its first page, which tells how they stand in the whole. */
function useReading<Row>(list: List<Row>, place: Place, search: Search) {
  const query = useInfiniteQuery(listQuery(list, place, search));
  const pages = query.data?.pages;
  const rows = useMemo(() => pages?.flatMap((page) => page.rows) ?? [], [pages]);
  const first = pages?.[0];
  const to = jumpOf(list, place, search);
  // Until there is something else, what was there stays; but not the rows of another place.
  const isPending = query.isPending || (query.isPlaceholderData && (to !== "" || first?.at !== undefined));
  const before = isPending ? 0 : (first?.before ?? 0);
  const isVisible = useDocumentVisibility() === "visible";
  const mayReadOn = isVisible && query.hasNextPage && !query.isFetchingNextPage;
  const readOn = mayReadOn ? () => void query.fetchNextPage() : undefined;
  return { query, rows, first, total: first?.total, to, isPending, before, readOn };
}

type ListReading<Row> = ReturnType<typeof useReading<Row>>;

/** Returns the properties of a table that come from its reading. */
function tableOf<Row>({ query, rows, first, total, to, before, readOn }: ListReading<Row>) {
  const hasMore = query.hasNextPage || (to !== "" && first?.before === undefined);
  return { rows, total, before, onEnd: readOn, hasMore, startAt: first?.at ?? 0 };
}

/**
 * Drops rows from a selection that left the list, by a job or by others. A list with more pages does not tell, and an open dialog
 * is about the rows that were selected: it ends the selection itself.
 */
function useRetained<Row>({ retain }: Selection<Row>, { query, rows, to }: ListReading<Row>): void {
  const isWhole = query.isSuccess && !query.hasNextPage && !query.isPlaceholderData && to === "";
  useEffect(() => {
    if (isWhole && document.querySelector("[role=dialog]") === null) retain(rows);
  }, [isWhole, rows, retain]);
}

interface NotesProps<Row> {
  readonly list: List<Row>;
  readonly reading: ListReading<Row>;
  leave(): void;
}

/** Notes about rows that are not there: the token may not read them, or the list jumped over them. */
function ListNotes<Row>({ list, reading: { query, rows, first, to, isPending, before }, leave }: NotesProps<Row>) {
  const isPart = useLacks(list.whole);
  return (
    <>
      {first?.isPartlyHidden === true && <Hidden>{texts.partlyHidden}</Hidden>}
      {isPart && <Hidden>{texts.maybeHidden}</Hidden>}
      {to !== "" && (
        <Group gap="sm" className={classes.note}>
          <Text size="xs" c="dimmed">
            {whereOf(before, !isPending && query.isSuccess && rows.length === 0)} <bdi>{to}</bdi>
          </Text>
          <Button variant="default" size="compact-xs" onClick={leave}>
            {texts.jumpReset}
          </Button>
        </Group>
      )}
    </>
  );
}

function Hidden({ children }: { children: string }) {
  return (
    <Text size="xs" c="dimmed" className={classes.note}>
      <Icon name="lock" size={13} /> {children}
    </Text>
  );
}

/** The failure of a read; above the rows of an earlier one, where there are some. */
function ListFailure<Row>({ reading: { query, rows }, clear }: { reading: ListReading<Row>; clear: () => void }) {
  const { error } = query;
  if (rows.length > 0) return <Alert color="yellow" py={6} title={texts.outdated} />;
  return (
    <Refusal error={error} retry={() => void query.refetch()}>
      {error instanceof TesseraError && error.status === 400 && (
        <Button variant="default" onClick={clear}>
          {texts.resetList}
        </Button>
      )}
    </Refusal>
  );
}

/** Returns the words in front of the text that the list jumped to. */
function whereOf(before: number, isBehindAll: boolean): string {
  if (isBehindAll) return texts.jumpNothing;
  return before === 0 ? texts.jumpStart : texts.jumpSkipped(before);
}

function Tools<Row>({ list }: { list: List<Row> }) {
  const place = usePlace();
  return (
    <Group gap="xs">
      {list.tools?.(place)}
      <CreateLink list={list} />
    </Group>
  );
}

/** Returns the search of the address, and a function that changes it. */
function useSearchState() {
  const search = useSearch({ strict: false }) as Search;
  const navigate = useNavigate();
  const change = useCallback(
    (changed: Search) =>
      void navigate({
        to: ".",
        // Typing adds one entry to the browser's history, not one for each letter.
        replace: true,
        // Another search or order has its own places.
        search: (before: Search) => ({ ...before, ...("columns" in changed ? {} : { to: "" }), ...changed }),
      }),
    [navigate],
  );
  return { search, change };
}

function useColumns<Row>(list: List<Row>, search: Search): readonly Column<Row>[] {
  const isNarrow = useMediaQuery("(max-width: 48em)");
  const [kept] = useKeptColumns(list.noun);
  return useMemo(() => shownColumns(list.columns, search, kept, isNarrow), [list, search, kept, isNarrow]);
}

/** On a phone, columns share the width by their usual minimums. */
function withoutMinimum<Row>(column: Column<Row>): Column<Row> {
  return { ...column, width: column.width.replace(/^minmax\((\d+)px, .*/, "minmax(0, $1fr)") };
}

/** Returns the columns of the address, else the remembered columns, else the default columns. */
function shownColumns<Row>(
  columns: readonly Column<Row>[],
  search: Search,
  kept: string,
  isNarrow: boolean,
): readonly Column<Row>[] {
  const names = (search["columns"] || kept || undefined)?.split(",");
  const chosen = columns.filter((column) => names?.includes(column.id) ?? isShown(column, search));
  const fitting = isNarrow ? chosen.filter((column) => column.isNarrow === true) : chosen;
  const shown = fitting.length === 0 ? columns.slice(0, 1) : fitting;
  // A cut value is better than a column beyond the edge.
  return isNarrow ? shown.map(withoutMinimum) : shown;
}
