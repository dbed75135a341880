import { bodyOf, doneAnswer, type Action, type Caller } from "./caller.ts";
import type { Answer } from "./http-client.ts";
import type { Contents, Operation } from "./history.ts";
import type { Stage } from "./stage.ts";

interface StoredRole {
  readonly ID: string;
  readonly Name: string;
  readonly ModifyIndex: number;
}

interface Made {
  readonly name: string;
  readonly id: string;
}

/** Names that all clients want. */
const SHARED = Array.from({ length: 6 }, (_, number) => `shared-${number}`);
/** How many roles of names that nobody else uses a client keeps, so that lists stay short. */
const OWN_LIMIT = 10;

export const ROLES_PATH = "/v1/acl/roles";

/** Roles in the answer of a list, with their versions. */
export function rolesIn(answer: Answer): Contents {
  return Object.fromEntries(bodyOf<StoredRole[]>(answer).map(({ Name, ModifyIndex }) => [Name, ModifyIndex]));
}

/** Creates, deletes and lists roles. Some names are fought for, some a client has for itself. */
export function roleActions(caller: Caller, { reader }: Stage): readonly Action[] {
  const { random } = caller;
  let names = 0;
  let own: Made[] = [];
  /** Shared roles as the last list showed them. */
  let shared: Made[] = [];

  async function create(name: string): Promise<Made | undefined> {
    const operation: Operation = { kind: "create", pool: "roles", names: [name] };
    // With a link: the answer names the policy, which is read too.
    const body = { Name: name, Policies: [{ Name: reader }] };
    const reply = await caller.perform(operation, { method: "PUT", path: "/v1/acl/role", body }, (answer) => ({
      ...operation,
      ids: [bodyOf<StoredRole>(answer).ID],
    }));
    const answer = doneAnswer(reply);
    return answer && { name, id: bodyOf<StoredRole>(answer).ID };
  }

  async function createOwn(): Promise<void> {
    if (own.length >= OWN_LIMIT) return deleteOwn();
    names += 1;
    const made = await create(`own-${caller.client}-${names}`);
    if (made !== undefined) own.push(made);
  }

  async function remove({ name, id }: Made): Promise<void> {
    const operation: Operation = { kind: "delete", pool: "roles", names: [name], ids: [id] };
    await caller.perform(operation, { method: "DELETE", path: `/v1/acl/role/${id}` });
  }

  async function deleteOwn(): Promise<void> {
    if (own.length === 0) return createOwn();
    const chosen = random.pick(own);
    // Forgotten also when the outcome is unknown: then it may be there in the end, or not.
    own = own.filter((made) => made !== chosen);
    await remove(chosen);
  }

  async function deleteShared(): Promise<void> {
    if (shared.length === 0) return list();
    await remove(random.pick(shared));
  }

  async function list(): Promise<void> {
    const operation: Operation = { kind: "list", pool: "roles" };
    const reply = await caller.perform(operation, { method: "GET", path: ROLES_PATH }, (answer) => ({
      ...operation,
      found: rolesIn(answer),
    }));
    const answer = doneAnswer(reply);
    if (answer === undefined) return;
    shared = bodyOf<StoredRole[]>(answer)
      .filter(({ Name }) => SHARED.includes(Name))
      .map(({ Name: name, ID: id }) => ({ name, id }));
  }

  return [
    { weight: 4, run: async () => void (await create(random.pick(SHARED))) },
    { weight: 3, run: deleteShared },
    { weight: 5, run: createOwn },
    { weight: 3, run: deleteOwn },
    { weight: 6, run: list },
  ];
}
