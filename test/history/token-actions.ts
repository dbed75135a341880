import { bodyOf, doneAnswer, type Action, type Asked, type Caller } from "./caller.ts";
import type { Answer, Reply } from "./http-client.ts";
import type { Operation } from "./history.ts";
import type { Stage } from "./stage.ts";

/** A token on its way from its creation until it has been refused everywhere for a while. */
interface Life {
  readonly secret: string;
  readonly accessor: string;
  /** When it is to be revoked. */
  readonly until: number;
  /** When the answer came that it is; undefined before. */
  revoked: number | undefined;
}

/** Tokens that a client has at a time. */
const LIVES = 4;
/** How long a token is tried after it was revoked, and from when on its refusal is promised. */
const TRIED_MS = 4500;
const RIPE_MS = 2000;
/** A node that does not answer at once is left alone: the next one is of more interest. */
const USE_MS = 500;
const CHANGE_MS = 2000;

/**
 * Makes a token, uses it on every node so that each has it in its cache, revokes it, and goes on using it everywhere.
 * A client has a few tokens at a time.
 */
export function tokenActions(caller: Caller, { reader, registers }: Stage, nodes: number): readonly Action[] {
  const { random, recorder } = caller;
  let lives: Life[] = [];
  let uses = 0;

  async function create(): Promise<void> {
    const body = { Description: `of client ${caller.client}`, Policies: [{ Name: reader }] };
    const made = doneAnswer(await caller.ask({ method: "PUT", path: "/v1/acl/token", body, milliseconds: CHANGE_MS }));
    if (made === undefined) return;
    const { SecretID: secret, AccessorID: accessor } = bodyOf<{ SecretID: string; AccessorID: string }>(made);
    const life: Life = { secret, accessor, until: recorder.now() + random.between(500, 4500), revoked: undefined };
    lives.push(life);
    // From now on each has it in its cache.
    for (let node = 0; node < nodes; node++) await use(life, node);
  }

  async function revoke(life: Life): Promise<void> {
    const operation: Operation = { kind: "revoke", token: life.accessor };
    const path = `/v1/acl/token/${life.accessor}`;
    const reply = await caller.perform(operation, { method: "DELETE", path, milliseconds: CHANGE_MS });
    if (doneAnswer(reply) !== undefined) life.revoked = recorder.now();
    // It is gone by an attempt before, whose outcome was unknown: since when nobody can say.
    if (typeof reply !== "string" && reply.status < 500 && life.revoked === undefined) forget(life);
  }

  function forget(life: Life): void {
    lives = lives.filter((each) => each !== life);
  }

  async function use(life: Life, node: number): Promise<void> {
    const operation = { kind: "use", token: life.accessor } as const;
    // Mostly a question that a node answers from its cache alone.
    const asked: Asked = random.chance(0.25)
      ? { method: "GET", path: `/v1/acl/policy/${random.pick(registers).id}` }
      : { method: "POST", path: "/v1/acl/authorize", body: [{ Resource: "acl", Access: "read" }] };
    const sent = { ...asked, node, token: life.secret, milliseconds: USE_MS };
    const reply = await caller.perform(
      operation,
      sent,
      () => ({ ...operation, accepted: true }),
      (answer) => (isNoToken(answer) ? { ...operation, accepted: false } : operation),
    );
    checkRights(life, reply);
  }

  /** A token that is there has its rights: it either counts or it does not. */
  function checkRights({ accessor }: Life, reply: Reply): void {
    if (typeof reply === "string") return;
    const lacks = reply.status === 200 && /"Allow":\s*false/.test(reply.text);
    if (lacks || (reply.status === 403 && !isNoToken(reply))) {
      recorder.contradict(`the token ${accessor} had no rights at ${recorder.now().toFixed(0)} ms: ${reply.text}`);
    }
  }

  async function go(): Promise<void> {
    const now = recorder.now();
    lives = lives.filter(({ revoked }) => revoked === undefined || now < revoked + TRIED_MS);
    const due = lives.find(({ revoked, until }) => revoked === undefined && now > until);
    if (due !== undefined) return revoke(due);
    const ripe = lives.filter(({ revoked }) => revoked !== undefined && now > revoked + RIPE_MS);
    if (lives.length === 0 || (lives.length < LIVES && random.chance(0.2))) return create();
    await use(random.pick(ripe.length > 0 && random.chance(0.6) ? ripe : lives), (uses += 1) % nodes);
  }

  return [{ weight: 30, run: go }];
}

function isNoToken({ status, text }: Answer): boolean {
  return status === 403 && text.includes("ACL not found");
}
