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
import * as texts from "../../texts/tag-webhooks.ts";
import { screenNames } from "../../texts/names.ts";

/** The screen of a webhook. */
export function WebhookObject() {
  const place = usePlace();
  const id = usePathParameter("key");
  return (
    <ResourcePage
      resource={WEBHOOK_RESOURCE}
      id={id}
      here={["tag-webhooks", id]}
      up={{ to: place.path("tag-webhooks"), title: screenNames.tagWebhooks.webhooks }}
      marks={({ attributes }) => <StateMark attributes={attributes} />}
      tools={(row) => <TestDelivery id={row.id} url={row.attributes.url} />}
      overview={(row) => <Overview row={row} />}
      warning={({ attributes }) => (
        <Text size="sm" style={{ overflowWrap: "anywhere" }}>
          {texts.deleteWarning(attributes.url, attributes.delivery.behind)}
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
        <Alert color="red" variant="outline" mb="md" icon={<Icon name="alert" />} title={texts.deliveriesFail}>
          {delivery.status ?? texts.noResponse}
        </Alert>
      )}
      <Cards>
        <Card title={texts.details}>
          <Fields>
            <Field name={texts.url}>{attributes.url}</Field>
            <Field name={texts.objects}>{labelsOf(KINDS, kinds, texts.allObjects)}</Field>
            <Field name={texts.events}>{labelsOf(ACTIONS, actions, texts.allEvents)}</Field>
            <Field name={texts.signingSecret}>{attributes["has-token"] ? texts.secretSet : texts.secretNotSet}</Field>
            <Field name={texts.changed}>
              <Time value={attributes["updated-at"]} />
            </Field>
            <Field name={texts.created}>
              <Time value={attributes["created-at"]} />
            </Field>
          </Fields>
        </Card>
        <Card title={texts.deliveries}>
          <Fields>
            <Field name={texts.lastDelivery}>
              <Time value={delivery["delivered-at"] ?? undefined} none={texts.never} />
            </Field>
            <Field name={texts.lastResponse}>{delivery.status}</Field>
            <Field name={texts.failures} hint={texts.failuresHint}>
              {delivery.failures > 0 && delivery.failures.toLocaleString()}
            </Field>
            <Field name={texts.failingSince}>
              {delivery["failing-since"] !== null && <Time value={delivery["failing-since"]} />}
            </Field>
            <Field name={texts.nextRetry}>
              {delivery["retry-at"] !== null && <Time value={delivery["retry-at"]} />}
            </Field>
            <Field name={texts.pending}>{texts.recordCount(delivery.behind)}</Field>
            <Field name={texts.recordsSkipped} hint={texts.recordsSkippedHint}>
              {delivery["skipped-at"] !== null && <Time value={delivery["skipped-at"]} />}
            </Field>
          </Fields>
        </Card>
      </Cards>
    </>
  );
}
