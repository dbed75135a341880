/** Preview of a job before its start. */
import { Badge, Group, Stack, Text } from "@mantine/core";
import classes from "./tag-jobs.module.css";
import { Counts } from "./progress.tsx";
import type { Preview } from "./queries.ts";
import { reasonOf } from "./words.ts";

/** Changes that are listed. */
const MOST = 12;

/** The preview of a job, as numbers and as its first changes. */
export function PreviewText({ preview }: { preview: Preview }) {
  const { changed, total, refused, warned, complete, changes, counts } = preview;
  const kinds = Object.entries(counts as Readonly<Record<string, unknown>>).filter(
    (entry): entry is [string, number] => typeof entry[1] === "number" && entry[1] > 0,
  );
  return (
    <Stack gap="xs" role="status" aria-label="What it touches">
      <Text size="sm" fw={600}>
        {changed === 0 ? "Nothing would change." : `${changed.toLocaleString()} would change`}
        {changed > 0 && total !== null && total > changed ? `, of ${total.toLocaleString()} that it looks at` : ""}
      </Text>
      {!complete && <Text size="sm">These are the numbers of the first ten seconds: there is more.</Text>}
      {kinds.length > 0 && (
        <Group gap={6}>
          {kinds.map(([name, count]) => (
            <Badge key={name}>
              {name.replaceAll("-", " ")}: {count.toLocaleString()}
            </Badge>
          ))}
        </Group>
      )}
      <Counts title="would be refused" counts={refused} word={reasonOf} />
      <Counts title="would break the rule" counts={warned} word={(rule) => rule} />
      {changes.length > 0 && (
        // Makes the scrollable area focusable by keyboard.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        <ul className={classes.changes} tabIndex={0} aria-label="The first changes">
          {changes.slice(0, MOST).map((change, index) => (
            <li key={index}>{changeText(change)}</li>
          ))}
          {changed > MOST && <li>…</li>}
        </ul>
      )}
    </Stack>
  );
}

/** Returns the text of a change: the object, and the tags added to it and removed from it. */
function changeText({ kind, name, action, details }: Preview["changes"][number]): string {
  const said = Object.values(details).flatMap((value) => membersText(value));
  return [`${kind} ${name}`, said.length === 0 ? action.replaceAll("-", " ") : said.join("  ")].join(": ");
}

function membersText(value: unknown): readonly string[] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [];
  const { added, removed, changed } = value as Readonly<Record<string, unknown>>;
  return [...marked("+", added), ...marked("−", removed), ...marked("~", changed)];
}

function marked(sign: string, list: unknown): readonly string[] {
  if (!Array.isArray(list)) return [];
  return list.map((each: unknown) => {
    const { name, key, value } = each as Readonly<Record<string, unknown>>;
    const title = typeof name === "string" ? name : typeof key === "string" ? key : JSON.stringify(each);
    return `${sign}${title}${typeof value === "string" && value !== "" ? `=${value}` : ""}`;
  });
}
