import { timingSafeEqual } from "node:crypto";
import { AppError } from "../../errors.ts";
import { UNKNOWN_TOKEN } from "../../refused.ts";
import { databaseOf } from "../../http/sending/commits.ts";
import { bodyOf } from "../../http/v1/body.ts";
import type { V1Routes } from "../../http/v1/consul-api.ts";
import { operation } from "../../http/v1/operation.ts";
import type { Database } from "../../storage/database.ts";
import type { RenderScope } from "../../rights/scope.ts";
import { createKeyedLimit } from "../../limits/keyed-limit.ts";
import { clientKey } from "../../limits/network.ts";
import { isUuid } from "../../rights/uuid.ts";
import { bootstrap, bootstrapIsOver, type BootstrapOptions } from "./bootstrap.ts";
import { renderToken } from "./render.ts";
import { bootstrapAnswer, bootstrapBody } from "./schema.ts";

export interface BootstrapRoutesOptions {
  db: Database;
  now: () => number;
  /** With `auto` the first token is made at start, and never by a request. */
  mode: BootstrapOptions["mode"];
  /** Secret that an operator must present; undefined: none. */
  bootstrapSecret: string | undefined;
  /** Maximum number of wrong secrets a minute from one address; 0: no limit. */
  failuresPerMinute: number;
  renderScope: RenderScope;
}

/** The route by which the first management token is asked for; it needs no token. */
export function bootstrapRoutes(options: BootstrapRoutesOptions): V1Routes {
  const { db, now, mode, renderScope } = options;
  const checkSecret = secretCheck(options);
  return (app, _options, done) => {
    const config = {
      public: true,
      body: { schema: bootstrapBody, prefix: "Request decoding failed: ", optional: true as const },
      refusals: [429],
    };
    const schema = operation({
      operationId: "bootstrap",
      summary: "Create the first management token",
      tag: "Tokens",
      answer: bootstrapAnswer,
    });
    app.put("/acl/bootstrap", { config, schema }, async (request) => {
      const { BootstrapSecret } = bodyOf(request, bootstrapBody);
      if (mode === "auto") throw await bootstrapIsOver(db);
      const token = await bootstrap(
        databaseOf(db, request),
        checkSecret(BootstrapSecret || undefined, request.ip),
        now(),
      );
      return { ID: token.secretId, ...renderToken(token, renderScope) };
    });
    done();
  };
}

/**
 * Returns the function that finds the secret for the token. When the operator has set a bootstrap secret, the request
 * must present exactly that one, in the member that clients have for it; the token takes it over when it has the form
 * of a SecretID. After too many wrong secrets a client is rejected for a while: else it could try until it has guessed
 * the secret.
 */
function secretCheck({ bootstrapSecret: wanted, failuresPerMinute: perMinute }: BootstrapRoutesOptions) {
  if (wanted === undefined) return (given: string | undefined) => given;
  const failures = createKeyedLimit({ perMinute, now: () => performance.now() });
  return (given: string | undefined, address: string): string | undefined => {
    const key = clientKey("bootstrap", address);
    const retryAfterSeconds = failures.check(key);
    if (retryAfterSeconds !== undefined) {
      const text = `Too many wrong bootstrap secrets from this address; retry in ${retryAfterSeconds} s`;
      throw new AppError("rate_limited", text, { retryAfterSeconds });
    }
    const [a, b] = [Buffer.from(given ?? ""), Buffer.from(wanted)];
    if (a.length !== b.length || !timingSafeEqual(a, b)) {
      failures.take(key);
      const text = "Permission denied: BootstrapSecret is not the bootstrap secret of this server";
      throw new AppError("forbidden", text, { refused: UNKNOWN_TOKEN });
    }
    return isUuid(wanted) ? wanted : undefined;
  };
}
