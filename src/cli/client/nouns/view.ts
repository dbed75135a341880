/** Commands for saved views of lists. */
import { BODY_FLAGS, membersOf } from "../body.ts";
import { each, listOf, objectOf } from "../kit/answers.ts";
import { queryOf, shownAs } from "../kit/v1.ts";
import type { Flag, Noun, Verb } from "../spec.ts";

const SHOWN = shownAs({
  columns: [
    { title: "ID", value: "ID" },
    { title: "Name", value: "Name" },
    { title: "List", value: "List" },
    { title: "Shared", value: "Shared" },
    { title: "Sort", value: "Sort" },
    { title: "Index", value: "ModifyIndex", wide: true },
  ],
  idMember: "ID",
  nameMember: "Name",
});

const LIST_NOUN = "List of the console that the view is for, for example roles.";
const MEMBERS: readonly Flag[] = [
  { name: "list", value: "NOUN", member: "List", help: LIST_NOUN },
  { name: "sort", value: "[-]MEMBER", member: "Sort", help: "Sort by this field. Prefix with - for descending order." },
  { name: "shared", member: "Shared", help: "The view is shared in the namespace." },
  ...BODY_FLAGS,
];
const ID = { name: "view", help: "View ID." };

const list: Verb = {
  name: "list",
  summary: "List your saved views. With acl:read: also the shared views of the namespace.",
  operations: ["listViews"],
  flags: [{ name: "list", value: "NOUN", query: "list", help: LIST_NOUN }],
  async run(call) {
    await call.out.list(each(listOf(await call.read("listViews", { query: queryOf(call) }))), SHOWN);
  },
};

const create: Verb = {
  name: "create",
  summary: "Save a view of a list.",
  operations: ["createView"],
  args: [{ name: "name", help: "View name." }],
  flags: MEMBERS,
  needs: ["List"],
  async run(call) {
    const body = { ...(await membersOf(call)), Name: call.arg("name") };
    const answer = await call.write("createView", { body, query: queryOf(call) });
    if (answer !== undefined) await call.out.item(objectOf(answer), SHOWN);
  },
};

const replace: Verb = {
  name: "replace",
  summary: "Replace a saved view.",
  operations: ["replaceView"],
  args: [ID],
  flags: [{ name: "name", value: "NAME", member: "Name", help: "View name." }, ...MEMBERS],
  needs: ["Name", "List"],
  async run(call) {
    const input = { path: { id: call.arg("view") }, body: await membersOf(call), query: queryOf(call) };
    const answer = await call.write("replaceView", input);
    if (answer !== undefined) await call.out.item(objectOf(answer), SHOWN);
  },
};

const remove: Verb = {
  name: "delete",
  summary: "Delete a saved view.",
  operations: ["deleteView"],
  args: [ID],
  async run(call) {
    const id = call.arg("view");
    await call.confirm("Delete this view?", [id]);
    const answer = await call.write("deleteView", { path: { id }, query: queryOf(call) });
    if (answer !== undefined) await call.out.note(`Deleted view ${id}.`);
  },
};

export const noun: Noun = {
  name: "view",
  summary: "Saved views: named searches, filters, sort orders and columns of a list.",
  verbs: [list, create, replace, remove],
};
