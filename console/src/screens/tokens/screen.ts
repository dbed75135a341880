import type { Screen } from "../../kit/screen.ts";
import { tokenQuery } from "./queries.ts";

/** Tokens: who may call, and what with. */
export const TOKENS: Screen = {
  noun: "tokens",
  title: "Tokens",
  summary: "Who may call, and as what",
  icon: "key",
  place: "scope",
  group: "Access",
  right: { resource: "acl", access: "read" },
  pages: [
    {
      path: "tokens",
      title: "Tokens",
      view: async () => (await import("./list.tsx")).TokenList,
      load: async ({ readList }) => readList((await import("./list-of-tokens.tsx")).TOKEN_LIST),
    },
    {
      path: "tokens/new",
      title: "New token",
      view: async () => (await import("./create.tsx")).TokenCreate,
      load: async ({ place, read, search }) =>
        search["from"] === undefined ? undefined : read(tokenQuery(place, search["from"])),
    },
    {
      path: "tokens/revoke",
      title: "Revoke tokens",
      view: async () => (await import("./revoke.tsx")).TokenRevoke,
    },
    {
      path: "tokens/leaked",
      title: "Leaked secrets",
      view: async () => (await import("./leaked.tsx")).TokenLeaked,
    },
    {
      path: "tokens/$accessor",
      title: "Token",
      view: async () => (await import("./object.tsx")).TokenObject,
      load: async ({ place, read, params }) => read(tokenQuery(place, params["accessor"] ?? "")),
    },
    {
      path: "tokens/$accessor/edit",
      title: "Edit token",
      view: async () => (await import("./edit.tsx")).TokenEdit,
      load: async ({ place, read, params }) => read(tokenQuery(place, params["accessor"] ?? "")),
    },
  ],
  actions: [
    { title: "New token", path: "tokens/new", right: { resource: "acl", access: "write" } },
    { title: "Revoke tokens by filter", path: "tokens/revoke", right: { resource: "acl", access: "write" } },
    { title: "Look for leaked secrets", path: "tokens/leaked", right: { resource: "acl", access: "read" } },
  ],
};
