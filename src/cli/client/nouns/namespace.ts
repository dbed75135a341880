import { pairs } from "../body.ts";
import { historyVerbs } from "../kit/history.ts";
import { textColumns, textFlags } from "../kit/texts.ts";
import { kindVerbs, type CliKind } from "../kit/v1.ts";
import type { Noun } from "../spec.ts";

/** Namespaces. */
export const NAMESPACE: CliKind = {
  noun: "namespace",
  plural: "namespaces",
  pathName: "name",
  idMember: "Name",
  nameMember: "Name",
  operations: {
    list: "listNamespaces",
    read: "readNamespace",
    create: "createNamespace",
    replace: "replaceNamespace",
    update: "updateNamespace",
    remove: "deleteNamespace",
  },
  columns: [
    { title: "Name", value: "Name" },
    ...textColumns("namespace"),
    { title: "Deletion started", value: "DeletedAt" },
    { title: "Default policies", value: "ACLs.PolicyDefaults", wide: true },
    { title: "Default roles", value: "ACLs.RoleDefaults", wide: true },
    { title: "Meta", value: "Meta", wide: true },
    { title: "Partition", value: "Partition", wide: true },
    { title: "Index", value: "ModifyIndex", wide: true },
  ],
  memberFlags: [
    ...textFlags("namespace"),
    {
      name: "default-policy",
      value: "NAME",
      many: true,
      member: "ACLs.PolicyDefaults",
      read: (Name) => ({ Name }),
      help: "Policy for every token in the namespace. Repeatable.",
      complete: "policy",
    },
    {
      name: "default-role",
      value: "NAME",
      many: true,
      member: "ACLs.RoleDefaults",
      read: (Name) => ({ Name }),
      help: "Role for every token in the namespace. Repeatable.",
      complete: "role",
    },
    {
      name: "meta",
      value: "JSON",
      member: "Meta",
      read: (text) => (text.startsWith("{") ? JSON.parse(text) : pairs(text.split(","), "--meta")),
      help: "Metadata, as KEY=VALUE,KEY=VALUE or JSON.",
    },
  ],
};

export const noun: Noun = {
  name: "namespace",
  summary: "Namespaces: isolated sets of access control objects.",
  verbs: [...kindVerbs(NAMESPACE), ...historyVerbs(NAMESPACE, "namespace")],
};
