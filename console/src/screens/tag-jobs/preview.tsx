/** Preview of a job before its start. */
import { Badge, Group, Stack, Text } from "@mantine/core";
import classes from "./tag-jobs.module.css";
import { Counts } from "./progress.tsx";
import type { Preview } from "./queries.ts";
import { reasonOf } from "./words.ts";
import * as texts from "../../texts/tag-jobs.ts";

/** Changes that are listed. */
const MOST = 12;

/** The preview of a job, as numbers and as its first changes. */
export function PreviewText({ preview }: { preview: Preview }) {
  const { changed, total, refused, warned, complete, changes, counts } = preview;
  const kinds = Object.entries(counts as Readonly<Record<string, unknown>>).filter(
    (entry): entry is [string, number] => typeof entry[1] === "number" && entry[1] > 0,
  );
  return (
    <Stack gap="xs" role="status" aria-label={texts.preview}>
      <Text size="sm" fw={600}>
        {texts.previewResult(changed, total)}
      </Text>
      {!complete && <Text size="sm">{texts.previewPartial}</Text>}
      {kinds.length > 0 && (
        <Group gap={6}>
          {kinds.map(([name, count]) => (
            <Badge key={name}>
              {name.replaceAll("-", " ")}: {count.toLocaleString()}
            </Badge>
          ))}
        </Group>
      )}
      <Counts counts={refused} text={(count, reason) => texts.wouldBeSkipped(count, reasonOf(reason))} />
      <Counts counts={warned} text={texts.wouldViolateRule} />
      {changes.length > 0 && (
        // Makes the scrollable area focusable by keyboard.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        <ul className={classes.changes} tabIndex={0} aria-label={texts.firstChanges}>
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
