/** Recorded use that a plan refuses: the text of a plan, and the gates of a job. */
import { TesseraError } from "@tessera-server/client";
import { describe, expect, test } from "vitest";
import { replayBrake, type Meant } from "./brakes.ts";
import type { PlannedChange } from "./change.ts";
import { kindOf, type KindName } from "./kinds.ts";
import { objectOf, type Live } from "./object.ts";
import { findReplayed, type Replayed } from "./replay.ts";
import type { Server } from "./server.ts";
import type { FileContent } from "./shape.ts";
import { planJson, planLines, planMarkdown, type ShownPlan } from "./show.ts";

const HOME = { partition: "default", namespace: "default", organization: "" };
const NO_GATES: Meant = {
  maxDeletes: undefined,
  isLockout: false,
  isTried: false,
  maxRefused: undefined,
  maxUnreplayable: undefined,
};

const REFUSED = {
  Change: "refused",
  Kind: "token",
  ID: "7a38d7a2",
  Name: "CI",
  Question: { Resource: "service", Segment: "web", Access: "write" },
  Questions: 1,
  Uses: 1204,
  DaysUsed: 6,
  FirstDay: "2026-11-03",
  LastDay: "2026-11-24",
};
const ANSWER = {
  Pairs: 10,
  Refused: 1,
  Allowed: 0,
  AlreadyRefused: 2,
  Unreplayable: { Total: 3, Subjects: 1, Names: 0, Claims: 2 },
  Ledger: {},
  Refusals: { Records: 4, Unreadable: 0, Since: "2026-10-30", Complete: true },
  Entries: [REFUSED],
};

function change(kind: KindName, name: string, content: FileContent, action: PlannedChange["action"], id = "") {
  const object = objectOf(kindOf(kind), HOME, name, content);
  const live = action === "create" ? undefined : ({ ...object, id } as unknown as Live);
  return { action, object, live, content: object.content, fields: [], stage: 0 } satisfies PlannedChange;
}

function serverOf(answer: unknown, asked: unknown[] = []): Server {
  const request = (operation: string, options: object) => {
    asked.push([operation, options]);
    if (answer instanceof Error) return Promise.reject(answer);
    return Promise.resolve({ body: answer });
  };
  return { api: { request }, isCommunity: false, parallel: 1 } as unknown as Server;
}

function told(replayed: Replayed): ShownPlan {
  const plan = { changes: [], unchanged: 0, left: [], owner: undefined, prunes: undefined, ownership: undefined };
  const looked = { errors: [], warnings: [], gap: undefined };
  return { plan, looked, losses: { first: [], count: 0 }, untried: [], replayed } as unknown as ShownPlan;
}

const POLICY = change("policy", "web", { rules: 'service "web" { policy = "read" }' }, "update", "p");

describe("a plan with recorded use", () => {
  test("says on which days it was, how often, and since when", async () => {
    const lines = planLines(told(await findReplayed(serverOf(ANSWER), [POLICY])));
    expect(lines.slice(0, 5)).toEqual([
      "Recorded use with another result:",
      "  token 7a38d7a2 (CI): write service web: in use on 6 of the last 30 days, last on Tuesday 2026-11-24; 1,204 uses since 2026-11-03: would be denied",
      "",
      "Recorded use that is already denied: 2",
      "Recorded use that cannot be replayed: 3 (1 of deleted subjects, 2 that depend on claims)",
    ]);
  });

  test("names identities, hidden names and new permissions, and how far refusals reach", async () => {
    const Entries = [
      { ...REFUSED, Kind: "identity", AuthMethod: "sso", Identity: '["","ada"]', Questions: 3, Uses: 1 },
      { ...REFUSED, Kind: "roles", AuthMethod: "sso", Roles: ["r1", "r2"] },
      { ...REFUSED, Change: "allowed", Name: "", Uses: 1, DaysUsed: 1 },
    ];
    const answer = { ...ANSWER, Refused: 2, Allowed: 5, AlreadyRefused: 0, Entries };
    const lines = planLines(told(await findReplayed(serverOf(answer), [POLICY])));
    expect(lines.slice(1, 7)).toEqual([
      '  identity sso/["","ada"]: write service web (3 names): in use on 6 of the last 30 days, last on Tuesday 2026-11-24; 1 use since 2026-11-03: would be denied',
      "  identities of sso with roles r1, r2: write service web: in use on 6 of the last 30 days, last on Tuesday 2026-11-24; 1,204 uses since 2026-11-03: would be denied",
      "  token 7a38d7a2: write service web: denied on 1 of the last 30 days, last on Tuesday 2026-11-24; 1 request since 2026-11-03: would be allowed",
      "  and 4 more",
      "",
      "Recorded use that cannot be replayed: 3 (1 of deleted subjects, 2 that depend on claims)",
    ]);
    expect(lines[7]).toBe("Records of denied requests: writes since 2026-10-30");
  });

  test("has it in its other forms too", async () => {
    const shown = told(await findReplayed(serverOf(ANSWER), [POLICY]));
    expect(planMarkdown(shown)).toContain("**Recorded use denied: 1.**");
    expect(planJson(shown)).toMatchObject({
      replay: { refused: 1, "already-refused": 2, unreplayable: { total: 3 }, first: [{ change: "refused" }] },
    });
  });

  test("asks in each place that changes, with binding rules by their ID, and not for methods that are not there yet", async () => {
    const asked: unknown[] = [];
    const rule = { "auth-method": "sso", "bind-type": "role", "bind-name": "web" };
    const changes = [
      POLICY,
      change("binding-rule", "sso/a", rule, "update", "r1"),
      change("binding-rule", "sso/b", rule, "delete", "r2"),
      change("auth-method", "new", {}, "create"),
      change("binding-rule", "new/a", { ...rule, "auth-method": "new" }, "create"),
      change("organization", "acme", {}, "create"),
    ];
    await findReplayed(serverOf(ANSWER, asked), changes);
    const body = {
      Policies: [{ Name: "web", Rules: 'service "web" { policy = "read" }', Datacenters: [] }],
      BindingRules: [{ ID: "r1", AuthMethod: "sso", Selector: "", BindType: "role", BindName: "web" }],
      DeletedBindingRules: [{ ID: "r2" }],
    };
    expect(asked).toEqual([["replayDraft", expect.objectContaining({ body })]]);
    asked.length = 0;
    await findReplayed(serverOf(ANSWER, asked), [change("organization", "acme", {}, "create")]);
    expect(asked).toEqual([]);
  });
});

describe("gates", () => {
  const held = async (answer: unknown, meant: Partial<Meant>) =>
    replayBrake(told(await findReplayed(serverOf(answer), [POLICY])), { ...NO_GATES, ...meant });

  test("hold up a plan that refuses more, or of which more cannot be replayed, than is meant", async () => {
    expect(await held(ANSWER, {})).toBeUndefined();
    expect(await held(ANSWER, { maxRefused: 1, maxUnreplayable: 3 })).toBeUndefined();
    expect(await held(ANSWER, { maxRefused: 0 })).toBe("the plan denies 1 recorded uses, more than --max-refused 0");
    expect(await held(ANSWER, { maxUnreplayable: 2 })).toBe(
      "3 recorded uses cannot be replayed, more than --max-unreplayable 2",
    );
  });

  test("hold up a plan that the server did not replay", async () => {
    const refusal = new TesseraError("POST /v1/acl/replay", 403, new Headers(), "Permission denied");
    expect(await held(refusal, {})).toBeUndefined();
    expect(await held(refusal, { maxRefused: 10 })).toMatch(/^recorded use was not replayed in namespace .*default/);
  });
});
