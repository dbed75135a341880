import { request, type IncomingMessage } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

/** One event of a stream; without data it only says from where to go on. */
export interface ServerEvent {
  readonly id?: string;
  readonly data?: string;
}

export interface Listening {
  /** 0 when nobody answered. */
  readonly status: number;
  readonly text: string;
}

/**
 * Reads a stream of events for so long, or until it ends, breaks off or the signal aborts.
 *
 * @param onEvent told of each as it comes
 */
export async function readEvents(
  url: string,
  headers: Readonly<Record<string, string>>,
  { milliseconds, signal }: { milliseconds: number; signal: AbortSignal },
  onEvent: (event: ServerEvent) => void,
): Promise<Listening> {
  const ending = new AbortController();
  const stop = (): void => ending.abort();
  signal.addEventListener("abort", stop);
  const outgoing = request(url, { headers, agent: false });
  outgoing.on("error", stop);
  const answered = new Promise<IncomingMessage>((resolve) => void outgoing.once("response", resolve));
  const over = sleep(milliseconds, undefined, { signal: ending.signal }).catch(() => undefined);
  outgoing.end();
  try {
    const incoming = await Promise.race([answered, over]);
    if (incoming === undefined) return { status: 0, text: "" };
    incoming.on("error", stop).on("close", stop).setEncoding("utf8");
    const status = incoming.statusCode ?? 0;
    let unread = "";
    incoming.on("data", (chunk: string) => {
      unread += chunk;
      if (status !== 200) return;
      const blocks = unread.split("\n\n");
      unread = blocks.pop() ?? "";
      for (const block of blocks) onEvent(parse(block));
    });
    await over;
    return { status, text: unread };
  } finally {
    signal.removeEventListener("abort", stop);
    stop();
    outgoing.destroy();
  }
}

function parse(block: string): ServerEvent {
  const fields = new Map<string, string>();
  for (const line of block.split("\n")) {
    const [name = "", ...rest] = line.split(": ");
    fields.set(name, rest.join(": "));
  }
  const [id, data] = [fields.get("id"), fields.get("data")];
  return { ...(id === undefined ? {} : { id }), ...(data === undefined ? {} : { data }) };
}
