import { BODY_FLAGS } from "../body.ts";
import { edit } from "../edit.ts";
import { objectOf } from "../kit/answers.ts";
import { bindingVerbs } from "../kit/bindings.ts";
import { attributeEditing } from "../kit/edit-v2.ts";
import { queryOf } from "../kit/v1.ts";
import {
  attribute,
  documentOf,
  LIMIT,
  linksTo,
  namedLine,
  projectId,
  readProject,
  shownBy,
  TAGGED_FLAGS,
  warnOfPart,
  workspaceId,
} from "../kit/v2.ts";
import type { Argument, Flag, Noun, Verb } from "../spec.ts";
import { counted } from "../output/counted.ts";

const SHOWN = shownBy(
  [
    attribute("Name", "name"),
    attribute("Workspaces", "workspace-count"),
    attribute("Description", "description"),
    { title: "ID", value: "id" },
    attribute("Created", "created-at", true),
  ],
  "attributes.name",
);
const PROJECT: Argument = {
  name: "project",
  help: "Project name or ID, or a unique prefix of the ID (prj- and at least four characters).",
  complete: "project",
};
const FLAGS: readonly Flag[] = [{ name: "description", value: "TEXT", member: "description", help: "Description." }];

const list: Verb = {
  name: "list",
  summary: "List the projects of an organization.",
  operations: ["listProjects"],
  flags: [
    LIMIT,
    { name: "search", value: "TEXT", query: "q", help: "Filter by name (substring)." },
    ...TAGGED_FLAGS,
    { name: "sort", value: "ORDER", query: "sort", help: "Sort by name. Prefix with - for descending order." },
  ],
  async run(call) {
    await call.out.list(
      // People look for a name, and pages by names stay as they are while others are made.
      call.pages("listProjects", {
        path: { organization_name: call.organization() },
        query: { sort: "name", ...queryOf(call) },
      }),
      SHOWN,
    );
  },
};

const get: Verb = {
  name: "get",
  summary: "Show a project.",
  operations: ["readProject", "listProjects"],
  args: [PROJECT],
  async run(call) {
    await call.out.item(await readProject(call, call.arg("project")), SHOWN);
  },
};

const create: Verb = {
  name: "create",
  summary: "Create a project.",
  operations: ["createProject"],
  args: [{ name: "name", help: "Project name." }],
  flags: [...FLAGS, ...BODY_FLAGS],
  async run(call) {
    const body = await documentOf(call, "projects", { attributes: { name: call.arg("name") } });
    const answer = await call.write("createProject", { path: { organization_name: call.organization() }, body });
    if (answer !== undefined) await call.out.item(objectOf(answer), SHOWN);
  },
};

const update: Verb = {
  name: "update",
  summary: "Update the given attributes. Other attributes are not changed.",
  operations: ["updateProject"],
  args: [PROJECT],
  flags: [{ name: "name", value: "NAME", member: "name", help: "New name." }, ...FLAGS, ...BODY_FLAGS],
  async run(call) {
    const project_id = await projectId(call, call.arg("project"));
    const answer = await call.write("updateProject", {
      path: { project_id },
      body: await documentOf(call, "projects"),
    });
    if (answer !== undefined) await call.out.item(objectOf(answer), SHOWN);
  },
};

const change: Verb = {
  name: "edit",
  summary: "Edit the attributes in $EDITOR, review the diff and save.",
  operations: ["readProject", "updateProject"],
  args: [PROJECT],
  async run(call) {
    const path = { project_id: await projectId(call, call.arg("project")) };
    const read = () => call.read("readProject", { path });
    await edit(call, {
      title: `project ${call.arg("project")}`,
      ...attributeEditing(call, "projects", "updateProject", read, path),
    });
  },
};

const remove: Verb = {
  name: "delete",
  summary: "Delete a project that has no workspaces.",
  operations: ["readProject", "deleteProject"],
  args: [PROJECT],
  async run(call) {
    const project = await readProject(call, call.arg("project"));
    await warnOfPart(call, "project", call.arg("project"), namedLine(project));
    await call.confirm("Delete this project?", [namedLine(project)]);
    if ((await call.write("deleteProject", { path: { project_id: String(project["id"]) } })) !== undefined)
      await call.out.note(`Deleted project ${namedLine(project)}.`);
  },
};

const move: Verb = {
  name: "move-workspaces",
  summary: "Move workspaces into a project.",
  operations: ["moveWorkspaces"],
  args: [PROJECT, { name: "workspace", help: "Workspace names or IDs.", many: true, complete: "workspace" }],
  async run(call) {
    const path = { project_id: await projectId(call, call.arg("project")) };
    const ids: string[] = [];
    for (const text of call.args("workspace")) ids.push(await workspaceId(call, text));
    const answer = await call.write("moveWorkspaces", { path, body: { data: linksTo("workspaces", ids) } });
    if (answer !== undefined)
      await call.out.note(`Moved ${counted(ids.length, "workspace")} into project ${call.arg("project")}.`);
  },
};

export const noun: Noun = {
  name: "project",
  summary: "Projects: groups of workspaces.",
  verbs: [list, get, create, update, change, remove, move, ...bindingVerbs("project")],
};
