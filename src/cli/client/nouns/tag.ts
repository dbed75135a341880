import { usage } from "../exit.ts";
import { objectOf } from "../kit/answers.ts";
import { queryOf } from "../kit/v1.ts";
import { attribute, LIMIT, linksTo, namedLine, readTag, shownBy, tagId, tagLinks, workspaceId } from "../kit/v2.ts";
import { at } from "../output/values.ts";
import type { Argument, Noun, Verb } from "../spec.ts";
import { tagFileVerbs } from "./tag-files.ts";
import { tagJobVerbs } from "./tag-jobs.ts";
import { tagRuleVerbs } from "./tag-rules.ts";

const SHOWN = shownBy(
  [
    attribute("Name", "name"),
    attribute("Used", "instance-count"),
    { title: "ID", value: "id" },
    attribute("Created", "created-at", true),
  ],
  "attributes.name",
);
const TAG: Argument = { name: "tag", help: "Its name or ID.", complete: "tag" };
const TAGS: Argument = { name: "tag", help: "Their names or IDs.", many: true, complete: "tag" };

const list: Verb = {
  name: "list",
  summary: "List the tags of an organization.",
  operations: ["listTags"],
  flags: [
    LIMIT,
    { name: "search", value: "TEXT", query: "q", help: "Only those whose name holds this." },
    { name: "unused", query: "filter[unused]", help: "Only those that nothing has." },
    {
      name: "used-from",
      value: "N",
      query: "filter[instance-count][gte]",
      help: "Only those that so many have, or more.",
    },
    {
      name: "used-to",
      value: "N",
      query: "filter[instance-count][lte]",
      help: "Only those that so many have, or fewer.",
    },
    {
      name: "sort",
      value: "ORDER",
      query: "sort",
      help: "name, instance-count or created-at; with - in front backwards.",
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
  summary: "Create tags, all or none.",
  operations: ["createTags"],
  args: [{ name: "name", help: "Their names.", many: true }],
  async run(call) {
    const input = { path: { organization_name: call.organization() }, body: { data: tagLinks(call.args("name")) } };
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
  summary: "Give a tag another name.",
  operations: ["renameTag"],
  args: [TAG, { name: "name", help: "The new name." }],
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
  summary: "Delete tags, and take them off all that have them.",
  operations: ["readTag", "deleteTags"],
  args: [TAGS],
  async run(call) {
    const found: { id: string; line: string }[] = [];
    for (const text of call.args("tag")) {
      const tag = await readTag(call, text);
      found.push({
        id: String(tag["id"]),
        line: `${namedLine(tag)}, on ${String(at(tag, "attributes.instance-count"))}`,
      });
    }
    await call.confirm(
      `Delete ${found.length === 1 ? "this tag" : `these ${found.length} tags`}, from all that has them?`,
      found.map(({ line }) => line),
    );
    const body = {
      data: linksTo(
        "tags",
        found.map(({ id }) => id),
      ),
    };
    const answer = await call.write("deleteTags", { path: { organization_name: call.organization() }, body });
    if (answer !== undefined) await call.out.note(`deleted ${found.length}`);
  },
};

const attach: Verb = {
  name: "attach",
  summary: "Give workspaces a tag, or a workspace tags (--workspace).",
  operations: ["addTagWorkspaces", "addWorkspaceTags"],
  args: [{ ...TAGS, help: "One tag with several --workspace, or several tags with one." }],
  flags: [
    {
      name: "workspace",
      value: "NAME",
      many: true,
      help: "What it goes on, by name or ID; may be given several times.",
      complete: "workspace",
    },
  ],
  run: async (call) => attachOrDetach(call, "add"),
};

const detach: Verb = {
  name: "detach",
  summary: "Take a tag from workspaces, or tags from a workspace (--workspace).",
  operations: ["removeTagWorkspaces", "removeWorkspaceTags"],
  args: attach.args ?? [],
  flags: attach.flags ?? [],
  run: async (call) => attachOrDetach(call, "remove"),
};

async function attachOrDetach(call: Parameters<Verb["run"]>[0], what: "add" | "remove"): Promise<void> {
  const ids: string[] = [];
  for (const text of call.flagList("workspace")) ids.push(await workspaceId(call, text));
  const [only] = ids;
  if (only === undefined) throw usage("say of which workspaces: --workspace NAME");
  if (ids.length === 1) {
    await call.write(`${what}WorkspaceTags`, {
      path: { workspace_id: only },
      body: { data: tagLinks(call.args("tag")) },
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
  summary: "List the workspaces that have a tag.",
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
  summary: "List names that differ only by case, separators or a plural.",
  operations: ["listAlikeTags"],
  flags: [LIMIT],
  async run(call) {
    const columns = [
      {
        title: "Alike",
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
  summary: "List the keys and values of an organization's workspaces and projects.",
  operations: ["listTagBindings"],
  flags: [
    LIMIT,
    { name: "key", value: "KEY", query: "filter[tagged][0][key]", help: "Only those with this key." },
    { name: "value", value: "VALUE", query: "filter[tagged][0][value]", help: "Only those with this value." },
    {
      name: "of",
      value: "workspaces|projects",
      query: "filter[taggable-type]",
      help: "Only those of workspaces, or of projects.",
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
  summary: "The tags of an organization: list, create, attach, merge, export, rules.",
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
