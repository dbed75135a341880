/** Preview of the changes of an import. */
import { Stack, Text } from "@mantine/core";
import type { BodyOf } from "@tessera-server/client";
import { Field, Fields } from "../../kit/object-screen.tsx";
import { Counts } from "../tag-jobs/progress.tsx";
import { reasonOf } from "../tag-jobs/words.ts";
import * as texts from "../../texts/tags.ts";

type Answered = BodyOf<"importTags">["data"];
export type FilePreview = Extract<Answered, { type: "tag-import-previews" }>["attributes"];

/** The counts of a preview, those that are nothing left out. */
export function ImportPreview({ preview }: { preview: FilePreview }) {
  const { create, change, remove, unchanged, refused, warned } = preview;
  const counts = Object.entries({
    [texts.toCreate]: create,
    [texts.toChange]: change,
    [texts.toRemove]: remove,
    [texts.unchanged]: unchanged,
  });
  const isNothing = create + change + remove === 0;
  return (
    <Stack gap="xs" role="status" aria-label={texts.preview}>
      {isNothing && <Text size="sm">{texts.noChanges}</Text>}
      <Fields>
        {counts.map(([name, count]) => (
          <Field key={name} name={name}>
            {count === 0 ? "" : count.toLocaleString()}
          </Field>
        ))}
      </Fields>
      {Object.entries(refused).map(([reason, { count, lines }]) => (
        <Text key={reason} size="sm" c="var(--warning)">
          {texts.skippedLines(count, reasonOf(reason), lines.join(", "))}
        </Text>
      ))}
      <Counts counts={warned} text={texts.wouldViolateRule} />
    </Stack>
  );
}
