/** Compares answers that the server sends with the responses in the OpenAPI document. */
import { Ajv2020, type AnySchema, type AnySchemaObject, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { type Document, inlined, type Media, readOperations } from "../openapi-document.ts";

/** An answer as its client gets it. */
export interface SentAnswer {
  /** Operation of the route; undefined if no route matched. */
  operationId: string | undefined;
  method: string;
  url: string;
  status: number;
  /** The media type as it was sent; undefined for none. */
  type: string | undefined;
  /** Whether the write was a dry run that would succeed: the document describes that answer once for all operations. */
  isTrial?: boolean;
  /** Undefined where it is not checked: too long, packed in a way that is not known, or of HEAD. */
  body: Buffer | undefined;
}

interface Response {
  content?: Record<string, Media>;
}

export type AnswerCheck = ReturnType<typeof createAnswerCheck>;

/** Statuses by which any request can be refused before its operation is chosen. */
const REFUSED_BEFORE: ReadonlySet<number> = new Set([400, 403, 404, 405, 408, 413, 417, 421, 431]);
/** Statuses of `REFUSED_BEFORE` that only a request without a matching route may get. */
const OF_NO_ROUTE: readonly number[] = [404, 405];
const MEDIA_TYPE = "application/vnd.api+json";
const DECISION_TYPE = "application/json";
/** Media type of errors before an operation is chosen, by the beginning of the path; others are plain text. */
const FAMILIES: readonly (readonly [path: RegExp, type: string])[] = [
  [/^\/api\/v2(?:[/?]|$)/, MEDIA_TYPE],
  [/^\/access\/v1\/./, DECISION_TYPE],
];
const DECISION_ERROR = { type: "object", properties: { error: { type: "string" } }, required: ["error"] };

/**
 * Makes a check of answers against a document. Each schema is compiled at its first use. An object may have no member
 * that its schema does not name, unless the schema allows others.
 *
 * @returns a function that returns the fault of an answer; undefined when there is none, or when its operation is not
 * in the document
 */
export function createAnswerCheck(document: Document) {
  const ajv = new Ajv2020({ strict: false });
  (addFormats as unknown as (target: Ajv2020) => void)(ajv);
  const operations = new Map<string | undefined, Record<string, Response>>(
    readOperations(document).map(({ operation }) => [operation.operationId, operation.responses]),
  );
  // Errors before an operation is chosen have one form for each API family: plain text, JSON:API and that of decisions.
  const before: Response = {
    content: {
      [DECISION_TYPE]: { schema: DECISION_ERROR },
      "text/plain; charset=utf-8": { schema: { type: "string" } },
      [MEDIA_TYPE]: { schema: document.components.schemas["ErrorDocument"] ?? false },
    },
  };
  const validators = new Map<string, ValidateFunction>();

  function validatorOf(name: string, schema: AnySchema): ValidateFunction {
    const known = validators.get(name);
    if (known !== undefined) return known;
    const made = ajv.compile(closed(inlined(document, schema)));
    validators.set(name, made);
    return made;
  }

  function responseOf({
    operationId,
    status,
    method,
    isTrial,
  }: SentAnswer): [name: string, response: Response] | undefined {
    if (isTrial === true && status === 204) return ["trial", {}];
    const own = operationId === undefined ? undefined : operations.get(operationId)?.[status];
    if (own !== undefined) return [`${operationId} ${status}`, own];
    if (REFUSED_BEFORE.has(status) && (operationId === undefined || !OF_NO_ROUTE.includes(status)))
      return ["before", before];
    // Answers what the path has, and has no body.
    return method === "OPTIONS" && operationId === undefined ? ["OPTIONS", {}] : undefined;
  }

  return function check(answer: SentAnswer): string | undefined {
    const { operationId, status, type, body, method, url } = answer;
    if (operationId !== undefined && !operations.has(operationId)) return undefined;
    const found = responseOf(answer);
    const where = `${method} ${url} ${status}`;
    if (found === undefined)
      return `${where}: the document has no such status of ${operationId ?? "what has no route"}`;
    const [name, response] = found;
    const { content } = response;
    if (content === undefined) return body?.length ? `${where}: a body where there is none: ${shown(body)}` : undefined;
    if (body?.length === 0 && type === undefined) return `${where}: no body`;
    const schema = content[type ?? ""]?.schema;
    const isOtherFamily = response === before && FAMILIES.some(([path, own]) => path.test(url) !== (type === own));
    if (schema === undefined || isOtherFamily) {
      return `${where}: ${type} where the document has ${Object.keys(content).join()}`;
    }
    if (body === undefined) return undefined;
    return fault(validatorOf(`${name} ${type}`, schema), type ?? "", body, where);
  };

  function fault(validate: ValidateFunction, type: string, body: Buffer, where: string): string | undefined {
    const text = body.toString();
    let value: unknown = text;
    try {
      if (/[/+]json$/.test(type)) value = JSON.parse(text);
    } catch {
      return `${where}: no JSON: ${shown(body)}`;
    }
    if (validate(value)) return undefined;
    const told = validate.errors?.map(
      ({ params, ...error }) => `${error.instancePath} ${error.message} ${JSON.stringify(params)}`,
    );
    return `${where}: ${told?.join("; ")}: ${shown(body)}`;
  }
}

function shown(body: Buffer): string {
  return body.toString("utf8", 0, 600);
}

/** The same schema, of objects that have the members that it names and no others. */
function closed(schema: AnySchemaObject): AnySchemaObject {
  if (Array.isArray(schema)) return schema.map((each: AnySchemaObject) => closed(each));
  if (typeof schema !== "object" || schema === null) return schema;
  const inside = Object.entries(schema).map(([key, value]) => [
    key,
    key === "properties" ? closedEach(value as Record<string, AnySchemaObject>) : closed(value as AnySchemaObject),
  ]);
  const made = Object.fromEntries(inside) as AnySchemaObject;
  if (made["properties"] === undefined || made["additionalProperties"] !== undefined) return made;
  return { ...made, additionalProperties: false };
}

function closedEach(members: Record<string, AnySchemaObject>): Record<string, AnySchemaObject> {
  return Object.fromEntries(Object.entries(members).map(([name, schema]) => [name, closed(schema)]));
}
