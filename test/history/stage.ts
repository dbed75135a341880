/** Objects that are made before a run begins, for its clients to work on. */
import { createSigningKey } from "../support/key-server.ts";
import { bodyOf, doneAnswer, type Asked, type Caller } from "./caller.ts";
import { bearerOf, METHOD } from "./identity.ts";
import type { Answer } from "./http-client.ts";

export interface Stage {
  /** Policies whose descriptions are the registers. */
  readonly registers: readonly { readonly name: string; readonly id: string }[];
  readonly organization: string;
  readonly workspaces: readonly string[];
  /** Name of a policy that lets a token read access-control objects. */
  readonly reader: string;
  /** Organization and workspaces for keys and values, apart from the tags whose lists are checked. */
  readonly values: { readonly organization: string; readonly workspaces: readonly string[] };
  /** A token of the identity provider for a subject, for a login. */
  bearer(subject: string): string;
}

/** Namespace of the objects that grant and remove rights, apart from the roles whose lists are checked. */
export const RIGHTS = "rights";

const REGISTERS = 5;
const WORKSPACES = 3;

/** Makes the stage; the first write of each register is recorded, as the checks need to know it. */
export async function buildStage(caller: Caller): Promise<Stage> {
  const organization = "history";
  const reader = "reader";
  const workspaces = await makeOrganization(caller, organization);
  const values = { organization: "values", workspaces: await makeOrganization(caller, "values") };
  await demand(caller, { method: "PUT", path: "/v1/namespace", body: { Name: RIGHTS } });
  const key = createSigningKey("history");
  const method = { Name: METHOD, Type: "jwt", Config: { JWTValidationPubKeys: [key.publicKey] } };
  await demand(caller, { method: "PUT", path: "/v1/acl/auth-method", body: method });
  await demand(caller, { method: "PUT", path: "/v1/acl/policy", body: { Name: reader, Rules: 'acl = "read"' } });
  const registers: { name: string; id: string }[] = [];
  for (let number = 0; number < REGISTERS; number++) registers.push(await makeRegister(caller, `register-${number}`));
  const rule = { AuthMethod: METHOD, BindType: "policy", BindName: reader };
  await demand(caller, { method: "PUT", path: "/v1/acl/binding-rule", body: rule });
  return { registers, organization, workspaces, reader, values, bearer: (subject) => bearerOf(key, subject) };
}

/** @returns the IDs of its workspaces */
async function makeOrganization(caller: Caller, name: string): Promise<string[]> {
  const owner = { name, email: "owner@example.com" };
  await demand(caller, { method: "POST", path: "/api/v2/organizations", body: resource("organizations", owner) });
  const workspaces: string[] = [];
  for (let number = 0; number < WORKSPACES; number++) {
    const path = `/api/v2/organizations/${name}/workspaces`;
    const body = resource("workspaces", { name: `workspace-${number}` });
    const made = await demand(caller, { method: "POST", path, body });
    workspaces.push(bodyOf<{ data: { id: string } }>(made).data.id);
  }
  return workspaces;
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
