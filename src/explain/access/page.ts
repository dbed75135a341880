/** How lists of subjects are read by pages. */
import type { FastifyReply } from "fastify";
import { AppError } from "../../errors.ts";

/** Query parameters of lists of subjects. */
export const PAGE_PARAMETERS = {
  "page-size":
    "Maximum number of entries. Default: 100. The header X-Service-Next contains the cursor of the next page.",
  after: "X-Service-Next of the previous page.",
};

const DEFAULT_SIZE = 100;
const MOST = 1000;

/** @throws AppError `bad_parameter` */
export function sizeOf(given: string | undefined): number {
  if (given === undefined || given === "") return DEFAULT_SIZE;
  if (!/^[1-9][0-9]{0,8}$/.test(given))
    throw new AppError("bad_parameter", "page-size must be an integer of at least 1");
  return Math.min(Number(given), MOST);
}

/** Says where the next page begins, and whether there is something that the caller may not read. */
export function showPage(
  reply: FastifyReply,
  { next, isFiltered }: { next: string | undefined; isFiltered: boolean },
): void {
  if (next !== undefined) reply.header("x-service-next", next).header("x-consul-next", next);
  if (!isFiltered) return;
  reply.header("x-service-results-filtered-by-acls", "true").header("x-consul-results-filtered-by-acls", "true");
}
