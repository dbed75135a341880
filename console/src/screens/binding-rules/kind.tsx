/** Operations, form and texts for binding rules. */
import { Select, SimpleGrid, Textarea, TextInput } from "@mantine/core";
import { NameInput } from "../../kit/name-input.tsx";
import type { Kind } from "../../kit/kind.ts";
import type { HclResource } from "../../kit/hcl.ts";
import { textFlag, textIn, type Members, textFlags } from "../../kit/plan.ts";
import { BIND_TYPES, BINDING_RULE, type BindingRule } from "./named.ts";
import * as texts from "../../texts/binding-rules.ts";

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
    ...textFlags("binding-rule"),
    AuthMethod: textFlag("auth-method"),
    Selector: textFlag("selector"),
    BindType: textFlag("bind-type"),
    BindName: textFlag("bind-name"),
  },
  aboutNew: texts.createAbout,
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
  check: ({ description, method, bindName }, isNew) => ({
    ...(isNew && description.trim() === "" ? { description: texts.descriptionMissing } : {}),
    ...(method === "" ? { method: texts.methodRequired } : {}),
    ...(bindName === "" ? { bindName: texts.bindNameRequired } : {}),
  }),
  terraform: terraformOf,
  fields: (form, isNew) => (
    <>
      <TextInput
        label={texts.description}
        description={texts.descriptionHint}
        placeholder={texts.descriptionExample}
        data-autofocus
        {...form.getInputProps("description")}
      />
      <NameInput
        noun="auth-methods"
        label={texts.authMethod}
        description={isNew ? texts.methodHint : texts.fixed}
        readOnly={!isNew}
        placeholder={texts.methodExample}
        {...form.getInputProps("method")}
      />
      <Textarea
        label={texts.selector}
        description={texts.selectorHint}
        placeholder={texts.selectorExample}
        autosize
        minRows={2}
        maxRows={10}
        spellCheck={false}
        styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
        {...form.getInputProps("selector")}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Select
          label={texts.bindType}
          description={texts.bindTypeHint}
          data={Object.entries(BIND_TYPES).map(([value, label]) => ({ value, label }))}
          allowDeselect={false}
          {...form.getInputProps("bindType")}
        />
        <NameInput
          noun={NOUNS[form.values.bindType]}
          label={texts.bindName}
          description={form.values.bindType === "templated-policy" ? texts.bindNameTemplatedHint : texts.bindNameHint}
          placeholder={texts.bindNameExample}
          {...form.getInputProps("bindName")}
        />
      </SimpleGrid>
      {form.values.bindType === "templated-policy" && (
        <TextInput
          label={texts.variable}
          description={texts.variableHint}
          placeholder={texts.variableExample}
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
