import { readFileSync } from "node:fs";
import { BODY_FLAGS, yesOrNo } from "../body.ts";
import type { Call } from "../spec.ts";
import { edit } from "../edit.ts";
import { usage } from "../exit.ts";
import { objectOf } from "../kit/answers.ts";
import { attributeEditing } from "../kit/edit-v2.ts";
import { attribute, documentOf, LIMIT, shownBy } from "../kit/v2.ts";
import type { Argument, Flag, Noun, Verb } from "../spec.ts";

const SHOWN = shownBy([
  { title: "ID", value: "id" },
  attribute("Name", "name"),
  attribute("URL", "url"),
  attribute("Enabled", "enabled"),
  attribute("Behind", "delivery.behind"),
  attribute("Failures", "delivery.failures"),
  attribute("Kinds", "kinds", true),
  attribute("Actions", "actions", true),
]);
const WEBHOOK: Argument = { name: "webhook", help: "Webhook ID.", complete: "webhook" };
const FLAGS: readonly Flag[] = [
  { name: "url", value: "URL", member: "url", help: "Target URL." },
  {
    name: "secret-file",
    value: "PATH",
    member: "token",
    read: secret,
    help: "File with the signing secret (HMAC). Use - to read stdin.",
    complete: "file",
  },
  {
    name: "kind",
    value: "KIND",
    many: true,
    member: "kinds",
    help: "Send only changes to this kind of object. Repeatable.",
  },
  {
    name: "action",
    value: "ACTION",
    many: true,
    member: "actions",
    help: "Send only events with this action. Repeatable. Use reported for the weekly report of the tag policy.",
  },
  {
    name: "enabled",
    value: "true|false",
    member: "enabled",
    read: yesOrNo,
    help: "false: pause the deliveries. true: resume them.",
  },
];

function secret(path: string): string {
  try {
    return readFileSync(path === "-" ? 0 : path, "utf8").trim();
  } catch (error) {
    throw usage(`cannot read --secret-file (${String((error as NodeJS.ErrnoException).code)})`);
  }
}

function pathOf(call: Call): { webhook_id: string } {
  return { webhook_id: call.arg("webhook") };
}

const list: Verb = {
  name: "list",
  summary: "List the webhooks of an organization.",
  operations: ["listTagWebhooks"],
  flags: [LIMIT],
  async run(call) {
    await call.out.list(call.pages("listTagWebhooks", { path: { organization_name: call.organization() } }), SHOWN);
  },
};

const get: Verb = {
  name: "get",
  summary: "Show a webhook and the status of its deliveries.",
  operations: ["readTagWebhook"],
  args: [WEBHOOK],
  async run(call) {
    await call.out.item(objectOf(await call.read("readTagWebhook", { path: pathOf(call) })), SHOWN);
  },
};

const create: Verb = {
  name: "create",
  summary: "Create a webhook.",
  operations: ["createTagWebhook"],
  args: [{ name: "name", help: "Webhook name." }],
  flags: [...FLAGS, ...BODY_FLAGS],
  needs: ["url"],
  async run(call) {
    const body = await documentOf(call, "tag-webhooks", { attributes: { name: call.arg("name") } });
    const answer = await call.write("createTagWebhook", { path: { organization_name: call.organization() }, body });
    if (answer !== undefined) await call.out.item(objectOf(answer), SHOWN);
  },
};

const update: Verb = {
  name: "update",
  summary: "Update the given attributes. Other attributes are not changed.",
  operations: ["updateTagWebhook"],
  args: [WEBHOOK],
  flags: [{ name: "name", value: "NAME", member: "name", help: "New name." }, ...FLAGS, ...BODY_FLAGS],
  async run(call) {
    const answer = await call.write("updateTagWebhook", {
      path: pathOf(call),
      body: await documentOf(call, "tag-webhooks"),
    });
    if (answer !== undefined) await call.out.item(objectOf(answer), SHOWN);
  },
};

const change: Verb = {
  name: "edit",
  summary: "Edit the attributes in $EDITOR, review the diff and save.",
  operations: ["readTagWebhook", "updateTagWebhook"],
  args: [WEBHOOK],
  async run(call) {
    const read = () => call.read("readTagWebhook", { path: pathOf(call) });
    await edit(call, {
      title: `webhook ${call.arg("webhook")}`,
      ...attributeEditing(call, "tag-webhooks", "updateTagWebhook", read, pathOf(call)),
    });
  },
};

const remove: Verb = {
  name: "delete",
  summary: "Delete a webhook.",
  operations: ["readTagWebhook", "deleteTagWebhook"],
  args: [WEBHOOK],
  async run(call) {
    const found = objectOf(await call.read("readTagWebhook", { path: pathOf(call) })) as {
      attributes?: { name?: string };
    };
    await call.confirm("Delete this webhook?", [`${found.attributes?.name ?? ""} (${call.arg("webhook")})`]);
    if ((await call.write("deleteTagWebhook", { path: pathOf(call) })) !== undefined)
      await call.out.note(`Deleted webhook ${found.attributes?.name ?? ""} (${call.arg("webhook")}).`);
  },
};

const verify: Verb = {
  name: "verify",
  summary: "Send a test delivery and show the result.",
  operations: ["verifyTagWebhook"],
  args: [WEBHOOK],
  async run(call) {
    const answer = await call.write("verifyTagWebhook", { path: pathOf(call) });
    if (answer !== undefined) await call.out.item(objectOf(answer), SHOWN);
  },
};

export const noun: Noun = {
  name: "webhook",
  summary: "Webhooks for changes to tags.",
  verbs: [list, get, create, update, change, remove, verify],
};
