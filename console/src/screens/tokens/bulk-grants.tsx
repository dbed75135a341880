/** Adds policies and roles to the selected tokens, or removes them. */
import { SegmentedControl, Stack } from "@mantine/core";
import { useState } from "react";
import { usePlace } from "../../base/place.ts";
import { BulkWrite, type BulkWords, type BulkWork } from "../../kit/bulk-write.tsx";
import { LinkInput } from "../../kit/link-input.tsx";
import type { Selection } from "../../kit/selection.ts";
import { TokensEffect } from "../policies/effect.tsx";
import { updatePlan } from "./form.tsx";
import { changedGrants, type GrantsChange } from "./grants.ts";
import { titleOf, type TokenRow } from "./queries.ts";
import * as texts from "../../texts/tokens.ts";

const NOTHING: GrantsChange = { isRemoval: false, policies: [], roles: [] };

const WORDS: BulkWords = {
  button: texts.grantsButton,
  title: (count) => texts.changeMany(count, true),
  confirm: (count) => texts.changeMany(count),
  names: texts.toChange,
  left: texts.notChanged,
  done: texts.changedMany,
  failed: texts.changeFailed,
};

/** The button and its dialog. Names of policies differ by namespace, so a list of all namespaces has none. */
export function BulkGrants({ selection }: { selection: Selection<TokenRow> }) {
  const { scope } = usePlace();
  const [change, setChange] = useState(NOTHING);
  if (scope.namespace === "*") return null;
  const isIncomplete = change.policies.length + change.roles.length === 0;
  const work: BulkWork<TokenRow> = {
    noun: "tokens",
    write: { resource: "acl", access: "write" },
    icon: "policy",
    words: WORDS,
    note: texts.grantsNote,
    title: titleOf,
    plan: (row) => updatePlan(row.AccessorID, changedGrants(row, change), String(row.ModifyIndex)),
    keeps: (row) => keptBy(row, change),
    isIncomplete,
    fields: <GrantsFields change={change} set={setChange} />,
    impact: (rows) =>
      isIncomplete ? null : (
        <TokensEffect drafts={rows.map((row) => ({ AccessorID: row.AccessorID, ...changedGrants(row, change) }))} />
      ),
  };
  return <BulkWrite selection={selection} work={work} />;
}

/** Returns why a token is left out: the write would change nothing. */
function keptBy(row: TokenRow, change: GrantsChange): string | undefined {
  const isUnchanged = Object.keys(changedGrants(row, change)).length === 0;
  if (!isUnchanged || change.policies.length + change.roles.length === 0) return undefined;
  return change.isRemoval ? texts.lacksGrants : texts.hasGrants;
}

interface FieldsProps {
  readonly change: GrantsChange;
  set(change: GrantsChange): void;
}

function GrantsFields({ change, set }: FieldsProps) {
  return (
    <Stack gap="sm">
      <SegmentedControl
        aria-label={texts.grantsAction}
        data={[
          { value: "add", label: texts.addGrants },
          { value: "remove", label: texts.removeGrants },
        ]}
        value={change.isRemoval ? "remove" : "add"}
        onChange={(value) => set({ ...change, isRemoval: value === "remove" })}
      />
      <LinkInput
        noun="policies"
        label={texts.policies}
        value={change.policies}
        onChange={(policies) => set({ ...change, policies })}
      />
      <LinkInput
        noun="roles"
        label={texts.roles}
        value={change.roles}
        onChange={(roles) => set({ ...change, roles })}
      />
    </Stack>
  );
}
