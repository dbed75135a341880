import { pairs } from "../body.ts";
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
    { title: "Description", value: "Description" },
    { title: "Being deleted since", value: "DeletedAt" },
    { title: "Default policies", value: "ACLs.PolicyDefaults", wide: true },
    { title: "Default roles", value: "ACLs.RoleDefaults", wide: true },
    { title: "Meta", value: "Meta", wide: true },
    { title: "Partition", value: "Partition", wide: true },
    { title: "Index", value: "ModifyIndex", wide: true },
  ],
  memberFlags: [
    { name: "description", value: "TEXT", member: "Description", help: "What it is for." },
    {
      name: "default-policy",
      value: "NAME",
      many: true,
      member: "ACLs.PolicyDefaults",
      read: (Name) => ({ Name }),
      help: "A policy that every token in it has; may be given several times.",
      complete: "policy",
    },
    {
      name: "default-role",
      value: "NAME",
      many: true,
      member: "ACLs.RoleDefaults",
      read: (Name) => ({ Name }),
      help: "A role that every token in it has; may be given several times.",
      complete: "role",
    },
    {
      name: "meta",
      value: "JSON",
      member: "Meta",
      read: (text) => (text.startsWith("{") ? JSON.parse(text) : pairs(text.split(","), "--meta")),
      help: "Texts by names, as KEY=VALUE,KEY=VALUE or JSON.",
    },
  ],
};

export const noun: Noun = {
  name: "namespace",
  summary: "Namespaces, walls between the objects of a partition.",
  verbs: kindVerbs(NAMESPACE),
};
