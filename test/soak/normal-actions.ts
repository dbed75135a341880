import type { Random } from "../history/random.ts";
import type { Answer, Details } from "./sender.ts";
import type { Target } from "./target.ts";

/** Asks and takes down how long it took. @throws Error when another status is answered than `status` */
export type Ask = (kind: string, status: number, method: string, path: string, details?: Details) => Promise<Answer>;

/** Tools of an action. */
export interface Stage {
  readonly ask: Ask;
  readonly target: Target;
  readonly random: Random;
}

/** Action of a normal client, and its frequency compared with the others. */
export interface Action {
  readonly weight: number;
  readonly act: (stage: Stage) => Promise<void>;
}

const RULES = 'service_prefix "made-" { policy = "read" } key "config/made" { policy = "write" }';

const readSelf: Action = {
  weight: 30,
  act: async ({ ask, target }) => {
    await ask("token/self", 200, "GET", "/v1/acl/token/self", { token: target.reader });
  },
};

const readPolicy: Action = {
  weight: 15,
  act: async ({ ask, target, random }) => {
    const id = random.pick(target.policies);
    const { text } = await ask("read a policy", 200, "GET", `/v1/acl/policy/${id}`, { token: target.reader });
    expectText(text, id);
  },
};

const LISTS = ["/v1/acl/policies?page-size=50", "/v1/acl/tokens?page-size=50", "/v1/acl/binding-rules"];
const list: Action = {
  weight: 12,
  act: async ({ ask, target, random }) => {
    const { text } = await ask("list of /v1", 200, "GET", random.pick(LISTS), { token: target.reader });
    expectText(text, '"CreateIndex"');
  },
};

const authorize: Action = {
  weight: 25,
  act: async ({ ask, target, random }) => {
    const Segment = `made-${random.below(1000)}`;
    const checks = [
      { Resource: "key", Access: "read", Segment },
      { Resource: "key", Access: "write", Segment },
    ];
    const details = { token: target.reader, body: checks };
    const { text } = await ask("authorize", 200, "POST", "/v1/internal/acl/authorize", details);
    const allowed = (JSON.parse(text) as { Allow: boolean }[]).map(({ Allow }) => Allow);
    if (allowed.join() !== "true,false") throw new Error(`authorize decided ${allowed.join()}`);
  },
};

const livePolicy: Action = {
  weight: 4,
  act: async ({ ask }) => {
    const Name = `made-${crypto.randomUUID()}`;
    const made = await ask("create a policy", 200, "PUT", "/v1/acl/policy", { body: { Name, Rules: RULES } });
    const { ID } = JSON.parse(made.text) as { ID: string };
    const path = `/v1/acl/policy/${ID}`;
    await ask("update a policy", 200, "PUT", path, { body: { ID, Name, Description: "changed", Rules: RULES } });
    expectText((await ask("read a policy", 200, "GET", path)).text, "changed");
    await ask("delete a policy", 200, "DELETE", path);
    await ask("read what is gone", 404, "GET", path);
  },
};

const liveToken: Action = {
  weight: 4,
  act: async ({ ask, target, random }) => {
    const body = { Description: "made", Policies: [{ ID: random.pick(target.policies) }] };
    const made = await ask("create a token", 200, "PUT", "/v1/acl/token", { body });
    const { AccessorID, SecretID } = JSON.parse(made.text) as { AccessorID: string; SecretID: string };
    await ask("token/self", 200, "GET", "/v1/acl/token/self", { token: SecretID });
    const changed = { ...body, AccessorID, Description: "changed" };
    await ask("update a token", 200, "PUT", `/v1/acl/token/${AccessorID}`, { body: changed });
    await ask("delete a token", 200, "DELETE", `/v1/acl/token/${AccessorID}`);
    await ask("use what is revoked", 403, "GET", "/v1/acl/token/self", { token: SecretID });
  },
};

const listTags: Action = {
  weight: 10,
  act: async ({ ask, random }) => {
    const query = random.pick(["page[size]=20", `q=standing-${random.below(20)}`]);
    const { text } = await ask("list tags", 200, "GET", `/api/v2/organizations/acme/tags?${query}`);
    expectText(text, "standing-");
  },
};

const attachTag: Action = {
  weight: 5,
  act: async ({ ask, target, random }) => {
    const path = `/api/v2/workspaces/${random.pick(target.workspaces)}/relationships/tags`;
    const body = { data: [{ type: "tags", id: random.pick(target.tags) }] };
    await ask("attach a tag", 204, "POST", path, { body });
    await ask("list tags of a workspace", 200, "GET", path);
  },
};

const liveTag: Action = {
  weight: 2,
  act: async ({ ask }) => {
    const path = "/api/v2/organizations/acme/tags";
    const data = [{ type: "tags", attributes: { name: `made-${crypto.randomUUID()}` } }];
    const made = await ask("create a tag", 201, "POST", path, { body: { data } });
    const { data: tags } = JSON.parse(made.text) as { data: { id: string }[] };
    const ids = tags.map(({ id }) => ({ type: "tags", id }));
    await ask("delete a tag", 204, "DELETE", path, { body: { data: ids } });
  },
};

const logIn: Action = {
  weight: 6,
  act: async ({ ask, target, random }) => {
    const body = { AuthMethod: "people", BearerToken: random.pick(target.bearers) };
    const { text } = await ask("login", 200, "POST", "/v1/acl/login", { token: "", body });
    const { SecretID } = JSON.parse(text) as { SecretID: string };
    await ask("token/self", 200, "GET", "/v1/acl/token/self", { token: SecretID });
    await ask("logout", 200, "POST", "/v1/acl/logout", { token: SecretID });
  },
};

export const ACTIONS: readonly Action[] = [
  readSelf,
  readPolicy,
  list,
  authorize,
  livePolicy,
  liveToken,
  listTags,
  attachTag,
  liveTag,
  logIn,
];

function expectText(text: string, part: string): void {
  if (!text.includes(part)) throw new Error(`"${part}" is not in the answer: ${text.slice(0, 200)}`);
}
