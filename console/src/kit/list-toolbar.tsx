/** Above a list: what is searched and filtered for, which columns there are, how many rows were found. */
import {
  ActionIcon,
  Button,
  Group,
  Kbd,
  Loader,
  Menu,
  Popover,
  Text,
  TextInput,
  Tooltip,
  VisuallyHidden,
} from "@mantine/core";
import { useState, type ReactNode, type RefObject } from "react";
import type { Search } from "../base/address.ts";
import type { ChangeFilter, Filter } from "./filter.ts";
import { Icon } from "./icons.tsx";
import { later } from "./later.tsx";
import { isShown, type List } from "./list.ts";
import type { Total } from "./list-source.ts";
import classes from "./list.module.css";
import { useTyped } from "./typed.ts";

const FilterFields = later(async () => (await import("./filter-fields.tsx")).FilterFields);

/** Delay in ms after the last typed letter before the list is read. */
const TYPING = 120;

interface ToolbarProps<Row> {
  readonly list: List<Row>;
  readonly search: Search;
  readonly change: ChangeFilter;
  readonly field: RefObject<HTMLInputElement | null>;
  readonly mayJump: boolean;
  readonly total: Total | undefined;
  readonly isBusy: boolean;
}

/** The tools of a list. */
export function ListToolbar<Row>(props: ToolbarProps<Row>) {
  const { list, search, change, field, total, isBusy } = props;
  const { filters = [] } = list;
  return (
    <div className={classes.toolbar} role="search" aria-label={`Search ${list.plural.toLowerCase()}`}>
      {list.isSearched !== false && <SearchField list={list} value={search["q"] ?? ""} change={change} field={field} />}
      {filters.length > 0 && <FilterMenu filters={filters} search={search} change={change} />}
      {props.mayJump && <JumpField key={search["to"] ?? ""} to={search["to"] ?? ""} change={change} />}
      <ColumnMenu list={list} search={search} change={change} />
      {filters.flatMap((filter) =>
        chipsOf(filter, search).map(({ text, without }, at) => (
          <Button
            key={`${filter.name} ${at}`}
            variant="default"
            size="compact-xs"
            maw="100%"
            rightSection={<Icon name="close" size={12} />}
            onClick={() => change(without)}
          >
            <VisuallyHidden>Remove the filter </VisuallyHidden>
            {filter.title}: <bdi>{text}</bdi>
          </Button>
        )),
      )}
      <Group gap={8} className={classes.count}>
        {isBusy && <Loader size={14} role="img" aria-label="Reading" />}
        <Text size="xs" c="dimmed" role="status">
          {total === undefined ? "" : countOf(total, list)}
        </Text>
      </Group>
    </div>
  );
}

/** How many, in words. */
export function countOf<Row>(
  { count, isMore }: Total,
  { singular, plural }: Pick<List<Row>, "singular" | "plural">,
): string {
  return `${count.toLocaleString()}${isMore ? "+" : ""} ${count === 1 && !isMore ? singular : plural.toLowerCase()}`;
}

interface Chip {
  readonly text: ReactNode;
  readonly without: Search;
}

/** Returns the values of a filter as chips, each with the address without it. */
function chipsOf({ name, choices, shown, several }: Filter, search: Search): readonly Chip[] {
  if (several !== undefined) return several.each(search);
  const value = search[name] ?? "";
  if (value === "") return [];
  const label = choices?.find((choice) => choice.value === value)?.label ?? value;
  return [{ text: shown?.(value) ?? label, without: { [name]: "" } }];
}

function SearchField<Row>({
  list,
  value,
  change,
  field,
}: {
  list: List<Row>;
  value: string;
  change: ChangeFilter;
  field: RefObject<HTMLInputElement | null>;
}) {
  const { text, type } = useTyped(value, (q) => change({ q }), TYPING);
  return (
    <TextInput
      ref={field}
      className={classes.search}
      size="xs"
      type="search"
      value={text}
      placeholder={`Search ${list.plural.toLowerCase()}`}
      aria-label={`Search ${list.plural.toLowerCase()}`}
      leftSection={<Icon name="search" size={14} />}
      rightSection={text === "" ? <Kbd size="xs">/</Kbd> : undefined}
      onChange={(event) => type(event.currentTarget.value)}
    />
  );
}

/** Goes to where a text stands in the order of the list, however far down that is. */
function JumpField({ to, change }: { to: string; change: ChangeFilter }) {
  const [text, setText] = useState(to);
  return (
    <TextInput
      size="xs"
      w={130}
      value={text}
      placeholder="Jump to…"
      aria-label="Jump to where this stands in the list"
      leftSection={<Icon name="down" size={14} />}
      onChange={(event) => setText(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === "Enter") change({ to: text.trim() });
      }}
    />
  );
}

function FilterMenu({ filters, search, change }: { filters: readonly Filter[]; search: Search; change: ChangeFilter }) {
  const [isOpen, setOpen] = useState(false);
  // The fields must exist before the menu opens: the focus moves to the first one.
  const toggle = async () => {
    await FilterFields.preload();
    setOpen((was) => !was);
  };
  return (
    <Popover position="bottom-start" withinPortal trapFocus opened={isOpen} onChange={setOpen}>
      <Popover.Target>
        <Button variant="default" leftSection={<Icon name="filter" size={14} />} onClick={() => void toggle()}>
          Filter
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <FilterFields filters={filters} search={search} change={change} />
      </Popover.Dropdown>
    </Popover>
  );
}

function ColumnMenu<Row>({ list, search, change }: { list: List<Row>; search: Search; change: ChangeFilter }) {
  const shown =
    search["columns"]?.split(",") ?? list.columns.filter((column) => isShown(column, search)).map(({ id }) => id);
  const toggle = (id: string) => {
    const next = list.columns.map((column) => column.id).filter((each) => shown.includes(each) !== (each === id));
    if (next.length > 0) change({ columns: next.join(",") });
  };
  return (
    <Menu closeOnItemClick={false} position="bottom-start" withinPortal>
      <Menu.Target>
        <Tooltip label="Columns">
          <ActionIcon variant="default" size={30} aria-label="Choose columns">
            <Icon name="columns" />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        {list.columns.map(({ id, title }) => (
          <Menu.CheckboxItem key={id} checked={shown.includes(id)} onChange={() => toggle(id)}>
            {title}
          </Menu.CheckboxItem>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
