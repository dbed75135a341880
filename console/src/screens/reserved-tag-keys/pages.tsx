/** The page and the forms of a reserved key. */
import { Switch, Text, TextInput } from "@mantine/core";
import { usePathParameter, usePlace } from "../../base/place.ts";
import { A } from "../../kit/link.tsx";
import { Card, Cards, Field, Fields } from "../../kit/object-screen.tsx";
import type { Resource } from "../../kit/resource.ts";
import { ResourceCreate, ResourceEdit, ResourcePage } from "../../kit/resource-screens.tsx";
import { Time } from "../../kit/time.tsx";
import { askingFor } from "../workspaces/bindings.ts";
import { RESERVED_KEY, type ReservedKeyRow } from "./named.ts";
import { winnerOf } from "./words.ts";

interface Values {
  readonly key: string;
  readonly disables: boolean;
}

const yesFlag = (value: unknown) => (typeof value === "boolean" ? ["--disable-overrides", String(value)] : undefined);

const RESOURCE: Resource<ReservedKeyRow, Values> = {
  named: RESERVED_KEY,
  type: "reserved-tag-keys",
  record: "reserved-tag-key",
  recordId: ({ id }) => id,
  create: "createReservedTagKey",
  update: "updateReservedTagKey",
  delete: "deleteReservedTagKey",
  command: "tag",
  words: { create: "reserve", update: "update-reserved", delete: "unreserve", name: "key" },
  flags: { "disable-overrides": yesFlag },
  empty: { key: "", disables: true },
  valuesOf: ({ attributes }) => ({ key: attributes.key, disables: attributes["disable-overrides"] }),
  members: ({ key, disables }) => ({ key: key.trim(), "disable-overrides": disables }),
  check: ({ key }) => {
    const length = key.trim().length;
    return length > 0 && length <= 128 ? {} : { key: "1 to 128 characters" };
  },
  aboutNew: "It need not be in use: what is said here counts as soon as somebody has it.",
  fields: (form) => (
    <>
      <TextInput label="Key" placeholder="cost-center" dir="auto" data-autofocus {...form.getInputProps("key")} />
      <Switch
        label="Workspaces do not override it"
        description="Where the project has the key, its value counts, whatever the workspace has."
        {...form.getInputProps("disables", { type: "checkbox" })}
      />
    </>
  ),
};

/** The screen of a reserved key. */
export function ReservedKeyObject() {
  const place = usePlace();
  const id = usePathParameter("key");
  return (
    <ResourcePage
      resource={RESOURCE}
      id={id}
      here={["reserved-tag-keys", id]}
      up={{ to: place.path("reserved-tag-keys"), title: "Reserved keys" }}
      overview={(row) => <Overview row={row} />}
      warning={() => (
        <Text size="sm">
          What has the key keeps it, and from then on the value of a workspace counts before that of its project.
        </Text>
      )}
    />
  );
}

/** The screen that reserves one. */
export function ReservedKeyCreate() {
  const place = usePlace();
  return (
    <ResourceCreate
      resource={RESOURCE}
      up={{ to: place.path("reserved-tag-keys"), title: "Reserved keys" }}
      saved={({ id }) => place.path("reserved-tag-keys", id)}
    />
  );
}

/** The screen that changes one. */
export function ReservedKeyEdit() {
  const place = usePlace();
  return (
    <ResourceEdit
      resource={RESOURCE}
      id={usePathParameter("key")}
      here={({ id }) => place.path("reserved-tag-keys", id)}
    />
  );
}

function Overview({ row: { attributes } }: { row: ReservedKeyRow }) {
  const place = usePlace();
  const having = new URLSearchParams(askingFor([{ key: attributes.key, value: "" }])).toString();
  return (
    <Cards>
      <Card title="About it">
        <Fields>
          <Field name="Key">
            <bdi>{attributes.key}</bdi>
          </Field>
          <Field name="What counts">{winnerOf(attributes["disable-overrides"])}, where it has one</Field>
          <Field name="Who has it">
            <A to={`${place.path("projects")}?${having}`}>Projects</A>
            {" · "}
            <A to={`${place.path("workspaces")}?${having}`}>Workspaces</A>
          </Field>
          <Field name="Changed">
            <Time value={attributes["updated-at"]} />
          </Field>
          <Field name="Created">
            <Time value={attributes["created-at"]} />
          </Field>
        </Fields>
      </Card>
    </Cards>
  );
}
