import type { FastifyRequest } from "fastify";
import { bodyOf } from "../../http/v1/body.ts";
import type { V1Routes } from "../../http/v1/consul-api.ts";
import { operation, SCOPE_PARAMETERS } from "../../http/v1/operation.ts";
import type { QueryParameters } from "../../http/query.ts";
import { foreignIdentities } from "../checks/datacenters.ts";
import type { LintFinding } from "../checks/finding.ts";
import { warningsOfAuthMethod, warningsOfBindingRule } from "../checks/lint.ts";
import { warningsOfPolicy } from "../checks/policies.ts";
import { tellWarnings } from "../kit/object-routes.ts";
import type { RenderScope } from "../../rights/scope.ts";
import type { RestoredObject, RestoreChecks } from "./kinds.ts";
import { restoreAnswer, restoreBody, trashAnswer } from "./schema.ts";
import {
  listTrash,
  previewRestore,
  restoreEntry,
  type ListedEntry,
  type LostLink,
  type PreviewedEntry,
} from "./service.ts";

const LIST = {
  schema: operation({
    operationId: "listTrash",
    summary: "List deleted objects that can be restored",
    description:
      "Requires acl:write; for namespaces, operator:write in the namespace default of their partition. Maximum: 1,000.",
    tag: "Access control",
    query: {
      ...SCOPE_PARAMETERS.namespace,
      id: "ID of one entry. The response then contains the consequences of a restore.",
    },
    answer: trashAnswer,
  }),
};
const RESTORE = {
  config: {
    body: { schema: restoreBody, prefix: "Request decoding failed: ", optional: true as const },
    refusals: [409],
  },
  schema: operation({
    operationId: "restoreFromTrash",
    summary: "Restore a deleted object",
    description: "Requires the permission to create the object. A token gets a new secret.",
    tag: "Access control",
    params: { id: "ID of the entry." },
    query: SCOPE_PARAMETERS.namespace,
    answer: restoreAnswer,
  }),
};

/** The routes of the trash. */
export function trashRoutes(options: RestoreChecks & { datacenter: string }, renderScope: RenderScope): V1Routes {
  return (app, _options, done) => {
    app.get("/acl/trash", LIST, async ({ ctx, scope, query }) => {
      const { id = "" } = query as QueryParameters;
      if (id !== "") return [renderPreview(await previewRestore(ctx, scope, id))];
      return (await listTrash(ctx, scope)).map(renderEntry);
    });
    app.post<{ Params: { id: string } }>("/acl/trash/:id/restore", RESTORE, async (request, reply) => {
      const { ctx, scope, params } = request;
      const { Name = "" } = bodyOf(request, restoreBody);
      const { entry, name, leftOut, made } = await restoreEntry(ctx, scope, { id: params.id, name: Name }, options);
      await tellWarnings(request, reply, warningsOf(request, made));
      return {
        Kind: entry.kind,
        ID: shownId(entry),
        Name: name,
        SecretID: made.kind === "token" ? made.secretId : undefined,
        LeftOut: leftOut.map(renderLink),
        ...renderScope(entry.scope),
      };
    });
    done();
  };

  /** Finds likely errors, as after the write that creates such an object. */
  async function warningsOf({ ctx }: FastifyRequest, made: RestoredObject): Promise<readonly LintFinding[]> {
    switch (made.kind) {
      case "policy":
        return warningsOfPolicy(made.object, options);
      case "role":
        return foreignIdentities(made.object, options.datacenter);
      case "binding-rule":
        return warningsOfBindingRule(ctx, made.object, options);
      case "auth-method":
        return warningsOfAuthMethod(ctx, made.object, options.validators);
      case "namespace":
      case "token":
        return [];
    }
  }

  function renderEntry(entry: ListedEntry) {
    return {
      ID: entry.id,
      Kind: entry.kind,
      ObjectID: shownId(entry),
      Name: entry.name,
      DeleteTime: entry.deletedAt,
      DeletedBy: entry.deletedBy,
      ExpirationTime: new Date(entry.endsAt).toISOString(),
      ...renderScope(entry.scope),
    };
  }

  function renderPreview(entry: PreviewedEntry) {
    return { ...renderEntry(entry), LeftOut: entry.leftOut.map(renderLink), NameTaken: entry.isNameTaken };
  }
}

/** The ID of an auth method is never shown, and the restored one has another; a namespace has its name. */
function shownId({ kind, objectId }: ListedEntry): string | undefined {
  return kind === "auth-method" || kind === "namespace" ? undefined : objectId;
}

function renderLink({ kind, id, name }: LostLink) {
  return { Kind: kind, ID: id, Name: name };
}
