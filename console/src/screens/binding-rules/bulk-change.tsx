/** Changes the grants of the selected binding rules, or adds a condition to them, with the denied use before. */
import { SegmentedControl, Select, SimpleGrid, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import { usePlace } from "../../base/place.ts";
import { wordsOf } from "../../kit/bulk-grants.tsx";
import { BulkWrite, type BulkWork } from "../../kit/bulk-write.tsx";
import { NameInput } from "../../kit/name-input.tsx";
import { flagsOf } from "../../kit/plan.ts";
import type { Selection } from "../../kit/selection.ts";
import { ReplayPanel } from "../unused/replay.tsx";
import { changedRule, isIncomplete, type RuleChange } from "./change.ts";
import { BINDING_RULE_KIND } from "./kind.tsx";
import { BIND_TYPES, titleOf, type BindingRuleRow } from "./named.ts";
import * as texts from "../../texts/binding-rules.ts";
import { screenNames } from "../../texts/names.ts";

const NOTHING: RuleChange = { action: "grants", bindType: "role", bindName: "", condition: "" };

const WORDS = wordsOf({ ...screenNames.bindingRules, button: texts.change });

/** The button and its dialog. Names of roles differ by namespace, so a list of all namespaces has none. */
export function BulkChangeBindingRules({ selection }: { selection: Selection<BindingRuleRow> }) {
  const { scope } = usePlace();
  const [change, setChange] = useState(NOTHING);
  if (scope.namespace === "*") return null;
  const isUnfinished = isIncomplete(change);
  const work: BulkWork<BindingRuleRow> = {
    noun: "binding-rules",
    write: { resource: "acl", access: "write" },
    icon: "edit",
    words: WORDS,
    note: texts.changeNote,
    title: titleOf,
    line: (row) => (isUnfinished ? titleOf(row) : texts.changedLine(titleOf(row), changeText(row, change))),
    plan: (row) => planOf(row, change),
    keeps: (row) =>
      isUnfinished || Object.keys(changedRule(row, change)).length > 0 ? undefined : texts.alreadyChanged,
    isIncomplete: isUnfinished,
    fields: <ChangeFields change={change} set={setChange} />,
    impact: (rows) =>
      isUnfinished ? null : (
        <ReplayPanel
          draft={{ BindingRules: rows.map((row) => ({ ID: row.ID, ...changedRule(row, change) })) }}
          isSound
        />
      ),
  };
  return <BulkWrite selection={selection} work={work} />;
}

function planOf(row: BindingRuleRow, change: RuleChange) {
  const { ID: id, ModifyIndex } = row;
  const changed = changedRule(row, change);
  return {
    operation: "updateBindingRule",
    path: { id },
    query: { cas: String(ModifyIndex) },
    body: changed,
    command: ["binding-rule", "update", id, ...flagsOf(changed, BINDING_RULE_KIND.flags), "--cas", String(ModifyIndex)],
  } as const;
}

/** What changes in a rule, from and to. */
function changeText(row: BindingRuleRow, change: RuleChange): string {
  const { Selector, BindName } = changedRule(row, change) as Partial<BindingRuleRow>;
  if (BindName === undefined) return Selector ?? "";
  const granted = (type: BindingRuleRow["BindType"], name: string) => `${BIND_TYPES[type].toLowerCase()} ${name}`;
  return texts.fromTo(granted(row.BindType, row.BindName), granted(change.bindType, BindName));
}

function ChangeFields({ change, set }: { change: RuleChange; set(change: RuleChange): void }) {
  return (
    <Stack gap="sm">
      <SegmentedControl
        aria-label={texts.changeOf}
        data={[
          { value: "grants", label: texts.changeGrants },
          { value: "condition", label: texts.addCondition },
        ]}
        value={change.action}
        onChange={(value) => set({ ...change, action: value === "condition" ? "condition" : "grants" })}
      />
      {change.action === "condition" ? (
        <TextInput
          label={texts.condition}
          description={texts.conditionHint}
          placeholder={texts.selectorExample}
          spellCheck={false}
          styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
          value={change.condition}
          onChange={(event) => set({ ...change, condition: event.currentTarget.value })}
        />
      ) : (
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <Select
            label={texts.bindType}
            description={texts.bindTypeHint}
            data={(["role", "policy"] as const).map((value) => ({ value, label: BIND_TYPES[value] }))}
            allowDeselect={false}
            value={change.bindType}
            onChange={(value) => set({ ...change, bindType: value === "policy" ? "policy" : "role" })}
          />
          <NameInput
            noun={change.bindType === "role" ? "roles" : "policies"}
            label={texts.bindName}
            description={texts.bindNameHint}
            placeholder={texts.bindNameExample}
            value={change.bindName}
            onChange={(bindName) => set({ ...change, bindName })}
          />
        </SimpleGrid>
      )}
    </Stack>
  );
}
