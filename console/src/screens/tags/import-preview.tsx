/** Preview of the changes of an import. */
import { Stack, Text } from "@mantine/core";
import type { BodyOf } from "@tessera-server/client";
import { Field, Fields } from "../../kit/object-screen.tsx";
import { Counts } from "../tag-jobs/progress.tsx";
import { reasonOf } from "../tag-jobs/words.ts";

type Answered = BodyOf<"importTags">["data"];
export type FilePreview = Extract<Answered, { type: "tag-import-previews" }>["attributes"];

/** The counts of a preview, those that are nothing left out. */
export function ImportPreview({ preview }: { preview: FilePreview }) {
  const { create, change, remove, unchanged, refused, warned } = preview;
  const counts = Object.entries({ "Made anew": create, Changed: change, "Taken away": remove, "As it is": unchanged });
  const isNothing = create + change + remove === 0;
  return (
    <Stack gap="xs" role="status" aria-label="What it touches">
      {isNothing && <Text size="sm">Nothing would change.</Text>}
      <Fields>
        {counts.map(([name, count]) => (
          <Field key={name} name={name}>
            {count === 0 ? "" : count.toLocaleString()}
          </Field>
        ))}
      </Fields>
      {Object.entries(refused).map(([reason, { count, lines }]) => (
        <Text key={reason} size="sm" c="var(--warning)">
          {count.toLocaleString()} would be refused: {reasonOf(reason)} (lines {lines.join(", ")})
        </Text>
      ))}
      <Counts title="would break the rule" counts={warned} word={(rule) => rule} />
    </Stack>
  );
}
