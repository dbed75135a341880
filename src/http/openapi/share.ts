/** Moves parts that many operations share to one place each: responses, bodies, parameters and examples. */
import {
  type ResponseObject,
  type Components,
  mediasIn,
  mediasOf,
  type Media,
  type OpenApi,
  operationsIn,
  operationsOf,
  type ParameterObject,
  type Reference,
  type Schema,
} from "./model.ts";
import { fieldName } from "./simplify.ts";

/** Moves what stands more than once to `components`, and what goes for a whole path or for all to where that is said. */
export function shareParts(document: OpenApi): void {
  liftSecurity(document);
  liftParameters(document);
  shareParameters(document);
  shareAnswers(document);
  shareBodies(document);
  shareExamples(document);
  shareHeaders(document);
}

/** Gives what stands twice or more a name, and what refers to it. */
function createSharer(
  { components }: OpenApi,
  part: "headers" | "responses" | "requestBodies" | "parameters" | "examples",
  all: readonly unknown[],
) {
  const counts = new Map<string, number>();
  for (const text of all.map((each) => JSON.stringify(each))) counts.set(text, (counts.get(text) ?? 0) + 1);
  const shared = new Map<string, Reference>();
  const group = components[part] as Record<string, unknown>;
  // Generators make one name space of all parts.
  const isTaken = (name: string) => Object.values(components).some((named: object) => name in named);
  return <T extends object>(value: T, wanted: string, otherwise = wanted): T | Reference => {
    const text = JSON.stringify(value);
    if ((counts.get(text) ?? 0) < 2) return value;
    let reference = shared.get(text);
    if (reference === undefined) {
      let name = isTaken(wanted) ? otherwise : wanted;
      for (let number = 2; isTaken(name); number++) name = `${otherwise}${number}`;
      group[name] = value;
      reference = { $ref: `#/components/${part}/${name}` };
      shared.set(text, reference);
    }
    return reference;
  };
}

/** Every operation wants a token, but for those that say that they do not. */
function liftSecurity(document: OpenApi): void {
  document.security = [{ bearer: [] }];
  for (const operation of operationsOf(document)) if (operation.security?.length !== 0) delete operation.security;
}

/** Moves parameters that all operations of a path take to the path. */
function liftParameters({ paths }: OpenApi): void {
  for (const item of Object.values(paths)) {
    const operations = Object.values(item);
    if (operations.length < 2) continue;
    const lists = operations.map(({ parameters = [] }) => parameters.map((each) => JSON.stringify(each)));
    const common = new Set(lists[0]?.filter((text) => lists.every((list) => list.includes(text))));
    if (common.size === 0) continue;
    for (const operation of operations) {
      const own = operation.parameters?.filter((each) => !common.has(JSON.stringify(each))) ?? [];
      if (own.length === 0) delete operation.parameters;
      else operation.parameters = own;
    }
    Object.assign(item, { parameters: [...common].map((text) => JSON.parse(text) as ParameterObject) });
  }
}

function shareParameters(document: OpenApi): void {
  const holders = Object.values(document.paths).flatMap((item) => [
    item as { parameters?: (ParameterObject | Reference)[] },
    ...operationsIn(item),
  ]);
  const share = createSharer(
    document,
    "parameters",
    holders.flatMap(({ parameters = [] }) => parameters),
  );
  for (const holder of holders) {
    if (holder.parameters === undefined) continue;
    holder.parameters = holder.parameters.map((each) => {
      const name = fieldName((each as ParameterObject).name);
      return share(each, name, `${name}Param`);
    });
  }
}

/** Names of error responses by status. Each family has responses of its own, because they look different. */
const REFUSALS: Readonly<Record<string, string>> = {
  304: "NotModified",
  400: "BadRequest",
  401: "Unauthorized",
  403: "Forbidden",
  404: "NotFound",
  409: "Conflict",
  410: "Gone",
  412: "PreconditionFailed",
  415: "WrongMediaType",
  422: "Unprocessable",
  429: "TooManyRequests",
  500: "InternalError",
  503: "Unavailable",
};

function shareAnswers(document: OpenApi): void {
  const all = operationsOf(document).flatMap(({ responses }) => Object.values(responses));
  const share = createSharer(document, "responses", all);
  for (const [path, item] of Object.entries(document.paths)) {
    const family = path.startsWith("/v1/") ? "V1" : path.startsWith("/access/v1/") ? "Decision" : "";
    for (const { operationId, responses } of operationsIn(item)) {
      for (const [status, answer] of Object.entries(responses)) {
        if ("$ref" in answer) continue;
        const refusal = REFUSALS[status];
        responses[status] = share(
          answer,
          refusal === undefined ? answerName(answer, operationId) : `${family}${refusal}`,
        );
      }
    }
  }
}

