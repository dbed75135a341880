import { Type } from "typebox";
import { scopeRenderer } from "../acl/scope.ts";
import { NO_REPLICATION, renderAlive, renderMember, renderSelf, renderVersion } from "./render.ts";

const ADDRESS = "127.0.0.1:8500";
const NODE = { name: "tessera-1", datacenter: "dc1", edition: "enterprise", version: "0.1.0" } as const;
const WHERE = { address: "127.0.0.1", port: 8500, family: "IPv4" };

const member = Type.Object({
  Name: Type.String(),
  Addr: Type.String(),
  Port: Type.Integer(),
  Tags: Type.Record(Type.String(), Type.String()),
  Status: Type.Integer({ description: "1: alive." }),
  ProtocolMin: Type.Integer(),
  ProtocolMax: Type.Integer(),
  ProtocolCur: Type.Integer(),
  DelegateMin: Type.Integer(),
  DelegateMax: Type.Integer(),
  DelegateCur: Type.Integer(),
});

export const leader = Type.String({ description: "Address of this server.", examples: [ADDRESS] });

export const peers = Type.Array(Type.String(), { description: "The same as the only entry.", examples: [[ADDRESS]] });

export const self = Type.Object(
  {
    Config: Type.Object({
      Datacenter: Type.String(),
      PrimaryDatacenter: Type.String(),
      NodeName: Type.String(),
      Server: Type.Boolean(),
      Version: Type.String({ description: "Version of the API; `+ent` when it has namespaces." }),
      TesseraVersion: Type.String({ description: "Version of this program." }),
    }),
    Member: member,
    Meta: Type.Record(Type.String(), Type.String()),
  },
  {
    description: "This server.",
    examples: [renderSelf(NODE, WHERE)],
  },
);

export const members = Type.Array(member, {
  description: "This server, to whoever may read its node.",
  examples: [[renderMember(NODE, WHERE)]],
});

export const version = Type.Object(
  {
    SHA: Type.String({ description: "Empty: not told." }),
    BuildDate: Type.String(),
    HumanVersion: Type.String({ description: "Version of the API; `+ent` when it has namespaces." }),
    FIPS: Type.String(),
    TesseraVersion: Type.String({ description: "Version of this program." }),
  },
  { description: "This server's version.", examples: [renderVersion(NODE)] },
);

export const datacenters = Type.Array(Type.String(), {
  description: "The one datacenter that there is.",
  examples: [["dc1"]],
});

export const checks = Type.Array(
  Type.Object({
    Node: Type.String(),
    CheckID: Type.String(),
    Name: Type.String(),
    Status: Type.String(),
    Notes: Type.String(),
    Output: Type.String(),
    ServiceID: Type.String(),
    ServiceName: Type.String(),
    ServiceTags: Type.Array(Type.String()),
    Type: Type.String(),
    Definition: Type.Object({}),
    Namespace: Type.Optional(Type.String()),
    Partition: Type.Optional(Type.String()),
    CreateIndex: Type.Integer(),
    ModifyIndex: Type.Integer(),
  }),
  {
    description: "That this server is there, when it is named and the caller may read its node; else nothing.",
    examples: [[renderAlive(NODE, scopeRenderer("enterprise"))]],
  },
);

export const replication = Type.Object(
  {
    Enabled: Type.Boolean(),
    Running: Type.Boolean(),
    SourceDatacenter: Type.String(),
    ReplicationType: Type.String(),
    ReplicatedIndex: Type.Integer(),
    ReplicatedRoleIndex: Type.Integer(),
    ReplicatedTokenIndex: Type.Integer(),
    LastSuccess: Type.String(),
    LastError: Type.String(),
    LastErrorMessage: Type.String(),
  },
  { description: "Nothing comes from another datacenter.", examples: [NO_REPLICATION] },
);
