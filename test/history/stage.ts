/** What is made before a run begins, for its clients to work on. */
import { bodyOf, doneAnswer, type Asked, type Caller } from "./caller.ts";
import type { Answer } from "./http-client.ts";

export interface Stage {
  /** Policies whose descriptions are the registers. */
  readonly registers: readonly { readonly name: string; readonly id: string }[];
  readonly organization: string;
  readonly workspaces: readonly string[];
  /** Name of a policy that lets a token read access-control objects. */
  readonly reader: string;
}

const REGISTERS = 5;
const WORKSPACES = 3;

/** Makes the stage; the first write of each register is recorded, as the checks need to know it. */
export async function buildStage(caller: Caller): Promise<Stage> {
  const organization = "history";
  const reader = "reader";
  const owner = { name: organization, email: "owner@example.com" };
  await demand(caller, { method: "POST", path: "/api/v2/organizations", body: resource("organizations", owner) });
  const workspaces: string[] = [];
  for (let number = 0; number < WORKSPACES; number++) {
    const path = `/api/v2/organizations/${organization}/workspaces`;
    const body = resource("workspaces", { name: `workspace-${number}` });
    const made = await demand(caller, { method: "POST", path, body });
    workspaces.push(bodyOf<{ data: { id: string } }>(made).data.id);
  }
  await demand(caller, { method: "PUT", path: "/v1/acl/policy", body: { Name: reader, Rules: 'acl = "read"' } });
  const registers: { name: string; id: string }[] = [];
  for (let number = 0; number < REGISTERS; number++) registers.push(await makeRegister(caller, `register-${number}`));
  return { registers, organization, workspaces, reader };
}

async function makeRegister(caller: Caller, register: string): Promise<{ name: string; id: string }> {
  const operation = { kind: "write", register, value: "first" } as const;
  const asked: Asked = { method: "PUT", path: "/v1/acl/policy", body: { Name: register, Description: "first" } };
  const reply = await caller.perform(operation, asked, (answer) => ({
    ...operation,
    version: bodyOf<{ ModifyIndex: number }>(answer).ModifyIndex,
  }));
  const answer = doneAnswer(reply);
  if (answer === undefined) throw new Error(`${register} was not made: ${JSON.stringify(reply)}`);
  return { name: register, id: bodyOf<{ ID: string }>(answer).ID };
}

/** @throws Error unless it is done */
async function demand(caller: Caller, asked: Asked): Promise<Answer> {
  const reply = await caller.ask(asked);
  const answer = doneAnswer(reply);
  if (answer === undefined) throw new Error(`${asked.method} ${asked.path}: ${JSON.stringify(reply)}`);
  return answer;
}

function resource(type: string, attributes: Readonly<Record<string, string>>): unknown {
  return { data: { type, attributes } };
}
