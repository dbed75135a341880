/** Parts of an OpenAPI document from which the table of operations is made. */
interface Described {
  readonly paths?: Readonly<Record<string, DescribedPath>>;
}

/** The operations of a path by their methods, and the parameters that all of them have. */
type DescribedPath = Readonly<Record<string, DescribedOperation>> & {
  readonly parameters?: readonly DescribedParameter[];
};

interface DescribedOperation {
  readonly operationId?: string;
  readonly parameters?: readonly DescribedParameter[];
}

/** A parameter, or where it is described. */
interface DescribedParameter {
  readonly name?: string;
  readonly in?: string;
  readonly $ref?: string;
}

const METHODS = new Set(["get", "put", "post", "patch", "delete"]);

/** Flags of the table, each with the parameter by which an operation shows it. */
const FLAGS: readonly (readonly [flag: string, place: string, name: string])[] = [
  ["n", "query", "ns"],
  ["p", "query", "partition"],
  ["l", "query", "page-size"],
  ["l", "query", "page[size]"],
  ["w", "query", "index"],
  ["w", "header", "if-none-match"],
];

const HEADER = `// Made by \`npm run generate:client\` from the server's own document; do not edit.

/**
 * Every operation: its method, its path, and what it takes: \`n\` a namespace, \`p\` a partition, \`l\` the size of a page (it is
 * a list), \`w\` a wait for something newer.
 */
export const OPERATIONS = {
`;

const FOOTER = `} as const;

/** The name of an operation, as the server's document has it. */
export type OperationId = keyof typeof OPERATIONS;
`;

/** The text of \`src/operations.ts\` for a document, its operations in the document's order. */
export function operationsText(document: object): string {
  const { paths = {} } = document as Described;
  const lines = Object.entries(paths).flatMap(([path, { parameters: common, ...methods }]) =>
    Object.entries(methods)
      .filter(([method]) => METHODS.has(method))
      .map(([method, operation]) => {
        const parameters = [...(common ?? []), ...(operation.parameters ?? [])];
        const flags = flagsOf(document, path, { ...operation, parameters });
        const text = [method.toUpperCase(), path, ...(flags === "" ? [] : [flags])].join(" ");
        return entry(operation.operationId ?? "", JSON.stringify(text));
      }),
  );
  return HEADER + lines.join("") + FOOTER;
}

/** Returns an entry with the line breaks that the formatter makes. */
function entry(name: string, value: string): string {
  const line = `  ${name}: ${value},\n`;
  return line.length <= 121 ? line : `  ${name}:\n    ${value},\n`;
}

function flagsOf(document: object, path: string, { parameters = [] }: DescribedOperation): string {
  const known = parameters.map((each) => resolve(document, each));
  const flags = FLAGS.filter(([, place, name]) =>
    known.some((each) => each.in === place && each.name?.toLowerCase() === name),
  );
  // Operations under /v1/acl/ are in a namespace, even where the document does not show it.
  const found = new Set([...(path.startsWith("/v1/acl/") ? ["n", "p"] : []), ...flags.map(([flag]) => flag)]);
  return ["n", "p", "l", "w"].filter((flag) => found.has(flag)).join("");
}

function resolve(document: object, parameter: DescribedParameter): DescribedParameter {
  if (parameter.$ref === undefined) return parameter;
  const parts = parameter.$ref.split("/").slice(1);
  return parts.reduce<unknown>(
    (value, part) => (value as Record<string, unknown>)[part],
    document,
  ) as DescribedParameter;
}
