/** Rules for tags, and keys that are reserved. */
import { BODY_FLAGS, yesOrNo } from "../body.ts";
import type { Call } from "../spec.ts";
import { CliError, EXIT } from "../exit.ts";
import { objectOf } from "../kit/answers.ts";
import { attribute, documentOf, LIMIT, shownBy } from "../kit/v2.ts";
import { at } from "../output/values.ts";
import type { Item } from "../output/types.ts";
import type { Argument, Verb } from "../spec.ts";

const rules: Verb = {
  name: "rules",
  summary: "Show the tag policy of an organization.",
  operations: ["readTagPolicy"],
  async run(call) {
    const policy = objectOf(await call.read("readTagPolicy", { path: { organization_name: call.organization() } }));
    await call.out.value(call.out.format === "json" ? policy : policy["attributes"]);
  },
};

const setRules: Verb = {
  name: "set-rules",
  summary: "Replace the tag policy of an organization.",
  operations: ["putTagPolicy"],
  flags: BODY_FLAGS,
  examples: ["tessera tag rules -o yaml > rules.yaml", "tessera tag set-rules --file rules.yaml"],
  async run(call) {
    const input = { path: { organization_name: call.organization() }, body: await documentOf(call, "tag-policies") };
    const answer = await call.write("putTagPolicy", input);
    if (answer !== undefined) await call.out.value(objectOf(answer)["attributes"]);
  },
};

const dropRules: Verb = {
  name: "delete-rules",
  summary: "Delete the tag policy of an organization.",
  operations: ["readTagPolicy", "deleteTagPolicy"],
  async run(call) {
    const path = { organization_name: call.organization() };
    await call.read("readTagPolicy", { path });
    await call.confirm("Delete the tag policy of this organization?", [path.organization_name]);
    await call.write("deleteTagPolicy", { path });
  },
};

const PROJECT = { name: "project", value: "ID", help: "Project ID. Default: all projects." } as const;

const report: Verb = {
  name: "report",
  summary: "List the workspaces that violate the tag policy.",
  operations: ["reportTagPolicy"],
  flags: [LIMIT],
  async run(call) {
    const columns = [
      attribute("Workspace", "workspace-name"),
      {
        title: "Violations",
        value: (item: Item) =>
          (at(item, "attributes.violations") as { rule: string; detail: string }[]).map(
            ({ rule, detail }) => `${rule}: ${detail}`,
          ),
      },
      { title: "ID", value: "id" },
    ];
    await call.out.list(
      call.pages("reportTagPolicy", { path: { organization_name: call.organization() } }),
      shownBy(columns, "attributes.workspace-name"),
    );
  },
};

const coverage: Verb = {
  name: "coverage",
  summary: "List the required tag keys with their coverage.",
  operations: ["listTagPolicyKeys"],
  flags: [PROJECT, LIMIT],
  async run(call) {
    const columns = [
      attribute("Key", "key"),
      attribute("Workspaces", "workspaces"),
      attribute("Missing", "missing"),
      {
        title: "Values",
        value: (item: Item) =>
          (at(item, "attributes.values") as { value: string; workspaces: number }[]).map(
            ({ value, workspaces }) => `${value === "" ? "(empty)" : value} (${workspaces})`,
          ),
      },
      attribute("Other", "other"),
    ];
    const input = {
      path: { organization_name: call.organization() },
      query: { "filter[project][id]": call.flag("project") },
    };
    await call.out.list(call.pages("listTagPolicyKeys", input), shownBy(columns, "attributes.key"));
  },
};

const KEY_FLAG = { name: "key", value: "KEY", help: "Required tag key. Default: all keys." } as const;

const coverageProjects: Verb = {
  name: "coverage-projects",
  summary: "List the projects with their coverage of required tag keys.",
  operations: ["listTagPolicyProjects"],
  flags: [KEY_FLAG, LIMIT],
  async run(call) {
    const columns = [
      { title: "Project ID", value: "id" },
      attribute("Workspaces", "workspaces"),
      attribute("Missing", "missing"),
    ];
    await call.out.list(call.pages("listTagPolicyProjects", inputOf(call)), shownBy(columns, "id"));
  },
};

const coverageDays: Verb = {
  name: "coverage-days",
  summary: "List the coverage of required tag keys by day.",
  operations: ["listTagPolicyDays"],
  flags: [KEY_FLAG, LIMIT],
  async run(call) {
    const columns = [
      attribute("Key", "key"),
      attribute("Day", "day"),
      attribute("Workspaces", "workspaces"),
      attribute("Missing", "missing"),
      attribute("Without value", "without-value"),
      attribute("Values", "value-count"),
    ];
    await call.out.list(call.pages("listTagPolicyDays", inputOf(call)), shownBy(columns, "id"));
  },
};

