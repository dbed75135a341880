/** `/ui/session`: by which the console's page signs in and out, and learns who it is. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { RenderScope } from "../rights/scope.ts";
import { endOf, ABSOLUTE_MS } from "../acl/sessions/life.ts";
import { readOwnSession, signOut } from "../acl/sessions/service.ts";
import type { ConsoleSession } from "../acl/sessions/store.ts";
import type { Context } from "../context.ts";
import { AppError, invalid } from "../errors.ts";
import { parseBody } from "../http/jsonapi/body.ts";
import { refuse } from "../http/receiving/refusals.ts";
import type { QueryParameters } from "../http/query.ts";
import { handleError } from "../http/v1/errors.ts";
import { JSON_TYPE, renderJson } from "../http/v1/render.ts";
import type { SessionClaims } from "./claims.ts";
import type { Cookies } from "./cookies.ts";
import { readEventStart } from "./event-start.ts";
import type { Greeting } from "./greeting.ts";
import { consolePath } from "./pages.ts";
import { scopeOf, type SignIn } from "./sign-in.ts";

export interface SessionRoutesOptions {
  cookies: Cookies;
  claims: SessionClaims;
  signIn: SignIn;
  /** Greeting for callers that are not signed in. */
  greeting: Greeting;
  /** Facts about the server for callers that are signed in. */
  server: { Version: string; Edition: string; Datacenter: string; DefaultLoginTTLs: Record<string, string> };
  renderScope: RenderScope;
}

const CONFIG = { public: true, undocumented: true };
const BODY_LIMIT_BYTES = 64 * 1024;

/** Registers the routes of sessions. */
export function sessionRoutes(app: FastifyInstance, options: SessionRoutesOptions): void {
  const { cookies, signIn } = options;
  const guards = guardsOf(options);
  takeJson(app);
  app.get("/ui/session", { config: CONFIG }, async (request, reply) => {
    const ctx = await contextIn(options, request);
    if (ctx === undefined) return greet(options, request, reply);
    const { follow: partition = "", organization = "" } = request.query as QueryParameters;
    const isAsked = partition !== "";
    return welcome(
      options,
      reply,
      ctx,
      isAsked ? { Events: await readEventStart(ctx, { partition, organization }) } : {},
    );
  });
  app.post("/ui/session", { config: CONFIG, preHandler: guards.ownPage }, async (request, reply) => {
    const body = textsOf(request.body, ["SecretID", "BearerToken", ...LOGIN_MEMBERS]);
    const isByToken = body.SecretID !== "";
    if (isByToken === (body.AuthMethod !== "")) throw invalid("Set either SecretID, or AuthMethod and BearerToken");
    const session = await replacing(options, request, () =>
      isByToken ? signIn.byToken(request, body.SecretID) : signIn.byLogin(request, askedIn(body), body.BearerToken),
    );
    return enter(options, request, reply, session);
  });
  app.delete("/ui/session", { config: CONFIG, preHandler: guards.fromPage }, async (request, reply) => {
    const ctx = await contextIn(options, request);
    if (ctx !== undefined) {
      request.ctx = ctx;
      await signOut(ctx);
    }
    cookies.clear(request, reply, "session");
    return greet(options, request, reply);
  });
  addOidcRoutes(app, options, guards);
}

/** Registers the two steps of a login at an identity provider. */
function addOidcRoutes(app: FastifyInstance, options: SessionRoutesOptions, { ownPage }: Guards): void {
  const { cookies, signIn } = options;
  const base = consolePath(app.publicUrl);
  app.post("/ui/session/oidc/start", { config: CONFIG, preHandler: ownPage }, async (request, reply) => {
    const body = textsOf(request.body, ["ReturnTo", ...LOGIN_MEMBERS]);
    const origin = app.publicUrl ?? `${request.protocol}://${request.host}`;
    const redirectUri = `${origin}/ui/oidc/callback`;
    const { url, kept } = await signIn.beginOidc(request, askedIn(body), redirectUri, returnPath(body.ReturnTo, base));
    cookies.set(request, reply, "oidc", kept);
    return sendJson(reply, { AuthURL: url });
  });
  app.post("/ui/session/oidc/finish", { config: CONFIG, preHandler: ownPage }, async (request, reply) => {
    const { State: state, Code: code } = textsOf(request.body, ["State", "Code"]);
    const cookie = cookies.read(request, "oidc");
    const kept = typeof cookie === "object" ? cookie.value : undefined;
    cookies.clear(request, reply, "oidc");
    let returnTo = base;
    const session = await replacing(options, request, async () => {
      const finished = await signIn.finishOidc(request, kept, { state, code });
      ({ returnTo } = finished);
      return finished.session;
    });
    return enter(options, request, reply, session, { ReturnTo: returnTo });
  });
}

type Guards = ReturnType<typeof guardsOf>;

