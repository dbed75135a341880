import { bodyOf, doneAnswer, type Action, type Asked, type Caller } from "./caller.ts";
import type { Answer } from "./http-client.ts";
import type { Operation } from "./history.ts";
import { RIGHTS } from "./stage.ts";

/** A right of a token that stays, and the two states of what gives it. */
interface Right {
  readonly name: string;
  readonly secret: string;
  readonly path: string;
  readonly more: unknown;
  readonly less: unknown;
  allowed: boolean;
}

/** By which it is taken away. */
const BY = ["policy", "role", "token"] as const;
const RULES = 'acl = "read"';
const USE_MS = 500;
const CHANGE_MS = 2000;
/** In how many steps of a client's a right changes. */
const CHANGES = 0.25;

/** Narrows rights and gives them back, and asks every node from the first moment on. */
export function rightActions(caller: Caller, nodes: number): readonly Action[] {
  const { client, random } = caller;
  let rights: Right[] = [];
  let made = 0;

  async function write(path: string, body: unknown): Promise<Answer | undefined> {
    const asked = { method: "PUT", path: `${path}?ns=${RIGHTS}`, body, milliseconds: CHANGE_MS } as const;
    return doneAnswer(await caller.ask(asked));
  }

  async function make(by: (typeof BY)[number]): Promise<void> {
    const name = `${by}-${client}-${(made += 1)}`;
    const policy = await write("/v1/acl/policy", { Name: name, Rules: RULES });
    const Policies = [{ Name: name }];
    const role = by === "role" && policy ? await write("/v1/acl/role", { Name: name, Policies }) : undefined;
    if (policy === undefined || (by === "role" && role === undefined)) return;
    const grants = role === undefined ? { Policies } : { Roles: [{ Name: name }] };
    const operation: Operation = { kind: "grant", right: name, allowed: true };
    const path = `/v1/acl/token?ns=${RIGHTS}`;
    const reply = await caller.perform(operation, { method: "PUT", path, body: grants, milliseconds: CHANGE_MS });
    const token = doneAnswer(reply);
    if (token === undefined) return;
    const { SecretID: secret, AccessorID } = bodyOf<{ SecretID: string; AccessorID: string }>(token);
    const idOf = (answer: Answer): string => bodyOf<{ ID: string }>(answer).ID;
    const [where, more, less] =
      role !== undefined
        ? [`role/${idOf(role)}`, { Policies }, { Policies: [] }]
        : by === "token"
          ? [`token/${AccessorID}`, { Policies }, { Policies: [] }]
          : [`policy/${idOf(policy)}`, { Rules: RULES }, { Rules: "" }];
    rights.push({ name, secret, path: `/v1/acl/${where}?ns=${RIGHTS}`, more, less, allowed: true });
  }

  async function toggle(right: Right): Promise<void> {
    const allowed = !right.allowed;
    const operation: Operation = { kind: "grant", right: right.name, allowed };
    const body = allowed ? right.more : right.less;
    const reply = await caller.perform(operation, { method: "PATCH", path: right.path, body, milliseconds: CHANGE_MS });
    if (doneAnswer(reply) !== undefined) right.allowed = allowed;
    // The right is unknown now and may change at any time: leave it out.
    else if (reply === "none" || (typeof reply !== "string" && /\bunknown\b/.test(reply.text)))
      rights = rights.filter((each) => each !== right);
    else return;
    const first = random.below(nodes);
    for (let step = 0; step < nodes; step++) await question(right, (first + step) % nodes, true);
  }

  async function question({ name, secret }: Right, node: number, consistent: boolean): Promise<void> {
    const operation = { kind: "ask", right: name, consistent } as const;
    const manner = consistent ? "&consistent" : "";
    const asked: Asked = random.chance(0.5)
      ? { method: "GET", path: `/v1/acl/policies?ns=${RIGHTS}${manner}` }
      : {
          method: "POST",
          path: `/v1/acl/authorize?ns=${RIGHTS}${manner}`,
          body: [{ Resource: "acl", Access: "read", Namespace: RIGHTS }],
        };
    const isRefusal = ({ status }: Answer): Operation =>
      status === 403 ? { ...operation, allowed: false } : operation;
    await caller.perform(
      operation,
      { ...asked, token: secret, node, milliseconds: USE_MS },
      ({ text }) => ({ ...operation, allowed: !/"Allow":\s*false/.test(text) }),
      isRefusal,
    );
  }

  async function go(): Promise<void> {
    const missing = BY.find((by) => !rights.some(({ name }) => name.startsWith(by)));
    if (missing !== undefined && (rights.length === 0 || random.chance(0.3))) return make(missing);
    const right = random.pick(rights);
    if (random.chance(CHANGES)) return toggle(right);
    await question(right, random.below(nodes), random.chance(0.4));
  }

  return [{ weight: 20, run: go }];
}
