import { historyVerbs } from "../kit/history.ts";
import { textColumns, textFlags } from "../kit/texts.ts";
import { kindVerbs, type CliKind } from "../kit/v1.ts";
import { IDENTITY_FLAGS } from "../kit/identities.ts";
import { POLICY_LINK } from "../kit/links.ts";
import type { Noun } from "../spec.ts";
import { tightenRoleVerb } from "./tighten.ts";

/** Roles. */
export const ROLE: CliKind = {
  noun: "role",
  plural: "roles",
  pathName: "id",
  idMember: "ID",
  draft: {
    changed: "Roles",
    deleted: "DeletedRoles",
    empty: { Policies: [], ServiceIdentities: [], NodeIdentities: [], TemplatedPolicies: [] },
  },
  nameMember: "Name",
  operations: {
    list: "listRoles",
    read: "readRole",
    readByName: "readRoleByName",
    create: "createRole",
    replace: "replaceRole",
    update: "updateRole",
    remove: "deleteRole",
  },
  columns: [
    { title: "Name", value: "Name" },
    { title: "Policies", value: "Policies" },
    ...textColumns("role"),
    { title: "ID", value: "ID" },
    { title: "Services", value: "ServiceIdentities", wide: true },
    { title: "Nodes", value: "NodeIdentities", wide: true },
    { title: "Templates", value: "TemplatedPolicies", wide: true },
    { title: "Namespace", value: "Namespace", wide: true },
    { title: "Index", value: "ModifyIndex", wide: true },
  ],
  memberFlags: [...textFlags("role"), POLICY_LINK, ...IDENTITY_FLAGS],
  listFlags: [{ name: "policy", value: "ID", query: "policy", help: "Filter by policy ID.", complete: "policy" }],
};

export const noun: Noun = {
  name: "role",
  summary: "Roles: reusable sets of policies.",
  verbs: [...kindVerbs(ROLE), tightenRoleVerb(ROLE), ...historyVerbs(ROLE, "role")],
};
