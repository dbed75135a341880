import { Type } from "typebox";
import { authorize } from "../rights/authorize.ts";
import type { PolicyEdition } from "../acl/policies/service.ts";
import { MOST_COUNTED } from "../lists/sorted.ts";
import type { BackupProgress } from "../backup/schedule/scheduled.ts";
import type { V1Routes } from "../http/v1/consul-api.ts";
import { operation, SCOPE_PARAMETERS } from "../http/v1/operation.ts";
import { createOverviews, type TableCounts, type Overview, type SeenNode } from "./service.ts";

const count = Type.Integer();
const COUNTS = { Tokens: count, Policies: count, Roles: count, AuthMethods: count, BindingRules: count };
const bounded = (description: string) =>
  Type.Object({ Count: count, More: Type.Optional(Type.Boolean()) }, { description, title: "BoundedCount" });

const EXAMPLE = {
  Partition: "default",
  Time: "2026-11-24T10:00:00.000Z",
  Counts: { Tokens: 12, Policies: 3, Roles: 2, AuthMethods: 1, BindingRules: 1 },
  Namespaces: {
    Count: 1,
    First: [{ Name: "default", Tokens: 12, Policies: 3, Roles: 2, AuthMethods: 1, BindingRules: 1 }],
  },
  Organizations: { Count: 1, First: [{ Name: "acme", Tags: 20, Projects: 1, Workspaces: 40 }] },
  UnusedTokens: { Count: 2 },
  TokensWithoutExpiration: { Count: 5 },
  PoliciesReadAsBefore: {
    First: [
      {
        ID: "3f1f2b4e-7d9c-4f57-9a51-2d5f6d0f5c11",
        Name: "web",
        Namespace: "default",
        Differences: ["acl: write becomes nothing"],
      },
    ],
  },
  AuthMethodsReadAsBefore: {
    First: [
      { Name: "github-actions", Namespace: "default", Differences: ["JWTSupportedAlgs would also apply to its keys"] },
    ],
  },
  RefusedLogins: [{ AuthMethod: "github-actions", Namespace: "default", Count: 31 }],
  Server: { Ready: true, Checks: ["[+] server: running"], BackupAgeSeconds: 3600 },
  Nodes: [{ Name: "web-1:4711", Version: "1.0.0", LastSeen: "2026-11-24T10:00:00.000Z", Ready: true }],
};

const answer = Type.Object(
  {
    Partition: Type.String(),
    Time: Type.String({ description: "Time of the numbers, which are cached for 30 s." }),
    Counts: Type.Object(COUNTS, { description: "Numbers in all namespaces that the caller may read." }),
    Namespaces: Type.Object({ Count: count, First: Type.Array(Type.Object({ Name: Type.String(), ...COUNTS })) }),
    Organizations: Type.Object({
      Count: count,
      First: Type.Array(
        Type.Object({
          Name: Type.String(),
          Tags: Type.Optional(count),
          Projects: Type.Optional(count),
          Workspaces: Type.Optional(count),
        }),
      ),
    }),
    UnusedTokens: bounded("Tokens not used for 90 days, counted up to 10,000."),
    TokensWithoutExpiration: bounded("Tokens that never expire, counted up to 10,000."),
    PoliciesReadAsBefore: Type.Object(
      {
        First: Type.Array(
          Type.Object({
            ID: Type.String(),
            Name: Type.String(),
            Namespace: Type.String(),
            Differences: Type.Array(Type.String()),
          }),
        ),
        More: Type.Optional(Type.Boolean()),
      },
      {
        title: "PoliciesReadAsBefore",
        description:
          "First policies whose decisions would change if they were saved again, with the differences. Up to 1,000 policies are checked.",
      },
    ),
    AuthMethodsReadAsBefore: Type.Object(
      {
        First: Type.Array(
          Type.Object({ Name: Type.String(), Namespace: Type.String(), Differences: Type.Array(Type.String()) }),
        ),
        More: Type.Optional(Type.Boolean()),
      },
      {
        title: "AuthMethodsReadAsBefore",
        description:
          "First auth methods that would reject more logins if their Config were saved again, with the differences. Up to 256 are checked.",
      },
    ),
    RefusedLogins: Type.Array(Type.Object({ AuthMethod: Type.String(), Namespace: Type.String(), Count: count }), {
      description: "Denied logins of the last day in the newest 500 records, most frequent first.",
    }),
    Server: Type.Optional(
      Type.Object(
        { Ready: Type.Boolean(), Checks: Type.Array(Type.String()), BackupAgeSeconds: Type.Optional(Type.Number()) },
        { description: "Server that responds; requires operator:read. Backup age only with `--backup-every`." },
      ),
    ),
    Nodes: Type.Optional(
      Type.Array(
        Type.Object({ Name: Type.String(), Version: Type.String(), LastSeen: Type.String(), Ready: Type.Boolean() }),
        { description: "Servers of the database, this server first. Stopped servers disappear after one hour." },
      ),
    ),
    Hidden: Type.Optional(
      Type.Boolean({ description: "Whether there can be namespaces that the caller may not read." }),
    ),
  },
  { description: "Overview, limited to objects that the caller may read.", examples: [EXAMPLE] },
);

