/** Below a list: how many are selected, and what can be done with them. */
import { Button, Text } from "@mantine/core";
import { useRef, type ReactNode } from "react";
import type { Total } from "./list-source.ts";
import classes from "./list.module.css";
import { useScreenKeys } from "./screen-keys.ts";
import type { Selection } from "./selection.ts";
import * as texts from "../texts/kit-lists.ts";

interface BarProps<Row> {
  readonly selection: Selection<Row>;
  readonly total: Total | undefined;
  readonly plural: string;
  readonly children: ReactNode;
}

/** The bar of a selection. */
export function SelectionBar<Row>({ selection, total, plural, children }: BarProps<Row>) {
  const { count, isAll } = selection;
  const bar = useRef<HTMLDivElement>(null);
  // By Tab they are behind all rows that are drawn.
  useScreenKeys({ b: () => bar.current?.querySelector("button")?.focus() });
  const offersAll = !isAll && total !== undefined && (total.isMore || total.count > (count ?? 0));
  return (
    <div ref={bar} className={classes.bar} role="region" aria-label={texts.selection}>
      <Text size="sm" fw={600} role="status">
        {count === undefined ? texts.allMatching : texts.selected(count, isAll && total?.isMore === true)}
      </Text>
      {offersAll && (
        <Button variant="subtle" size="compact-xs" onClick={selection.selectAll}>
          {texts.selectAll(total.count, total.isMore, plural.toLowerCase())}
        </Button>
      )}
      <Button variant="subtle" size="compact-xs" color="gray" onClick={selection.clear}>
        {texts.clearSelection}
      </Button>
      {children}
    </div>
  );
}