function inputOf(call: Call) {
  return { path: { organization_name: call.organization() }, query: { "filter[key]": call.flag("key") } };
}

const checkRules: Verb = {
  name: "check-rules",
  summary: "Count the workspaces that would violate a draft of the tag policy.",
  operations: ["checkTagPolicy"],
  flags: BODY_FLAGS,
  examples: ["tessera tag check-rules --file rules.yaml"],
  async run(call) {
    const input = { path: { organization_name: call.organization() }, body: await documentOf(call, "tag-policies") };
    await call.out.value(objectOf(await call.read("checkTagPolicy", input))["attributes"]);
  },
};

const KEYS = shownBy(
  [attribute("Key", "key"), attribute("No overrides", "disable-overrides"), { title: "ID", value: "id" }],
  "attributes.key",
);
const KEY: Argument = { name: "key", help: "Reserved tag key or its ID." };

const reserved: Verb = {
  name: "reserved",
  summary: "List the reserved tag keys.",
  operations: ["listReservedTagKeys"],
  flags: [LIMIT],
  async run(call) {
    await call.out.list(call.pages("listReservedTagKeys", { path: { organization_name: call.organization() } }), KEYS);
  },
};

const OVERRIDES = {
  name: "disable-overrides",
  value: "true|false",
  member: "disable-overrides",
  read: yesOrNo,
  help: "true: the value of the project overrides the value of the workspace.",
} as const;
const OTHER_PATH = { name: "other-path", help: "Use the path /reserved-tags." } as const;

const reserve: Verb = {
  name: "reserve",
  summary: "Reserve a tag key.",
  operations: ["createReservedTagKey"],
  args: [{ name: "key", help: "Tag key." }],
  flags: [OVERRIDES, ...BODY_FLAGS],
  async run(call) {
    const body = await documentOf(call, "reserved-tag-keys", { attributes: { key: call.arg("key") } });
    const answer = await call.write("createReservedTagKey", { path: { organization_name: call.organization() }, body });
    if (answer !== undefined) await call.out.item(objectOf(answer), KEYS);
  },
};

const updateReserved: Verb = {
  name: "update-reserved",
  summary: "Update a reserved tag key.",
  operations: ["updateReservedTagKey", "updateReservedTagKeyByOtherPath"],
  args: [KEY],
  flags: [{ name: "key", value: "KEY", member: "key", help: "New tag key." }, OVERRIDES, OTHER_PATH, ...BODY_FLAGS],
  async run(call) {
    const path = { reserved_tag_key_id: await reservedId(call) };
    const answer = await call.write(`updateReservedTagKey${otherPath(call)}`, {
      path,
      body: await documentOf(call, "reserved-tag-keys"),
    });
    if (answer !== undefined) await call.out.item(objectOf(answer), KEYS);
  },
};

const unreserve: Verb = {
  name: "unreserve",
  summary: "Remove the reservation of a tag key.",
  operations: ["deleteReservedTagKey", "deleteReservedTagKeyByOtherPath"],
  args: [KEY],
  flags: [OTHER_PATH],
  async run(call) {
    const path = { reserved_tag_key_id: await reservedId(call) };
    await call.confirm("Remove the reservation of this tag key?", [call.arg("key")]);
    await call.write(`deleteReservedTagKey${otherPath(call)}`, { path });
  },
};

function otherPath(call: Call): string {
  return call.isSet("other-path") ? "ByOtherPath" : "";
}

async function reservedId(call: Call): Promise<string> {
  const text = call.arg("key");
  if (/^rtk-[A-Za-z0-9]+$/.test(text)) return text;
  const organization = call.organization();
  for await (const found of call.pages("listReservedTagKeys", { path: { organization_name: organization } })) {
    if (at(found, "attributes.key") === text) return String(found["id"]);
  }
  throw new CliError(EXIT.notFound, `reserved tag key ${JSON.stringify(text)} not found in ${organization}`);
}

/** The commands. */
export const tagRuleVerbs: readonly Verb[] = [
  rules,
  setRules,
  dropRules,
  report,
  coverage,
  coverageProjects,
  coverageDays,
  checkRules,
  reserved,
  reserve,
  updateReserved,
  unreserve,
];
