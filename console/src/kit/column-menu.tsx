/** Menu for the columns and the density of a list. The browser remembers both. */
import { ActionIcon, Menu, Tooltip } from "@mantine/core";
import type { Search } from "../base/address.ts";
import type { ChangeFilter } from "./filter.ts";
import { Icon } from "./icons.tsx";
import { useDensity, useKeptColumns } from "./list-looks.ts";
import { isShown, type List } from "./list.ts";
import * as texts from "../texts/kit-lists.ts";

interface Props<Row> {
  readonly list: List<Row>;
  readonly search: Search;
  readonly change: ChangeFilter;
}

/** The menu. The address contains the columns too, so that a link shows them. */
export function ColumnMenu<Row>({ list, search, change }: Props<Row>) {
  const [kept, keep] = useKeptColumns(list.noun);
  const [density, setDensity] = useDensity();
  const named = search["columns"] || kept || undefined;
  const shown = named?.split(",") ?? list.columns.filter((column) => isShown(column, search)).map(({ id }) => id);
  const toggle = (id: string) => {
    const next = list.columns.map((column) => column.id).filter((each) => shown.includes(each) !== (each === id));
    if (next.length === 0) return;
    keep(next.join(","));
    change({ columns: next.join(",") });
  };
  const reset = () => {
    keep("");
    change({ columns: "" });
  };
  return (
    <Menu closeOnItemClick={false} position="bottom-start" withinPortal>
      <Menu.Target>
        <Tooltip label={texts.columns}>
          <ActionIcon variant="default" size={30} aria-label={texts.chooseColumns}>
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
        <Menu.Divider />
        <Menu.CheckboxItem
          checked={density === "compact"}
          onChange={() => setDensity(density === "compact" ? "comfortable" : "compact")}
        >
          {texts.compactRows}
        </Menu.CheckboxItem>
        {named !== undefined && <Menu.Item onClick={reset}>{texts.defaultColumns}</Menu.Item>}
      </Menu.Dropdown>
    </Menu>
  );
}
