/** Operations, form and texts for namespaces. */
import { TextInput } from "@mantine/core";
import type { TextsOf } from "../../../../packages/model/text-members.ts";
import { EntryRows } from "../../kit/entry-rows.tsx";
import { linesOf } from "../../kit/identities.ts";
import { linkOf, namesOf } from "../../kit/links.ts";
import type { Kind } from "../../kit/kind.ts";
import { LinkInput } from "../../kit/link-input.tsx";
import { type Members, textIn, textFlags } from "../../kit/plan.ts";
import { TextFields } from "../../kit/text-fields.tsx";
import { emptyTexts, textBody, textValues } from "../../kit/text-values.ts";
import { NAMESPACE, type Namespace } from "./named.ts";
import * as texts from "../../texts/namespaces.ts";

interface NamespaceValues extends TextsOf<"namespace"> {
  readonly name: string;
  readonly policies: readonly string[];
  readonly roles: readonly string[];
  /** One in a line: `KEY=VALUE`. */
  readonly meta: string;
}

export const NAMESPACE_KIND: Kind<Namespace, NamespaceValues> = {
  named: NAMESPACE,
  record: "namespace",
  uses: "namespace",
  write: { resource: "operator", access: "write" },
  create: "createNamespace",
  update: "updateNamespace",
  delete: "deleteNamespace",
  command: "namespace",
  isNamed: true,
  flags: { ...textFlags("namespace") },
  aboutNew: texts.createAbout,
  empty: { name: "", ...emptyTexts("namespace"), policies: [], roles: [], meta: "" },
  valuesOf: (namespace) => ({
    name: namespace.Name,
    ...textValues("namespace", namespace),
    policies: namesOf(namespace.ACLs?.PolicyDefaults),
    roles: namesOf(namespace.ACLs?.RoleDefaults),
    meta: Object.entries(namespace.Meta ?? {})
      .map(([key, value]) => `${key}=${value}`)
      .join("\n"),
  }),
  copyOf: (values) => ({ ...values, name: `${values.name}-copy` }),
  members: (values) => ({
    Name: values.name,
    ...textBody("namespace", values),
    ACLs: { PolicyDefaults: values.policies.map(linkOf), RoleDefaults: values.roles.map(linkOf) },
    Meta: Object.fromEntries(linesOf(values.meta).map(pairOf)),
  }),
  check: ({ name, meta }) => ({
    ...(/^[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/.test(name) ? {} : { name: texts.nameInvalid }),
    ...(linesOf(meta).every((line) => line.indexOf("=") > 0) ? {} : { meta: texts.metadataInvalid }),
  }),
  terraform: (body: Members) => {
    const { PolicyDefaults = [], RoleDefaults = [] } = (body["ACLs"] ?? {}) as Record<string, { Name?: string }[]>;
    const names = (links: readonly { Name?: string }[]) =>
      links.length === 0 ? undefined : links.flatMap(({ Name }) => (Name === undefined ? [] : [Name]));
    return {
      type: "consul_namespace",
      name: textIn(body, "Name") ?? "namespace",
      attributes: {
        name: textIn(body, "Name"),
        description: textIn(body, "Description"),
        policy_defaults: names(PolicyDefaults),
        role_defaults: names(RoleDefaults),
        meta: body["Meta"] as Record<string, string> | undefined,
      },
    };
  },
  fields: (form, isNew) => (
    <>
      <TextInput
        label={texts.name}
        description={isNew ? texts.fixedLater : texts.fixed}
        placeholder={texts.nameExample}
        readOnly={!isNew}
        data-autofocus={isNew}
        {...form.getInputProps("name")}
      />
      <TextFields kind="namespace" inputOf={form.getInputProps} />
      <LinkInput
        noun="policies"
        label={texts.defaultPolicies}
        description={texts.defaultPoliciesHint}
        {...form.getInputProps("policies")}
      />
      <LinkInput
        noun="roles"
        label={texts.defaultRoles}
        description={texts.defaultRolesHint}
        {...form.getInputProps("roles")}
      />
      <EntryRows
        label={texts.metadata}
        singular={texts.metadataEntry}
        columns={[
          { label: texts.metadataKey, placeholder: texts.metadataKeyExample },
          { label: texts.metadataValue, placeholder: texts.metadataValueExample },
        ]}
        value={linesOf(form.values.meta).map(pairOf)}
        onChange={(rows) =>
          form.setFieldValue("meta", rows.map(([key = "", value = ""]) => `${key}=${value}`).join("\n"))
        }
        error={form.errors["meta"]}
      />
    </>
  ),
};

function pairOf(line: string): readonly [string, string] {
  const at = line.indexOf("=");
  return [line.slice(0, at), line.slice(at + 1)];
}
