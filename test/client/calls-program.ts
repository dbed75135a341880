/** A program that calls every operation of the client once, with what the server's document gives as its example. */
import { SURFACE } from "../../packages/client/src/surface.ts";

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly schema?: ParameterSchema;
}

interface ParameterSchema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly ParameterSchema[];
  readonly items?: ParameterSchema;
}

interface Media {
  readonly schema?: { readonly examples?: readonly unknown[]; readonly anyOf?: readonly Media["schema"][] };
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

interface Operation {
  readonly operationId?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/**
 * The text of the program. It is compiled and never run.
 *
 * @throws Error when an operation with a call has no example of its body
 */
export function callsProgram(document: object): string {
  const { paths } = resolved(document, document) as Document;
  const operations = new Map(
    Object.values(paths).flatMap(({ parameters = [], ...methods }) =>
      Object.values(methods).map((operation) => [
        operation.operationId ?? "",
        { ...operation, parameters: [...(parameters as unknown as Parameter[]), ...(operation.parameters ?? [])] },
      ]),
    ),
  );
  const calls = Object.entries(SURFACE).flatMap(([tag, verbs]) =>
    Object.entries(verbs).map(([verb, id]: [string, string]) => {
      const given = argumentsOf(operations.get(id) ?? {});
      const asked = Object.keys(given).length === 0 ? "" : JSON.stringify(given);
      return `export const ${tag}_${verb} = () => tessera.${tag}.${verb}(${asked});\n`;
    }),
  );
  return `import { createClient } from "@tessera-server/client";

const tessera = createClient({ address: "http://127.0.0.1:8500", token: undefined });
${calls.join("")}`;
}

function argumentsOf({ operationId = "", parameters = [], requestBody }: Operation): Record<string, unknown> {
  const named = parameters
    .filter((each) => each.in === "path" || each.in === "query")
    .map(({ name, in: place, schema = {} }) => [place === "path" ? shortName(name) : name, sampleOf(schema)]);
  const given = Object.fromEntries(named) as Record<string, unknown>;
  const [media] = Object.values(requestBody?.content ?? {});
  const body = media === undefined ? undefined : exampleOf(media);
  if (media !== undefined && body === undefined) throw new Error(`${operationId} has no example of its body`);
  return { ...given, ...(body === undefined ? {} : { body }) };
}

function shortName(name: string): string {
  return name.replace(/_(name|id)$/, "").replaceAll(/_(.)/g, (_all, letter: string) => letter.toUpperCase());
}

function sampleOf({ type, enum: allowed, anyOf: [form] = [], items }: ParameterSchema): unknown {
  if (allowed !== undefined) return allowed[0];
  if (form !== undefined) return sampleOf(form);
  if (type === "array") return [sampleOf(items ?? {})];
  if (type === "boolean") return true;
  return type === "integer" || type === "number" ? 1 : "some";
}

function exampleOf({ example, examples = {}, schema }: Media): unknown {
  const [first] = Object.values(examples);
  return example ?? first?.value ?? ofSchema(schema);
}

function ofSchema(schema: Media["schema"]): unknown {
  return schema?.examples?.[0] ?? schema?.anyOf?.map(ofSchema).find((each) => each !== undefined);
}

/** A copy in which what is referred to stands where it is used; schemas to the depth at which a body's example stands. */
function resolved(document: object, value: unknown, depth = 0): unknown {
  if (typeof value !== "object" || value === null || depth > MOST_DEPTH) return value;
  if (Array.isArray(value)) return value.map((each) => resolved(document, each, depth + 1));
  if ("$ref" in value && typeof value.$ref === "string") {
    const parts = value.$ref.split("/").slice(1);
    return resolved(
      document,
      parts.reduce<unknown>((at, part) => (at as Record<string, unknown>)[part], document),
      depth,
    );
  }
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, resolved(document, each, depth + 1)]));
}

/** From the document: `paths`, path, method, `requestBody`, `content`, media type, `schema`, `anyOf`, form. */
const MOST_DEPTH = 10;
