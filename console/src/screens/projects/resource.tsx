/** Operations, form and texts for projects. */
import { Select, Textarea, TextInput } from "@mantine/core";
import { textFlag, textIn } from "../../kit/plan.ts";
import type { Resource } from "../../kit/resource.ts";
import { PROJECT, type ProjectRow } from "./named.ts";
import * as texts from "../../texts/projects.ts";

interface ProjectValues {
  readonly name: string;
  readonly description: string;
  /** Empty for that of the organization. */
  readonly mode: string;
  readonly inactivity: string;
}

export const PROJECT_RESOURCE: Resource<ProjectRow, ProjectValues> = {
  named: PROJECT,
  type: "projects",
  record: "project",
  recordId: ({ id }) => id,
  create: "createProject",
  update: "updateProject",
  delete: "deleteProject",
  command: "project",
  flags: { description: textFlag("description") },
  empty: { name: "", description: "", mode: "", inactivity: "" },
  valuesOf: ({ attributes }) => ({
    name: attributes.name,
    description: attributes.description,
    mode: attributes["setting-overwrites"]["default-execution-mode"] ? attributes["default-execution-mode"] : "",
    inactivity: attributes["auto-destroy-activity-duration"] ?? "",
  }),
  members: ({ name, description, mode, inactivity }) => ({
    name: name.trim(),
    description,
    "default-execution-mode": mode === "" ? null : mode,
    "auto-destroy-activity-duration": inactivity.trim() === "" ? null : inactivity.trim(),
  }),
  check: ({ name, inactivity }) => ({
    ...(/^[A-Za-z0-9_-][A-Za-z0-9 _-]{1,38}[A-Za-z0-9_-]$/.test(name.trim()) ? {} : { name: texts.nameInvalid }),
    ...(inactivity.trim() === "" || /^[1-9]\d{0,3}[hd]$/.test(inactivity.trim())
      ? {}
      : { inactivity: texts.inactivityInvalid }),
  }),
  terraform: (attributes, { organization = "" }) => ({
    type: "tfe_project",
    name: textIn(attributes, "name") ?? "project",
    attributes: {
      organization,
      name: textIn(attributes, "name"),
      description: textIn(attributes, "description"),
      auto_destroy_activity_duration: textIn(attributes, "auto-destroy-activity-duration"),
    },
  }),
  aboutNew: texts.createHint,
  keptBy({ attributes }) {
    const count = attributes["workspace-count"];
    if (count > 0) return texts.hasWorkspaces(count);
    return attributes.permissions["can-destroy"] ? undefined : texts.isDefault;
  },
  fields: (form) => (
    <>
      <TextInput label={texts.name} placeholder={texts.nameExample} data-autofocus {...form.getInputProps("name")} />
      <Textarea
        label={texts.description}
        placeholder={texts.descriptionExample}
        autosize
        minRows={2}
        maxLength={256}
        {...form.getInputProps("description")}
      />
      <Select
        label={texts.executionMode}
        description={texts.executionModeHint}
        data={[
          { value: "", label: texts.organizationDefault },
          { value: "remote", label: texts.remote },
          { value: "local", label: texts.local },
        ]}
        allowDeselect={false}
        {...form.getInputProps("mode")}
      />
      <TextInput
        label={texts.destroyAfter}
        description={texts.inactivityHint}
        placeholder={texts.inactivityExample}
        {...form.getInputProps("inactivity")}
      />
    </>
  ),
};
