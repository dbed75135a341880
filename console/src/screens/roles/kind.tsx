/** Operations, form and texts for roles. */
import { TextInput } from "@mantine/core";
import type { TextsOf } from "../../../../packages/model/text-members.ts";
import type { HclResource } from "../../kit/hcl.ts";
import {
  identityBlocks,
  nodesFault,
  nodesOf,
  nodesText,
  servicesOf,
  servicesText,
  templatesOf,
  templatesText,
} from "../../kit/identities.ts";
import { linkOf, namesOf } from "../../kit/links.ts";
import { IdentityFields } from "../../kit/identity-fields.tsx";
import type { Kind } from "../../kit/kind.ts";
import { LinkInput } from "../../kit/link-input.tsx";
import { linkFlags, type Members, textIn, textFlags } from "../../kit/plan.ts";
import { TextFields } from "../../kit/text-fields.tsx";
import { emptyTexts, textBody, textValues } from "../../kit/text-values.ts";
import { ROLE, type Role } from "./named.ts";
import * as texts from "../../texts/roles.ts";

interface RoleValues extends TextsOf<"role"> {
  readonly name: string;
  readonly policies: readonly string[];
  readonly services: string;
  readonly nodes: string;
  /** One in a line: `TEMPLATE`, `TEMPLATE:NAME` or `TEMPLATE:NAME:DC1,DC2`. */
  readonly templates: string;
}

export const ROLE_KIND: Kind<Role, RoleValues> = {
  named: ROLE,
  record: "role",
  uses: "role",
  policies: ({ Policies }) => Policies ?? [],
  why: { query: (id) => ({ as: "role", of: id }) },
  write: { resource: "acl", access: "write" },
  create: "createRole",
  update: "updateRole",
  delete: "deleteRole",
  command: "role",
  isNamed: true,
  flags: { ...textFlags("role"), Policies: linkFlags("policy") },
  aboutNew: texts.createAbout,
  empty: { name: "", ...emptyTexts("role"), policies: [], services: "", nodes: "", templates: "" },
  valuesOf: (role) => ({
    name: role.Name,
    ...textValues("role", role),
    policies: namesOf(role.Policies),
    services: servicesText(role.ServiceIdentities),
    nodes: nodesText(role.NodeIdentities),
    templates: templatesText(role.TemplatedPolicies),
  }),
  copyOf: (values) => ({ ...values, name: `${values.name}-copy` }),
  members: (values) => ({
    Name: values.name,
    ...textBody("role", values),
    Policies: values.policies.map(linkOf),
    ServiceIdentities: servicesOf(values.services),
    NodeIdentities: nodesOf(values.nodes),
    TemplatedPolicies: templatesOf(values.templates),
  }),
  check: ({ name, nodes }) => {
    const fault = nodesFault(nodes);
    return {
      ...(/^[A-Za-z0-9_-]{1,256}$/.test(name) ? {} : { name: texts.nameInvalid }),
      ...(fault === undefined ? {} : { nodes: fault }),
    };
  },
  terraform: terraformOf,
  fields: (form) => (
    <>
      <TextInput label={texts.name} placeholder={texts.nameExample} data-autofocus {...form.getInputProps("name")} />
      <TextFields kind="role" inputOf={form.getInputProps} />
      <LinkInput
        noun="policies"
        label={texts.policies}
        description={texts.policiesHint}
        {...form.getInputProps("policies")}
      />
      <IdentityFields
        services={form.getInputProps("services")}
        nodes={form.getInputProps("nodes")}
        templates={form.getInputProps("templates")}
      />
    </>
  ),
};

function terraformOf(body: Members): HclResource {
  return {
    type: "consul_acl_role",
    name: textIn(body, "Name") ?? "role",
    attributes: {
      name: textIn(body, "Name"),
      description: textIn(body, "Description"),
      policies: (body["Policies"] as { Name?: string; ID?: string }[] | undefined)?.map(
        ({ Name, ID }) => Name ?? ID ?? "",
      ),
    },
    blocks: identityBlocks(body),
  };
}
