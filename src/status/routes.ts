import type { AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";
import type { TSchema } from "typebox";
import { checkPermission } from "../rights/permission.ts";
import { DEFAULT_SCOPE, type RenderScope } from "../rights/scope.ts";
import type { V1Routes } from "../http/v1/consul-api.ts";
import { operation, SCOPE_PARAMETERS } from "../http/v1/operation.ts";
import { paramsOf, serveObject } from "../http/v1/reads/serve.ts";
import { sendJsonText } from "../http/v1/render.ts";
import { NO_REPLICATION, renderAddress, renderAlive, renderMember, renderSelf, renderVersion } from "./render.ts";
import { checks, datacenters, leader, members, peers, replication, self, version } from "./schema.ts";
import { isNamed, seesNode, type Node } from "./service.ts";

/** The server as clients see it when they start. */
export function statusRoutes(node: Node, renderScope: RenderScope): V1Routes {
  return (app, _options, done) => {
    app.get("/status/leader", { config: { public: true }, schema: LEADER }, (_request, reply) => {
      void sendJsonText(reply, renderAddress(addressOf(app)));
    });
    app.get("/status/peers", { config: { public: true }, schema: PEERS }, async () => [renderAddress(addressOf(app))]);
    app.get("/agent/self", { schema: SELF }, async (request) => {
      checkPermission(request.ctx, DEFAULT_SCOPE, "agent", "read", node.name);
      return renderSelf(node, addressOf(app));
    });
    app.get("/agent/version", { schema: VERSION }, async ({ ctx }) => {
      checkPermission(ctx, DEFAULT_SCOPE, "agent", "read", node.name);
      return renderVersion(node);
    });
    app.get("/agent/members", { schema: MEMBERS }, async ({ ctx }) =>
      seesNode(ctx, node) ? [renderMember(node, addressOf(app))] : [],
    );
    app.get("/catalog/datacenters", { config: { public: true }, schema: DATACENTERS }, async () => [node.datacenter]);
    const health = serveObject({
      tables: [NODES],
      sharing: "own",
      async find(request) {
        const { node: asked } = paramsOf<ByNode>(request);
        const isThere = isNamed(node, asked, request.scope) && seesNode(request.ctx, node);
        return { key: asked, value: isThere ? [renderAlive(node, renderScope)] : [] };
      },
    });
    const healthConfig = { read: true, ofPartition: true, missing: "Missing node name" };
    app.get("/health/node/:node", { config: healthConfig, schema: HEALTH }, health);
    app.get("/acl/replication", { config: { public: true }, schema: REPLICATION }, async () => NO_REPLICATION);
    done();
  };
}

/** Listen address; in a process that does not listen, the default one. */
function addressOf(app: Pick<FastifyInstance, "server">): AddressInfo {
  const address = app.server.address();
  return typeof address === "object" && address !== null
    ? address
    : { address: "127.0.0.1", port: 8500, family: "IPv4" };
}

/** Nothing is written of nodes: whoever waits for news of one waits to the end of its time. */
const NODES = "nodes";

type ByNode = { Params: { node: string } };

/** Describes an operation of this module. */
const told = (
  operationId: string,
  summary: string,
  answer: TSchema,
  more: Partial<Parameters<typeof operation>[0]> = {},
) => operation({ operationId, summary, tag: "Status", answer, ...more });

const LEADER = told("getLeader", "Read the address of the leader", leader);
const PEERS = told("listPeers", "List the addresses of all servers", peers);
const SELF = told("readSelf", "Read name, version and datacenter", self);
const VERSION = told("readVersion", "Read the server version", version, { description: "Requires agent:read." });
const MEMBERS = told("listMembers", "List servers", members, {
  description: "Requires node:read.",
  query: { wan: "Accepted for compatibility; no effect.", segment: "Accepted for compatibility; no effect." },
});
const DATACENTERS = told("listDatacenters", "List datacenters", datacenters);
const HEALTH = told("listNodeChecks", "Read the health of a node", checks, {
  description: "Requires node:read.",
  params: { node: "Name of the node, ignoring case." },
  query: SCOPE_PARAMETERS.partition,
});
const REPLICATION = told("readReplication", "Read the replication status", replication);
