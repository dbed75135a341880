/** Placeholders during a read, in the shape of the data to come. */
import { Skeleton, Stack } from "@mantine/core";
import classes from "./list.module.css";
import * as texts from "../texts/kit-lists.ts";

/** Rows to come. Nothing is shown for the first moment: most answers are there by then. */
export function TableSkeleton({ columns }: { columns: readonly string[] }) {
  return (
    <div className={classes.frame} role="status" aria-label={texts.loading} data-late>
      {Array.from({ length: 12 }, (_none, row) => (
        <div
          key={row}
          className={classes.row}
          style={{ position: "static", gridTemplateColumns: columns.join(" "), cursor: "default" }}
        >
          {columns.map((_width, column) => (
            <Skeleton key={column} height={10} width={`${40 + ((row * 7 + column * 13) % 45)}%`} />
          ))}
        </div>
      ))}
    </div>
  );
}

/** An object to come. */
export function ObjectSkeleton() {
  return (
    <Stack gap="sm" role="status" aria-label={texts.loading} data-late maw={720}>
      <Skeleton height={22} width="40%" />
      <Skeleton height={12} width="60%" />
      {Array.from({ length: 6 }, (_none, row) => (
        <Skeleton key={row} height={12} mt="sm" width={`${50 + ((row * 11) % 40)}%`} />
      ))}
    </Stack>
  );
}
