/** The number of workspaces that have a tag. */
import { Text } from "@mantine/core";
import classes from "./tags.module.css";
import * as texts from "../../texts/tags.ts";

/** Shows the number; a dash where the token cannot see it. */
export function Uses({ count }: { count: number | null }) {
  if (count === null)
    return (
      <Text span inherit c="dimmed" title={texts.countUnknown}>
        –
      </Text>
    );
  return <span className={classes.number}>{count.toLocaleString()}</span>;
}
