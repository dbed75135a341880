import { Type } from "typebox";
import { ANY_NAMESPACE_PARAMETER, operation, SCOPE_PARAMETERS } from "../../http/v1/operation.ts";
import type { V1Routes } from "../../http/v1/consul-api.ts";
import type { Actor } from "../../rights/actor.ts";
import { tokenHistogram, type TokenBucket } from "./histogram.ts";

const buckets = (description: string) =>
  Type.Array(Type.Object({ Within: Type.String(), Count: Type.Integer() }, { title: "TokenBucket" }), { description });

const answer = Type.Object(
  {
    Expiration: buckets("Tokens by the time until they expire: `1d`, `7d`, `30d`, `90d`, `365d`, `later`, `never`."),
    LastUse: buckets("Tokens by the time since their last use: `1d` to `365d`, `earlier`, `never`."),
    More: Type.Optional(Type.Boolean({ description: "Whether there are more than 100,000 tokens." })),
  },
  {
    description: "Active tokens that the caller may read. Each token is in one bucket of each kind.",
    examples: [{ Expiration: [{ Within: "7d", Count: 3 }], LastUse: [{ Within: "30d", Count: 3 }] }],
  },
);

/** Lane of work that reads many rows. */
interface Lane {
  run<T>(actor: Pick<Actor, "accessorId" | "scope">, work: () => Promise<T>): Promise<T>;
}

/** The route of the numbers of tokens by age. */
export function tokenHistogramRoutes(lane: Lane): V1Routes {
  return (app, _options, done) => {
    const schema = operation({
      operationId: "countTokens",
      summary: "Count tokens by expiration and last use",
      description: "Counts 100,000 tokens at most. Requires acl:read.",
      tag: "Tokens",
      query: { ...SCOPE_PARAMETERS.namespace, ...ANY_NAMESPACE_PARAMETER },
      answer,
    });
    app.get("/acl/tokens/histogram", { config: { anyNamespace: true }, schema }, async ({ ctx, scope }) => {
      const { expiration, lastUse, hasMore } = await lane.run(ctx.actor, () => tokenHistogram(ctx, scope));
      return { Expiration: render(expiration), LastUse: render(lastUse), More: hasMore || undefined };
    });
    done();
  };
}

function render(all: readonly TokenBucket[]) {
  return all.map(({ within, count }) => ({ Within: within, Count: count }));
}