/** One that says nothing but that it was done is called so. */
function answerName({ content }: ResponseObject, operationId: string): string {
  return content === undefined ? "Done" : `${nounOf(content, operationId).replace(/Answer$/, "")}Answer`;
}

function shareBodies(document: OpenApi): void {
  const operations = operationsOf(document);
  const share = createSharer(
    document,
    "requestBodies",
    operations.map(({ requestBody }) => requestBody),
  );
  for (const operation of operations) {
    const { requestBody, operationId } = operation;
    if (requestBody === undefined || "$ref" in requestBody) continue;
    const noun = nounOf(requestBody.content, operationId).replace(/Body$/, "");
    operation.requestBody = share(requestBody, `${noun}Request`);
  }
}

/** Moves an example that several bodies and responses share to their schema, or else under a name. */
function shareExamples(document: OpenApi): void {
  const { responses, requestBodies, schemas } = document.components;
  const shared = [...Object.values(responses), ...Object.values(requestBodies)];
  const medias = [
    ...operationsOf(document).flatMap(mediasOf),
    ...shared.flatMap(mediasIn).map((media) => ({ media, fallback: "" })),
  ];
  giveToSchemas(
    schemas,
    medias.map(({ media }) => media),
  );
  const share = createSharer(
    document,
    "examples",
    medias.map(({ media }) => ({ value: media.example })),
  );
  for (const { media, fallback } of medias) {
    if (media.example === undefined) continue;
    const reference = share({ value: media.example }, exampleName(media, fallback));
    if (!("$ref" in reference)) continue;
    media.examples = { example: reference };
    delete media.example;
  }
}

/** A page that shows no entry is one of any list. */
function exampleName(media: Media, fallback: string): string {
  const { data } = (media.example ?? {}) as { data?: unknown };
  return Array.isArray(data) && data.length === 0 ? "EmptyPage" : `${nounOf({ media }, fallback)}Example`;
}

/** An example that goes for a schema wherever it is used; of lists, what their one entry is an example of. */
function giveToSchemas(schemas: Components["schemas"], medias: readonly Media[]): void {
  const uses = medias.flatMap((media) => {
    const { schema, example } = media;
    const isList = schema?.items !== undefined;
    const name = nameIn(isList ? schema.items : schema);
    const value: unknown = isList && Array.isArray(example) && example.length === 1 ? example[0] : example;
    return name === undefined || value === undefined || (isList && value === example) ? [] : [{ media, name, value }];
  });
  for (const group of Map.groupBy(uses, ({ value }) => JSON.stringify(value)).values()) {
    const [{ name, value } = { name: "", value: undefined }] = group;
    const schema = schemas[name];
    // An example of two different schemas gets a name of its own.
    if (group.length < 2 || schema === undefined || group.some((each) => each.name !== name)) continue;
    schemas[name] = { ...schema, examples: [...((schema["examples"] as unknown[] | undefined) ?? []), value] };
    for (const { media } of group) delete media.example;
  }
}

function shareHeaders(document: OpenApi): void {
  const answers = [
    ...operationsOf(document).flatMap(({ responses }) => Object.values(responses)),
    ...Object.values(document.components.responses),
  ].flatMap((answer) => ("$ref" in answer || answer.headers === undefined ? [] : [answer.headers]));
  const share = createSharer(
    document,
    "headers",
    answers.flatMap((headers) => Object.values(headers)),
  );
  for (const headers of answers)
    for (const [name, header] of Object.entries(headers)) headers[name] = share(header as object, fieldName(name));
}

/** The name of the schema of what is taken or answered, or else that of the operation. */
function nounOf(content: Readonly<Record<string, Media>> = {}, fallback: string): string {
  const [media] = Object.values(content);
  return nameIn(media?.schema) ?? nameIn(media?.schema?.items) ?? fieldName(fallback);
}

/** The name of the schema that is referred to. */
function nameIn(schema: Schema | undefined): string | undefined {
  const reference = schema?.["$ref"];
  return typeof reference === "string" ? reference.slice(reference.lastIndexOf("/") + 1) : undefined;
}
