/** Operations, form and texts for namespaces. */
import { Textarea, TextInput } from "@mantine/core";
import { linesOf, linkOf, namesOf } from "../../kit/identities.ts";
import type { Kind } from "../../kit/kind.ts";
import { LinkInput } from "../../kit/link-input.tsx";
import { type Members, textFlag, textIn } from "../../kit/plan.ts";
import { NAMESPACE, type Namespace } from "./named.ts";

interface NamespaceValues {
  readonly name: string;
  readonly description: string;
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
  flags: { Description: textFlag("description") },
  aboutNew: "It is empty, and who may write in others may do nothing in it unless a policy says so.",
  empty: { name: "", description: "", policies: [], roles: [], meta: "" },
  valuesOf: ({ Name, Description = "", ACLs, Meta = {} }) => ({
    name: Name,
    description: Description,
    policies: namesOf(ACLs?.PolicyDefaults),
    roles: namesOf(ACLs?.RoleDefaults),
    meta: Object.entries(Meta)
      .map(([key, value]) => `${key}=${value}`)
      .join("\n"),
  }),
  copyOf: (values) => ({ ...values, name: `${values.name}-copy` }),
  members: ({ name, description, policies, roles, meta }) => ({
    Name: name,
    Description: description,
    ACLs: { PolicyDefaults: policies.map(linkOf), RoleDefaults: roles.map(linkOf) },
    Meta: Object.fromEntries(linesOf(meta).map(pairOf)),
  }),
  check: ({ name, meta }) => ({
    ...(/^[A-Za-z0-9]([A-Za-z0-9-]{0,62}[A-Za-z0-9])?$/.test(name)
      ? {}
      : { name: "1 to 64 letters, digits and -, with no - at an end" }),
    ...(linesOf(meta).every((line) => line.indexOf("=") > 0) ? {} : { meta: "Each line is KEY=VALUE" }),
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
        label="Name"
        description={isNew ? "It cannot be changed later." : "It cannot be changed."}
        placeholder="payments"
        readOnly={!isNew}
        data-autofocus={isNew}
        {...form.getInputProps("name")}
      />
      <TextInput label="Description" placeholder="Cards and invoices" {...form.getInputProps("description")} />
      <LinkInput
        noun="policies"
        label="Policies of all its tokens"
        description="Of the namespace default: every token in it has them."
        {...form.getInputProps("policies")}
      />
      <LinkInput
        noun="roles"
        label="Roles of all its tokens"
        description="Of the namespace default: every token in it has them."
        {...form.getInputProps("roles")}
      />
      <Textarea
        label="Notes"
        description="One in a line, as KEY=VALUE."
        placeholder="owner=payments@example.com"
        autosize
        minRows={2}
        maxRows={10}
        {...form.getInputProps("meta")}
      />
    </>
  ),
};

function pairOf(line: string): readonly [string, string] {
  const at = line.indexOf("=");
  return [line.slice(0, at), line.slice(at + 1)];
}
