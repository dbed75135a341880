import type { AddressInfo } from "node:net";
import { compatibleVersion, type Node } from "./service.ts";

/** An address as clients show it, such as `127.0.0.1:8500` or `[::1]:8500`. */
export function renderAddress({ address, port, family }: AddressInfo): string {
  return family === "IPv6" ? `[${address}]:${port}` : `${address}:${port}`;
}

/** What `GET /v1/agent/self` says: every value at the top is an object, as clients read it. */
export function renderSelf(node: Node, address: AddressInfo) {
  const version = compatibleVersion(node.edition);
  return {
    Config: {
      Datacenter: node.datacenter,
      PrimaryDatacenter: node.datacenter,
      NodeName: node.name,
      Server: true,
      Version: version,
      TesseraVersion: node.version,
    },
    Member: {
      Name: node.name,
      Addr: address.address,
      Port: address.port,
      Tags: { build: version, dc: node.datacenter, role: "consul" },
      Status: ALIVE,
    },
    Meta: {},
  };
}

/** How members of a cluster are known to be there. */
const ALIVE = 1;

/** What a server says that takes no tokens or policies from another datacenter. */
export const NO_REPLICATION = {
  Enabled: false,
  Running: false,
  SourceDatacenter: "",
  ReplicationType: "",
  ReplicatedIndex: 0,
  ReplicatedRoleIndex: 0,
  ReplicatedTokenIndex: 0,
  LastSuccess: "0001-01-01T00:00:00Z",
  LastError: "0001-01-01T00:00:00Z",
  LastErrorMessage: "",
};
