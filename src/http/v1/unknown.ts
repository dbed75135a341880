import type { FastifyReply, FastifyRequest } from "fastify";
import { unknownPath } from "../receiving/refusals.ts";
import { type RouteTable, pathOf } from "../route-table.ts";
import { sentMethod } from "../sending/head.ts";
import { sendText } from "./render.ts";

/** The order in which `Allow` names methods. */
const ORDER = ["GET", "HEAD", "PUT", "POST", "PATCH", "DELETE"];

/** Answers a request that no route takes: OPTIONS, a method that the path does not have, or a path that nobody knows. @param send answers with an error of the family */
export function answerUnknown(
  request: FastifyRequest,
  reply: FastifyReply,
  routes: RouteTable,
  send: typeof sendText = sendText,
): void {
  const path = pathOf(request.raw.url ?? "/");
  // A path whose last segment is missing has the methods of those where it is not.
  const methods = routes.allowedMethods(path.endsWith("/") ? `${path}-` : path);
  if (methods.length === 0) {
    send(reply, 404, unknownPath(path));
    return;
  }
  const allowed = ["OPTIONS", ...ORDER.filter((method) => methods.includes(method))];
  reply.header("allow", allowed.join(","));
  const method = sentMethod(request.raw);
  if (method === "OPTIONS") void reply.code(200).send();
  else send(reply, 405, `method ${method} not allowed`);
}
