import { BODY_FLAGS } from "../body.ts";
import { edit } from "../edit.ts";
import { objectOf } from "../kit/answers.ts";
import { attributeEditing } from "../kit/edit-v2.ts";
import { attribute, documentOf, LIMIT, readOrganization, shownBy } from "../kit/v2.ts";
import { queryOf } from "../kit/v1.ts";
import type { Flag, Noun, Verb } from "../spec.ts";

const SHOWN = shownBy([
  attribute("Name", "name"),
  attribute("Email", "email"),
  attribute("Created", "created-at"),
  attribute("External ID", "external-id", true),
]);

const NAME = { name: "name", help: "Organization name.", complete: "organization" } as const;
const FLAGS: readonly Flag[] = [{ name: "email", value: "ADDRESS", member: "email", help: "Contact email address." }];

const list: Verb = {
  name: "list",
  summary: "List organizations.",
  operations: ["listOrganizations"],
  flags: [LIMIT, { name: "search", value: "TEXT", query: "q", help: "Filter by name or email address (substring)." }],
  async run(call) {
    await call.out.list(call.pages("listOrganizations", { query: queryOf(call) }), SHOWN);
  },
};

const get: Verb = {
  name: "get",
  summary: "Show an organization.",
  operations: ["readOrganization"],
  args: [NAME],
  async run(call) {
    await call.out.item(await readOrganization(call, call.arg("name")), SHOWN);
  },
};

const create: Verb = {
  name: "create",
  summary: "Create an organization.",
  operations: ["createOrganization"],
  args: [{ name: "name", help: "Organization name." }],
  flags: [...FLAGS, ...BODY_FLAGS],
  needs: ["email"],
  async run(call) {
    const body = await documentOf(call, "organizations", { attributes: { name: call.arg("name") } });
    const answer = await call.write("createOrganization", { body });
    if (answer !== undefined) await call.out.item(objectOf(answer), SHOWN);
  },
};

const update: Verb = {
  name: "update",
  summary: "Update the given attributes. Other attributes are not changed.",
  operations: ["updateOrganization"],
  args: [NAME],
  flags: [{ name: "name", value: "NAME", member: "name", help: "New name." }, ...FLAGS, ...BODY_FLAGS],
  async run(call) {
    const body = await documentOf(call, "organizations");
    const answer = await call.write("updateOrganization", { path: { organization_name: call.arg("name") }, body });
    if (answer !== undefined) await call.out.item(objectOf(answer), SHOWN);
  },
};

const replace: Verb = {
  name: "replace",
  summary: "Send PUT instead of PATCH.",
  hidden: true,
  operations: ["replaceOrganization"],
  args: [NAME],
  flags: [...FLAGS, ...BODY_FLAGS],
  async run(call) {
    const body = await documentOf(call, "organizations");
    const answer = await call.write("replaceOrganization", { path: { organization_name: call.arg("name") }, body });
    if (answer !== undefined) await call.out.item(objectOf(answer), SHOWN);
  },
};

const change: Verb = {
  name: "edit",
  summary: "Edit the attributes in $EDITOR, review the diff and save.",
  operations: ["readOrganization", "updateOrganization"],
  args: [NAME],
  async run(call) {
    const path = { organization_name: call.arg("name") };
    await edit(call, {
      title: `organization ${call.arg("name")}`,
      ...attributeEditing(
        call,
        "organizations",
        "updateOrganization",
        () => call.read("readOrganization", { path }),
        path,
      ),
    });
  },
};

const remove: Verb = {
  name: "delete",
  summary: "Delete an organization and everything in it.",
  operations: ["readOrganization", "deleteOrganization"],
  args: [NAME],
  async run(call) {
    const path = { organization_name: call.arg("name") };
    await readOrganization(call, path.organization_name);
    await call.confirm("Delete this organization and its projects, workspaces and tags?", [path.organization_name]);
    if ((await call.write("deleteOrganization", { path })) !== undefined)
      await call.out.note(`Deleted organization ${path.organization_name}.`);
  },
};

const entitlements: Verb = {
  name: "entitlements",
  summary: "Show the entitlements of an organization.",
  operations: ["readEntitlementSet"],
  args: [NAME],
  async run(call) {
    await call.out.value(
      objectOf(await call.read("readEntitlementSet", { path: { organization_name: call.arg("name") } })),
    );
  },
};

export const noun: Noun = {
  name: "organization",
  summary: "Organizations: owners of projects, workspaces and tags.",
  verbs: [list, get, create, update, change, remove, entitlements, replace],
};
