/** Attackers that try to see a victim's objects, and the victim. */
import { expect } from "vitest";
import { login, bearer } from "../support/login.ts";
import { at, idOf, KEY, makeIn, makeNamespace, makePartition, type Place } from "../support/scopes.ts";
import type { V1 } from "../support/v1.ts";
import { PLACES, SECRET, type Prey } from "./requests.ts";

/** SecretIDs by who they are; the anonymous token is named by none. */
export const ATTACKERS = {
  anonymous: "",
  rightless: "a0000000-0000-4000-8000-000000000001",
  "namespace tenant": "a0000000-0000-4000-8000-000000000002",
  "partition tenant": "a0000000-0000-4000-8000-000000000003",
  "organization tenant": "a0000000-0000-4000-8000-000000000004",
  "workspaces tenant": "a0000000-0000-4000-8000-000000000005",
} as const;
export type Attacker = keyof typeof ATTACKERS;

/** Makes them, alike on every server. */
export async function makeAttackers(v1: V1): Promise<void> {
  await makeNamespace(v1, { namespace: "tenant" });
  await makePartition(v1, "tenant");
  const make = async (attacker: Attacker, place: { namespace?: string; partition?: string }, Policies: object[]) => {
    const SecretID = ATTACKERS[attacker];
    await makeIn(v1, place, "token", { SecretID, AccessorID: SecretID.replace(/^a/, "b"), Policies });
  };
  const inPartition = { partition: "tenant" };
  const manager = { Name: "manager", Rules: 'acl = "write"\nnamespace_prefix "" { acl = "write" }' };
  const owner = { Name: "owner", Rules: 'organization "mine" { policy = "write" }' };
  await makeIn(v1, inPartition, "policy", manager);
  const others = 'workspace_prefix "" { policy = "write" }\nworkspace_prefix "victim/" { policy = "deny" }';
  await makeIn(v1, {}, "policy", owner);
  await makeIn(v1, {}, "policy", { Name: "others", Rules: others });
  await make("rightless", {}, []);
  await make("namespace tenant", { namespace: "tenant" }, [{ Name: "namespace-management" }]);
  await make("partition tenant", inPartition, [{ Name: "manager" }]);
  await make("organization tenant", {}, [{ Name: "owner" }]);
  await make("workspaces tenant", {}, [{ Name: "others" }]);
}

/** Makes one of everything in every place, and an organization; gives what it is asked for by, by place. */
export async function makeVictim(v1: V1): Promise<Record<string, Prey>> {
  await makeNamespace(v1, { namespace: "victim" });
  await makePartition(v1, "victim");
  const inOrganization = await makeOrganization(v1);
  const prey: Record<string, Prey> = {};
  for (const [name, place] of Object.entries(PLACES)) {
    const policy = idOf(await makeIn(v1, place, "policy", { Name: "victim", Rules: 'acl = "read"' }));
    const role = idOf(await makeIn(v1, place, "role", { Name: "victim", Policies: [{ ID: policy }] }));
    const SecretID = name === "default" ? { SecretID: SECRET } : {};
    const token = idOf(await makeIn(v1, place, "token", { Policies: [{ ID: policy }], ...SecretID }));
    await makeIn(v1, place, "auth-method", { Name: "victim" });
    const rule = idOf(await makeIn(v1, place, "binding-rule", { AuthMethod: "victim" }));
    const { namespace: Namespace = "default", partition: Partition = "default" } = place;
    expect((await login(v1, "victim", bearer(KEY, {}), { Namespace, Partition })).status).toBe(200);
    const begun = await v1.post(at("/acl/tokens/revoke", place), { Description: "the victim has none such" });
    expect(begun.status, begun.text).toBe(200);
    const owned = await v1.put(at("/acl/declaration", place), { Name: "victim", Objects: ["victim"] });
    const declaration = String(owned.body.ID);
    const trash = await discarded(v1, place);
    const shared = await v1.put(at("/acl/view", place), { Name: "victim", List: "roles", Shared: true });
    prey[name] = {
      policy,
      role,
      token,
      rule,
      revocation: String(begun.body.ID),
      declaration,
      trash,
      view: String(shared.body.ID),
      ...inOrganization,
    };
  }
  return prey;
}

/** Deletes a role in a place; gives its entry in the trash. */
async function discarded(v1: V1, place: Place): Promise<string> {
  const role = idOf(await makeIn(v1, place, "role", { Name: "discarded" }));
  expect((await v1.delete(at(`/acl/role/${role}`, place))).text).toBe("true");
  const [entry] = (await v1.get(at("/acl/trash", place))).body as { ID: string }[];
  return entry?.ID ?? expect.fail("the role is not in the trash");
}

async function makeOrganization(
  v1: V1,
): Promise<Pick<Prey, "organization" | "workspace" | "project" | "tag" | "reservedKey" | "webhook" | "job">> {
  const make = async (path: string, type: string, attributes: object, relationships?: object) => {
    const answer = await v1.api("POST", path, { data: { type, attributes, relationships } });
    expect(answer.status, answer.text).toBe(201);
    return String(answer.body.data.id);
  };
  const organization = await make("/organizations", "organizations", { name: "victim", email: "v@example.com" });
  const project = await make(`/organizations/victim/projects`, "projects", { name: "victim" });
  const tags = { data: [{ type: "tags", attributes: { name: "victim" } }] };
  const workspace = await make("/organizations/victim/workspaces", "workspaces", { name: "victim" }, { tags });
  const reservedKey = await make("/organizations/victim/reserved-tag-keys", "reserved-tag-keys", { key: "victim" });
  const target = { name: "victim", url: "https://hooks.example.com/" };
  const webhook = await make("/organizations/victim/tag-webhooks", "tag-webhooks", target);
  const { body } = await v1.api("GET", "/organizations/victim/tags");
  const job = { action: "add", tags: [{ name: "victim" }] };
  const id = await make("/organizations/victim/tag-jobs", "tag-jobs", job);
  return { organization, project, workspace, reservedKey, webhook, job: id, tag: String(body.data[0].id) };
}

/** Makes the victim write something, each time something else. */
export function createWriter(v1: V1, prey: Readonly<Record<string, Prey>>): () => Promise<void> {
  let count = 0;
  const places = Object.entries(PLACES);
  const kinds = ["policy", "role", "token", "auth-method", "binding-rule"] as const;
  return async () => {
    const [name, place] = places[count % places.length] ?? ["default", {}];
    const kind = kinds[Math.floor(count / places.length) % kinds.length] ?? "policy";
    const { policy = "", role = "", token = "", rule = "", workspace = "" } = prey[name] ?? {};
    const id = { policy, role, token, "auth-method": "victim", "binding-rule": rule }[kind];
    const change = { Description: `written ${count++}` };
    const answer = await v1.patch(at(`/acl/${kind}/${id}`, place), change);
    expect(answer.status, answer.text).toBe(200);
    if (count % 5 > 0) return;
    const named = place.namespace === undefined ? "?partition=victim" : "";
    await v1.patch(`/namespace/${named === "" ? "victim" : "default"}${named}`, change);
    await v1.patch("/partition/victim", change);
    const attributes = { description: change.Description };
    await v1.api("PATCH", `/workspaces/${workspace}`, { data: { type: "workspaces", attributes } });
  };
}
