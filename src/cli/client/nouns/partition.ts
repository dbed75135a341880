import { textColumns, textFlags } from "../kit/texts.ts";
import { kindVerbs, type CliKind } from "../kit/v1.ts";
import type { Noun } from "../spec.ts";

/** Partitions. */
export const PARTITION: CliKind = {
  noun: "partition",
  plural: "partitions",
  pathName: "name",
  idMember: "Name",
  nameMember: "Name",
  operations: {
    list: "listPartitions",
    read: "readPartition",
    create: "createPartition",
    replace: "replacePartition",
    update: "updatePartition",
    remove: "deletePartition",
  },
  columns: [
    { title: "Name", value: "Name" },
    ...textColumns("partition"),
    { title: "Deletion started", value: "DeletedAt" },
    { title: "Index", value: "ModifyIndex", wide: true },
  ],
  memberFlags: textFlags("partition"),
};

export const noun: Noun = {
  name: "partition",
  summary: "Partitions: isolated tenants.",
  verbs: kindVerbs(PARTITION),
};
