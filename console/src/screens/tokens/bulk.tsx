/** Work on the selected tokens. */
import type { Selection } from "../../kit/selection.ts";
import { BulkDeleteTokens } from "./bulk-delete.tsx";
import { BulkDisableTokens } from "./bulk-disable.tsx";
import { BulkGrantsOfTokens } from "./bulk-grants.tsx";
import type { TokenRow } from "./queries.ts";

/** All buttons, the delete last. */
export function BulkTokens({ selection }: { selection: Selection<TokenRow> }) {
  return (
    <>
      <BulkGrantsOfTokens selection={selection} />
      <BulkDisableTokens selection={selection} />
      <BulkDeleteTokens selection={selection} />
    </>
  );
}
