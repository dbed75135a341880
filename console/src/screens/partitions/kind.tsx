/** Operations, form and texts for partitions. */
import { TextInput } from "@mantine/core";
import type { Kind } from "../../kit/kind.ts";
import { textFlag, textIn } from "../../kit/plan.ts";
import { PARTITION, type Partition } from "./named.ts";

interface PartitionValues {
  readonly name: string;
  readonly description: string;
}

export const PARTITION_KIND: Kind<Partition, PartitionValues> = {
  named: PARTITION,
  record: "partition",
  write: { resource: "operator", access: "write" },
  create: "createPartition",
  update: "updatePartition",
  delete: "deletePartition",
  command: "partition",
  isNamed: true,
  flags: { Description: textFlag("description") },
  aboutNew: "It begins with an empty namespace, default.",
  empty: { name: "", description: "" },
  valuesOf: ({ Name, Description = "" }) => ({ name: Name, description: Description }),
  copyOf: (values) => ({ ...values, name: `${values.name}-copy` }),
  members: ({ name, description }) => ({ Name: name, Description: description }),
  check: ({ name }) =>
    /^[A-Za-z0-9]([A-Za-z0-9-]{0,62}[A-Za-z0-9])?$/.test(name)
      ? {}
      : { name: "1 to 64 letters, digits and -, with no - at an end" },
  terraform: (body) => ({
    type: "consul_admin_partition",
    name: textIn(body, "Name") ?? "partition",
    attributes: {
      name: textIn(body, "Name"),
      description: textIn(body, "Description"),
    },
  }),
  fields: (form, isNew) => (
    <>
      <TextInput
        label="Name"
        description={isNew ? "It cannot be changed later." : "It cannot be changed."}
        placeholder="subsidiary"
        readOnly={!isNew}
        data-autofocus={isNew}
        {...form.getInputProps("name")}
      />
      <TextInput label="Description" placeholder="All of the subsidiary" {...form.getInputProps("description")} />
    </>
  ),
};
