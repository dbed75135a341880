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
const WEBHOOK: Argument = { name: "webhook", help: "Its ID.", complete: "webhook" };
const FLAGS: readonly Flag[] = [
  { name: "url", value: "URL", member: "url", help: "Who is told." },
  {
    name: "secret-file",
    value: "PATH",
    member: "token",
    read: secret,
    help: "The secret by which what is sent is signed, in this file; - is standard input.",
    complete: "file",
  },
  {
    name: "kind",
    value: "KIND",
    many: true,
    member: "kinds",
    help: "Only changes to these; may be given several times.",
  },
  { name: "enabled", value: "true|false", member: "enabled", read: yesOrNo, help: "Whether it is told." },
];

function secret(path: string): string {
  try {
    return readFileSync(path === "-" ? 0 : path, "utf8").trim();
  } catch (error) {
    throw usage(`the file of --secret-file cannot be read (${String((error as NodeJS.ErrnoException).code)})`);
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
  summary: "Show a webhook, and how its deliveries go.",
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
  args: [{ name: "name", help: "Its name." }],
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
  summary: "Change the attributes that are given, and no others.",
  operations: ["updateTagWebhook"],
  args: [WEBHOOK],
  flags: [{ name: "name", value: "NAME", member: "name", help: "Another name." }, ...FLAGS, ...BODY_FLAGS],
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
  summary: "Open its attributes in $EDITOR, show the difference, and write it.",
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
      await call.out.note(`deleted ${call.arg("webhook")}`);
  },
};

const verify: Verb = {
  name: "verify",
  summary: "Send a test, and show what came back.",
  operations: ["verifyTagWebhook"],
  args: [WEBHOOK],
  async run(call) {
    const answer = await call.write("verifyTagWebhook", { path: pathOf(call) });
    if (answer !== undefined) await call.out.item(objectOf(answer), SHOWN);
  },
};

export const noun: Noun = {
  name: "webhook",
  summary: "Webhooks that are told of changes to tags.",
  verbs: [list, get, create, update, change, remove, verify],
};
