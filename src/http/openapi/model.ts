/** The parts of an OpenAPI document that this program reads and writes. */

/** JSON Schema as it stands in the document. */
export type Schema = Readonly<Record<string, unknown>> & {
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
};

export interface Media {
  schema?: Schema;
  example?: unknown;
  examples?: Record<string, { value?: unknown; $ref?: string }>;
}

export interface ParameterObject {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema?: Schema;
  example?: unknown;
  "x-go-name"?: string;
}

export interface Reference {
  $ref: string;
}

export interface ResponseObject {
  description: string;
  headers?: Record<string, unknown>;
  content?: Record<string, Media>;
}

export interface RequestBody {
  required?: boolean;
  content: Record<string, Media>;
}

export interface OperationObject {
  operationId: string;
  summary?: string;
  description?: string;
  tags: string[];
  parameters?: (ParameterObject | Reference)[];
  requestBody?: RequestBody | Reference;
  responses: Record<string, ResponseObject | Reference>;
  security?: Record<string, string[]>[];
}

export interface Components {
  schemas: Record<string, Schema>;
  headers: Record<string, unknown>;
  responses: Record<string, ResponseObject>;
  requestBodies: Record<string, RequestBody>;
  parameters: Record<string, ParameterObject>;
  examples: Record<string, { value: unknown }>;
  securitySchemes: Record<string, unknown>;
}

export interface OpenApi {
  openapi: string;
  info: Record<string, unknown>;
  servers?: unknown[];
  security?: Record<string, string[]>[];
  tags?: { name: string; description: string }[];
  /** The operations of each path by their methods; what they all take may stand beside them, as `parameters`. */
  paths: Record<string, Record<string, OperationObject>>;
  components: Components;
}

/** All operations, in the order of the document. */
export function operationsOf({ paths }: OpenApi): OperationObject[] {
  return Object.values(paths).flatMap(operationsIn);
}

/** The operations of one path. */
export function operationsIn(item: Record<string, OperationObject>): OperationObject[] {
  return Object.values(item).filter((each) => "operationId" in each);
}

/** Media types of an operation's own body and responses, each with the default name of its schema. */
export function mediasOf(operation: OperationObject): { media: Media; fallback: string }[] {
  const { operationId, requestBody = {}, responses } = operation;
  const noun = `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}`;
  const taken = mediasIn(requestBody).map((media) => ({ media, fallback: `${noun}Body` }));
  const answered = Object.values(responses).flatMap(mediasIn);
  return [...taken, ...answered.map((media) => ({ media, fallback: `${noun}Answer` }))];
}

/** Media types of an answer or a body; none of a reference. */
export function mediasIn(of: { content?: Record<string, Media> } | Reference): Media[] {
  return "$ref" in of ? [] : Object.values(of.content ?? {});
}
