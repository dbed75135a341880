/** Above a list: what is searched and filtered for, which columns there are, how many rows were found. */
import {
  ActionIcon,
  Button,
  Checkbox,
  Group,
  Kbd,
  Loader,
  Menu,
  Popover,
  Text,
  TextInput,
  Tooltip,
} from "@mantine/core";
import { useState, type RefObject } from "react";
import type { Search } from "../app/address.ts";
import { Icon } from "./icons.tsx";
import { later } from "./later.tsx";
import { isShown, type Filter, type List } from "./list.ts";
import type { Total } from "./list-source.ts";
import classes from "./list.module.css";
import { useTyped } from "./typed.ts";

const FilterFields = later(async () => (await import("./filter-fields.tsx")).FilterFields);

/** So long after the last letter, in ms, is asked for what was typed. */
const TYPING = 120;

type Change = (changed: Record<string, string>) => void;

interface ToolbarProps<Row> {
  readonly list: List<Row>;
  readonly search: Search;
  readonly change: Change;
  readonly field: RefObject<HTMLInputElement | null>;
  readonly mayJump: boolean;
  readonly total: Total | undefined;
  readonly isBusy: boolean;
}

/** The tools of a list. */
export function ListToolbar<Row>(props: ToolbarProps<Row>) {
  const { list, search, change, field, total, isBusy } = props;
  const { filters = [] } = list;
  const active = filters.filter(({ name }) => (search[name] ?? "") !== "");
  return (
    <div className={classes.toolbar} role="search" aria-label={`Search ${list.plural.toLowerCase()}`}>
      {list.isSearched !== false && <SearchField list={list} value={search["q"] ?? ""} change={change} field={field} />}
      {filters.length > 0 && <FilterMenu filters={filters} search={search} change={change} />}
      {props.mayJump && <JumpField key={search["to"] ?? ""} to={search["to"] ?? ""} change={change} />}
      <ColumnMenu list={list} search={search} change={change} />
      {active.map((filter) => (
        <Button
          key={filter.name}
          variant="default"
          size="compact-xs"
          rightSection={<Icon name="close" size={12} />}
          onClick={() => change({ [filter.name]: "" })}
          aria-label={`Remove the filter ${filter.title}`}
        >
          {filter.title}: {filter.shown?.(search[filter.name] ?? "") ?? labelOf(filter, search[filter.name] ?? "")}
        </Button>
      ))}
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

function labelOf({ choices }: Filter, value: string): string {
  return choices?.find((choice) => choice.value === value)?.label ?? value;
}

function SearchField<Row>({
  list,
  value,
  change,
  field,
}: {
  list: List<Row>;
  value: string;
  change: Change;
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
function JumpField({ to, change }: { to: string; change: Change }) {
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

function FilterMenu({ filters, search, change }: { filters: readonly Filter[]; search: Search; change: Change }) {
  const [isOpen, setOpen] = useState(false);
  // The focus goes to the first field: it has to be there.
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

function ColumnMenu<Row>({ list, search, change }: { list: List<Row>; search: Search; change: Change }) {
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
          <Menu.Item
            key={id}
            role="menuitemcheckbox"
            aria-checked={shown.includes(id)}
            leftSection={<Checkbox size="xs" checked={shown.includes(id)} readOnly tabIndex={-1} aria-hidden />}
            onClick={() => toggle(id)}
          >
            {title}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
