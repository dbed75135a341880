import type { FastifyReply, FastifyRequest } from "fastify";
import { unknownPath } from "../refusals.ts";
import { sentMethod } from "../head.ts";
import { pathOf, type RouteTable } from "../route-table.ts";
import { hasUnprintable } from "../../go/quote.ts";
import { sendText } from "./render.ts";

/** The order in which `Allow` names methods. */
const ORDER = ["GET", "HEAD", "PUT", "POST", "PATCH", "DELETE"];

/** Answers a request that no route takes: OPTIONS, a method that the path does not have, or a path that nobody knows. */
export function answerUnknown(request: FastifyRequest, reply: FastifyReply, routes: RouteTable): void {
  const path = pathOf(request.raw.url ?? "/");
  // A path whose last segment is missing has the methods of those where it is not.
  const methods = routes.allowedMethods(path.endsWith("/") ? `${path}-` : path);
  if (methods.length === 0) {
    sendText(reply, 404, unknownPath(path));
    return;
  }
  const allowed = ["OPTIONS", ...ORDER.filter((method) => methods.includes(method))];
  reply.header("allow", allowed.join(","));
  const method = sentMethod(request.raw);
  if (method === "OPTIONS") void reply.code(200).send();
  else sendText(reply, 405, `method ${method} not allowed`);
}

/** Whether the path of a URL holds what cannot be printed, such as a NUL or a line break. */
export function isUnprintable(url: string): boolean {
  // Whatever is not ASCII arrives escaped, or is taken as the letters that its bytes are in Latin-1.
  if (!url.includes("%")) return false;
  try {
    return hasUnprintable(decodeURIComponent(pathOf(url)));
  } catch {
    // The router has refused broken escapes already.
    return true;
  }
}
