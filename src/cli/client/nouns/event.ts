import type { Call } from "../spec.ts";
import { usage } from "../exit.ts";
import { jsonText } from "../output/values.ts";
import type { Noun, Verb } from "../spec.ts";

/** How long a line of a stream may be. */
const LONGEST = 4 * 1024 * 1024;

const stream: Verb = {
  name: "stream",
  summary: "Stream changes to access control as JSON lines.",
  operations: ["streamEvents"],
  flags: [
    { name: "topics", value: "A,B", help: "Event topics. Default: all." },
    { name: "count", value: "N", help: "Stop after N events." },
  ],
  async run(call) {
    const topics = call.flag("topics");
    await show(call, "streamEvents", {}, topics === undefined ? {} : { topics });
  },
};

const organization: Verb = {
  name: "organization",
  summary: "Stream changes to tags and workspaces of an organization as JSON lines.",
  operations: ["streamOrganizationEvents"],
  flags: [
    { name: "after", value: "POSITION", help: "Start after this event." },
    { name: "count", value: "N", help: "Stop after N events." },
  ],
  async run(call) {
    const after = call.flag("after");
    await show(
      call,
      "streamOrganizationEvents",
      { organization_name: call.organization() },
      after === undefined ? {} : { after },
    );
  },
};

/** Shows a stream until it is interrupted; one that is cut is taken up behind the last event. */
async function show(
  call: Call,
  operation: "streamEvents" | "streamOrganizationEvents",
  path: Record<string, string>,
  query: Record<string, string>,
): Promise<void> {
  let left = Number(call.flag("count") ?? Infinity);
  if (!(left > 0)) throw usage("invalid --count: expected an integer of at least 1");
  let last: string | undefined;
  for (;;) {
    const headers = last === undefined ? {} : { "last-event-id": last };
    const response = await call.client.open(operation, { path, query, headers, signal: call.io.signal });
    try {
      for await (const { id, event, data } of eventsOf(response)) {
        last = id ?? last;
        await call.out.text(
          `${jsonText({ ...(id === undefined ? {} : { id }), ...(event === undefined ? {} : { event }), data })}\n`,
        );
        if (--left <= 0) return;
      }
    } catch (error) {
      if (call.io.signal.aborted) throw error;
    }
    await call.out.note("The stream ended. Reconnecting.");
    await call.sleep(1000);
  }
}

interface ServerEvent {
  id: string | undefined;
  event: string | undefined;
  data: unknown;
}

/** The events of a stream of `text/event-stream`. */
async function* eventsOf({ body }: Response): AsyncGenerator<ServerEvent> {
  if (body === null) return;
  const decoder = new TextDecoder();
  let text = "";
  for await (const part of body as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(part, { stream: true });
    if (text.length > LONGEST) throw usage("an event exceeds the maximum size of 4 MiB");
    const blocks = text.split(/\r?\n\r?\n/);
    text = blocks.pop() ?? "";
    for (const block of blocks) {
      const found = eventOf(block);
      if (found !== undefined) yield found;
    }
  }
}

function eventOf(block: string): ServerEvent | undefined {
  const fields = (name: string) =>
    block
      .split(/\r?\n/)
      .flatMap((line) => (line.startsWith(`${name}:`) ? [line.slice(name.length + 1).replace(/^ /, "")] : []));
  const data = fields("data");
  // A comment, by which the server keeps the connection.
  if (data.length === 0) return undefined;
  const joined = data.join("\n");
  return { id: fields("id").at(-1), event: fields("event").at(-1), data: parsed(joined) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

export const noun: Noun = { name: "event", summary: "Event streams of changes.", verbs: [stream, organization] };
