import type { FastifySchema } from "fastify";
import type { TSchema } from "typebox";
import {
  ANY_NAMESPACE_PARAMETER,
  CAS_PARAMETER,
  deleted,
  operation,
  PAGE_PARAMETERS,
  SCOPE_PARAMETERS,
} from "../http/v1/operation.ts";
import { TEXT_TYPE } from "../http/v1/render.ts";

/** What the documentation and the reading of bodies need to know of a kind of objects. */
export interface Operations {
  /** As in `Create a policy`. */
  noun: string;
  plural: string;
  /** Begins the messages about its bodies. */
  prefix: string;
  /** The parameter of its paths, and what that is. */
  key: string;
  keyName: string;
  /** What lists are in order of. */
  order: string;
  body: TSchema;
  answer: TSchema;
  listAnswer: TSchema;
  /** Parameters of the list beside those of pages. */
  filters: Record<string, string>;
  /** Parameters of reading one, with what they do. */
  readParameters?: Record<string, string>;
  /** What they lie in; a namespace unless it says otherwise. */
  within?: "partition" | "server";
  /** Headers of a creation, with what they do. */
  createHeaders?: Record<string, string>;
  /** Statuses that a creation may be refused with, beside those of all routes. */
  createRefusals?: readonly number[];
  /** The answer of a deletion; the boolean that most have unless it says otherwise. */
  deleted?: TSchema;
}

/** What the routes of a kind of objects are configured with: how bodies are read, and what the documentation says. */
export function objectOperations(kind: Operations) {
  const { noun, plural, prefix, key, keyName, answer } = kind;
  const [Noun, Plural, tag] = [camel(noun), camel(plural), capital(plural)];
  const aNoun = `${/^[aeiou]/.test(noun) ? "an" : "a"} ${noun}`;
  const params = { [key]: `${keyName} of the ${noun}.` };
  const body = { schema: kind.body, prefix };
  const missing = `Missing ${noun} ${keyName}`;
  const where = kind.within === undefined ? {} : { ofPartition: true };
  const scope = SCOPE_PARAMETERS[kind.within ?? "namespace"];
  const query = { ...scope, ...CAS_PARAMETER };
  const write = (operationId: string, summary: string): FastifySchema =>
    operation({ operationId, summary, tag, params, query, answer });
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
    replace: { config: { ...where, body }, schema: write(`replace${Noun}`, `Replace ${aNoun} as a whole`) },
    patch: {
      config: { ...where, body: { ...body, patch: true as const } },
      schema: write(`update${Noun}`, `Change the members of ${aNoun} that the body names (JSON Merge Patch)`),
    },
    read: {
      config: { ...where, read: true, missing },
      schema: operation({
        operationId: `read${Noun}`,
        summary: `Read ${aNoun}`,
        tag,
        params,
        query: { ...scope, ...kind.readParameters },
        answer,
      }),
    },
    readByName: {
      config: { ...where, read: true, missing: `Missing ${noun} Name` },
      schema: operation({
        operationId: `read${Noun}ByName`,
        summary: `Read ${aNoun} by its name, in any case`,
        tag,
        params: { name: `Name of the ${noun}.` },
        query: scope,
        answer,
      }),
    },
    list: {
      config: { ...where, read: true, anyNamespace: kind.within === undefined },
      schema: operation({
        operationId: `list${Plural}`,
        summary: `List ${plural} in order of their ${kind.order}`,
        tag,
        query: {
          ...scope,
          ...(kind.within === undefined ? ANY_NAMESPACE_PARAMETER : {}),
          ...PAGE_PARAMETERS,
          ...kind.filters,
        },
        answer: kind.listAnswer,
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

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** Without spaces, as names of operations are. */
function camel(words: string): string {
  return words.split(" ").map(capital).join("");
}
