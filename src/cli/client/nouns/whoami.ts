import { TesseraError } from "@tessera-server/client";
import { objectOf } from "../kit/answers.ts";
import type { Item } from "../output/types.ts";
import type { Verb } from "../spec.ts";

export const verb: Verb = {
  name: "whoami",
  summary: "Show the effective server, token and settings.",
  operations: ["readOwnToken", "readOwnAccount"],
  flags: [{ name: "account", help: "Show the account in /api/v2 format." }],
  async run(call) {
    if (call.isSet("account")) return call.out.value(objectOf(await call.read("readOwnAccount")));
    const { address, addressFrom, tokenFrom, namespace, partition, organization, context } = call.settings;
    // Without a token one is the anonymous token, which the server shows nobody.
    const token = tokenFrom === undefined ? {} : await ownToken(call);
    const item: Item = {
      address,
      addressFrom,
      ...(context === undefined ? {} : { context }),
      token: tokenFrom ?? "none (anonymous token)",
      ...token,
      namespace: namespace ?? "default",
      partition: partition ?? "default",
      ...(organization === undefined ? {} : { organization }),
    };
    const columns = Object.keys(item).map((name) => ({ title: TITLES[name] ?? name, value: name }));
    await call.out.item(item, { columns, name: (found) => found["accessorId"] ?? "anonymous" });
  },
};

const TITLES: Readonly<Record<string, string>> = {
  address: "Server",
  addressFrom: "Server from",
  context: "Context",
  token: "Token from",
  accessorId: "AccessorID",
  description: "Description",
  policies: "Policies",
  roles: "Roles",
  expires: "Expires",
  authMethod: "Auth method",
  namespace: "Namespace",
  partition: "Partition",
  organization: "Organization",
};

async function ownToken(call: Parameters<Verb["run"]>[0]): Promise<Item> {
  try {
    const token = objectOf(await call.read("readOwnToken"));
    return {
      accessorId: token["AccessorID"],
      description: token["Description"],
      policies: namesOf(token["Policies"]),
      roles: namesOf(token["Roles"]),
      ...(token["AuthMethod"] === undefined ? {} : { authMethod: token["AuthMethod"] }),
      ...(token["ExpirationTime"] === undefined ? {} : { expires: token["ExpirationTime"] }),
    };
  } catch (error) {
    if (error instanceof TesseraError && error.status === 403)
      await call.out.warn(
        `The token from ${call.settings.tokenFrom ?? ""} is unknown to ${call.settings.address} or has expired.`,
      );
    throw error;
  }
}

function namesOf(links: unknown): unknown[] {
  return (Array.isArray(links) ? (links as Item[]) : []).map(({ Name: name, ID: id }) => name ?? id);
}
