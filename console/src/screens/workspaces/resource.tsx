/** Operations, form and texts for workspaces. Tags and tag keys are not part of the form: they are changed in place. */
import { Select, Textarea, TextInput } from "@mantine/core";
import { textFlag } from "../../kit/plan.ts";
import type { EditedResource } from "../../kit/resource.ts";
import { WORKSPACE } from "./named.ts";
import type { WorkspaceRow } from "./queries.ts";
import * as texts from "../../texts/workspaces.ts";

interface WorkspaceValues {
  readonly name: string;
  readonly description: string;
  /** Empty for that of its project. */
  readonly mode: string;
}

export const WORKSPACE_RESOURCE: EditedResource<WorkspaceRow, WorkspaceValues> = {
  named: WORKSPACE,
  type: "workspaces",
  update: "updateWorkspace",
  command: "workspace",
  flags: { description: textFlag("description") },
  valuesOf: ({ attributes }) => ({
    name: attributes.name,
    description: attributes.description ?? "",
    mode: attributes["setting-overwrites"]["execution-mode"] ? attributes["execution-mode"] : "",
  }),
  members: ({ name, description, mode }) => ({
    name: name.trim(),
    description,
    "execution-mode": mode === "" ? null : mode,
  }),
  check: ({ name }) => (/^[\w-]{1,90}$/.test(name.trim()) ? {} : { name: texts.nameInvalid }),
  fields: (form) => (
    <>
      <TextInput label={texts.name} data-autofocus {...form.getInputProps("name")} />
      <Textarea label={texts.description} autosize minRows={2} {...form.getInputProps("description")} />
      <Select
        label={texts.executionMode}
        description={texts.executionModeHint}
        data={[
          { value: "", label: texts.projectDefault },
          { value: "remote", label: texts.remote },
          { value: "local", label: texts.local },
        ]}
        allowDeselect={false}
        {...form.getInputProps("mode")}
      />
    </>
  ),
};
