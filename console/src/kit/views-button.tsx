/** Button above a list that opens its saved views. */
import { Button, Popover } from "@mantine/core";
import { useState } from "react";
import type { Search } from "../base/address.ts";
import type { ChangeFilter } from "./filter.ts";
import { Icon } from "./icons.tsx";
import { later } from "./later.tsx";
import type { List } from "./list.ts";
import * as texts from "../texts/views.ts";

const ViewsPanel = later(async () => (await import("./views-panel.tsx")).ViewsPanel);

interface ViewsProps<Row> {
  readonly list: List<Row>;
  readonly search: Search;
  readonly change: ChangeFilter;
}

/** The button. The views are read when it is opened. */
export function ViewsButton<Row>({ list, search, change }: ViewsProps<Row>) {
  const [isOpen, setOpen] = useState(false);
  const toggle = async () => {
    await ViewsPanel.preload();
    setOpen((was) => !was);
  };
  return (
    <Popover position="bottom-start" withinPortal trapFocus returnFocus opened={isOpen} onChange={setOpen}>
      <Popover.Target>
        <Button variant="default" leftSection={<Icon name="eye" size={14} />} onClick={() => void toggle()}>
          {texts.views}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={texts.views}>
        <ViewsPanel list={list as List<never>} search={search} change={change} close={() => setOpen(false)} />
      </Popover.Dropdown>
    </Popover>
  );
}
