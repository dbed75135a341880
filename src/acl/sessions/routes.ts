import type { V1Routes } from "../../http/v1/consul-api.ts";
import { deleted, operation, SCOPE_PARAMETERS } from "../../http/v1/operation.ts";
import type { RenderScope } from "../../rights/scope.ts";
import { ABSOLUTE_MS, endOf } from "./life.ts";
import { sessionsAnswer } from "./schema.ts";
import { endSession, type ListedSession, listSessions } from "./service.ts";

const LIST = {
  schema: operation({
    operationId: "listSessions",
    summary: "List console sessions",
    description: "Your own sessions; with acl:read all sessions of the namespace. Maximum: 1,000.",
    tag: "Sessions",
    query: SCOPE_PARAMETERS.namespace,
    answer: sessionsAnswer,
  }),
};
const END = {
  config: { missing: "Missing session ID" },
  schema: operation({
    operationId: "endSession",
    summary: "Revoke a console session",
    description: "Your own session, or with acl:write any session of the namespace.",
    tag: "Sessions",
    params: { id: "ID of the session." },
    query: SCOPE_PARAMETERS.namespace,
    answer: deleted,
  }),
};

/** The routes by which sessions of the console are seen and ended; they are begun under `/ui`. */
export function sessionRoutes(renderScope: RenderScope): V1Routes {
  return (app, _options, done) => {
    app.get("/acl/sessions", LIST, async ({ ctx, scope }) => (await listSessions(ctx, scope)).map(render));
    app.delete<{ Params: { id: string } }>("/acl/session/:id", END, async ({ ctx, scope, params }) => {
      await endSession(ctx, scope, params.id);
      return true;
    });
    done();
  };

  function render(session: ListedSession) {
    return {
      ID: session.id,
      AccessorID: session.accessorId,
      Current: session.isCurrent,
      MadeByLogin: session.madeByLogin,
      CreateTime: time(session.createdAt),
      LastActive: time(session.activeAt),
      IdleUntil: time(endOf(session)),
      ExpirationTime: time(session.createdAt + ABSOLUTE_MS),
      Address: session.address,
      UserAgent: session.userAgent,
      ...renderScope(session.scope),
    };
  }
}

function time(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
