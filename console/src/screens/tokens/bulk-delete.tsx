/** Deletes the selected tokens. */
import { BulkDelete, type BulkDeletion } from "../../kit/bulk-delete.tsx";
import type { Selection } from "../../kit/selection.ts";
import { titleOf, type TokenRow } from "./queries.ts";
import * as texts from "../../texts/tokens.ts";
import { screenNames } from "../../texts/names.ts";

const DELETION: BulkDeletion<TokenRow> = {
  noun: "tokens",
  singular: texts.singular,
  plural: screenNames.tokens.plural,
  warning: texts.deleteManyWarning,
  write: { resource: "acl", access: "write" },
  title: titleOf,
  plan: ({ AccessorID: accessor }) => ({
    operation: "deleteToken",
    path: { accessor },
    command: ["token", "delete", accessor, "--yes"],
  }),
};

/** The button and its dialog. */
export function BulkDeleteTokens({ selection }: { selection: Selection<TokenRow> }) {
  return <BulkDelete selection={selection} deletion={DELETION} />;
}
