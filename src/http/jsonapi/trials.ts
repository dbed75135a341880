/**
 * Writes that are tried and not made: `/dry-run` in front of the path of a write asks for all that would refuse it, by the same rights and
 * in a transaction, of which nothing is kept. A server that does not know of it has no such path, and so writes nothing either.
 * `/dry-run/in-new` tries a write in a namespace, or in a partition, that is not there yet, as if it were.
 */
import type { IncomingMessage } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import { TrialOver } from "../../storage/writes/trial.ts";

const PREFIX = "/dry-run";
const IN_NEW = `${PREFIX}/in-new`;

/** Requests that are trials, with the prefix of each. No header says it: a caller that could send one with any request would log in without a record. */
const trials = new WeakMap<IncomingMessage, typeof PREFIX | typeof IN_NEW>();

/** Writes that do all that they do in transactions of their request. */
const TRIED = [
  /^\/v1\/(?:partition|namespace|acl\/(?:policy|role|token|auth-method|binding-rule|decision-mapping))(?:\/[^/]*)?$/,
  /^\/api\/v2\/organizations(?:\/[^/]+(?:\/(?:projects|workspaces|tags|tag-policy))?)?$/,
  /^\/api\/v2\/(?:projects|workspaces)\/[^/]+(?:\/(?:tag-bindings|relationships\/(?:tag-bindings|tags)))?$/,
];

/** Notes whether a request is a trial. @returns the URL by which its route is found */
export function tryAtUrl(raw: IncomingMessage, url: string): string {
  if (!url.startsWith(`${PREFIX}/`)) return url;
  const prefix = url.startsWith(`${IN_NEW}/v1/`) ? IN_NEW : PREFIX;
  const own = url.slice(prefix.length);
  const [path = ""] = own.split("?", 1);
  if (!TRIED.some((pattern) => pattern.test(path))) return url;
  trials.set(raw, prefix);
  return own;
}

/** Whether the transactions of a request are tried alone. */
export function isTrial({ raw }: Pick<FastifyRequest, "raw">): boolean {
  return trials.has(raw);
}

/** Whether what is tried lies in a namespace or partition that need not be there yet. */
export function isInNew({ raw }: Pick<FastifyRequest, "raw">): boolean {
  return trials.get(raw) === IN_NEW;
}

/** Answers a write that was tried and that nothing has refused; false for any other end. */
export function answerTrial(thrown: unknown, reply: FastifyReply): boolean {
  if (!(thrown instanceof TrialOver)) return false;
  void reply.code(204).header("x-dry-run", "true").send();
  return true;
}
