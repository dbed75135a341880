import { usage } from "../exit.ts";
import { objectOf } from "../kit/answers.ts";
import { queryOf } from "../kit/v1.ts";
import {
  attribute,
  LIMIT,
  linksTo,
  namedLine,
  readTag,
  shownBy,
  tagId,
  tagLinks,
  warnOfPart,
  workspaceId,
} from "../kit/v2.ts";
import { at } from "../output/values.ts";
import type { Argument, Noun, Verb } from "../spec.ts";
import { tagFileVerbs } from "./tag-files.ts";
import { tagJobVerbs } from "./tag-jobs.ts";
import { tagRuleVerbs } from "./tag-rules.ts";
import { counted } from "../output/counted.ts";

const SHOWN = shownBy(
  [
    attribute("Name", "name"),
    attribute("Used", "instance-count"),
    { title: "ID", value: "id" },
    attribute("Created", "created-at", true),
  ],
  "attributes.name",
);
const TAG: Argument = {
  name: "tag",
  help: "Tag name or ID, or a unique prefix of the ID (tag- and at least four characters).",
  complete: "tag",
};
const TAGS: Argument = { name: "tag", help: "Tag names or IDs.", many: true, complete: "tag" };

const list: Verb = {
  name: "list",
  summary: "List the tags of an organization.",
  operations: ["listTags"],
  flags: [
    LIMIT,
    { name: "search", value: "TEXT", query: "q", help: "Filter by name (substring)." },
    { name: "unused", query: "filter[unused]", help: "Only unused tags." },
    {
      name: "used-from",
      value: "N",
      query: "filter[instance-count][gte]",
      help: "Only tags used at least N times.",
    },
    {
      name: "used-to",
      value: "N",
      query: "filter[instance-count][lte]",
      help: "Only tags used at most N times.",
    },
    {
      name: "sort",
      value: "ORDER",
      query: "sort",
      help: "Sort by name, instance-count or created-at. Prefix with - for descending order.",
    },
  ],
  async run(call) {
    await call.out.list(
      call.pages("listTags", { path: { organization_name: call.organization() }, query: queryOf(call) }),
      SHOWN,
    );
  },
};

const get: Verb = {
  name: "get",
  summary: "Show a tag.",
  operations: ["readTag", "listTags"],
  args: [TAG],
  async run(call) {
    await call.out.item(await readTag(call, call.arg("tag")), SHOWN);
  },
};

const create: Verb = {
  name: "create",
  summary: "Create tags (atomic).",
  operations: ["createTags"],
  args: [{ name: "name", help: "Tag names.", many: true }],
  async run(call) {
    const input = {
      path: { organization_name: call.organization() },
      body: { data: call.args("name").map((name) => ({ type: "tags", attributes: { name } })) },
    };
    const answer = await call.write("createTags", input);
    if (answer !== undefined)
      await call.out.list(
        call.pages("listTags", {
          path: input.path,
          query: { q: call.args("name").length === 1 ? call.args("name")[0] : undefined },
        }),
        SHOWN,
      );
  },
};

const rename: Verb = {
  name: "rename",
  summary: "Rename a tag.",
  operations: ["renameTag"],
  args: [TAG, { name: "name", help: "New name." }],
  async run(call) {
    const path = { tag_id: await tagId(call, call.arg("tag")) };
    const answer = await call.write("renameTag", {
      path,
      body: { data: { type: "tags", attributes: { name: call.arg("name") } } },
    });
    if (answer !== undefined) await call.out.item(objectOf(answer), SHOWN);
  },
};

const remove: Verb = {
  name: "delete",
  summary: "Delete tags and remove them from all workspaces and projects.",
  operations: ["readTag", "deleteTags"],
  args: [TAGS],
  async run(call) {
    const found: { id: string; line: string }[] = [];
    for (const text of call.args("tag")) {
      const tag = await readTag(call, text);
      const uses = Number(at(tag, "attributes.instance-count"));
      const line = `${namedLine(tag)}, on ${uses} ${uses === 1 ? "workspace" : "workspaces"}`;
      found.push({ id: String(tag["id"]), line });
      await warnOfPart(call, "tag", text, line);
    }
    await call.confirm(
      `Delete ${found.length === 1 ? "this tag and remove it" : `these ${found.length} tags and remove them`} from all workspaces and projects?`,
      found.map(({ line }) => line),
    );
    const body = {
      data: linksTo(
        "tags",
        found.map(({ id }) => id),
      ),
    };
    const answer = await call.write("deleteTags", { path: { organization_name: call.organization() }, body });
    if (answer !== undefined) await call.out.note(`Deleted ${counted(found.length, "tag")}.`);
  },
};

