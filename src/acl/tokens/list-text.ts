/** Slices of the list of tokens as text: a reading thread reads the rows, opens the secrets and writes the text. */
import { cutText, textOfEntry } from "../../http/v1/reads/pieces.ts";
import type { ApartWork } from "../../storage/database.ts";
import type { TextPiece } from "../../lists/page.ts";
import { scopeRenderer } from "../../rights/scope.ts";
import { linkTokens, type LinkedToken } from "./linked.ts";
import type { TokenSlice } from "./reads.ts";
import { renderToken, tokenText } from "./render.ts";
import { listTokens } from "./store.ts";

export const TOKEN_TEXTS: ApartWork<TokenSlice, TextPiece[]> = {
  name: "texts of tokens",
  async run(source, { scope, showsSecrets, filter, page, now, form, showsScope }) {
    const rows = await listTokens(source, scope, filter, page, now);
    const tokens = await linkTokens(source, source.keyring, rows, () => showsSecrets);
    const renderScope = scopeRenderer(showsScope ? "enterprise" : "community");
    const textOf = form.isPretty
      ? (token: LinkedToken) => textOfEntry(renderToken(token, renderScope), true)
      : (token: LinkedToken) => tokenText(token, renderScope);
    return cutText(tokens, { textOf, keyOf: ({ accessorId }) => accessorId, isFirst: form.isFirst });
  },
};
