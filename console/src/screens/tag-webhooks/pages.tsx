/** Page of a webhook: its events, the state of its deliveries, and a test delivery. */
import { Alert, Text } from "@mantine/core";
import { usePathParameter, usePlace } from "../../base/place.ts";
import { Icon } from "../../kit/icons.tsx";
import { Card, Cards, Field, Fields } from "../../kit/object-screen.tsx";
import { ResourceEdit, ResourcePage } from "../../kit/resource-screens.tsx";
import { Time } from "../../kit/time.tsx";
import type { WebhookRow } from "./named.ts";
import { ACTIONS, KINDS, WEBHOOK_RESOURCE } from "./resource.tsx";
import { StateMark } from "./state.tsx";
import { TestDelivery } from "./test-delivery.tsx";

/** The screen of a webhook. */
export function WebhookObject() {
  const place = usePlace();
  const id = usePathParameter("key");
  return (
    <ResourcePage
      resource={WEBHOOK_RESOURCE}
      id={id}
      here={["tag-webhooks", id]}
      up={{ to: place.path("tag-webhooks"), title: "Webhooks" }}
      marks={({ attributes }) => <StateMark attributes={attributes} />}
      tools={(row) => <TestDelivery id={row.id} url={row.attributes.url} />}
      overview={(row) => <Overview row={row} />}
      warning={({ attributes }) => (
        <Text size="sm" style={{ overflowWrap: "anywhere" }}>
          {attributes.url} is told nothing more.
          {attributes.delivery.behind > 0 &&
            ` ${attributes.delivery.behind.toLocaleString()} records are lost to it.`}{" "}
          This cannot be undone.
        </Text>
      )}
    />
  );
}

/** The screen that changes one. */
export function WebhookEdit() {
  const place = usePlace();
  return (
    <ResourceEdit
      resource={WEBHOOK_RESOURCE}
      id={usePathParameter("key")}
      here={({ id }) => place.path("tag-webhooks", id)}
    />
  );
}

/** Returns the form's labels for values of the API. */
function labelsOf(all: readonly { value: string; label: string }[], names: readonly string[], none: string): string {
  if (names.length === 0) return none;
  return names.map((name) => all.find(({ value }) => value === name)?.label ?? name).join(", ");
}

function Overview({ row: { attributes } }: { row: WebhookRow }) {
  const { delivery, kinds, actions } = attributes;
  return (
    <>
      {delivery.failures > 0 && (
        <Alert color="red" variant="outline" mb="md" icon={<Icon name="alert" />} title="It is not told at the moment">
          {delivery.status ?? "There was no answer."}
        </Alert>
      )}
      <Cards>
        <Card title="What it is told">
          <Fields>
            <Field name="URL">{attributes.url}</Field>
            <Field name="Of changes to">{labelsOf(KINDS, kinds, "everything")}</Field>
            <Field name="That">{labelsOf(ACTIONS, actions, "were changed in any way")}</Field>
            <Field name="Signed">{attributes["has-token"] ? "yes, by its secret" : "no: it has no secret"}</Field>
            <Field name="Changed">
              <Time value={attributes["updated-at"]} />
            </Field>
            <Field name="Created">
              <Time value={attributes["created-at"]} />
            </Field>
          </Fields>
        </Card>
        <Card title="How it goes">
          <Fields>
            <Field name="Last delivery">
              <Time value={delivery["delivered-at"] ?? undefined} none="never" />
            </Field>
            <Field name="Its answer">{delivery.status}</Field>
            <Field name="Failures" hint="Since the last success">
              {delivery.failures > 0 && delivery.failures.toLocaleString()}
            </Field>
            <Field name="Failing since">
              {delivery["failing-since"] !== null && <Time value={delivery["failing-since"]} />}
            </Field>
            <Field name="Tried again">{delivery["retry-at"] !== null && <Time value={delivery["retry-at"]} />}</Field>
            <Field name="Still to be told">{`${delivery.behind.toLocaleString()} records`}</Field>
            <Field name="Passed over" hint="When records were last passed over that were not kept any more">
              {delivery["skipped-at"] !== null && <Time value={delivery["skipped-at"]} />}
            </Field>
          </Fields>
        </Card>
      </Cards>
    </>
  );
}
