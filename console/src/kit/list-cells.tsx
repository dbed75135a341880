/** Cells of a row, each with a button that filters the list by its value. */
import { ActionIcon, Menu } from "@mantine/core";
import { memo, type ReactNode, type SyntheticEvent } from "react";
import type { Place } from "../base/place.ts";
import type { Search } from "../base/address.ts";
import { filteredBy, isFilteredBy, type ChangeFilter, type Filter } from "./filter.ts";
import { Icon } from "./icons.tsx";
import type { CellValue, Column, List } from "./list.ts";
import classes from "./list.module.css";
import * as texts from "../texts/kit-lists.ts";

/** Filters of the list, and the address that they change. */
export interface Filtering {
  readonly search: Search;
  readonly change: ChangeFilter;
}

interface CellsProps<Row> {
  readonly list: List<Row>;
  readonly columns: readonly Column<Row>[];
  readonly row: Row;
  readonly place: Place;
  /** Undefined unless the pointer or the focus is on the row: a button in every cell would slow down scrolling. */
  readonly filtering: Filtering | undefined;
}

/** The cells. Memoized: scrolling moves rows, and their content stays. */
export const Cells = memo(function CellsOf<Row>({ list, columns, row, place, filtering }: CellsProps<Row>) {
  return columns.map((column) => (
    <span key={column.id} role="gridcell" className={classes.cell} data-align={column.align}>
      {column.cell(row, place)}
      {filtering !== undefined && <CellFilterOf list={list} column={column} row={row} {...filtering} />}
    </span>
  ));
}) as <Row>(props: CellsProps<Row>) => ReactNode;

interface Offer {
  readonly label: string;
  apply(): void;
}

interface CellFilterProps<Row> extends Filtering {
  readonly list: List<Row>;
  readonly column: Column<Row>;
  readonly row: Row;
}

function CellFilterOf<Row>({ list, column: { filter: offered }, row, search, change }: CellFilterProps<Row>) {
  const filter = list.filters?.find(({ name }) => name === offered?.by);
  if (offered === undefined || filter === undefined) return null;
  const offers = offered
    .values(row)
    .filter(({ value }) => !isFilteredBy(filter, value, search))
    .map((each): Offer => ({
      label: labelOf(filter, each),
      apply: () => change(filteredBy(filter, each.value, search)),
    }));
  const [first] = offers;
  if (first === undefined) return null;
  if (offers.length > 1) return <FilterChoice label={texts.filterBy(filter.title)} offers={offers} />;
  const label = texts.filterByValue(filter.title, first.label);
  return <ActionIcon {...BUTTON} aria-label={label} title={label} onClick={first.apply} />;
}

function labelOf({ choices }: Pick<Filter, "choices">, { value, label }: CellValue): string {
  return label ?? choices?.find((choice) => choice.value === value)?.label ?? value;
}

const BUTTON = {
  variant: "default",
  size: 22,
  className: classes.cellFilter ?? "",
  tabIndex: -1,
  "data-cell-filter": true,
  children: <Icon name="filter" size={12} />,
} as const;

/** The choice among several values of a cell. */
function FilterChoice({ label, offers }: { label: string; offers: readonly Offer[] }) {
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon {...BUTTON} aria-label={label} title={label} />
      </Menu.Target>
      {/* React passes events of the menu to the row, which would open its page or move the focus. */}
      <Menu.Dropdown onClick={stop} onKeyDown={stop}>
        {offers.map((each) => (
          <Menu.Item key={each.label} onClick={each.apply}>
            <bdi>{each.label}</bdi>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function stop(event: SyntheticEvent): void {
  event.stopPropagation();
}
