/** Operations, form and texts for policies. */
import { TextInput } from "@mantine/core";
import type { TextsOf } from "../../../../packages/model/text-members.ts";
import type { Kind } from "../../kit/kind.ts";
import { Advanced } from "../../kit/object-screen.tsx";
import { textFlag, textIn, textFlags } from "../../kit/plan.ts";
import { TextFields } from "../../kit/text-fields.tsx";
import { emptyTexts, textBody, textValues } from "../../kit/text-values.ts";
import { POLICY, type Policy } from "./named.ts";
import { RulesField } from "./rules-field.tsx";
import * as texts from "../../texts/policies.ts";

interface PolicyValues extends TextsOf<"policy"> {
  readonly name: string;
  readonly rules: string;
  /** Names, separated by commas. */
  readonly datacenters: string;
}

export const POLICY_KIND: Kind<Policy, PolicyValues> = {
  named: POLICY,
  record: "policy",
  uses: "policy",
  write: { resource: "acl", access: "write" },
  create: "createPolicy",
  update: "updatePolicy",
  delete: "deletePolicy",
  command: "policy",
  isNamed: true,
  flags: { ...textFlags("policy"), Rules: textFlag("rules") },
  aboutNew: texts.createAbout,
  empty: { name: "", ...emptyTexts("policy"), rules: "", datacenters: "" },
  valuesOf: (policy) => ({
    name: policy.Name,
    ...textValues("policy", policy),
    rules: policy.Rules,
    datacenters: (policy.Datacenters ?? []).join(", "),
  }),
  copyOf: (values) => ({ ...values, name: `${values.name}-copy` }),
  members: (values) => ({
    Name: values.name,
    ...textBody("policy", values),
    Rules: values.rules,
    Datacenters: values.datacenters.split(",").flatMap((each) => (each.trim() === "" ? [] : [each.trim()])),
  }),
  check: ({ name }) => (/^[A-Za-z0-9_-]{1,128}$/.test(name) ? {} : { name: texts.nameInvalid }),
  terraform: (body) => ({
    type: "consul_acl_policy",
    name: textIn(body, "Name") ?? "policy",
    attributes: {
      name: textIn(body, "Name"),
      description: textIn(body, "Description"),
      rules: textIn(body, "Rules"),
      datacenters: body["Datacenters"] as string[] | undefined,
    },
  }),
  fields: (form, isNew) => (
    <>
      <TextInput label={texts.name} placeholder={texts.nameExample} data-autofocus {...form.getInputProps("name")} />
      <TextFields kind="policy" inputOf={form.getInputProps} />
      <RulesField value={form.values.rules} onChange={(text) => form.setFieldValue("rules", text)} isFocused={!isNew} />
      <Advanced isOpen={!isNew && form.getInitialValues().datacenters !== ""}>
        <TextInput
          label={texts.datacenters}
          description={texts.datacentersHint}
          placeholder={texts.all}
          {...form.getInputProps("datacenters")}
        />
      </Advanced>
    </>
  ),
};