/** State of the server that answers. */
export interface ServerState {
  /** Edition whose rules apply to policies. */
  edition: PolicyEdition;
  /** Runs the readiness checks: a line for each, and the result. */
  checks(isStopping: boolean): Promise<{ isReady: boolean; text: string }>;
  /** Progress of the scheduled backups; undefined for a server that makes none. */
  backups: (() => BackupProgress | undefined) | undefined;
  /** Name of the server, and its version. */
  node: { name: string; version: string };
  /** Returns the other servers of the database; undefined where there can be none. */
  others: (() => Promise<SeenNode[]>) | undefined;
}

/** Registers the route of the overview. */
export function overviewRoutes({ edition, checks, backups, node, others }: ServerState): V1Routes {
  const overviews = createOverviews(edition);
  return (app, _options, done) => {
    const schema = operation({
      operationId: "readOverview",
      summary: "Read the overview of a partition",
      description: "Contents and problems, limited to objects that the caller may read.",
      tag: "Access control",
      query: SCOPE_PARAMETERS.partition,
      answer,
    });
    app.get("/acl/overview", { config: { ofPartition: true }, schema }, async ({ ctx, scope }) => {
      const overview = await overviews(ctx, scope.partition);
      const isShown = authorize(ctx.actor, "operator", "", "read");
      return { ...renderOverview(overview), ...(isShown && (await serversAt(ctx.now()))) };
    });
    async function serversAt(seenAt: number) {
      const [{ isReady, text }, seen = []] = await Promise.all([
        checks(app.lifecycle.phase === "stopping"),
        others?.(),
      ]);
      const age = backups?.()?.ageMilliseconds();
      const Checks = text.trimEnd().split("\n").slice(0, -1);
      const BackupAgeSeconds = age === undefined ? undefined : Math.round(age / 1000);
      const Nodes = [{ ...node, seenAt, isReady }, ...seen].map(renderNode);
      return { Server: { Ready: isReady, Checks, BackupAgeSeconds }, Nodes };
    }
    done();
  };
}

function renderOverview(overview: Overview) {
  const { namespaces, organizations } = overview;
  return {
    Partition: overview.partition,
    Time: new Date(overview.at).toISOString(),
    Counts: renderCounts(overview.counts),
    Namespaces: {
      Count: namespaces.count,
      First: [...namespaces.first].map(([Name, counts]) => ({ Name, ...renderCounts(counts) })),
    },
    Organizations: {
      Count: organizations.count,
      First: organizations.first.map(({ name, tags, projects, workspaces }) => ({
        Name: name,
        Tags: tags,
        Projects: projects,
        Workspaces: workspaces,
      })),
    },
    UnusedTokens: renderBounded(overview.unusedTokens),
    TokensWithoutExpiration: renderBounded(overview.endlessTokens),
    PoliciesReadAsBefore: {
      First: overview.rewritten.found.map(({ id, name, scope, differences }) => ({
        ID: id,
        Name: name,
        Namespace: scope.namespace,
        Differences: [...differences],
      })),
      More: overview.rewritten.isMore || undefined,
    },
    AuthMethodsReadAsBefore: {
      First: overview.earlierMethods.found.map(({ name, scope, differences }) => ({
        Name: name,
        Namespace: scope.namespace,
        Differences: [...differences],
      })),
      More: overview.earlierMethods.isMore || undefined,
    },
    RefusedLogins: overview.refusedLogins.map(({ method, namespace, count: Count }) => ({
      AuthMethod: method,
      Namespace: namespace,
      Count,
    })),
    Hidden: overview.hasHidden || undefined,
  };
}

function renderNode({ name, version, seenAt, isReady }: SeenNode) {
  return { Name: name, Version: version, LastSeen: new Date(seenAt).toISOString(), Ready: isReady };
}

function renderCounts({ tokens, policies, roles, auth_methods, binding_rules }: TableCounts) {
  return {
    Tokens: tokens,
    Policies: policies,
    Roles: roles,
    AuthMethods: auth_methods,
    BindingRules: binding_rules,
  };
}

function renderBounded(counted: number) {
  return { Count: Math.min(counted, MOST_COUNTED), More: counted > MOST_COUNTED || undefined };
}
