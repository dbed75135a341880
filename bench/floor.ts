/**
 * The floor of every measurement: the server's own HTTP shell, log, metrics and headers around a route that answers a
 * constant text of as many bytes as the path asks for. What a scenario lacks against it is the price of its work.
 */
import type { FastifyPluginCallbackTypebox } from "@fastify/type-provider-typebox";
import { buildApp } from "../src/app.ts";
import { listen, writeAddressFile } from "../src/cli/address.ts";
import { openLog } from "../src/cli/logger.ts";
import { readConfig } from "../src/config.ts";
import { showIndex } from "../src/http/v1/reads/read-options.ts";
import { openDatabase } from "../src/storage/open.ts";

const texts = new Map<number, string>();

/** Made once for each length: a floor that builds its answer would not be one. */
function textOf(bytes: number): string {
  const text = texts.get(bytes) ?? "x".repeat(bytes);
  texts.set(bytes, text);
  return text;
}

/** Routes for both API families, with the headers that all responses of a family have. */
const routes: FastifyPluginCallbackTypebox = (app, _options, done) => {
  for (const method of ["GET", "POST", "PUT", "DELETE"] as const) {
    app.route<{ Params: { bytes: string } }>({
      method,
      url: "/floor/:bytes",
      config: { public: true, undocumented: true },
      handler: (request, reply) => {
        const bytes = Number(request.params.bytes);
        if (method === "GET" && app.prefix === "/v1") showIndex(request, 1);
        const body = bytes === 0 ? undefined : textOf(bytes);
        return app.answer(reply, { status: bytes === 0 ? 204 : 200, type: "application/json", body });
      },
    });
  }
  done();
};

const config = readConfig(process.argv.slice(3));
const { log } = openLog(config.logLevel);
const fail = (error: unknown): never => {
  throw error instanceof Error ? error : new Error(String(error));
};
const db = await openDatabase({
  url: `sqlite:${config.dataDir}/floor.db`,
  dataDir: config.dataDir,
  onFatal: fail,
  onWarning: (message) => log.warn(message),
});
const app = buildApp({
  config,
  db,
  logger: log,
  actorForToken: async () => undefined,
  extraRoutes: [routes],
  extraV1Routes: [routes],
});
const url = await listen(app, config);
if (config.addressFile !== undefined) writeAddressFile(config.addressFile, url);
