import { plain } from "../output/values.ts";
import { kindVerbs, type CliKind } from "../kit/v1.ts";
import { IDENTITY_FLAGS } from "../kit/identities.ts";
import { POLICY_LINK, ROLE_LINK } from "../kit/links.ts";
import type { Noun } from "../spec.ts";
import { tokenActions } from "./token-actions.ts";

/** Tokens. */
export const TOKEN: CliKind = {
  noun: "token",
  plural: "tokens",
  pathName: "accessor",
  idMember: "AccessorID",
  draft: {
    changed: "Tokens",
    empty: { Policies: [], ServiceIdentities: [], NodeIdentities: [], TemplatedPolicies: [], Roles: [] },
  },
  nameMember: "AccessorID",
  operations: {
    list: "listTokens",
    read: "readToken",
    create: "createToken",
    replace: "replaceToken",
    update: "updateToken",
    remove: "deleteToken",
  },
  columns: [
    { title: "AccessorID", value: "AccessorID" },
    { title: "Description", value: "Description" },
    { title: "Policies", value: "Policies" },
    { title: "Roles", value: "Roles" },
    { title: "Last used", value: (item) => plain(item["LastUsed"], "").slice(0, 10) },
    { title: "Expires", value: "ExpirationTime" },
    { title: "Services", value: "ServiceIdentities", wide: true },
    { title: "Nodes", value: "NodeIdentities", wide: true },
    { title: "Templates", value: "TemplatedPolicies", wide: true },
    { title: "Auth method", value: "AuthMethod", wide: true },
    { title: "Created", value: "CreateTime", wide: true },
    { title: "Namespace", value: "Namespace", wide: true },
    { title: "Index", value: "ModifyIndex", wide: true },
  ],
  isNamed: false,
  createdColumns: [{ title: "SecretID", value: "SecretID" }],
  fixed: ["LastUsed", "ExpirationTime", "ExpirationTTL", "AuthMethod", "AuthMethodNamespace", "AccessorID"],
  memberFlags: [
    { name: "description", value: "TEXT", member: "Description", help: "What it is for." },
    POLICY_LINK,
    ROLE_LINK,
    ...IDENTITY_FLAGS,
    {
      name: "ttl",
      value: "DURATION",
      member: "ExpirationTTL",
      help: "How long it lives, such as 1h; for ever when left out.",
    },
    { name: "accessor", value: "UUID", member: "AccessorID", help: "Its AccessorID; made when left out." },
    { name: "local", member: "Local", help: "Show it as local." },
  ],
  listFlags: [
    { name: "policy", value: "ID", query: "policy", help: "Only those that hold this policy.", complete: "policy" },
    { name: "role", value: "ID", query: "role", help: "Only those that hold this role.", complete: "role" },
    { name: "service", value: "NAME", query: "servicename", help: "Only those with this service identity." },
    {
      name: "auth-method",
      value: "NAME",
      query: "authmethod",
      help: "Only those that this method made.",
      complete: "auth-method",
    },
    { name: "auth-method-namespace", value: "NAME", query: "authmethod-ns", help: "The namespace of that method." },
    {
      name: "unused-for",
      value: "DURATION",
      query: "unused-for",
      help: "Only those not used for so long, such as 90d.",
    },
    {
      name: "expires-before",
      value: "WHEN",
      query: "expires-before",
      help: "Only those that end before this time, or in so long, such as 7d.",
    },
    { name: "expires", value: "never", query: "expires", help: "`never`: only those without an end." },
  ],
  readFlags: [{ name: "expanded", query: "expanded", help: "With what its policies and roles come to." }],
};

export const noun: Noun = {
  name: "token",
  summary: "Tokens: create, clone, rotate, revoke, find leaked ones.",
  verbs: [...kindVerbs(TOKEN), ...tokenActions],
};
