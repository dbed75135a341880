/** The rules for tags as a form: all of them at once, since they are one document. */
import { useQuery } from "@tanstack/react-query";
import { Button, Select } from "@mantine/core";
import { usePlace, type Place } from "../../base/place.ts";
import { FormScreen } from "../../kit/form-screen.tsx";
import { ORGANIZATION_WRITE } from "../../kit/rights.ts";
import { Icon } from "../../kit/icons.tsx";
import { ObjectPending } from "../../kit/object-pending.tsx";
import type { Members, Plan } from "../../kit/plan.ts";
import { DraftCheck } from "./draft-check.tsx";
import { RuleFields } from "./rule-fields.tsx";
import {
  draftOf,
  EMPTY_RULE,
  policyQuery,
  problemsOf,
  ruleOf,
  type Enforcement,
  type ReadPolicy,
  type RuleDraft,
} from "./rules.ts";
import * as texts from "../../texts/tag-policies.ts";
import { screenNames } from "../../texts/names.ts";

/** Maximum number of rules in a policy. */
const MOST = 50;

interface Values {
  readonly enforce: Enforcement;
  readonly rules: readonly RuleDraft[];
}

/** The screen that changes them, or writes the first. */
export function TagRulesEdit() {
  const place = usePlace();
  const query = useQuery(policyQuery(place));
  const up = { to: place.path("tag-rules"), title: screenNames.tagPolicies.tagPolicy };
  if (query.data === undefined) return <ObjectPending query={query} up={up} />;
  const values = valuesOf(query.data);
  const before = membersOf(values);
  return (
    <FormScreen<Values>
      title={screenNames.tagPolicies.editTagPolicy}
      about={texts.editHint}
      up={up}
      write={ORGANIZATION_WRITE}
      initial={values}
      edited={{ values, mark: query.data.etag }}
      validate={({ rules }) => problemsOf(rules)}
      fields={(form) => (
        <>
          <Select
            label={texts.enforcement}
            data={[
              { value: "advise", label: texts.enforceWarn },
              { value: "refuse", label: texts.enforceBlock },
            ]}
            allowDeselect={false}
            {...form.getInputProps("enforce")}
          />
          {form.values.rules.map((rule, index) => (
            <RuleFields
              // Rules have no other key than where they stand: a name is typed letter by letter.
              key={index}
              rule={rule}
              index={index}
              errors={form.errors}
              onChange={(changed) => form.setFieldValue(`rules.${index}`, changed)}
              onRemove={() => form.removeListItem("rules", index)}
            />
          ))}
          <Button
            variant="default"
            disabled={form.values.rules.length >= MOST}
            leftSection={<Icon name="plus" size={14} />}
            onClick={() => form.insertListItem("rules", EMPTY_RULE)}
            style={{ alignSelf: "flex-start" }}
          >
            {texts.addRule}
          </Button>
        </>
      )}
      members={membersOf}
      plan={(changed, mark) => putPlan(place, { ...before, ...changed }, mark)}
      query={query}
      extra={({ rules }) => <DraftCheck rules={rules} />}
      saved={() => up.to}
      saveLabel={texts.save}
    />
  );
}

function valuesOf({ policy }: ReadPolicy): Values {
  if (policy === undefined) return { enforce: "advise", rules: [] };
  const { enforce, rules } = policy.attributes;
  return { enforce, rules: rules.map(draftOf) };
}

function membersOf({ enforce, rules }: Values): Members {
  return { enforce, rules: rules.map(ruleOf) };
}

/** Returns the write of a tag policy. The policy is one document, so the write contains all rules, old and new. */
function putPlan({ organization = "" }: Place, attributes: Members, etag: string): Plan {
  return {
    operation: "putTagPolicy",
    path: { organization_name: organization },
    ...(etag === "" ? { isFirst: true } : { ifMatch: etag }),
    body: { data: { type: "tag-policies", attributes } },
    command: [
      "tag",
      "set-rules",
      ...Object.entries(attributes).flatMap(([name, value]) => ["--set", `${name}=${JSON.stringify(value)}`]),
    ],
  };
}
