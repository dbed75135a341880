/** Objects of access control that forms are about, and where their screens are. */
import type { Client } from "@tessera-server/client";
import { type About, orGone } from "./forms.ts";

export const ACCESS = "access/default/default";

export const token = {
  setUp: async (client: Client, name: string) =>
    (await client.tokens.create({ body: { Description: name, Policies: [{ Name: "auditors" }] } })).AccessorID,
  read: async (client: Client, { id }: About) => orGone(client.tokens.read({ accessor: id })),
};
export const policy = {
  setUp: async (client: Client, name: string) =>
    (await client.policies.create({ body: { Name: name, Description: "Before", Rules: 'acl = "read"' } })).ID,
  read: async (client: Client, { id }: About) => orGone(client.policies.read({ id })),
};
export const role = {
  setUp: async (client: Client, name: string) =>
    (await client.roles.create({ body: { Name: name, Description: "Before", Policies: [{ Name: "auditors" }] } })).ID,
  read: async (client: Client, { id }: About) => orGone(client.roles.read({ id })),
};
export const method = {
  setUp: async (client: Client, name: string) => {
    const known = await client.authMethods.read({ name: "pipelines" });
    const { Config } = known;
    await client.authMethods.create({ body: { Name: name, Type: "jwt", MaxTokenTTL: "20m", Config } });
    return name;
  },
  read: async (client: Client, { name }: About) => orGone(client.authMethods.read({ name })),
};
export const rule = {
  setUp: async (client: Client, name: string) =>
    (
      await client.bindingRules.create({
        body: { Description: name, AuthMethod: "laptops", BindType: "role", BindName: "on-call", Selector: "" },
      })
    ).ID,
  read: async (client: Client, { id }: About) => orGone(client.bindingRules.read({ id })),
};
export const namespace = {
  setUp: async (client: Client, name: string) => {
    await client.namespaces.create({ body: { Name: name, Description: "Before", Meta: { first: "1", second: "2" } } });
    return name;
  },
  async read(client: Client, { name }: About) {
    const found = await orGone(client.namespaces.read({ name }));
    // It is emptied first.
    return (found as { DeletedAt?: unknown }).DeletedAt === undefined ? found : "gone";
  },
};
export const partition = {
  setUp: async (client: Client, name: string) => {
    await client.partitions.create({ body: { Name: name, Description: "Before" } });
    return name;
  },
  async read(client: Client, { name }: About) {
    const found = await orGone(client.partitions.read({ name }));
    return (found as { DeletedAt?: unknown }).DeletedAt === undefined ? found : "gone";
  },
};
export const object = (noun: string) => ({ path: ({ id }: About) => `${ACCESS}/${noun}/${id}` });
export const editor = (noun: string) => ({ path: ({ id }: About) => `${ACCESS}/${noun}/${id}/edit` });
export const fresh = (noun: string) => ({ path: () => `${ACCESS}/${noun}/new` });

export async function called<T extends { Name?: string; Description?: string }>(
  list: Promise<readonly T[]>,
  name: string,
): Promise<T | undefined> {
  return (await list).find((each) => each.Name === name || each.Description?.startsWith(name) === true);
}
