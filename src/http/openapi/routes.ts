import { laterPart } from "../../later-part.ts";
import type { FastifyInstance } from "fastify";
import type { RouteTable } from "../route-table.ts";

interface Texts {
  json: Buffer;
  yaml: Buffer;
}

/** `GET /openapi.json` and `GET /openapi.yaml`: the document of all routes, made when it is first asked for. */
export function registerOpenApi(app: FastifyInstance, routes: RouteTable): void {
  let texts: Promise<Texts> | undefined;
  const read = () => {
    texts ??= write(routes).catch((error: unknown) => {
      // A failed generation may succeed the next time.
      texts = undefined;
      throw error;
    });
    return texts;
  };
  const config = { public: true, undocumented: true };
  app.get("/openapi.json", { config }, async (_request, reply) =>
    reply.header("content-type", "application/json").send((await read()).json),
  );
  app.get("/openapi.yaml", { config }, async (_request, reply) =>
    reply.header("content-type", "application/yaml").send((await read()).yaml),
  );
}

async function write({ records }: RouteTable): Promise<Texts> {
  const [{ describeRoutes }, { stringify }] = await laterPart(async () =>
    Promise.all([import("./describe.ts"), import("yaml")]),
  );
  const document = await describeRoutes(records);
  return {
    json: Buffer.from(JSON.stringify(document)),
    yaml: Buffer.from(stringify(document, { aliasDuplicateObjects: false, lineWidth: 0 })),
  };
}