const attach: Verb = {
  name: "attach",
  summary: "Add tags to workspaces.",
  operations: ["addTagWorkspaces", "addWorkspaceTags"],
  args: [{ ...TAGS, help: "Tag names or IDs." }],
  flags: [
    {
      name: "workspace",
      value: "NAME",
      many: true,
      help: "Workspace name or ID. Required. Repeatable.",
      complete: "workspace",
    },
  ],
  run: async (call) => attachOrDetach(call, "add"),
};

const detach: Verb = {
  name: "detach",
  summary: "Remove tags from workspaces.",
  operations: ["removeTagWorkspaces", "removeWorkspaceTags"],
  args: attach.args ?? [],
  flags: attach.flags ?? [],
  run: async (call) => attachOrDetach(call, "remove"),
};

async function attachOrDetach(call: Parameters<Verb["run"]>[0], what: "add" | "remove"): Promise<void> {
  const ids: string[] = [];
  for (const text of call.flagList("workspace")) ids.push(await workspaceId(call, text));
  const [only] = ids;
  if (only === undefined) throw usage("specify the workspaces with --workspace NAME");
  if (ids.length === 1) {
    await call.write(`${what}WorkspaceTags`, {
      path: { workspace_id: only },
      body: { data: await tagLinks(call, call.args("tag")) },
    });
    return;
  }
  for (const text of call.args("tag")) {
    await call.write(`${what}TagWorkspaces`, {
      path: { tag_id: await tagId(call, text) },
      body: { data: linksTo("workspaces", ids) },
    });
  }
}

const workspaces: Verb = {
  name: "workspaces",
  summary: "List the workspaces with a tag.",
  operations: ["listTagWorkspaces"],
  args: [TAG],
  flags: [LIMIT],
  async run(call) {
    const path = { tag_id: await tagId(call, call.arg("tag")) };
    await call.out.list(
      call.pages("listTagWorkspaces", { path }),
      shownBy([attribute("Name", "name"), { title: "ID", value: "id" }], "attributes.name"),
    );
  },
};

const alike: Verb = {
  name: "alike",
  summary: "List duplicates: tag names that differ only by case, separators or plural.",
  operations: ["listAlikeTags"],
  flags: [LIMIT],
  async run(call) {
    const columns = [
      {
        title: "Duplicates",
        value: (item: object) =>
          (at(item, "attributes.tags") as { name: string; "instance-count": number }[]).map(
            (tag) => `${tag.name} (${tag["instance-count"]})`,
          ),
      },
      { title: "Keep", value: "relationships.keep.data.id" },
    ];
    await call.out.list(
      call.pages("listAlikeTags", { path: { organization_name: call.organization() } }),
      shownBy(columns),
    );
  },
};

const bindings: Verb = {
  name: "bindings",
  summary: "List the tag keys and values of all workspaces and projects.",
  operations: ["listTagBindings"],
  flags: [
    LIMIT,
    { name: "key", value: "KEY", query: "filter[tagged][0][key]", help: "Filter by tag key." },
    { name: "value", value: "VALUE", query: "filter[tagged][0][value]", help: "Filter by tag value." },
    {
      name: "of",
      value: "workspaces|projects",
      query: "filter[taggable-type]",
      help: "Filter by type of the tagged object.",
    },
  ],
  async run(call) {
    const columns = [attribute("Key", "key"), attribute("Value", "value"), { title: "ID", value: "id" }];
    await call.out.list(
      call.pages("listTagBindings", { path: { organization_name: call.organization() }, query: queryOf(call) }),
      shownBy(columns, "attributes.key"),
    );
  },
};

export const noun: Noun = {
  name: "tag",
  summary: "Tags: list, create, attach, merge, export and tag policy.",
  verbs: [
    list,
    get,
    create,
    rename,
    remove,
    attach,
    detach,
    workspaces,
    alike,
    bindings,
    ...tagJobVerbs,
    ...tagFileVerbs,
    ...tagRuleVerbs,
  ],
};
