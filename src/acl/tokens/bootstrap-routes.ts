import { timingSafeEqual } from "node:crypto";
import { AppError } from "../../errors.ts";
import { bodyOf } from "../../http/v1/body.ts";
import type { V1Routes } from "../../http/v1/consul-api.ts";
import { operation } from "../../http/v1/operation.ts";
import type { Database } from "../../storage/database.ts";
import type { RenderScope } from "../render-scope.ts";
import { isUuid } from "../uuid.ts";
import { bootstrap } from "./bootstrap.ts";
import { bootstrapBody, renderToken, tokenAnswer } from "./schema.ts";

export interface BootstrapRoutesOptions {
  db: Database;
  now: () => number;
  /** What an operator must present, if anything. */
  bootstrapSecret: string | undefined;
  renderScope: RenderScope;
}

/** The route by which the first management token is asked for; it needs no token. */
export function bootstrapRoutes({ db, now, bootstrapSecret, renderScope }: BootstrapRoutesOptions): V1Routes {
  return (app, _options, done) => {
    const config = {
      public: true,
      body: { schema: bootstrapBody, prefix: "Request decoding failed: ", optional: true as const },
    };
    const schema = operation({
      operationId: "bootstrap",
      summary: "Make the first management token, once",
      tag: "Tokens",
      answer: tokenAnswer,
    });
    app.put("/acl/bootstrap", { config, schema }, async (request) => {
      const { BootstrapSecret } = bodyOf(request, bootstrapBody);
      const token = await bootstrap(db, secretOf(BootstrapSecret || undefined, bootstrapSecret), now());
      return { ID: token.secretId, ...renderToken(token, renderScope) };
    });
    done();
  };
}

/**
 * The secret that the token is to have. Where the operator has set a bootstrap
 * secret the request must present just that one, in the member that clients
 * have for it; the token takes it over when it has the form of a SecretID.
 */
function secretOf(given: string | undefined, wanted: string | undefined): string | undefined {
  if (wanted === undefined) return given;
  const [a, b] = [Buffer.from(given ?? ""), Buffer.from(wanted)];
  if (a.length !== b.length || !timingSafeEqual(a, b)) {
    throw new AppError("forbidden", "Permission denied: BootstrapSecret is not the bootstrap secret of this server");
  }
  return isUuid(wanted) ? wanted : undefined;
}
