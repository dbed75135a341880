/** Adds policies and roles to the selected tokens, or removes them. */
import { BulkGrants, type GrantsKind } from "../../kit/bulk-grants.tsx";
import type { Selection } from "../../kit/selection.ts";
import { TokensEffect } from "../policies/effect.tsx";
import { updatePlan } from "./form.tsx";
import { titleOf, type TokenRow } from "./queries.ts";
import * as texts from "../../texts/tokens.ts";
import { screenNames } from "../../texts/names.ts";

const GRANTS: GrantsKind<TokenRow> = {
  noun: "tokens",
  singular: texts.singular,
  plural: screenNames.tokens.plural,
  button: texts.grantsButton,
  note: texts.grantsNote,
  hasRoles: true,
  title: titleOf,
  plan: (row, changed) => updatePlan(row.AccessorID, changed, String(row.ModifyIndex)),
  impact: (changed) => (
    <TokensEffect drafts={changed.map(({ row, members }) => ({ AccessorID: row.AccessorID, ...members }))} />
  ),
};

/** The button and its dialog. */
export function BulkGrantsOfTokens({ selection }: { selection: Selection<TokenRow> }) {
  return <BulkGrants selection={selection} kind={GRANTS} />;
}
