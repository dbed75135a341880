import { doneAnswer, type Action, type Asked, type Caller } from "./caller.ts";
import { isNoToken, makeCredential, type Held } from "./credentials.ts";
import type { Reply } from "./http-client.ts";
import type { Credential, Operation } from "./history.ts";
import type { Stage } from "./stage.ts";

/** A credential on its way from its creation until it has been refused everywhere for a while. */
interface Life extends Held {
  /** When it is to be ended. */
  readonly until: number;
  /** When the answer came that it is; undefined before. */
  revoked: number | undefined;
}

/** Credentials that a client has at a time. */
const LIVES = 5;
const KINDS: readonly Credential[] = ["token", "token", "login", "session", "secret"];
/** How long one is tried after it was ended, and from when on its refusal is promised in the default mode. */
const TRIED_MS = 3500;
const RIPE_MS = 1000;
/** A node that does not answer at once is left alone: the next one is of more interest. */
const USE_MS = 500;

/**
 * Makes a credential, uses it on every node so that each has it in its cache, ends it, asks every node for the newest at once,
 * and goes on using it everywhere. A client has a few at a time.
 */
export function tokenActions(caller: Caller, stage: Stage, nodes: number): readonly Action[] {
  const { random, recorder } = caller;
  let lives: Life[] = [];
  let uses = 0;

  async function create(): Promise<void> {
    const held = await makeCredential(caller, random.pick(KINDS), stage);
    if (held !== undefined) await begin(held);
  }

  async function begin(held: Held): Promise<void> {
    const life: Life = { ...held, until: recorder.now() + random.between(500, 4500), revoked: undefined };
    lives.push(life);
    // From now on each has it in its cache.
    for (let node = 0; node < nodes; node++) await use(life, node, false);
  }

  async function revoke(life: Life): Promise<void> {
    const operation: Operation = { kind: "revoke", token: life.name, of: life.of };
    const reply = await caller.perform(operation, life.end);
    const answer = doneAnswer(reply);
    // It is gone by an attempt before, whose outcome was unknown: since when nobody can say.
    if (typeof reply !== "string" && reply.status < 500 && answer === undefined) return forget(life);
    // Nobody knows the secret that there is now.
    if (answer === undefined) return life.of === "secret" ? forget(life) : undefined;
    life.revoked = recorder.now();
    for (let node = 0; node < nodes; node++) await use(life, node, true);
    if (life.next !== undefined) await begin(life.next(answer));
  }

  function forget(life: Life): void {
    lives = lives.filter((each) => each !== life);
  }

  async function use(life: Life, node: number, consistent: boolean): Promise<void> {
    const operation = { kind: "use", token: life.name, of: life.of, consistent } as const;
    const manner = consistent ? "?consistent" : "";
    // Mostly a question that a node answers from its cache alone.
    const asked: Asked = random.chance(0.25)
      ? { method: "GET", path: `/v1/acl/policy/${random.pick(stage.registers).id}${manner}` }
      : { method: "POST", path: `/v1/acl/authorize${manner}`, body: [{ Resource: "acl", Access: "read" }] };
    const sent = { ...asked, ...life.presented, node, milliseconds: USE_MS };
    const reply = await caller.perform(
      operation,
      sent,
      () => ({ ...operation, accepted: true }),
      (answer) => (isNoToken(answer) ? { ...operation, accepted: false } : operation),
    );
    checkRights(life, reply);
  }

  /** A credential that counts has its rights: it either counts or it does not. */
  function checkRights({ of, name }: Life, reply: Reply): void {
    if (typeof reply === "string") return;
    const lacks = reply.status === 200 && /"Allow":\s*false/.test(reply.text);
    if (lacks || (reply.status === 403 && !isNoToken(reply))) {
      recorder.contradict(`the ${of} ${name} had no rights at ${recorder.now().toFixed(0)} ms: ${reply.text}`);
    }
  }

  async function go(): Promise<void> {
    const now = recorder.now();
    lives = lives.filter(({ revoked }) => revoked === undefined || now < revoked + TRIED_MS);
    const due = lives.find(({ revoked, until }) => revoked === undefined && now > until);
    if (due !== undefined) return revoke(due);
    const ripe = lives.filter(({ revoked }) => revoked !== undefined && now > revoked + RIPE_MS);
    if (lives.length === 0 || (lives.length < LIVES && random.chance(0.2))) return create();
    const life = random.pick(ripe.length > 0 && random.chance(0.6) ? ripe : lives);
    await use(life, (uses += 1) % nodes, random.chance(0.2));
  }

  return [{ weight: 30, run: go }];
}
