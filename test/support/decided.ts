/** All that the decision point leaves in a database, and how it looks from outside: a mapping, its use, and what was deleted. */
import { expect } from "vitest";
import { ask, callerOf } from "../upgrades/caller.ts";

/** Secrets and names of what `writeDecided` made. */
export interface Decided {
  /** SecretID of the first management token. */
  management: string;
  /** A gateway that asks about others, and a token that uses its own permissions. */
  gateway: { accessor: string; secret: string };
  user: { accessor: string; secret: string };
}

/** A use of the rule of `user`, as a report has it: names with their numbers, and by whom was asked. */
export interface UsedRule {
  enforced: number;
  own: number;
  others: number;
  names: Record<string, number>;
}

const MAPPING = {
  Description: "größer",
  SubjectTypes: [{ Type: "person", As: "role", Template: "user-${id}" }],
  ResourceTypes: [
    { Type: "record", Actions: [{ Action: "read", Kind: "key", Segment: "records/${id}", Access: "read" }] },
  ],
};

/** Makes a mapping, a gateway, a user and an entry of the trash. */
export async function writeDecided(url: string, management: string): Promise<Decided> {
  const call = callerOf(url);
  const make = async (path: string, body: object) => call("PUT", path, body, management);
  await make("/v1/acl/decision-mapping/app", MAPPING);
  await make("/v1/acl/policy", { Name: "records", Rules: 'key_prefix "records/" { policy = "read" }' });
  await make("/v1/acl/policy", { Name: "asking", Rules: 'acl = "read"' });
  await make("/v1/acl/role", { Name: "user-ada", Policies: [{ Name: "records" }] });
  const token = async (body: object) => {
    const { AccessorID, SecretID } = await make("/v1/acl/token", body);
    return { accessor: String(AccessorID), secret: String(SecretID) };
  };
  const { ID } = await make("/v1/acl/role", { Name: "deleted" });
  await call("DELETE", `/v1/acl/role/${String(ID)}`, undefined, management);
  return {
    management,
    gateway: await token({ Description: "gateway", Policies: [{ Name: "asking" }] }),
    user: await token({ Description: "user", Roles: [{ Name: "user-ada" }] }),
  };
}

/** Has the gateway ask about the user, and the user about itself, each so many times. */
export async function useDecided(url: string, { gateway, user }: Decided, times: number): Promise<void> {
  const evaluation = {
    subject: { type: "token", id: user.accessor },
    action: { name: "read" },
    resource: { type: "record", id: "1" },
  };
  const own = [{ Resource: "key", Access: "read", Segment: "records/own" }];
  for (let count = 0; count < times; count++) {
    expect(await evaluate(url, evaluation, gateway.secret)).toEqual({ decision: true });
    const answer = await ask(url, "POST", "/v1/internal/acl/authorize", own, user.secret);
    expect(answer).toMatchObject({ status: 200, body: [{ Allow: true }] });
  }
}

async function evaluate(url: string, body: object, secret: string, path = "evaluation"): Promise<unknown> {
  const type = { "content-type": "application/json" };
  return (await ask(url, "POST", `/access/v1/${path}`, body, secret, type)).body;
}

/** Reads what is there: the mapping, what it decides and finds, the trash, the ledger's decision points, a smaller policy, and a replay. */
export async function readDecided(url: string, { management, gateway }: Decided): Promise<object> {
  const get = (path: string) => callerOf(url)("GET", path, undefined, management);
  const { CreateIndex: _created, ModifyIndex: _modified, ...mapping } = await get("/v1/acl/decision-mapping/app");
  const asked = (subject: string, id: string) => ({
    subject: { type: "person", id: subject },
    action: { name: "read" },
    resource: { type: "record", id },
  });
  const decisions = [
    await evaluate(url, asked("ada", "2"), management),
    await evaluate(url, asked("nobody", "2"), management),
  ];
  const searched = { ...asked("", "2"), subject: { type: "person" } };
  const found = await evaluate(url, searched, management, "search/subject");
  const trash = (await get("/v1/acl/trash")) as { Kind: string; Name: string; DeletedBy: string }[];
  const points = (await get("/v1/acl/use?by=decision-point")).Entries as { DecisionPoint: string; Others: number }[];
  return {
    mapping,
    decisions,
    found,
    trash: trash.map(({ Kind, Name, DeletedBy }) => [Kind, Name, DeletedBy]),
    points: points.filter(({ DecisionPoint }) => DecisionPoint === gateway.accessor).map(({ Others }) => Others),
    rule: await useOf(url, management),
    tightened: await tightenedOf(url, management),
    replay: await replayOf(url, management),
  };
}

/** The smaller policy of `user`: the names that it used. */
async function tightenedOf(url: string, management: string): Promise<unknown> {
  const call = callerOf(url);
  const { ID } = await call("GET", "/v1/acl/policy/name/records", undefined, management);
  const { Lines, Holders } = await call("POST", `/v1/acl/policy/${String(ID)}/tighten`, { Days: 30 }, management);
  return { Lines, Holders };
}

/** Questions that the policy of `user` allows and that would be refused without it, as a replay tells them. */
async function replayOf(url: string, management: string): Promise<Record<string, unknown>[]> {
  const draft = { DeletedPolicies: [{ Name: "records" }] };
  const { Entries } = await callerOf(url)("POST", "/v1/acl/replay", draft, management);
  const told = (Entries as Replayed[]).map(({ Change, ID, Question, Uses, DaysUsed, FirstDay, LastDay }) => {
    return { Change, ID, Segment: Question.Segment, Uses, DaysUsed, FirstDay, LastDay };
  });
  return told.toSorted((a, b) => (a.Segment < b.Segment ? -1 : 1));
}

interface Replayed {
  Change: string;
  ID: string;
  Question: { Segment: string };
  Uses: number;
  DaysUsed: number;
  FirstDay: string;
  LastDay: string;
}

/** The use of the one rule that the user has, of all subjects. */
export async function useOf(url: string, management: string): Promise<UsedRule> {
  const { Entries } = await callerOf(url)("GET", "/v1/acl/use?by=rule", undefined, management);
  const [entry] = (Entries as Entry[]).filter(({ Rule }) => Rule?.Segment === "records/");
  const { Enforced = 0, Own = 0, Others = 0, Names = [] } = entry ?? {};
  return {
    enforced: Enforced,
    own: Own,
    others: Others,
    names: Object.fromEntries(Names.map(({ Name, Total }) => [Name, Total])),
  };
}

interface Entry {
  Rule?: { Segment: string };
  Enforced: number;
  Own: number;
  Others: number;
  Names?: { Name: string; Total: number }[];
}
