import type { AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";
import { checkPermission } from "../acl/permission.ts";
import { DEFAULT_SCOPE } from "../acl/scope.ts";
import type { V1Routes } from "../http/v1/consul-api.ts";
import { operation } from "../http/v1/operation.ts";
import { sendJsonText } from "../http/v1/render.ts";
import { NO_REPLICATION, renderAddress, renderSelf } from "./render.ts";
import { leader, peers, replication, self } from "./schema.ts";
import type { Node } from "./service.ts";

const TAG = "Status";

/** The server as clients see it when they start. */
export function statusRoutes(node: Node): V1Routes {
  return (app, _options, done) => {
    app.get("/status/leader", { config: { public: true }, schema: LEADER }, (_request, reply) => {
      void sendJsonText(reply, renderAddress(addressOf(app)));
    });
    app.get("/status/peers", { config: { public: true }, schema: PEERS }, async () => [renderAddress(addressOf(app))]);
    app.get("/agent/self", { schema: SELF }, async (request, reply) => {
      checkPermission(request.ctx, DEFAULT_SCOPE, "agent", "read", node.name);
      reply.header("x-tessera-version", node.version);
      return renderSelf(node, addressOf(app));
    });
    app.get("/acl/replication", { config: { public: true }, schema: REPLICATION }, async () => NO_REPLICATION);
    done();
  };
}

/** Where the server listens; in a process that does not, where it would by default. */
function addressOf(app: Pick<FastifyInstance, "server">): AddressInfo {
  const address = app.server.address();
  return typeof address === "object" && address !== null
    ? address
    : { address: "127.0.0.1", port: 8500, family: "IPv4" };
}

const LEADER = operation({
  operationId: "getLeader",
  summary: "Address of the server that takes writes, which is the one that is asked",
  tag: TAG,
  answer: leader,
});

const PEERS = operation({
  operationId: "listPeers",
  summary: "Addresses of all servers that this one knows",
  tag: TAG,
  answer: peers,
});

const SELF = operation({
  operationId: "readSelf",
  summary: "Name, version and datacenter of this server",
  tag: TAG,
  answer: self,
});

const REPLICATION = operation({
  operationId: "readReplication",
  summary: "Whether tokens and policies come from another datacenter",
  tag: TAG,
  answer: replication,
});
