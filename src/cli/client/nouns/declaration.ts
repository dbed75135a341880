import { kindVerbs, type CliKind } from "../kit/v1.ts";
import type { Noun } from "../spec.ts";

/** Objects that directories own, as `tessera apply` stores them. */
export const DECLARATION: CliKind = {
  noun: "declaration",
  plural: "declarations",
  pathName: "id",
  idMember: "ID",
  nameMember: "Name",
  operations: {
    list: "listDeclarations",
    read: "readDeclaration",
    readByName: "readDeclarationByName",
    create: "createDeclaration",
    replace: "replaceDeclaration",
    update: "updateDeclaration",
    remove: "deleteDeclaration",
  },
  columns: [
    { title: "Name", value: "Name" },
    { title: "Owns", value: (item) => (Array.isArray(item["Objects"]) ? item["Objects"].length : undefined) },
    { title: "Description", value: "Description" },
    { title: "ID", value: "ID", wide: true },
    { title: "Objects", value: "Objects", wide: true },
  ],
  memberFlags: [
    {
      name: "description",
      value: "TEXT",
      member: "Description",
      help: "Description, for example the location of the directory.",
    },
    {
      name: "object",
      value: "OBJECT",
      many: true,
      member: "Objects",
      help: "Owned object, for example policy default/default/web. Repeatable.",
    },
  ],
};

export const noun: Noun = {
  name: "declaration",
  summary: "Declarations: objects that tessera apply manages, by owner.",
  verbs: kindVerbs(DECLARATION),
};
