/** The turns of questions about rights, each of which may read and compile as many rules as a token may have, or look at all tokens. */
import { createOwnedLane, type OwnedLane } from "../../limits/owned-lane.ts";

/** How many are answered at a time, and of them of one token. */
const RUNNING = 8;
const OF_TOKEN = 2;

/** One for all that explains, lists who may, and compares; the owner is the AccessorID of who asks. */
export function createQuestionLane(): OwnedLane {
  const what = "Too many questions about rights are being answered";
  return createOwnedLane(RUNNING, what, { ofOwner: OF_TOKEN, code: "rate_limited" });
}
