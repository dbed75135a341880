import { Type } from "typebox";
import { scopeRenderer } from "../rights/scope.ts";
import { shapeOf } from "../http/jsonapi/schema.ts";
import { NO_REPLICATION, renderAlive, renderMember, renderSelf, renderVersion } from "./render.ts";

const ADDRESS = "127.0.0.1:8500";
const NODE = { name: "tessera-1", datacenter: "dc1", edition: "enterprise", version: "0.1.0" } as const;
const WHERE = { address: "127.0.0.1", port: 8500, family: "IPv4" };

/** An answer like the example. */
function answer(description: string, example: unknown, said?: object) {
  return { ...shapeOf(example, said), description, examples: [example] };
}

export const leader = answer("Address of this server.", ADDRESS);

export const peers = answer("Address of this server, as the only entry.", [ADDRESS]);

const VERSIONS = {
  HumanVersion: "API version; `+ent` with namespaces.",
  TesseraVersion: "Version of this program.",
};

export const self = answer("This server.", renderSelf(NODE, WHERE), {
  Config: { ...VERSIONS, Version: VERSIONS.HumanVersion },
  Member: { Status: "1: alive." },
});

export const members = answer("This server, if the caller may read its node.", [renderMember(NODE, WHERE)], {
  Status: "1: alive.",
});

export const version = answer("Version of this server.", renderVersion(NODE), {
  ...VERSIONS,
  SHA: "Empty: unknown.",
});

export const datacenters = answer("The only datacenter.", ["dc1"]);

const CHECK = renderAlive(NODE, scopeRenderer("enterprise"));
const OPTIONAL = Type.Optional(Type.String());

export const checks = Type.Array(shapeOf(CHECK, { Namespace: OPTIONAL, Partition: OPTIONAL }), {
  description: "Check of this server if it is the named node and the caller may read it; else an empty list.",
  examples: [[CHECK]],
});

export const replication = answer("Replication from another datacenter is disabled.", NO_REPLICATION);
