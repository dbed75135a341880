import type { FastifyRequest } from "fastify";
import { isPretty, renderJson, renderPretty } from "../render.ts";
import type { Read } from "./read.ts";
import { serveRead } from "./serve.ts";

/** What a read of one object found. */
export interface Found {
  /** What it is within its table, such as its ID. */
  key: string;
  /** As it is on the wire. */
  value: unknown;
  /** The same as compact JSON, where that is known already. */
  json?: string;
  /** The index to show, where the caller may know of this object and not of its table. */
  index?: number;
}

type Told = "tables" | "partitionTables" | "sight" | "sharing" | "keyOf" | "awaitsMissing";

export interface ObjectRead extends Pick<Read, Told> {
  /** @throws AppError `not_found`, `forbidden` */
  find(request: FastifyRequest): Promise<Found>;
}

/** Makes the handler of a read of one object. */
export function serveObject({ find, awaitsMissing = true, ...rest }: ObjectRead) {
  return serveRead({
    ...rest,
    awaitsMissing,
    async make(request) {
      const { key, value, json, index } = await find(request);
      const body = isPretty(request) ? renderPretty(value) : (json ?? renderJson(value));
      return { body, key, headers: {}, index };
    },
  });
}

/** The path parameters of a request, as the route names them. */
export function paramsOf<R extends { Params: object }>(request: FastifyRequest): R["Params"] {
  return request.params as R["Params"];
}
