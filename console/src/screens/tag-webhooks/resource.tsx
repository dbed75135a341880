/** Operations, form and texts for webhooks. */
import { Button, Group, MultiSelect, PasswordInput, Switch, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { Icon } from "../../kit/icons.tsx";
import type { Resource } from "../../kit/resource.ts";
import { textFlag } from "../../kit/plan.ts";
import { WEBHOOK, type WebhookRow } from "./named.ts";
import * as texts from "../../texts/tag-webhooks.ts";

export interface WebhookValues {
  readonly name: string;
  readonly url: string;
  readonly enabled: boolean;
  /** Signing secret. Empty in an edit: keep the current one. */
  readonly secret: string;
  readonly kinds: readonly string[];
  readonly actions: readonly string[];
}

export const KINDS = [
  { value: "workspace", label: texts.workspaces },
  { value: "project", label: texts.projects },
  { value: "tag", label: texts.tags },
  { value: "reserved-tag-key", label: texts.reservedKeys },
  { value: "tag-policy", label: texts.tagPolicy },
];

export const ACTIONS = [
  { value: "tags-changed", label: texts.tagsChanged },
  { value: "created", label: texts.objectCreated },
  { value: "updated", label: texts.objectUpdated },
  { value: "renamed", label: texts.objectRenamed },
  { value: "merged", label: texts.objectMerged },
  { value: "deleted", label: texts.objectDeleted },
  { value: "reported", label: texts.weeklyReport },
];

export const WEBHOOK_RESOURCE: Resource<WebhookRow, WebhookValues> = {
  named: WEBHOOK,
  type: "tag-webhooks",
  record: "webhook",
  recordId: ({ id }) => id,
  create: "createTagWebhook",
  update: "updateTagWebhook",
  delete: "deleteTagWebhook",
  command: "webhook",
  secrets: ["secret"],
  flags: {
    url: textFlag("url"),
    enabled: (value) => (typeof value === "boolean" ? ["--enabled", String(value)] : undefined),
    kinds: (value) =>
      Array.isArray(value) && value.length > 0 ? (value as string[]).flatMap((kind) => ["--kind", kind]) : undefined,
    actions: (value) =>
      Array.isArray(value) && value.length > 0
        ? (value as string[]).flatMap((action) => ["--action", action])
        : undefined,
  },
  empty: { name: "", url: "", enabled: true, secret: "", kinds: [], actions: [] },
  valuesOf: ({ attributes: { name, url, enabled, kinds, actions } }) => ({
    name,
    url,
    enabled,
    secret: "",
    kinds,
    actions,
  }),
  members: ({ name, url, enabled, secret, kinds, actions }) => ({
    name: name.trim(),
    url: url.trim(),
    enabled,
    // An empty secret leaves the current one unchanged.
    token: secret === "" ? undefined : secret,
    kinds: [...kinds],
    actions: [...actions],
  }),
  check: ({ name, url }) => ({
    ...(name.trim().length > 0 && name.trim().length <= 255 ? {} : { name: texts.nameInvalid }),
    ...(/^https?:\/\/[^\s/]+/i.test(url.trim()) ? {} : { url: texts.urlInvalid }),
  }),
  aboutNew: texts.createHint,
  fields: (form, isNew) => (
    <>
      <TextInput
        label={texts.name}
        placeholder={texts.nameExample}
        dir="auto"
        data-autofocus
        {...form.getInputProps("name")}
      />
      <TextInput
        label={texts.url}
        description={texts.urlHint}
        placeholder={texts.urlExample}
        {...form.getInputProps("url")}
      />
      <SecretField form={form} isNew={isNew} />
      <MultiSelect
        label={texts.objects}
        placeholder={form.values.kinds.length === 0 ? texts.allObjects : ""}
        data={KINDS}
        {...form.getInputProps("kinds")}
        value={[...form.values.kinds]}
      />
      <MultiSelect
        label={texts.events}
        placeholder={form.values.actions.length === 0 ? texts.allEvents : ""}
        data={ACTIONS}
        {...form.getInputProps("actions")}
        value={[...form.values.actions]}
      />
      <Switch
        label={texts.enabled}
        description={texts.enabledHint}
        {...form.getInputProps("enabled", { type: "checkbox" })}
      />
    </>
  ),
};

function SecretField({ form, isNew }: { form: UseFormReturnType<WebhookValues>; isNew: boolean }) {
  return (
    <Group gap="xs" align="flex-end" wrap="nowrap">
      <PasswordInput
        label={isNew ? texts.signingSecret : texts.newSigningSecret}
        description={isNew ? texts.secretHint : texts.newSecretHint}
        autoComplete="new-password"
        style={{ flex: 1 }}
        {...form.getInputProps("secret")}
      />
      <Button
        size="sm"
        variant="default"
        leftSection={<Icon name="refresh" size={14} />}
        onClick={() => form.setFieldValue("secret", randomSecret())}
      >
        {texts.generate}
      </Button>
    </Group>
  );
}

/** 256 bits. */
function randomSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
