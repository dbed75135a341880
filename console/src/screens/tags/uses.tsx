/** How many workspaces carry a tag, as a number and as a bar beside those of other tags. */
import { Text } from "@mantine/core";
import classes from "./tags.module.css";

/** A bar grows with the logarithm: pools have a few tags that nearly all carry, and thousands that few do. */
export function Uses({ count }: { count: number | null }) {
  if (count === null)
    return (
      <Text span inherit c="dimmed" title="Your token may not read the organization">
        –
      </Text>
    );
  const width = count === 0 ? 0 : Math.min(100, 12 + 18 * Math.log10(count));
  return (
    <span className={classes.uses}>
      <span className={classes.number}>{count.toLocaleString()}</span>
      <span className={classes.track} aria-hidden="true" title="The same step for each ten times as many">
        <span className={classes.bar} style={{ width: `${width}%` }} />
      </span>
    </span>
  );
}
