/** A new workspace. */
import { TextInput } from "@mantine/core";
import { useSearch } from "@tanstack/react-router";
import type { Search } from "../../base/address.ts";
import { usePlace } from "../../base/place.ts";
import { FormScreen } from "../../kit/form-screen.tsx";
import { ORGANIZATION_WRITE } from "../../kit/rights.ts";
import { flagsOf, textFlag, type Members, type Plan } from "../../kit/plan.ts";
import { ProjectInput } from "../projects/project-input.tsx";
import { TagsByName } from "../tags/tags-by-name.tsx";
import * as texts from "../../texts/workspaces.ts";
import { screenNames } from "../../texts/names.ts";

interface Values {
  readonly name: string;
  readonly description: string;
  readonly tags: readonly string[];
  /** Its ID; empty for the default one. */
  readonly project: string;
}

/** The screen that makes one. */
export function WorkspaceCreate() {
  const place = usePlace();
  const { project = "" } = useSearch({ strict: false }) as Search;
  const up = { to: place.path("workspaces"), title: screenNames.workspaces.workspaces };
  return (
    <FormScreen<Values>
      title={screenNames.workspaces.newWorkspace}
      up={up}
      write={ORGANIZATION_WRITE}
      initial={{ name: "", description: "", tags: [], project }}
      validate={({ name }) => (/^[\w-]{1,90}$/.test(name.trim()) ? {} : { name: texts.nameInvalid })}
      fields={(form) => (
        <>
          <TextInput
            label={texts.name}
            placeholder={texts.nameExample}
            data-autofocus
            {...form.getInputProps("name")}
          />
          <TextInput label={texts.description} {...form.getInputProps("description")} />
          <TagsByName
            label={texts.tags}
            description={texts.newTagsHint}
            {...form.getInputProps("tags")}
            value={form.values.tags}
          />
          <ProjectInput
            placeholder={texts.defaultProject}
            value={form.values.project}
            onChange={(id) => form.setFieldValue("project", id)}
          />
        </>
      )}
      members={({ name, ...rest }) => ({ name: name.trim(), ...rest })}
      plan={(members) => createPlan(place.organization ?? "", members)}
      object={(_answer, { name }) => ({ name: texts.workspaceNamed(name.trim()) })}
      saved={(answer) => place.path("workspaces", (answer as { data: { id: string } }).data.id)}
      saveLabel={texts.createWorkspace}
    />
  );
}

function createPlan(organization: string, { name, description, tags, project }: Members): Plan {
  const names = tags as readonly string[];
  const home = project === "" ? undefined : String(project);
  const relationships = {
    ...(names.length === 0
      ? {}
      : { tags: { data: names.map((each) => ({ type: "tags", attributes: { name: each } })) } }),
    ...(home === undefined ? {} : { project: { data: { type: "projects", id: home } } }),
  };
  const said = description === "" ? {} : { description: String(description) };
  return {
    operation: "createWorkspace",
    path: { organization_name: organization },
    body: {
      data: {
        type: "workspaces",
        attributes: { name, ...said },
        ...(Object.keys(relationships).length === 0 ? {} : { relationships }),
      },
    },
    command: [
      "workspace",
      "create",
      String(name),
      ...flagsOf(said, { description: textFlag("description") }),
      ...names.flatMap((each) => ["--tag", each]),
      ...(home === undefined ? [] : ["--project", home]),
    ],
    terraform: {
      type: "tfe_workspace",
      name: String(name),
      attributes: {
        name: String(name),
        organization,
        ...said,
        project_id: home,
        tag_names: names.length === 0 ? undefined : names,
      },
    },
  };
}
