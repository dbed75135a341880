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

const NAME = { name: "name", help: "Its name.", complete: "organization" } as const;
const FLAGS: readonly Flag[] = [{ name: "email", value: "ADDRESS", member: "email", help: "Of who runs it." }];

const list: Verb = {
  name: "list",
  summary: "List organizations.",
  operations: ["listOrganizations"],
  flags: [LIMIT, { name: "search", value: "TEXT", query: "q", help: "Only those whose name or address holds this." }],
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
  args: [{ name: "name", help: "Its name." }],
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
  summary: "Change the attributes that are given, and no others.",
  operations: ["updateOrganization"],
  args: [NAME],
  flags: [{ name: "name", value: "NAME", member: "name", help: "Another name." }, ...FLAGS, ...BODY_FLAGS],
  async run(call) {
    const body = await documentOf(call, "organizations");
    const answer = await call.write("updateOrganization", { path: { organization_name: call.arg("name") }, body });
    if (answer !== undefined) await call.out.item(objectOf(answer), SHOWN);
  },
};

const replace: Verb = {
  name: "replace",
  summary: "The same by PUT, as some clients send it.",
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
  summary: "Open its attributes in $EDITOR, show the difference, and write it.",
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
  summary: "Delete an organization, with all that lies in it.",
  operations: ["readOrganization", "deleteOrganization"],
  args: [NAME],
  async run(call) {
    const path = { organization_name: call.arg("name") };
    await readOrganization(call, path.organization_name);
    await call.confirm("Delete this organization, with its projects, workspaces and tags?", [path.organization_name]);
    if ((await call.write("deleteOrganization", { path })) !== undefined)
      await call.out.note(`deleted ${path.organization_name}`);
  },
};

const entitlements: Verb = {
  name: "entitlements",
  summary: "Show what an organization may use.",
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
  summary: "Organizations, under which tags and workspaces lie.",
  verbs: [list, get, create, update, change, remove, entitlements, replace],
};
