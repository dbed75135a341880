/** Entities and evaluations of AuthZEN requests (Authorization API 1.0, sections 5 to 7). */
import { AppError } from "../errors.ts";
import { isMembers, type JsonMembers } from "./read-body.ts";

/** A subject or a resource. */
export interface AuthzenEntity {
  readonly type: string;
  readonly id: string;
  readonly properties: JsonMembers;
}

export interface Action {
  readonly name: string;
  readonly properties: JsonMembers;
}

/** One question: may the subject do this to the resource? */
export interface Evaluation {
  readonly subject: AuthzenEntity;
  readonly action: Action;
  readonly resource: AuthzenEntity;
}

/** How the items of a batch are decided (section 7.1.2). */
const SEMANTICS = ["execute_all", "deny_on_first_deny", "permit_on_first_permit"] as const;
export type Semantic = (typeof SEMANTICS)[number];

export interface Batch {
  /** An item that cannot be decided is its error: it is denied, and the others are decided. */
  readonly items: readonly (Evaluation | AppError)[];
  readonly semantic: Semantic;
}

/** Maximum number of items in a batch. */
export const MAX_EVALUATIONS = 1000;
/** Maximum length of a type, an ID and a name, in UTF-16 units. */
export const MAX_TEXT = 1024;

/** @throws AppError `bad_parameter` */
export function readEvaluation(body: JsonMembers): Evaluation {
  if (body["context"] !== undefined && !isMembers(body["context"])) throw wrong("context", "an object");
  return {
    subject: readEntity(body["subject"], "subject"),
    action: readAction(body["action"]),
    resource: readEntity(body["resource"], "resource"),
  };
}

/**
 * Reads a batch; undefined where the request has no items, which makes it one evaluation.
 *
 * @throws AppError `bad_parameter` for faults of the request as a whole; faults of an item are in the item
 */
export function readBatch(body: JsonMembers): Batch | undefined {
  const { evaluations, options } = body;
  if (options !== undefined && !isMembers(options)) throw wrong("options", "an object");
  const asked = options?.["evaluations_semantic"] ?? "execute_all";
  const semantic = SEMANTICS.find((each) => each === asked);
  if (semantic === undefined) throw wrong("options.evaluations_semantic", `one of ${SEMANTICS.join(", ")}`);
  if (evaluations === undefined) return undefined;
  if (!Array.isArray(evaluations)) throw wrong("evaluations", "an array");
  if (evaluations.length === 0) return undefined;
  if (evaluations.length > MAX_EVALUATIONS) {
    throw new AppError("bad_parameter", `evaluations has ${evaluations.length} items; maximum ${MAX_EVALUATIONS}`);
  }
  for (const name of ["subject", "action", "resource", "context"]) {
    if (body[name] !== undefined && !isMembers(body[name])) throw wrong(name, "an object");
  }
  return { items: evaluations.map((item: unknown) => readItem(item, body)), semantic };
}

/** A member of an item takes the place of the request's as a whole; nothing of two is blended (section 7.1.1). */
function readItem(item: unknown, defaults: JsonMembers): Evaluation | AppError {
  try {
    if (!isMembers(item)) throw wrong("an item of evaluations", "an object");
    return readEvaluation({
      subject: ownOr(item, defaults, "subject"),
      action: ownOr(item, defaults, "action"),
      resource: ownOr(item, defaults, "resource"),
      context: ownOr(item, defaults, "context"),
    });
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

function ownOr(item: JsonMembers, defaults: JsonMembers, name: string): unknown {
  const own = item[name];
  return own === undefined ? defaults[name] : own;
}

/** Searched entities, and the page of their list (section 8). An ID of what is searched for is ignored. */
export interface SearchRequest {
  readonly subject: AuthzenEntity;
  readonly action: Action;
  readonly resource: AuthzenEntity;
  readonly page: SearchPage;
}

export interface SearchPage {
  /** `next_token` of the page before; empty for the first one. */
  readonly token: string;
  /** Maximum number of results; undefined where the request does not set it. */
  readonly limit: number | undefined;
  /** Whether the request asks for pages. */
  readonly isAsked: boolean;
}

/** Part of a question that a search leaves open. */
export type Searched = "subject" | "resource" | "action";

/** @throws AppError `bad_parameter` */
export function readSearch(body: JsonMembers, searched: Searched): SearchRequest {
  if (body["context"] !== undefined && !isMembers(body["context"])) throw wrong("context", "an object");
  return {
    subject: searched === "subject" ? readType(body["subject"], "subject") : readEntity(body["subject"], "subject"),
    action: searched === "action" ? { name: "", properties: {} } : readAction(body["action"]),
    resource:
      searched === "resource" ? readType(body["resource"], "resource") : readEntity(body["resource"], "resource"),
    page: readPage(body["page"]),
  };
}

function readType(value: unknown, name: string): AuthzenEntity {
  if (!isMembers(value)) throw wrong(name, "an object with a type");
  return readEntity({ ...value, id: "" }, name);
}

/** Maximum number of results of one page. */
export const MAX_PAGE = 1000;

function readPage(page: unknown): SearchPage {
  if (page === undefined) return { token: "", limit: undefined, isAsked: false };
  if (!isMembers(page)) throw wrong("page", "an object");
  const { token = "", limit } = page;
  if (typeof token !== "string") throw wrong("page.token", "a string");
  if (limit !== undefined && !(typeof limit === "number" && Number.isSafeInteger(limit) && limit >= 0)) {
    throw wrong("page.limit", "a whole number of at least 0");
  }
  return { token, limit: limit === undefined ? undefined : Math.min(limit, MAX_PAGE), isAsked: true };
}

/** @param name of the member, for errors. @throws AppError `bad_parameter` */
function readEntity(value: unknown, name: string): AuthzenEntity {
  if (!isMembers(value)) throw wrong(name, "an object with type and id");
  return {
    type: readText(value["type"], `${name}.type`),
    id: readText(value["id"], `${name}.id`),
    properties: readProperties(value["properties"], name),
  };
}

/** @throws AppError `bad_parameter` */
function readAction(value: unknown): Action {
  if (!isMembers(value)) throw wrong("action", "an object with a name");
  return { name: readText(value["name"], "action.name"), properties: readProperties(value["properties"], "action") };
}

function readText(value: unknown, name: string): string {
  if (typeof value !== "string" || value.length > MAX_TEXT || !value.isWellFormed() || value.includes("\0")) {
    throw wrong(name, `a string of at most ${MAX_TEXT} characters`);
  }
  return value;
}

function readProperties(value: unknown, name: string): JsonMembers {
  if (value === undefined) return {};
  if (!isMembers(value)) throw wrong(`${name}.properties`, "an object");
  return value;
}

function wrong(name: string, expected: string): AppError {
  return new AppError("bad_parameter", `Invalid ${name}: expected ${expected}`);
}
