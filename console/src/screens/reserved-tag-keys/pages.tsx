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
import * as texts from "../../texts/reserved-tag-keys.ts";
import { screenNames } from "../../texts/names.ts";

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
    return length > 0 && length <= 128 ? {} : { key: texts.keyInvalid };
  },
  aboutNew: texts.createHint,
  fields: (form) => (
    <>
      <TextInput
        label={texts.key}
        placeholder={texts.keyExample}
        dir="auto"
        data-autofocus
        {...form.getInputProps("key")}
      />
      <Switch
        label={texts.disableOverrides}
        description={texts.disableOverridesHint}
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
      up={{ to: place.path("reserved-tag-keys"), title: screenNames.reservedTagKeys.reservedKeys }}
      overview={(row) => <Overview row={row} />}
      warning={() => <Text size="sm">{texts.deleteWarning}</Text>}
    />
  );
}

/** The screen that reserves one. */
export function ReservedKeyCreate() {
  const place = usePlace();
  return (
    <ResourceCreate
      resource={RESOURCE}
      up={{ to: place.path("reserved-tag-keys"), title: screenNames.reservedTagKeys.reservedKeys }}
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
      <Card title={texts.details}>
        <Fields>
          <Field name={texts.key}>
            <bdi>{attributes.key}</bdi>
          </Field>
          <Field name={texts.precedence}>{texts.precedenceText(winnerOf(attributes["disable-overrides"]))}</Field>
          <Field name={texts.usedBy}>
            <A to={`${place.path("projects")}?${having}`}>{texts.projects}</A>
            {" · "}
            <A to={`${place.path("workspaces")}?${having}`}>{texts.workspaces}</A>
          </Field>
          <Field name={texts.changed}>
            <Time value={attributes["updated-at"]} />
          </Field>
          <Field name={texts.created}>
            <Time value={attributes["created-at"]} />
          </Field>
        </Fields>
      </Card>
    </Cards>
  );
}
