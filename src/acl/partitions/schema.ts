import { Type, type Static } from "typebox";
import { ALIASES, freeText, READ_ONLY_INDEXES, READ_ONLY_TIME } from "../../http/v1/body-schema.ts";
import { SHOWN_INDEXES } from "../kit/answer-schema.ts";
import type { Partition, PartitionInput } from "./service.ts";

const EXAMPLE = { Name: "unit-1", Description: "The first business unit", CreateIndex: 2, ModifyIndex: 2 };

const MEMBERS = {
  Name: Type.Optional(Type.String()),
  Description: Type.Optional(freeText()),
  DisableGossip: Type.Optional(Type.Boolean()),
  ...READ_ONLY_INDEXES,
};

export const partitionBody = Type.Object(
  { ...MEMBERS, DeletedAt: READ_ONLY_TIME },
  {
    title: "PartitionBody",
    [ALIASES]: { deleted_at: "DeletedAt" },
    examples: [{ Name: EXAMPLE.Name, Description: EXAMPLE.Description }],
  },
);

const SHOWN = {
  Name: Type.String(),
  Description: Type.Optional(Type.String()),
  DisableGossip: Type.Optional(Type.Boolean()),
  DeletedAt: Type.Optional(Type.String({ format: "date-time" })),
  ...SHOWN_INDEXES,
};

export const partitionAnswer = Type.Object(SHOWN, {
  title: "Partition",
  description: "Partition. `DeletedAt` is present once it is marked for deletion.",
  examples: [EXAMPLE],
});

type Body = Static<typeof partitionBody>;

/** Returns the content of a partition in a body. */
export function inputFrom({ Description = "", DisableGossip = false }: Body): PartitionInput {
  return { description: Description, disableGossip: DisableGossip };
}

/** A partition as answers show it. */
export function renderPartition(partition: Partition) {
  return {
    Name: partition.name,
    Description: partition.description || undefined,
    DisableGossip: partition.disableGossip || undefined,
    DeletedAt: partition.deletedAt || undefined,
    CreateIndex: partition.createIndex,
    ModifyIndex: partition.modifyIndex,
  };
}
