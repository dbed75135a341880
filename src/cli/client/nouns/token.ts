import { plain } from "../output/values.ts";
import { daysAsHours } from "../../../declared/duration.ts";
import { textColumns, textFlags } from "../kit/texts.ts";
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
    ...textColumns("token"),
    { title: "Policies", value: "Policies" },
    { title: "Roles", value: "Roles" },
    { title: "Last used", value: (item) => plain(item["LastUsed"], "").slice(0, 10) },
    { title: "Expires", value: "ExpirationTime" },
    { title: "Disabled", value: "DisabledTime", wide: true },
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
  fixed: [
    "LastUsed",
    "DisabledTime",
    "ExpirationTime",
    "ExpirationTTL",
    "AuthMethod",
    "AuthMethodNamespace",
    "AccessorID",
  ],
  memberFlags: [
    ...textFlags("token"),
    POLICY_LINK,
    ROLE_LINK,
    ...IDENTITY_FLAGS,
    {
      name: "ttl",
      value: "DURATION",
      member: "ExpirationTTL",
      read: daysAsHours,
      help: "Time to live, for example 1h or 7d. Default: never expires.",
    },
    { name: "accessor", value: "UUID", member: "AccessorID", help: "AccessorID. Default: generated." },
    { name: "local", member: "Local", help: "Mark the token as local." },
  ],
  listFlags: [
    { name: "policy", value: "ID", query: "policy", help: "Filter by policy ID.", complete: "policy" },
    { name: "role", value: "ID", query: "role", help: "Filter by role ID.", complete: "role" },
    { name: "service", value: "NAME", query: "servicename", help: "Filter by service identity." },
    {
      name: "auth-method",
      value: "NAME",
      query: "authmethod",
      help: "Only tokens from logins with this auth method.",
      complete: "auth-method",
    },
    { name: "auth-method-namespace", value: "NAME", query: "authmethod-ns", help: "Namespace of --auth-method." },
    {
      name: "unused-for",
      value: "DURATION",
      query: "unused-for",
      help: "Only tokens not used for this duration, for example 90d.",
    },
    {
      name: "expires-before",
      value: "WHEN",
      query: "expires-before",
      help: "Only tokens that expire before this time or within this duration, for example 7d.",
    },
    {
      name: "expires-after",
      value: "WHEN",
      query: "expires-after",
      help: "Only tokens that expire at or after this time, or after this duration, for example 1d.",
    },
    {
      name: "used-within",
      value: "DURATION",
      query: "used-within",
      help: "Only tokens used within this duration, for example 30d.",
    },
    {
      name: "used",
      value: "WHICH",
      query: "used",
      help: "`ever`: only tokens that were used. `never`: only tokens that were never used.",
    },
    { name: "expires", value: "never", query: "expires", help: "`never`: only tokens that never expire." },
  ],
  readFlags: [{ name: "expanded", query: "expanded", help: "Include the effective policies and roles." }],
};

export const noun: Noun = {
  name: "token",
  summary: "Tokens: create, clone, rotate, disable, revoke and find leaked secrets.",
  verbs: [...kindVerbs(TOKEN), ...tokenActions],
};
