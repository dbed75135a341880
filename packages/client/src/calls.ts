import { operationOf, type Operation, type Value } from "./address.ts";
import { OPERATIONS, type OperationId } from "./operations.ts";
import { pagesOf } from "./pages.ts";
import { ask, type RequestOptions, type Settings } from "./send.ts";
import { streamOf } from "./streams.ts";
import { SURFACE, type Surface } from "./surface.ts";
import { watch } from "./watch.ts";

/** Arguments of a call, by name. */
type Given = Readonly<Record<string, unknown>>;

/** Members of a call that are not query parameters. */
const MANNER = ["body", "headers", "signal", "timeout", "retries", "onReconnect"] as const;

/** The calls of `SURFACE`, each of which asks its operation. */
export function callsOf(settings: Settings): Surface {
  const entries = Object.entries(SURFACE).map(([tag, verbs]: [string, Record<string, OperationId>]) => [
    tag,
    Object.fromEntries(Object.entries(verbs).map(([verb, id]) => [verb, callOf(settings, id)])),
  ]);
  return Object.fromEntries(entries) as Surface;
}

function callOf(settings: Settings, id: OperationId): object {
  const operation = operationOf(OPERATIONS, id);
  const call = (given: Given = {}) => {
    const options = optionsOf(operation, given);
    if (id.startsWith("stream")) return streamOf(settings, operation, options);
    if (id.startsWith("list") || operation.flags.includes("l")) return pagesOf(settings, operation, options);
    return bodyOf(settings, operation, options);
  };
  return Object.assign(call, { watch: (given: Given = {}) => watch(settings, operation, optionsOf(operation, given)) });
}

async function bodyOf(settings: Settings, operation: Operation, options: RequestOptions): Promise<unknown> {
  return (await ask(settings, operation, options)).body;
}

function optionsOf({ path }: Operation, given: Given): RequestOptions {
  const query: Record<string, Value> = { ...(given as Record<string, Value>) };
  const parts: Record<string, Value> = {};
  for (const [, name = ""] of path.matchAll(/\{([^}]+)\}/g)) {
    parts[name] = query[shortName(name)];
    delete query[shortName(name)];
  }
  for (const name of MANNER) delete query[name];
  const manner = Object.fromEntries(MANNER.filter((name) => name in given).map((name) => [name, given[name]]));
  return { ...manner, path: parts, query };
}

/** Returns the short name of a path parameter, as the type `Short` does: `reservedTagKey` for `reserved_tag_key_id`. */
function shortName(name: string): string {
  return name.replace(/_(name|id)$/, "").replaceAll(/_(.)/g, (_all, letter: string) => letter.toUpperCase());
}
