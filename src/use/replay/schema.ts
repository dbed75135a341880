import { Type, type Static } from "typebox";
import { oneOf } from "../../http/v1/body-schema.ts";
import { SHOWN_SCOPE } from "../../acl/kit/answer-schema.ts";
import { SCOPE_MEMBERS } from "../../acl/kit/schema.ts";
import { bindingRuleBody } from "../../acl/binding-rules/schema.ts";
import { DRAFT_MEMBERS, renderRight, right } from "../../explain/effect/schema.ts";
import type { RenderScope } from "../../rights/scope.ts";
import type { UseSubject } from "../../records/uses/row.ts";
import type { BindingRuleDraft } from "./drafts.ts";
import { CHANGES, type ReplayEntry } from "./entry.ts";
import { daysUsed, LAST_DAYS } from "../days.ts";
import type { FoundReplay } from "./service.ts";

const text = Type.Optional(Type.String());

/** Objects as they would be written: what is left out stays. */
export const replayBody = Type.Object(
  {
    ...DRAFT_MEMBERS,
    BindingRules: Type.Optional(Type.Array(bindingRuleBody)),
    DeletedBindingRules: Type.Optional(Type.Array(Type.Object({ ID: text }, { title: "DeletedBindingRule" }))),
    ...SCOPE_MEMBERS,
  },
  { title: "ReplayBody", examples: [{ Policies: [{ Name: "web", Rules: 'service "web" {\n  policy = "read"\n}' }] }] },
);

const dayOf = (description: string) => Type.String({ description, format: "date" });
const optionalDay = (description: string) => Type.Optional(dayOf(description));

const columns = Type.Object(
  {
    Enforced: Type.Integer({ description: "Requests that Tessera decided and carried out." }),
    Own: Type.Integer({ description: "Access checks of the caller's own permissions." }),
    Others: Type.Integer({ description: "Access checks of another subject." }),
  },
  { title: "UseColumns" },
);

const entry = Type.Object(
  {
    Change: oneOf(CHANGES),
    Kind: oneOf(["token", "identity", "roles"] as const),
    ID: Type.Optional(Type.String({ description: "AccessorID of a token." })),
    Name: Type.Optional(Type.String({ description: "Description of a token." })),
    AuthMethod: text,
    Identity: text,
    Roles: Type.Optional(Type.Array(Type.String(), { description: "IDs of the roles of many identities." })),
    ...SHOWN_SCOPE,
    Question: right,
    Questions: Type.Integer({
      description: "Number of names. Names that the caller may not read are shown as their rule.",
    }),
    Uses: Type.Integer(),
    DaysUsed: Type.Integer({ description: "Number of the last 30 days with a use." }),
    FirstDay: dayOf("Day of the first use (UTC)."),
    LastDay: dayOf("Day of the last use (UTC)."),
    Columns: Type.Optional(columns),
  },
  { title: "ReplayEntry" },
);

const unreplayable = Type.Object(
  {
    Total: Type.Integer(),
    Subjects: Type.Integer({ description: "The token or identity no longer exists." }),
    Names: Type.Integer({ description: "The record contains only the rule, not the name." }),
    Claims: Type.Integer({ description: "The result depends on claims of a login, which are not stored." }),
  },
  { title: "Unreplayable" },
);

const ledger = Type.Object(
  {
    Since: optionalDay("Day since which the server records use without interruption. Missing: no use is recorded."),
    IncompleteOn: optionalDay("Last day on which the limit of a namespace was reached, so that use is missing."),
  },
  { title: "UseLedger" },
);

const refusals = Type.Object(
  {
    Records: Type.Integer(),
    Unreadable: Type.Integer({ description: "Records without the whole name." }),
    Since: optionalDay("Day of the oldest record of a denied write."),
    ReadsSince: optionalDay("Day of the oldest record of a denied read."),
    Complete: Type.Boolean({ description: "Whether all records were read, and not only the newest." }),
  },
  { title: "ReplayedRefusals" },
);

