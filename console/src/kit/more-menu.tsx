/** The menu of actions that have no button of their own. */
import { Button, Menu } from "@mantine/core";
import type { ReactNode } from "react";
import { Icon } from "./icons.tsx";
import * as texts from "../texts/kit-lists.ts";

/** The menu; its items are the children. */
export function MoreMenu({ children }: { children: ReactNode }) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" px={8} aria-label={texts.more}>
          <Icon name="more" />
        </Button>
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  );
}
