/** New tags, several at once. */
import { Textarea } from "@mantine/core";
import { usePlace } from "../../base/place.ts";
import { FormScreen } from "../../kit/form-screen.tsx";
import { ORGANIZATION_WRITE } from "../../kit/rights.ts";
import { commandOf, type Plan } from "../../kit/plan.ts";
import * as texts from "../../texts/tags.ts";
import { screenNames } from "../../texts/names.ts";

/** As many as one request takes. */
const MOST = 1000;

interface Values {
  /** One in a line. */
  readonly names: string;
}

/** The screen that makes them. */
export function TagCreate() {
  const place = usePlace();
  const up = { to: place.path("tags"), title: screenNames.tags.tags };
  return (
    <FormScreen<Values>
      title={screenNames.tags.newTags}
      about={texts.createHint}
      up={up}
      write={ORGANIZATION_WRITE}
      initial={{ names: "" }}
      validate={({ names }) => problemOf(namesIn(names))}
      fields={(form) => (
        <Textarea
          label={texts.names}
          description={texts.namesHint}
          placeholder={texts.namesExample}
          autosize
          minRows={4}
          maxRows={16}
          dir="auto"
          data-autofocus
          {...form.getInputProps("names")}
        />
      )}
      members={({ names }) => ({ names: namesIn(names) })}
      plan={({ names }) => createPlan(place.organization ?? "", names as readonly string[])}
      object={(_answer, { names }) => ({ name: texts.tagCount(namesIn(names).length) })}
      saved={() => `${up.to}?sort=-created-at`}
      saveLabel={texts.create}
    />
  );
}

function createPlan(organization: string, names: readonly string[]): Plan {
  return {
    operation: "createTags",
    path: { organization_name: organization },
    body: { data: names.map((name) => ({ type: "tags", attributes: { name } })) },
    command: commandOf(["tag", "create"], names, []),
  };
}

function namesIn(text: string): readonly string[] {
  const names = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  return [...new Set(names)];
}

function problemOf(names: readonly string[]): { names?: string } {
  if (names.length === 0) return { names: texts.namesMissing };
  return names.length > MOST ? { names: texts.tooManyNames(MOST) } : {};
}
