/** What the OpenAPI document says of answers, as a check of the answers that leave. */
import { Ajv2020, type AnySchemaObject, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

/** An answer as its client gets it. */
export interface SentAnswer {
  /** Of its operation; undefined where no route was found. */
  operationId: string | undefined;
  method: string;
  url: string;
  status: number;
  /** The media type as it was sent; undefined for none. */
  type: string | undefined;
  /** Undefined where it is not looked at: too long, packed in a way that is not known, or of HEAD. */
  body: Buffer | undefined;
}

interface Response {
  content?: Record<string, { schema?: AnySchemaObject }>;
}

/** The part of the document that is read here. */
export interface AnswersDocument {
  paths: Record<string, Record<string, { operationId?: string; responses: Record<string, Response> }>>;
  components: { responses: Record<string, Response> };
}

export type AnswerCheck = ReturnType<typeof createAnswerCheck>;

/** Statuses by which any request can be refused before its operation is chosen, each with where the document has it. */
const REFUSED_BEFORE: Readonly<Record<number, string>> = {
  400: "BadTarget",
  403: "ForeignOrigin",
  404: "UnknownPath",
  405: "UnknownMethod",
  408: "RequestTimeout",
  413: "PayloadTooLarge",
  417: "ExpectationFailed",
  421: "MisdirectedRequest",
  431: "HeadersTooLarge",
};
/** Those of them that are told of what no route takes, and of nothing else. */
const OF_NO_ROUTE: readonly number[] = [404, 405];
const JSON_API_PATH = /^\/api\/v2(?:[/?]|$)/;
const MEDIA_TYPE = "application/vnd.api+json";

/**
 * Makes a check of answers against a document. Each schema is compiled when it is first met. An object may have no member
 * that its schema does not name, unless that says what else there is.
 *
 * @returns a function that says what is wrong with an answer; undefined when nothing is, or when its operation is not in the document
 */
export function createAnswerCheck(written: AnswersDocument) {
  const document = withoutReferences(written);
  const ajv = new Ajv2020({ strict: false });
  (addFormats as unknown as (target: Ajv2020) => void)(ajv);
  const operations = new Map<string, Record<string, Response>>();
  for (const methods of Object.values(document.paths)) {
    for (const { operationId, responses } of Object.values(methods)) {
      if (operationId !== undefined) operations.set(operationId, responses);
    }
  }
  // Those have one form for each family.
  const components = new Set(Object.values(REFUSED_BEFORE).map((name) => document.components.responses[name]));
  const validators = new Map<string, ValidateFunction>();

  function validatorOf(name: string, schema: AnySchemaObject): ValidateFunction {
    const known = validators.get(name);
    if (known !== undefined) return known;
    const made = ajv.compile(closed(schema));
    validators.set(name, made);
    return made;
  }

  function responseOf({ operationId, status, method }: SentAnswer): [name: string, response: Response] | undefined {
    const responses = operationId === undefined ? undefined : operations.get(operationId);
    // All refusals of a family together; none of them says that the method is not known.
    const refused = status < 400 || status === 405 ? undefined : responses?.["default"];
    const own = responses?.[status] ?? refused;
    if (own !== undefined) return [`${operationId} ${status}`, own];
    const before = REFUSED_BEFORE[status] ?? "";
    const component = document.components.responses[before];
    if (component !== undefined && (operationId === undefined || !OF_NO_ROUTE.includes(status)))
      return [before, component];
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
    const isOtherFamily = components.has(response) && JSON_API_PATH.test(url) !== (type === MEDIA_TYPE);
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

/** The same document with all that it refers to in place; none of it holds itself. */
function withoutReferences(document: AnswersDocument): AnswersDocument {
  const known = new Map<string, unknown>();
  const follow = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(follow);
    if (typeof value !== "object" || value === null) return value;
    if (!("$ref" in value) || typeof value.$ref !== "string") {
      return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, follow(each)]));
    }
    const { $ref } = value;
    if (!known.has($ref)) known.set($ref, follow(find(document, $ref)));
    return known.get($ref);
  };
  // First, since answers that many operations have are known by being the same object.
  const components = follow(document.components) as AnswersDocument["components"];
  for (const [name, response] of Object.entries(components.responses))
    known.set(`#/components/responses/${name}`, response);
  return { components, paths: follow(document.paths) as AnswersDocument["paths"] };
}

function find(document: AnswersDocument, reference: string): unknown {
  const names = reference.split("/").slice(1);
  return names.reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], document);
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
