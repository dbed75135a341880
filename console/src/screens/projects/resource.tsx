/** Operations, form and texts for projects. */
import { Select, Textarea, TextInput } from "@mantine/core";
import { textFlag, textIn } from "../../kit/plan.ts";
import type { Resource } from "../../kit/resource.ts";
import { PROJECT, type ProjectRow } from "./named.ts";

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
    ...(/^[A-Za-z0-9_-][A-Za-z0-9 _-]{1,38}[A-Za-z0-9_-]$/.test(name.trim())
      ? {}
      : { name: "3 to 40 letters, digits, blanks, - and _" }),
    ...(inactivity.trim() === "" || /^[1-9]\d{0,3}[hd]$/.test(inactivity.trim())
      ? {}
      : { inactivity: "Hours or days, such as 36h or 14d" }),
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
  aboutNew: "Workspaces lie in projects. What a project has as keys, its workspaces have.",
  keptBy({ attributes }) {
    const count = attributes["workspace-count"];
    if (count > 0) {
      return `It holds ${count.toLocaleString()} ${count === 1 ? "workspace" : "workspaces"}: move or delete ${count === 1 ? "it" : "them"} first.`;
    }
    return attributes.permissions["can-destroy"] ? undefined : "The default project stays as long as its organization.";
  },
  fields: (form) => (
    <>
      <TextInput label="Name" placeholder="Payments" data-autofocus {...form.getInputProps("name")} />
      <Textarea
        label="Description"
        placeholder="Cards and ledgers"
        autosize
        minRows={2}
        maxLength={256}
        {...form.getInputProps("description")}
      />
      <Select
        label="Where its workspaces run"
        description="Unless they say otherwise. Nothing runs on this server: clients ask what is said here."
        data={[
          { value: "", label: "As the organization says" },
          { value: "remote", label: "remote" },
          { value: "local", label: "local" },
        ]}
        allowDeselect={false}
        {...form.getInputProps("mode")}
      />
      <TextInput
        label="Destroy its workspaces’ resources when nothing happens for"
        description="Hours or days. It is kept for clients, and does nothing here."
        placeholder="14d"
        {...form.getInputProps("inactivity")}
      />
    </>
  ),
};
