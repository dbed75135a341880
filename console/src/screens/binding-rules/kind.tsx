/** Operations, form and texts for binding rules. */
import { Select, SimpleGrid, Textarea, TextInput } from "@mantine/core";
import { NameInput } from "../../kit/name-input.tsx";
import type { Kind } from "../../kit/kind.ts";
import type { HclResource } from "../../kit/hcl.ts";
import { textFlag, textIn, type Members } from "../../kit/plan.ts";
import { BIND_TYPES, BINDING_RULE, type BindingRule } from "./named.ts";

interface BindingRuleValues {
  readonly description: string;
  readonly method: string;
  readonly selector: string;
  readonly bindType: string;
  readonly bindName: string;
  /** Template for the name, for templated policies only. */
  readonly variable: string;
}

export const BINDING_RULE_KIND: Kind<BindingRule, BindingRuleValues> = {
  named: BINDING_RULE,
  record: "binding-rule",
  write: { resource: "acl", access: "write" },
  create: "createBindingRule",
  update: "updateBindingRule",
  delete: "deleteBindingRule",
  command: "binding-rule",
  isNamed: false,
  flags: {
    Description: textFlag("description"),
    AuthMethod: textFlag("auth-method"),
    Selector: textFlag("selector"),
    BindType: textFlag("bind-type"),
    BindName: textFlag("bind-name"),
  },
  aboutNew: "What whoever logs in gets. It counts from the next login on.",
  empty: { description: "", method: "", selector: "", bindType: "role", bindName: "", variable: "" },
  valuesOf: (rule) => ({
    description: rule.Description,
    method: rule.AuthMethod,
    selector: rule.Selector ?? "",
    bindType: rule.BindType,
    bindName: rule.BindName,
    variable: rule.BindVars?.Name ?? "",
  }),
  copyOf: (values) => values,
  members: (values) => ({
    Description: values.description,
    AuthMethod: values.method,
    Selector: values.selector,
    BindType: values.bindType,
    BindName: values.bindName,
    BindVars: values.bindType === "templated-policy" && values.variable !== "" ? { Name: values.variable } : undefined,
  }),
  check: ({ method, bindName }) => ({
    ...(method === "" ? { method: "Whose logins it is for" } : {}),
    ...(bindName === "" ? { bindName: "What they get" } : {}),
  }),
  terraform: terraformOf,
  fields: (form, isNew) => (
    <>
      <TextInput
        label="Description"
        description="Lists and records call it by this."
        placeholder="Deployments of the web service"
        data-autofocus
        {...form.getInputProps("description")}
      />
      <NameInput
        noun="auth-methods"
        label="Auth method"
        description={isNew ? "Whose logins it is for. It cannot be changed later." : "It cannot be changed."}
        readOnly={!isNew}
        placeholder="github-actions"
        {...form.getInputProps("method")}
      />
      <Textarea
        label="Selector"
        description="For whom, by what the method proves. Everybody when empty."
        placeholder={'value.repository == "example/web"'}
        autosize
        minRows={2}
        maxRows={10}
        spellCheck={false}
        styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
        {...form.getInputProps("selector")}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Select
          label="They get"
          description="A kind."
          data={Object.entries(BIND_TYPES).map(([value, label]) => ({ value, label }))}
          allowDeselect={false}
          {...form.getInputProps("bindType")}
        />
        <NameInput
          noun={NOUNS[form.values.bindType]}
          label="Its name"
          description="Or a template, such as ${repository}."
          placeholder="web-deployers"
          {...form.getInputProps("bindName")}
        />
      </SimpleGrid>
      {form.values.bindType === "templated-policy" && (
        <TextInput
          label="Variable Name"
          description="What the template is filled with, or a template for it."
          placeholder="web"
          {...form.getInputProps("variable")}
        />
      )}
    </>
  ),
};

/** Nouns of the bind types whose names the form offers. */
const NOUNS: Readonly<Record<string, "roles" | "policies" | undefined>> = { role: "roles", policy: "policies" };

/** The resource that Terraform's provider has for it. */
export function terraformOf(body: Members): HclResource {
  const variable = (body["BindVars"] as { Name: string } | undefined)?.Name;
  return {
    type: "consul_acl_binding_rule",
    name: textIn(body, "Description", "BindName") ?? "rule",
    attributes: {
      auth_method: textIn(body, "AuthMethod"),
      description: textIn(body, "Description"),
      selector: textIn(body, "Selector"),
      bind_type: textIn(body, "BindType"),
      bind_name: textIn(body, "BindName"),
    },
    blocks: variable === undefined ? [] : [{ name: "bind_vars", attributes: { name: variable } }],
  };
}
