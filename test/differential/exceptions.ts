/** Requests that the differential suite does not ask or does not hold equal, each with its reason. */

/** Routes that tell of their engine or of the process. */
export const ONE_ENGINES_OWN: readonly (readonly [route: string, reason: string])[] = [
  ["GET /metrics", "has numbers of the process and of its engine"],
  ["GET /v1/acl/overview", "tells of the file, or of the feed of other servers"],
  ["POST /v1/acl/replay", "counts the refusals on record, as the list of them"],
  ["GET /v1/audit", "refusals are put on record in the background, by each server in its own time"],
  ["GET /v1/audit/days", "counts them, as the list of all records shows them"],
  ["GET /api/v2/organizations/{organization_name}/audit", "as the list of all records"],
];

/** Lists in the order of ids, which each server draws: they are compared in the order of their making. */
export const BY_ID = /^\/v1\/acl\/(binding-rules|tokens)(\?|$)/;
/** Parts of other answers that are in that order too. */
export const PARTS_BY_ID = /^\/v1\/acl\/(?:uses|effective)\?(?:[^#]*&)?auth-method=/;

/** (operation, status) pairs of `seen.json` that are asked elsewhere. */
export const NOT_ASKED: readonly (readonly [reason: string, pairs: readonly string[]])[] = [];
