/** Above a list: what is searched and filtered for, which columns there are, how many rows were found. */
import {
  ActionIcon,
  Button,
  CloseButton,
  Group,
  Kbd,
  Loader,
  Popover,
  Text,
  TextInput,
  Tooltip,
  VisuallyHidden,
} from "@mantine/core";
import { useState, type ReactNode, type RefObject } from "react";
import type { Search } from "../base/address.ts";
import type { ChangeFilter, Filter } from "./filter.ts";
import { ColumnMenu } from "./column-menu.tsx";
import { Icon } from "./icons.tsx";
import { later } from "./later.tsx";
import type { List } from "./list.ts";
import type { Total } from "./list-source.ts";
import classes from "./list.module.css";
import { useTyped } from "./typed.ts";
import { ViewsButton } from "./views-button.tsx";
import * as texts from "../texts/kit-lists.ts";

const FilterFields = later(async () => (await import("./filter-fields.tsx")).FilterFields);

/** The row that Tab leads to. */
const FOCUSED_ROW = '[role="grid"] [role="row"][tabindex="0"]';

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
  /** Opens or closes the panel beside the list; undefined where it has no room. */
  readonly togglePanel: (() => void) | undefined;
  readonly hasPanel: boolean;
}

/** The tools of a list. */
export function ListToolbar<Row>(props: ToolbarProps<Row>) {
  const { list, search, change, field, total, isBusy } = props;
  const { filters = [] } = list;
  return (
    <div className={classes.toolbar} role="search" aria-label={texts.search(list.plural.toLowerCase())}>
      {list.isSearched !== false && <SearchField list={list} value={search["q"] ?? ""} change={change} field={field} />}
      {filters.length > 0 && <FilterMenu filters={filters} search={search} change={change} />}
      {props.mayJump && <JumpField key={search["to"] ?? ""} to={search["to"] ?? ""} change={change} />}
      <ColumnMenu list={list} search={search} change={change} />
      <ViewsButton list={list} search={search} change={change} />
      {props.togglePanel !== undefined && <PanelToggle isOpen={props.hasPanel} toggle={props.togglePanel} />}
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
            <VisuallyHidden>{texts.removeFilter}</VisuallyHidden>
            {/* One element: the button leaves out a space between two. */}
            <span>
              {filter.short === "" ? "" : `${filter.short ?? filter.title}: `}
              <bdi>{text}</bdi>
            </span>
          </Button>
        )),
      )}
      <Group gap={8} className={classes.count}>
        {isBusy && <Loader size={14} role="img" aria-label={texts.loading} />}
        <Text size="xs" c="dimmed" role="status">
          {total === undefined ? "" : countOf(total, list)}
        </Text>
      </Group>
    </div>
  );
}

function PanelToggle({ isOpen, toggle }: { isOpen: boolean; toggle: () => void }) {
  return (
    <Tooltip label={isOpen ? texts.hidePanel : texts.showPanel}>
      <ActionIcon variant="default" size={30} aria-label={texts.showPanel} aria-pressed={isOpen} onClick={toggle}>
        <Icon name="panel" />
      </ActionIcon>
    </Tooltip>
  );
}

/** How many, in words. */
export function countOf<Row>(
  { count, isMore }: Total,
  { singular, plural }: Pick<List<Row>, "singular" | "plural">,
): string {
  return texts.rowCount(count, isMore, singular, plural.toLowerCase());
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
  const choice = choices?.find((each) => each.value === value);
  const label = choice?.chip ?? choice?.label ?? value;
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
      onKeyDown={(event) => {
        if (event.key !== "ArrowDown") return;
        event.preventDefault();
        document.querySelector<HTMLElement>(FOCUSED_ROW)?.focus();
      }}
      className={classes.search}
      size="xs"
      type="search"
      value={text}
      placeholder={texts.search(list.plural.toLowerCase())}
      aria-label={texts.search(list.plural.toLowerCase())}
      leftSection={<Icon name="search" size={14} />}
      rightSection={
        text === "" ? (
          <Kbd size="xs" className={classes.key ?? ""}>
            /
          </Kbd>
        ) : (
          <CloseButton
            size="xs"
            aria-label={texts.clearField}
            onClick={() => {
              type("");
              field.current?.focus();
            }}
          />
        )
      }
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
      placeholder={texts.jumpPlaceholder}
      aria-label={texts.jumpLabel}
      leftSection={<Icon name="down" size={14} />}
      rightSection={
        text !== "" && (
          <CloseButton
            size="xs"
            aria-label={texts.clearField}
            onClick={() => {
              setText("");
              change({ to: "" });
            }}
          />
        )
      }
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
          {texts.filter}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <FilterFields filters={filters} search={search} change={change} />
      </Popover.Dropdown>
    </Popover>
  );
}
