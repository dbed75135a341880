import type { FastifyInstance } from "fastify";
import type { RouteTable } from "../route-table.ts";

/** `GET /openapi.json`: the document of all routes, made when it is first asked for. */
export function registerOpenApi(app: FastifyInstance, routes: RouteTable): void {
  let document: Promise<Buffer> | undefined;
  app.get("/openapi.json", { config: { public: true, undocumented: true } }, async (_request, reply) => {
    document ??= write(routes).catch((error: unknown) => {
      // What failed once may work the next time.
      document = undefined;
      throw error;
    });
    return reply.header("content-type", "application/json").send(await document);
  });
}

async function write(routes: RouteTable): Promise<Buffer> {
  const { describeRoutes } = await import("./describe.ts");
  return Buffer.from(JSON.stringify(await describeRoutes(routes.records)));
}