export const replayAnswer = Type.Object(
  {
    Pairs: Type.Integer({ description: "Number of recorded pairs of a subject and an access check." }),
    Refused: Type.Integer({ description: "Pairs that are allowed now and that the draft denies." }),
    Allowed: Type.Integer({ description: "Denied requests in the audit log that the draft allows." }),
    AlreadyRefused: Type.Integer({ description: "Pairs that are denied now." }),
    Unreplayable: unreplayable,
    Ledger: ledger,
    Refusals: refusals,
    Entries: Type.Array(entry),
  },
  {
    description: "Differences between the stored state and the draft. Limited to subjects that the caller may read.",
    examples: [
      {
        Pairs: 812,
        Refused: 1,
        Allowed: 0,
        AlreadyRefused: 3,
        Unreplayable: { Total: 2, Subjects: 2, Names: 0, Claims: 0 },
        Ledger: { Since: "2026-07-24" },
        Refusals: { Records: 40, Unreadable: 0, Since: "2026-10-30", ReadsSince: "2026-11-22", Complete: true },
        Entries: [
          {
            Change: "refused",
            Kind: "token",
            ID: "7a38d7a2-8a29-4d5c-9cd6-bb4ea5f3a4e3",
            Name: "CI of the first team",
            Question: { Resource: "service", Segment: "web", Access: "write" },
            Questions: 1,
            Uses: 1204,
            DaysUsed: 6,
            FirstDay: "2026-11-03",
            LastDay: "2026-11-24",
            Columns: { Enforced: 1204, Own: 0, Others: 0 },
          },
        ],
      },
    ],
  },
);

/** Returns the drafted binding rules in a request. */
export function bindingsFrom(body: Static<typeof replayBody>): BindingRuleDraft[] {
  const { BindingRules = [], DeletedBindingRules = [] } = body;
  const changed = BindingRules.map(({ ID = "", ...rule }) => ({
    id: ID,
    isDeleted: false,
    given: {
      authMethod: rule.AuthMethod,
      selector: rule.Selector,
      bindType: rule.BindType,
      bindName: rule.BindName,
      bindVars: rule.BindVars && { name: rule.BindVars.Name },
    },
  }));
  return [...changed, ...DeletedBindingRules.map(({ ID = "" }) => ({ id: ID, isDeleted: true, given: {} }))];
}

const DAY = 86_400_000;

export function renderReplay(page: FoundReplay, renderScope: RenderScope) {
  const { pairs, counts, unreplayable: left, refusals: read, reach, entries, now } = page;
  const today = Math.floor(now / DAY);
  return {
    Pairs: pairs,
    Refused: counts.refused,
    Allowed: counts.allowed,
    AlreadyRefused: counts["already-refused"],
    Unreplayable: {
      Total: left.subject + left.name + left.claims,
      Subjects: left.subject,
      Names: left.name,
      Claims: left.claims,
    },
    Ledger: {
      Since: reach.since.slice(0, 10) || undefined,
      IncompleteOn: reach.gap === undefined ? undefined : dateOf(reach.gap),
    },
    Refusals: {
      Records: read.records,
      Unreadable: read.unreadable,
      Since: read.since.slice(0, 10) || undefined,
      ReadsSince: read.readsSince.slice(0, 10) || undefined,
      Complete: read.isComplete,
    },
    Entries: entries.map((each) => renderEntry(each, today, renderScope)),
  };
}

function renderEntry({ change, scope, subject, name, ...told }: ReplayEntry, today: number, renderScope: RenderScope) {
  const { question, questions, use, columns: counted } = told;
  return {
    Change: change,
    ...renderSubject(subject),
    Name: name || undefined,
    ...renderScope(scope),
    Question: renderRight(question, renderScope),
    Questions: questions,
    Uses: use.total,
    DaysUsed: daysUsed(use, today, LAST_DAYS),
    FirstDay: dateOf(use.firstDay),
    LastDay: dateOf(use.lastDay),
    Columns: counted && { Enforced: counted.enforced, Own: counted.own, Others: counted.others },
  };
}

function renderSubject(subject: UseSubject) {
  if (subject.kind === "token") return { Kind: subject.kind, ID: subject.accessorId };
  const { kind, authMethod } = subject;
  if (kind === "identity") return { Kind: kind, AuthMethod: authMethod, Identity: subject.identity };
  return { Kind: kind, AuthMethod: authMethod, Roles: [...subject.roles] };
}

function dateOf(day: number): string {
  return new Date(day * DAY).toISOString().slice(0, 10);
}
