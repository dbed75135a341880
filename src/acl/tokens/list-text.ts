/** Slices of the list of tokens as text: a reading thread reads the rows, opens the secrets and writes the text. */
import { cutText, textOfEntry } from "../../http/v1/reads/pieces.ts";
import type { ApartWork } from "../../storage/database.ts";
import type { PageRequest, TextForm, TextPiece } from "../page.ts";
import { scopeRenderer, type Scope } from "../scope.ts";
import { linkTokens, type LinkedToken } from "./linked.ts";
import { renderToken, tokenText } from "./render.ts";
import { listTokens, type TokenFilter } from "./store.ts";

/** Input of a slice: plain data, for another thread. The server has already decided which tokens the caller may see. */
interface TokenSlice {
  /** One namespace, so that the secrets of all or of none are shown. */
  scope: Scope;
  showsSecrets: boolean;
  filter: TokenFilter;
  page: PageRequest & { size: number };
  now: number;
  form: TextForm;
  /** Whether the edition shows where a token lies. */
  showsScope: boolean;
}

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
