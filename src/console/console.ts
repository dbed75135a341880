/** All that the server has for the console outside of the two families, and by what the families know its sessions. */
import type { FastifyInstance } from "fastify";
import type { LoginServices } from "../acl/login/services.ts";
import type { RenderScope } from "../rights/scope.ts";
import type { SessionActivity } from "../acl/sessions/activity.ts";
import { createSessionResolver } from "../acl/sessions/resolve.ts";
import type { AccessOptions } from "../acl/tokens/resolve.ts";
import type { TokenUses } from "../acl/tokens/uses.ts";
import type { Config } from "../config.ts";
import { readVersion } from "../config/version.ts";
import { ownOriginTest } from "../http/receiving/host-check.ts";
import type { FindBySession } from "../http/receiving/credentials.ts";
import type { ActorForToken } from "../http/jsonapi/jsonapi.ts";
import type { Database } from "../storage/database.ts";
import { defaultTtls } from "../acl/login/default-ttls.ts";
import { createClaims } from "./claims.ts";
import { createCookies } from "./cookies.ts";
import { createGreeting } from "./greeting.ts";
import { consoleManner, pageRoutes } from "./pages.ts";
import { sessionRoutes } from "./session-routes.ts";
import { createSignIn } from "./sign-in.ts";
import { type Console, NO_CONSOLE } from "./start.ts";

/** Options and parts of the server that the console uses. */
export interface ConsoleSetup {
  config: Pick<Config, "publicUrl" | "allowedHosts"> &
    Partial<
      Pick<
        Config,
        "console" | "bootstrap" | "initialManagementToken" | "consoleMethods" | "loginFailureLimit" | "trustedProxies"
      >
    >;
  /** The page; without it there is a word in its place. */
  console?: Console | undefined;
  /** Told which tokens are used, and which sessions. */
  uses?: Pick<TokenUses, "note"> | undefined;
  activity?: Pick<SessionActivity, "note"> | undefined;
}

export interface ConsoleParts {
  db: Database;
  /** Milliseconds since the epoch. */
  now: () => number;
  access: AccessOptions;
  /** Whether the server itself speaks TLS. */
  isTls: boolean;
  actorForToken: ActorForToken;
  services: LoginServices;
  renderScope: RenderScope;
}

/**
 * Registers the console, unless it is left out: its page under `/ui`, its sessions, and `/`, which leads browsers there.
 *
 * @returns finds who comes by a session
 */
export function registerConsole(
  app: FastifyInstance,
  { config, console: theConsole = NO_CONSOLE, uses, activity }: ConsoleSetup,
  parts: ConsoleParts,
): FindBySession | undefined {
  if (config.console === "off") return undefined;
  const { db, now, access, isTls, renderScope } = parts;
  const { edition, datacenter } = access;
  const { publicUrl, allowedHosts, trustedProxies = [], loginFailureLimit: failuresPerMinute = 100 } = config;
  const resolveSession = createSessionResolver(db, access, { now, uses, activity });
  const cookies = createCookies({
    keyring: db.keyring,
    publicUrl,
    isTls,
    hasTrustedProxies: trustedProxies.length > 0,
  });
  const isOwnOrigin = ownOriginTest({ publicUrl, allowedHosts, isSecure: isTls });
  const claims = createClaims(cookies, resolveSession, isOwnOrigin);
  const signIn = createSignIn({ ...parts, failuresPerMinute });
  const greeting = createGreeting({ db, config, renderScope });
  const ttls = defaultTtls(parts.services.defaultTtl);
  const server = { Version: readVersion(), Edition: edition, Datacenter: datacenter, DefaultLoginTTLs: ttls };
  app.decorateRequest("page");
  void app.register((ui, _options, done) => {
    ui.decorate("manner", consoleManner(app.manner));
    pageRoutes(ui, theConsole);
    sessionRoutes(ui, { cookies, claims, signIn, greeting, server, renderScope });
    done();
  });
  return claims.claim;
}
