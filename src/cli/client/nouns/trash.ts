/** Commands for deleted objects of access control. */
import { plain } from "../output/values.ts";
import { each, listOf, objectOf } from "../kit/answers.ts";
import { queryOf, shownAs } from "../kit/v1.ts";
import { membersOf } from "../body.ts";
import type { Item } from "../output/types.ts";
import type { Noun, Verb } from "../spec.ts";

const ENTRY = shownAs({
  columns: [
    { title: "ID", value: "ID" },
    { title: "Kind", value: "Kind" },
    { title: "Name", value: "Name" },
    { title: "Deleted", value: "DeleteTime" },
    { title: "Deleted by", value: "DeletedBy" },
    { title: "Expires", value: "ExpirationTime" },
    { title: "Object ID", value: "ObjectID", wide: true },
  ],
  idMember: "ID",
  nameMember: "ID",
});

const RESTORED = shownAs({
  columns: [
    { title: "Kind", value: "Kind" },
    { title: "ID", value: "ID" },
    { title: "Name", value: "Name" },
    { title: "SecretID", value: "SecretID" },
  ],
  idMember: "ID",
  nameMember: "Name",
});

const list: Verb = {
  name: "list",
  summary: "List deleted objects that can be restored, latest deletion first.",
  operations: ["listTrash"],
  async run(call) {
    await call.out.list(each(listOf(await call.read("listTrash", { query: queryOf(call) }))), ENTRY);
  },
};

const restore: Verb = {
  name: "restore",
  summary: "Restore a deleted object. A token gets a new secret.",
  operations: ["restoreFromTrash"],
  args: [{ name: "entry", help: "ID of the entry, from tessera trash list." }],
  flags: [{ name: "name", value: "NAME", member: "Name", help: "New name. Default: the original name." }],
  async run(call) {
    const input = { path: { id: call.arg("entry") }, query: queryOf(call), body: await membersOf(call) };
    const answer = await call.write("restoreFromTrash", input);
    if (answer === undefined) return;
    const restored = objectOf(answer);
    for (const link of (restored["LeftOut"] ?? []) as readonly Item[]) {
      await call.out.warn(
        `Restored without ${plain(link["Kind"], "")} ${plain(link["Name"] || link["ID"], "")}, which was deleted.`,
      );
    }
    await call.out.item(restored, RESTORED);
  },
};

export const noun: Noun = {
  name: "trash",
  summary: "Deleted objects of access control: list and restore them.",
  verbs: [list, restore],
};
