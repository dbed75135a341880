import { BODY_FLAGS } from "../body.ts";
import type { Call } from "../spec.ts";
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
  projectId,
  readWorkspace,
  shownBy,
  TAGGED_FLAGS,
  tagLinks,
  workspaceId,
  workspacePath,
} from "../kit/v2.ts";
import type { Flag, Noun, Verb } from "../spec.ts";
import { WORKSPACE, workspaceActions } from "./workspace-actions.ts";

/** How workspaces are shown. */
export const WORKSPACES = shownBy(
  [
    attribute("Name", "name"),
    attribute("Tags", "tag-names"),
    attribute("Locked", "locked"),
    { title: "ID", value: "id" },
    attribute("Description", "description", true),
    attribute("Updated", "updated-at", true),
  ],
  "attributes.name",
);

const FLAGS: readonly Flag[] = [
  { name: "description", value: "TEXT", member: "description", help: "Description." },
  { name: "project", value: "NAME", help: "Project name or ID.", complete: "project" },
];

const list: Verb = {
  name: "list",
  summary: "List the workspaces of an organization.",
  operations: ["listWorkspaces"],
  flags: [
    LIMIT,
    { name: "search", value: "TEXT", query: "search[name]", help: "Filter by name (substring)." },
    {
      name: "match",
      value: "PATTERN",
      query: "search[wildcard-name]",
      help: "Filter by name pattern, for example prod-*.",
    },
    { name: "tags", value: "A,B", query: "search[tags]", help: "Only workspaces with all of these tags." },
    { name: "exclude-tags", value: "A,B", query: "search[exclude-tags]", help: "Only workspaces without these tags." },
    ...TAGGED_FLAGS,
    { name: "project", value: "NAME", help: "Only workspaces of this project.", complete: "project" },
    {
      name: "sort",
      value: "ORDER",
      query: "sort",
      help: "Sort order, for example name or -updated-at. Prefix with - for descending order.",
    },
  ],
  async run(call) {
    const query = queryOf(call);
    const project = call.flag("project");
    if (project !== undefined) query["filter[project][id]"] = await projectId(call, project);
    await call.out.list(
      call.pages("listWorkspaces", { path: { organization_name: call.organization() }, query }),
      WORKSPACES,
    );
  },
};

const get: Verb = {
  name: "get",
  summary: "Show a workspace.",
  operations: ["readWorkspace", "readWorkspaceByName"],
  args: [WORKSPACE],
  async run(call) {
    await call.out.item(await readWorkspace(call, call.arg("workspace")), WORKSPACES);
  },
};

const create: Verb = {
  name: "create",
  summary: "Create a workspace.",
  operations: ["createWorkspace"],
  args: [{ name: "name", help: "Workspace name." }],
  flags: [
    ...FLAGS,
    {
      name: "tag",
      value: "NAME",
      many: true,
      help: "Tag to add. Repeatable.",
      complete: "tag",
    },
    ...BODY_FLAGS,
  ],
  async run(call) {
    const tags = call.flagList("tag");
    const relationships = {
      ...(await projectLink(call)),
      ...(tags.length === 0 ? {} : { tags: { data: await tagLinks(call, tags) } }),
    };
    const body = await documentOf(call, "workspaces", { attributes: { name: call.arg("name") }, relationships });
    const answer = await call.write("createWorkspace", { path: { organization_name: call.organization() }, body });
    if (answer !== undefined) await call.out.item(objectOf(answer), WORKSPACES);
  },
};

const update: Verb = {
  name: "update",
  summary: "Update the given attributes. Other attributes are not changed.",
  operations: ["updateWorkspace", "updateWorkspaceByName"],
  args: [WORKSPACE],
  flags: [{ name: "name", value: "NAME", member: "name", help: "New name." }, ...FLAGS, ...BODY_FLAGS],
  async run(call) {
    const path = await workspacePath(call, call.arg("workspace"));
    const body = await documentOf(call, "workspaces", { relationships: await projectLink(call) });
    const answer = await call.write("workspace_id" in path ? "updateWorkspace" : "updateWorkspaceByName", {
      path,
      body,
    });
    if (answer !== undefined) await call.out.item(objectOf(answer), WORKSPACES);
  },
};

async function projectLink(call: Call): Promise<Record<string, unknown>> {
  const project = call.flag("project");
  return project === undefined ? {} : { project: { data: { type: "projects", id: await projectId(call, project) } } };
}

const change: Verb = {
  name: "edit",
  summary: "Edit the attributes in $EDITOR, review the diff and save.",
  operations: ["readWorkspace", "updateWorkspace"],
  args: [WORKSPACE],
  async run(call) {
    const path = { workspace_id: await workspaceId(call, call.arg("workspace")) };
    const read = () => call.read("readWorkspace", { path });
    await edit(call, {
      title: `workspace ${call.arg("workspace")}`,
      ...attributeEditing(call, "workspaces", "updateWorkspace", read, path),
    });
  },
};

const tags: Verb = {
  name: "tags",
  summary: "List the tags of a workspace.",
  operations: ["listWorkspaceTags"],
  args: [WORKSPACE],
  flags: [LIMIT],
  async run(call) {
    const path = { workspace_id: await workspaceId(call, call.arg("workspace")) };
    await call.out.list(
      call.pages("listWorkspaceTags", { path }),
      shownBy([attribute("Name", "name"), { title: "ID", value: "id" }], "attributes.name"),
    );
  },
};

const consumers: Verb = {
  name: "consumers",
  summary: "List or change the remote state consumers of a workspace.",
  operations: [
    "listRemoteStateConsumers",
    "addRemoteStateConsumers",
    "removeRemoteStateConsumers",
    "replaceRemoteStateConsumers",
  ],
  args: [WORKSPACE],
  flags: [
    LIMIT,
    {
      name: "add",
      value: "NAME",
      many: true,
      help: "Add this workspace. Repeatable.",
      complete: "workspace",
    },
    {
      name: "remove",
      value: "NAME",
      many: true,
      help: "Remove this workspace. Repeatable.",
      complete: "workspace",
    },
    {
      name: "replace",
      value: "NAME",
      many: true,
      help: "Replace all consumers with this workspace. Repeatable.",
      complete: "workspace",
    },
  ],
  async run(call) {
    const path = { workspace_id: await workspaceId(call, call.arg("workspace")) };
    for (const [flag, operation] of [
      ["replace", "replaceRemoteStateConsumers"],
      ["add", "addRemoteStateConsumers"],
      ["remove", "removeRemoteStateConsumers"],
    ] as const) {
      const ids: string[] = [];
      for (const text of call.flagList(flag)) ids.push(await workspaceId(call, text));
      if (ids.length > 0) await call.write(operation, { path, body: { data: linksTo("workspaces", ids) } });
    }
    if (call.flags.dryRun !== true) await call.out.list(call.pages("listRemoteStateConsumers", { path }), WORKSPACES);
  },
};

export const noun: Noun = {
  name: "workspace",
  summary: "Workspaces: tags, locks and remote state consumers.",
  verbs: [list, get, create, update, change, ...workspaceActions, tags, ...bindingVerbs("workspace"), consumers],
};
