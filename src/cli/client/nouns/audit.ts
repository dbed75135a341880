import { each, objectOf } from "../kit/answers.ts";
import { LIST_FLAGS, queryOf } from "../kit/v1.ts";
import { attribute, shownBy } from "../kit/v2.ts";
import type { Item } from "../output/types.ts";
import type { Flag, Noun, Verb } from "../spec.ts";

/** The filters of records, by the spelling of a family. */
function filters(name: (filter: string) => string): Flag[] {
  const filter = (flag: string, value: string, help: string): Flag => ({ name: flag, value, query: name(flag), help });
  return [
    filter("actor", "ACCESSOR", "Filter by the AccessorID of the actor."),
    filter("kind", "KIND", "Filter by kind of object."),
    filter("object", "ID", "Filter by object ID."),
    filter("action", "ACTION", "Filter by action, for example create."),
    filter("outcome", "OUTCOME", "Filter by outcome: done or refused."),
    filter("request-id", "ID", "Filter by request ID."),
    filter("from", "TIME", "Start time."),
    filter("to", "TIME", "End time."),
  ];
}

const list: Verb = {
  name: "list",
  summary: "List the audit records of a namespace, newest first.",
  operations: ["listAudit"],
  flags: [...LIST_FLAGS, ...filters((name) => name)],
  async run(call) {
    const columns = [
      { title: "Time", value: "Time" },
      { title: "Outcome", value: "Outcome" },
      { title: "Action", value: "Action" },
      { title: "Kind", value: "Kind" },
      { title: "Name", value: "Name" },
      { title: "Actor", value: "Actor.AccessorID" },
      { title: "Request", value: "RequestID", wide: true },
      { title: "Address", value: "Actor.Address", wide: true },
    ];
    await call.out.list(call.pages("listAudit", { query: queryOf(call) }), { columns, name: (item) => item["Hash"] });
  },
};

const organization: Verb = {
  name: "organization",
  summary: "List the audit records of an organization, newest first.",
  operations: ["listOrganizationAudit"],
  flags: [...LIST_FLAGS.filter(({ name }) => name === "limit"), ...filters((name) => `filter[${name}]`)],
  async run(call) {
    const columns = [
      attribute("Time", "time"),
      attribute("Outcome", "outcome"),
      attribute("Action", "action"),
      attribute("Kind", "kind"),
      attribute("Name", "name"),
      attribute("Actor", "actor.accessor-id"),
      attribute("Request", "request-id", true),
    ];
    await call.out.list(
      call.pages("listOrganizationAudit", { path: { organization_name: call.organization() }, query: queryOf(call) }),
      shownBy(columns),
    );
  },
};

const days: Verb = {
  name: "days",
  summary: "Count changes, logins and denied requests by day.",
  operations: ["countAuditDays"],
  examples: ["tessera audit days"],
  async run(call) {
    const { Days = [], More: hasMore } = objectOf(await call.read("countAuditDays")) as {
      Days?: Item[];
      More?: boolean;
    };
    if (hasMore === true) await call.out.warn("Earlier days are not counted: too many records.");
    const columns = [
      { title: "Day", value: "Day" },
      { title: "Writes", value: "Writes" },
      { title: "Logins", value: "Logins" },
      { title: "Denied", value: "Refusals" },
    ];
    await call.out.list(each(Days), { columns, name: (item) => item["Day"] });
  },
};

const verify: Verb = {
  name: "verify",
  summary: "Verify the hash chains of a database or of files.",
  operations: [],
  // It works on the database itself, and is run before this noun is loaded.
  run: () => Promise.resolve(),
};

export const noun: Noun = {
  name: "audit",
  summary: "Audit log: list records and verify the hash chains.",
  verbs: [list, organization, days, verify],
};
