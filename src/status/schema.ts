import { Type } from "typebox";
import { NO_REPLICATION, renderSelf } from "./render.ts";

const ADDRESS = "127.0.0.1:8500";

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
    Member: Type.Object({
      Name: Type.String(),
      Addr: Type.String(),
      Port: Type.Integer(),
      Tags: Type.Record(Type.String(), Type.String()),
      Status: Type.Integer({ description: "1: alive." }),
    }),
    Meta: Type.Record(Type.String(), Type.String()),
  },
  {
    description: "This server.",
    examples: [
      renderSelf(
        { name: "tessera-1", datacenter: "dc1", edition: "enterprise", version: "0.1.0" },
        { address: "127.0.0.1", port: 8500, family: "IPv4" },
      ),
    ],
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
