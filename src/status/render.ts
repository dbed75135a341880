import type { AddressInfo } from "node:net";
import { type RenderScope, DEFAULT_SCOPE } from "../rights/scope.ts";
import { compatibleVersion, type Node } from "./service.ts";

/** An address as clients show it, such as `127.0.0.1:8500` or `[::1]:8500`. */
export function renderAddress({ address, port, family }: AddressInfo): string {
  return family === "IPv6" ? `[${address}]:${port}` : `${address}:${port}`;
}

/** Body of `GET /v1/agent/self`: every member at the top is an object, as clients expect. */
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
    Member: renderMember(node, address),
    Meta: {},
  };
}

/** A member of the cluster. Servers do not gossip, so no protocol has a version. */
export function renderMember({ name, datacenter, edition }: Node, { address, port }: AddressInfo) {
  return {
    Name: name,
    Addr: address,
    Port: port,
    Tags: { build: compatibleVersion(edition), dc: datacenter, role: "consul" },
    Status: ALIVE,
    ProtocolMin: 0,
    ProtocolMax: 0,
    ProtocolCur: 0,
    DelegateMin: 0,
    DelegateMax: 0,
    DelegateCur: 0,
  };
}

/** Body of `GET /v1/agent/version`; it contains the version whose behavior the server has for clients. */
export function renderVersion({ edition, version }: Pick<Node, "edition" | "version">) {
  return {
    SHA: "",
    BuildDate: "0001-01-01T00:00:00Z",
    HumanVersion: compatibleVersion(edition),
    FIPS: "",
    TesseraVersion: version,
  };
}

/** The one check of a node that answers: it is there. */
export function renderAlive({ name }: Pick<Node, "name">, renderScope: RenderScope) {
  return {
    Node: name,
    CheckID: "serfHealth",
    Name: "Serf Health Status",
    Status: "passing",
    Notes: "",
    Output: "Agent alive and reachable",
    ServiceID: "",
    ServiceName: "",
    ServiceTags: [],
    Type: "",
    Definition: {},
    ...renderScope(DEFAULT_SCOPE),
    CreateIndex: 1,
    ModifyIndex: 1,
  };
}

/** How members of a cluster are known to be there. */
const ALIVE = 1;

/** Replication status of a server that takes no tokens or policies from another datacenter. */
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
