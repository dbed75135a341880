/** Operations, form and texts for partitions. */
import { TextInput } from "@mantine/core";
import type { TextsOf } from "../../../../packages/model/text-members.ts";
import type { Kind } from "../../kit/kind.ts";
import { textIn, textFlags } from "../../kit/plan.ts";
import { TextFields } from "../../kit/text-fields.tsx";
import { emptyTexts, textBody, textValues } from "../../kit/text-values.ts";
import { PARTITION, type Partition } from "./named.ts";
import * as texts from "../../texts/partitions.ts";

interface PartitionValues extends TextsOf<"partition"> {
  readonly name: string;
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
  flags: { ...textFlags("partition") },
  aboutNew: texts.createAbout,
  empty: { name: "", ...emptyTexts("partition") },
  valuesOf: (partition) => ({ name: partition.Name, ...textValues("partition", partition) }),
  copyOf: (values) => ({ ...values, name: `${values.name}-copy` }),
  members: (values) => ({ Name: values.name, ...textBody("partition", values) }),
  check: ({ name }) => (/^[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/.test(name) ? {} : { name: texts.nameInvalid }),
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
        label={texts.name}
        description={isNew ? texts.fixedLater : texts.fixed}
        placeholder={texts.nameExample}
        readOnly={!isNew}
        data-autofocus={isNew}
        {...form.getInputProps("name")}
      />
      <TextFields kind="partition" inputOf={form.getInputProps} />
    </>
  ),
};