function guardsOf({ cookies, claims }: SessionRoutesOptions) {
  /** Only the console's own page gets in, and where nobody can read what is sent. */
  function ownPage(request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void {
    // First: over plain HTTP the page's own origin is none of the server's, which is not what is wrong.
    if (cookies.isInsecure(request)) done(new AppError("forbidden", INSECURE));
    else fromPage(request, reply, done);
  }

  function fromPage(request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void): void {
    done(claims.isOwnPage(request) ? undefined : new AppError("forbidden", NOT_OWN));
  }

  return { ownPage, fromPage };
}

/** The session that the browser has had ends with the one that takes its place. */
async function replacing(
  options: SessionRoutesOptions,
  request: FastifyRequest,
  begin: () => Promise<ConsoleSession>,
): Promise<ConsoleSession> {
  const before = await contextIn(options, request);
  const session = await begin();
  if (before === undefined) return session;
  const { ctx } = request;
  // It is ended by who had it.
  request.ctx = before;
  await signOut(before);
  request.ctx = ctx;
  return session;
}

async function enter(
  options: SessionRoutesOptions,
  request: FastifyRequest,
  reply: FastifyReply,
  session: ConsoleSession,
  more: object = {},
) {
  options.cookies.set(request, reply, "session", session.id);
  return welcome(options, reply, { ...request.ctx, actor: { ...request.ctx.actor, session: session.id } }, more);
}

const INSECURE =
  "Sign-in denied: the connection uses neither TLS nor loopback, so the session could be intercepted. " +
  "Set --tls-cert and --tls-key, or use a proxy with TLS and --public-url";
const NOT_OWN = "Sign-in and sign-out require the header X-Tessera-Console";

const LOGIN_MEMBERS = ["AuthMethod", "Namespace", "Partition"] as const;

function askedIn({ AuthMethod, Namespace, Partition }: Record<(typeof LOGIN_MEMBERS)[number], string>) {
  return { authMethod: AuthMethod, namespace: Namespace, partition: Partition };
}

/** Returns the context of a request with a session. @throws AppError as the resolution of tokens does */
async function contextIn({ claims, signIn }: SessionRoutesOptions, request: FastifyRequest) {
  const actor = await claims.claim(request)?.();
  return actor && signIn.contextOf(request, actor);
}

async function greet(
  { greeting, cookies, server }: SessionRoutesOptions,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const { namespace = "", ns = "", partition = "" } = request.query as QueryParameters;
  const greeted = await greeting(scopeOf({ namespace: namespace || ns, partition }));
  const { Version, Edition } = server;
  return sendJson(reply, { SignedIn: false, Insecure: cookies.isInsecure(request), ...greeted, Version, Edition });
}

async function welcome(
  { server, renderScope }: SessionRoutesOptions,
  reply: FastifyReply,
  ctx: Context,
  more: object = {},
): Promise<FastifyReply> {
  const { session, token } = await readOwnSession(ctx);
  const { id, createdAt, madeByLogin } = session;
  const { accessorId, description, authMethod, expirationTime, scope } = token;
  return sendJson(reply, {
    SignedIn: true,
    Session: {
      ID: id,
      Created: time(createdAt),
      IdleUntil: time(endOf(session)),
      Ends: time(createdAt + ABSOLUTE_MS),
      MadeByLogin: madeByLogin,
    },
    Token: {
      AccessorID: accessorId,
      Description: description,
      ...renderScope(scope),
      Management: ctx.actor.isManagement === true,
      AuthMethod: authMethod || undefined,
      ExpirationTime: expirationTime || undefined,
    },
    ...server,
    ...more,
  });
}

function time(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

function sendJson(reply: FastifyReply, value: object): FastifyReply {
  return reply.type(JSON_TYPE).serializer(String).send(renderJson(value));
}

/** Takes bodies that are JSON, and words what is refused as `/v1` does. */
function takeJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<Buffer>(
    "application/json",
    { parseAs: "buffer", bodyLimit: BODY_LIMIT_BYTES },
    (_request, bytes, done) => {
      try {
        done(null, parseBody(bytes));
      } catch (error) {
        done(error as Error);
      }
    },
  );
  app.setErrorHandler((error, request, reply) => {
    const status = error instanceof Error && "statusCode" in error ? error.statusCode : undefined;
    if (status === 415) refuse(request, reply, 400, "The body must be application/json");
    else if (status === 413) refuse(request, reply, 413, "The body is larger than 64 KiB");
    else handleError(error, request, reply);
  });
}

/** Members of a body that are texts; empty where they are missing. @throws AppError `invalid` */
function textsOf<Name extends string>(body: unknown, names: readonly Name[]): Record<Name, string> {
  if (typeof body !== "object" || body === null || Array.isArray(body)) throw invalid("The body must be an object");
  const given = body as Record<string, unknown>;
  const texts = names.map((name) => {
    const value = given[name] ?? "";
    if (typeof value !== "string") throw invalid(`${name} must be a string`);
    return [name, value] as const;
  });
  return Object.fromEntries(texts) as Record<Name, string>;
}

const LONGEST_RETURN = 2048;

/** Returns the path to open after the sign-in: the requested one if it is in the console, else the first page. */
export function returnPath(asked: string, base: string): string {
  const origin = "http://console.invalid";
  const url = asked.length > LONGEST_RETURN ? null : URL.parse(asked, `${origin}${base}`);
  const isInside = url?.origin === origin && url.pathname.startsWith(base);
  return isInside ? `${url.pathname}${url.search}${url.hash}` : base;
}
