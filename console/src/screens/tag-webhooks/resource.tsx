/** Operations, form and texts for webhooks. */
import { Button, Group, MultiSelect, PasswordInput, Switch, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { Icon } from "../../kit/icons.tsx";
import type { Resource } from "../../kit/resource.ts";
import { textFlag } from "../../kit/plan.ts";
import { WEBHOOK, type WebhookRow } from "./named.ts";

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
  { value: "workspace", label: "workspaces" },
  { value: "project", label: "projects" },
  { value: "tag", label: "tags" },
  { value: "reserved-tag-key", label: "reserved keys" },
  { value: "tag-policy", label: "rules for tags" },
];

export const ACTIONS = [
  { value: "tags-changed", label: "got or lost tags" },
  { value: "created", label: "were created" },
  { value: "updated", label: "were changed" },
  { value: "renamed", label: "were renamed" },
  { value: "merged", label: "were merged" },
  { value: "deleted", label: "were deleted" },
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
    ...(name.trim().length > 0 && name.trim().length <= 255 ? {} : { name: "1 to 255 characters" }),
    ...(/^https?:\/\/[^\s/]+/i.test(url.trim()) ? {} : { url: "An address that begins with https:// or http://" }),
  }),
  aboutNew: "It is told of what changes from then on.",
  fields: (form, isNew) => (
    <>
      <TextInput label="Name" placeholder="inventory" dir="auto" data-autofocus {...form.getInputProps("name")} />
      <TextInput
        label="URL"
        description="What is changed is posted there. Private addresses have to be allowed by who runs the server."
        placeholder="https://hooks.example.com/tags"
        {...form.getInputProps("url")}
      />
      <SecretField form={form} isNew={isNew} />
      <MultiSelect
        label="Of changes to"
        placeholder={form.values.kinds.length === 0 ? "All kinds" : ""}
        data={KINDS}
        {...form.getInputProps("kinds")}
        value={[...form.values.kinds]}
      />
      <MultiSelect
        label="Of objects that"
        placeholder={form.values.actions.length === 0 ? "were changed in any way" : ""}
        data={ACTIONS}
        {...form.getInputProps("actions")}
        value={[...form.values.actions]}
      />
      <Switch
        label="It is told"
        description="One that is off goes on later where it stopped; records are kept for seven days."
        {...form.getInputProps("enabled", { type: "checkbox" })}
      />
    </>
  ),
};

function SecretField({ form, isNew }: { form: UseFormReturnType<WebhookValues>; isNew: boolean }) {
  return (
    <Group gap="xs" align="flex-end" wrap="nowrap">
      <PasswordInput
        label={isNew ? "Secret" : "Another secret"}
        description={
          isNew
            ? "By which deliveries are signed; without one they are not."
            : "Left empty, the one that it has stays. It is never shown."
        }
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
        Make one
      </Button>
    </Group>
  );
}

/** 256 bits. */
function randomSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
