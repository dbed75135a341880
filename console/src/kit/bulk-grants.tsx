/** Adds policies and roles to the selected objects, or removes them, with the impact before. */
import { SegmentedControl, Stack } from "@mantine/core";
import { useState, type ReactNode } from "react";
import { usePlace } from "../base/place.ts";
import { BulkWrite, type BulkWords, type BulkWork } from "./bulk-write.tsx";
import { changedGrants, type GrantsChange } from "./grants.ts";
import { LinkInput } from "./link-input.tsx";
import type { Members, Plan } from "./plan.ts";
import type { Selection } from "./selection.ts";
import * as texts from "../texts/kit-lists.ts";

/** Kind of objects that have policies, and perhaps roles. */
export interface GrantsKind<Row> {
  /** Noun of the queries to read again. */
  readonly noun: string;
  readonly singular: string;
  readonly plural: string;
  /** Label of the button. */
  readonly button: string;
  /** Says what stays as it is. */
  readonly note: string;
  /** Whether the objects have roles too. */
  readonly hasRoles: boolean;
  title(row: Row): string;
  /** @param changed members that the write sets */
  plan(row: Row, changed: Members): Plan;
  /** Returns why a row is left out, besides that the write would change nothing. */
  keeps?(row: Row): string | undefined;
  /** Shows the impact of the write. @param changed each row with the members that change */
  impact(changed: readonly { readonly row: Row; readonly members: Members }[]): ReactNode;
}

/** Object with grants. */
interface Granted {
  readonly Namespace?: string | undefined;
  readonly Policies?: readonly { readonly ID?: string; readonly Name?: string }[] | null;
  readonly Roles?: readonly { readonly ID?: string; readonly Name?: string }[] | null;
}

const NOTHING: GrantsChange = { isRemoval: false, policies: [], roles: [] };

/** The button and its dialog. Names of policies differ by namespace, so a list of all namespaces has none. */
export function BulkGrants<Row extends Granted>({
  selection,
  kind,
}: {
  selection: Selection<Row>;
  kind: GrantsKind<Row>;
}) {
  const { scope } = usePlace();
  const [change, setChange] = useState(NOTHING);
  if (scope.namespace === "*") return null;
  const isIncomplete = change.policies.length + change.roles.length === 0;
  const work: BulkWork<Row> = {
    noun: kind.noun,
    write: { resource: "acl", access: "write" },
    icon: "policy",
    words: wordsOf(kind),
    note: kind.note,
    title: kind.title,
    plan: (row) => kind.plan(row, changedGrants(row, change)),
    keeps: (row) => kind.keeps?.(row) ?? keptBy(row, change),
    isIncomplete,
    fields: <GrantsFields change={change} set={setChange} hasRoles={kind.hasRoles} />,
    impact: (rows) =>
      isIncomplete ? null : kind.impact(rows.map((row) => ({ row, members: changedGrants(row, change) }))),
  };
  return <BulkWrite selection={selection} work={work} />;
}

/** Texts of a change of objects of a kind. */
export function wordsOf({
  button,
  singular,
  plural,
}: Pick<GrantsKind<never>, "button" | "singular" | "plural">): BulkWords {
  return {
    button,
    title: (count) => texts.changeRows(count, singular, plural, true),
    confirm: (count) => texts.changeRows(count, singular, plural),
    names: texts.toChange,
    left: texts.notChanged,
    done: (done, failed) => texts.changedRows(done, failed, singular, plural),
    failed: texts.changeRowFailed,
  };
}

/** Returns why a row is left out: the write would change nothing. */
export function keptBy(row: Granted, change: GrantsChange): string | undefined {
  const isUnchanged = Object.keys(changedGrants(row, change)).length === 0;
  if (!isUnchanged || change.policies.length + change.roles.length === 0) return undefined;
  return change.isRemoval ? texts.lacksGrants : texts.hasGrants;
}

interface FieldsProps {
  readonly change: GrantsChange;
  set(change: GrantsChange): void;
  readonly hasRoles: boolean;
}

function GrantsFields({ change, set, hasRoles }: FieldsProps) {
  return (
    <Stack gap="sm">
      <AddOrRemove isRemoval={change.isRemoval} set={(isRemoval) => set({ ...change, isRemoval })} />
      <LinkInput
        noun="policies"
        label={texts.grantsPolicies}
        value={change.policies}
        onChange={(policies) => set({ ...change, policies })}
      />
      {hasRoles && (
        <LinkInput
          noun="roles"
          label={texts.grantsRoles}
          value={change.roles}
          onChange={(roles) => set({ ...change, roles })}
        />
      )}
    </Stack>
  );
}

/** Choice whether the change adds or removes. */
export function AddOrRemove({ isRemoval, set }: { isRemoval: boolean; set(isRemoval: boolean): void }) {
  return (
    <SegmentedControl
      aria-label={texts.grantsAction}
      data={[
        { value: "add", label: texts.addGrants },
        { value: "remove", label: texts.removeGrants },
      ]}
      value={isRemoval ? "remove" : "add"}
      onChange={(value) => set(value === "remove")}
    />
  );
}
