import type { Screen } from "../../kit/screen.ts";
import { tokenQuery } from "./queries.ts";
import { screenNames } from "../../texts/names.ts";

/** Tokens: credentials for the API. */
export const TOKENS: Screen = {
  noun: "tokens",
  title: screenNames.tokens.plural,
  summary: screenNames.tokens.summary,
  icon: "key",
  place: "scope",
  group: "Access",
  right: { resource: "acl", access: "read" },
  pages: [
    {
      path: "tokens",
      title: screenNames.tokens.plural,
      view: async () => (await import("./list.tsx")).TokenList,
      load: async ({ readList }) => readList((await import("./list-of-tokens.tsx")).TOKEN_LIST),
    },
    {
      path: "tokens/new",
      title: screenNames.tokens.createTitle,
      view: async () => (await import("./create.tsx")).TokenCreate,
      load: async ({ place, read, search }) =>
        search["from"] === undefined ? undefined : read(tokenQuery(place, search["from"])),
    },
    {
      path: "tokens/revoke",
      title: screenNames.tokens.revokeTitle,
      view: async () => (await import("./revoke.tsx")).TokenRevoke,
    },
    {
      path: "tokens/leaked",
      title: screenNames.tokens.leakedTitle,
      view: async () => (await import("./leaked.tsx")).TokenLeaked,
    },
    {
      path: "tokens/$accessor",
      title: screenNames.tokens.token,
      view: async () => (await import("./object.tsx")).TokenObject,
      load: async ({ place, read, params }) => read(tokenQuery(place, params["accessor"] ?? "")),
    },
    {
      path: "tokens/$accessor/edit",
      title: screenNames.tokens.editPageTitle,
      view: async () => (await import("./edit.tsx")).TokenEdit,
      load: async ({ place, read, params }) => read(tokenQuery(place, params["accessor"] ?? "")),
    },
  ],
  actions: [
    { title: screenNames.tokens.createTitle, path: "tokens/new", right: { resource: "acl", access: "write" } },
    { title: screenNames.tokens.revokeAction, path: "tokens/revoke", right: { resource: "acl", access: "write" } },
    { title: screenNames.tokens.leakedAction, path: "tokens/leaked", right: { resource: "acl", access: "read" } },
  ],
};
