/**
 * Writes that are tried and not made: `/dry-run` in front of the path of a write asks for all that would refuse it, by the same rights and
 * in a transaction, of which nothing is kept. A server that does not know of it has no such path, and so writes nothing either.
 */
import type { IncomingMessage } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import { TrialOver } from "../storage/trial.ts";

const PREFIX = "/dry-run";

/** The requests that are. No header says it: whoever could send one with any request would log in without a record. */
const trials = new WeakSet<IncomingMessage>();

/** Writes that do all that they do in transactions of their request. */
const TRIED = [
  /^\/v1\/(?:partition|namespace|acl\/(?:policy|role|token|auth-method|binding-rule))(?:\/[^/]*)?$/,
  /^\/api\/v2\/organizations(?:\/[^/]+(?:\/(?:projects|workspaces|tags|tag-policy))?)?$/,
  /^\/api\/v2\/(?:projects|workspaces)\/[^/]+(?:\/(?:tag-bindings|relationships\/(?:tag-bindings|tags)))?$/,
];

/** Notes whether a request is a trial. @returns the URL by which its route is found */
export function tryAtUrl(raw: IncomingMessage, url: string): string {
  if (!url.startsWith(`${PREFIX}/`)) return url;
  const own = url.slice(PREFIX.length);
  const [path = ""] = own.split("?", 1);
  if (!TRIED.some((pattern) => pattern.test(path))) return url;
  trials.add(raw);
  return own;
}

/** The URL that the client sent, for who answers in another thread. */
export function sentUrl(raw: IncomingMessage): string {
  return trials.has(raw) ? `${PREFIX}${raw.url ?? "/"}` : (raw.url ?? "/");
}

/** Whether the transactions of a request are tried alone. */
export function isTrial({ raw }: Pick<FastifyRequest, "raw">): boolean {
  return trials.has(raw);
}

/** Answers a write that was tried and that nothing has refused; false for any other end. */
export function answerTrial(thrown: unknown, reply: FastifyReply): boolean {
  if (!(thrown instanceof TrialOver)) return false;
  void reply.code(204).header("x-dry-run", "true").send();
  return true;
}
