import type { FastifySchema } from "fastify";
import { Type, type TObject, type TSchema } from "typebox";
import {
  ANY_NAMESPACE_PARAMETER,
  CAS_PARAMETER,
  deleted,
  ID_PREFIX_PARAMETER,
  operation,
  PAGE_PARAMETERS,
  SCOPE_PARAMETERS,
} from "../../http/v1/operation.ts";
import { TEXT_TYPE } from "../../http/v1/render.ts";

/** Key by which objects of a kind are found. */
export interface ObjectKey {
  /** Parameter of paths. */
  parameter: string;
  /** Member of bodies. */
  member: string;
  /** As the documentation calls it, and texts of errors. */
  name: string;
  said: string;
}

export const BY_ID: ObjectKey = { parameter: "id", member: "ID", name: "ID", said: "ID" };
export const BY_NAME: ObjectKey = { parameter: "name", member: "Name", name: "name", said: "name" };

/**
 * Properties of a kind of objects for its documentation and the reading of its bodies; paths and texts follow from
 * them.
 */
export interface Operations {
  /** As in `Create a policy`. */
  noun: string;
  key: ObjectKey;
  /** Order of lists. Default: names. */
  order?: string;
  body: TSchema;
  answer: TObject;
  /** Answer of a read of one object. Default: the answer of a write. */
  readAnswer?: TSchema;
  /** Answer of lists; a text for lists of whole objects. */
  listAnswer: TSchema | string;
  /** Parameters of the list besides the parameters of pages. */
  filters?: Record<string, string>;
  /** Parameters of a read of one object, with their effects. */
  readParameters?: Record<string, string>;
  /** Scope that contains the objects. Default: a namespace. */
  within?: "partition" | "server";
  /** Headers of a creation, with their effects. */
  createHeaders?: Record<string, string>;
  /** Error statuses of a creation, besides those of all routes. */
  createRefusals?: readonly number[];
  /** Answer of a deletion. Default: the boolean that most kinds have. */
  deleted?: TSchema;
}

/** Returns the configuration of the routes of a kind of objects: how bodies are read, and the documentation. */
export function objectOperations(kind: Operations) {
  const { noun, key, answer } = kind;
  const plural = pluralOf(noun);
  const [Noun, Plural, tag] = [camel(noun), camel(plural), capital(plural)];
  const aNoun = `${/^[aeiou]/.test(noun) ? "an" : "a"} ${noun}`;
  const params = { [key.parameter]: `${key.name} of the ${noun}.` };
  const body = { schema: kind.body, prefix: `${Noun} decoding failed: ` };
  const missing = `Missing ${noun} ${key.name}`;
  const where = kind.within === undefined ? {} : { ofPartition: true };
  const query = { ...SCOPE_PARAMETERS[kind.within ?? "namespace"], ...CAS_PARAMETER };
  const write = (operationId: string, summary: string, more: { description?: string } = {}): FastifySchema =>
    operation({ operationId, summary, ...more, tag, params, query, answer });
  return {
    create: {
      config: { ...where, body, ...(kind.createRefusals === undefined ? {} : { refusals: kind.createRefusals }) },
      schema: operation({
        operationId: `create${Noun}`,
        summary: `Create ${aNoun}`,
        tag,
        query,
        ...(kind.createHeaders === undefined ? {} : { headers: kind.createHeaders }),
        answer,
      }),
    },
    replace: { config: { ...where, body }, schema: write(`replace${Noun}`, `Replace ${aNoun}`) },
    patch: {
      config: { ...where, body: { ...body, patch: true as const } },
      schema: write(`update${Noun}`, `Update ${aNoun}`, {
        description: "JSON Merge Patch: only the members in the body change.",
      }),
    },
    ...readOperations(kind, Noun, aNoun, tag),
    list: {
      config: { ...where, read: true, anyNamespace: kind.within === undefined },
      schema: operation({
        operationId: `list${Plural}`,
        summary: `List ${plural}`,
        description: `Sorted by ${kind.order ?? "name"}.`,
        tag,
        query: listQueryOf(kind),
        answer: typeof kind.listAnswer === "string" ? listOf(answer, kind.listAnswer) : kind.listAnswer,
      }),
    },
    delete: {
      config: { ...where, missing },
      schema: operation({
        operationId: `delete${Noun}`,
        summary: `Delete ${aNoun}`,
        tag,
        params,
        query,
        answer: kind.deleted ?? deleted,
        ...(kind.deleted === undefined ? {} : { produces: TEXT_TYPE }),
      }),
    },
  };
}

function listQueryOf({ within, key, filters }: Operations) {
  return {
    ...SCOPE_PARAMETERS[within ?? "namespace"],
    ...(within === undefined ? ANY_NAMESPACE_PARAMETER : {}),
    ...PAGE_PARAMETERS,
    ...(key.parameter === BY_NAME.parameter ? {} : ID_PREFIX_PARAMETER),
    ...filters,
  };
}

/** The reads of one object: by its key, and by its name. */
function readOperations(kind: Operations, Noun: string, aNoun: string, tag: string) {
  const { noun, key, answer } = kind;
  const config = { ...(kind.within === undefined ? {} : { ofPartition: true }), read: true };
  const query = SCOPE_PARAMETERS[kind.within ?? "namespace"];
  return {
    read: {
      config: { ...config, missing: `Missing ${noun} ${key.name}` },
      schema: operation({
        operationId: `read${Noun}`,
        summary: `Read ${aNoun}`,
        tag,
        params: { [key.parameter]: `${key.name} of the ${noun}.` },
        query: { ...query, ...kind.readParameters },
        answer: kind.readAnswer ?? answer,
      }),
    },
    readByName: {
      config: { ...config, missing: `Missing ${noun} Name` },
      schema: operation({
        operationId: `read${Noun}ByName`,
        summary: `Read ${aNoun} by name`,
        description: "The case of the name is ignored.",
        tag,
        params: { name: `Name of the ${noun}.` },
        query,
        answer,
      }),
    },
  };
}

function listOf({ properties, examples }: TObject & { examples?: unknown }, description: string): TSchema {
  return Type.Array(Type.Object(properties), { description, examples: [examples] });
}

/** Returns the paths of one object, without its key, and of the list. */
export function pathsOf({ noun, within }: Pick<Operations, "noun" | "within">): { one: string; all: string } {
  const [one = "", all = ""] = [noun, pluralOf(noun)].map(
    (words) => `${within === undefined ? "/acl" : ""}/${words.replaceAll(" ", "-")}`,
  );
  return { one, all };
}

function pluralOf(noun: string): string {
  return noun.endsWith("y") ? `${noun.slice(0, -1)}ies` : `${noun}s`;
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** Without spaces, as names of operations are. */
export function camel(words: string): string {
  return words.split(" ").map(capital).join("");
}
