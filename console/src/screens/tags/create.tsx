/** New tags, several at once. */
import { Textarea } from "@mantine/core";
import { usePlace } from "../../base/place.ts";
import { FormScreen } from "../../kit/form-screen.tsx";
import { ORGANIZATION_WRITE } from "../../kit/rights.ts";
import { commandOf, type Plan } from "../../kit/plan.ts";

/** As many as one request takes. */
const MOST = 1000;

interface Values {
  /** One in a line. */
  readonly names: string;
}

/** The screen that makes them. */
export function TagCreate() {
  const place = usePlace();
  const up = { to: place.path("tags"), title: "Tags" };
  return (
    <FormScreen<Values>
      title="New tags"
      about="They stay in the pool, also while nothing has them."
      up={up}
      write={ORGANIZATION_WRITE}
      initial={{ names: "" }}
      validate={({ names }) => problemOf(namesIn(names))}
      fields={(form) => (
        <Textarea
          label="Names"
          description="One in a line."
          placeholder={"env:production\nteam:payments"}
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
      saved={() => `${up.to}?sort=-created-at`}
      saveLabel="Create"
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
  if (names.length === 0) return { names: "Write at least one name" };
  return names.length > MOST ? { names: `At most ${MOST} at a time; more come by an import` } : {};
}
