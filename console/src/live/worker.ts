/** One for all windows of the browser: each partition and each organization is followed once, however many windows look at it. */
import { follow, sourcesOf, type Source } from "./follow.ts";
import { worstOf, type LiveMessage, type LiveRequest, type LiveState } from "./topics.ts";

interface Followed {
  readonly ports: Set<MessagePort>;
  readonly controller: AbortController;
  state: LiveState;
}

const followed = new Map<string, Followed>();
const SOON = 1000;

addEventListener("connect", (event) => {
  const [port] = (event as MessageEvent).ports;
  if (port === undefined) return;
  port.addEventListener("message", ({ data }: MessageEvent<LiveRequest>) => {
    for (const { ports } of followed.values()) ports.delete(port);
    if (data.kind === "follow") enter(port, data);
    // Navigation to the next screen leaves, then follows again immediately.
    setTimeout(endUnwatched, SOON);
  });
  port.start();
});

function enter(port: MessagePort, request: LiveRequest & { kind: "follow" }): void {
  for (const source of sourcesOf(request)) {
    const key = JSON.stringify([request.address, source.family, source.place]);
    const entry = followed.get(key) ?? begin(key, request.address, source);
    entry.ports.add(port);
  }
  tellState(port);
}

function begin(key: string, address: string, source: Source): Followed {
  const entry: Followed = { ports: new Set(), controller: new AbortController(), state: "starting" };
  followed.set(key, entry);
  void follow({
    address,
    source,
    signal: entry.controller.signal,
    tell: (event) => {
      for (const port of entry.ports) send(port, { kind: "event", event });
    },
    state: (state) => {
      if (entry.state === state) return;
      entry.state = state;
      for (const port of entry.ports) tellState(port);
    },
  });
  return entry;
}

function tellState(port: MessagePort): void {
  const own = [...followed.values()].filter(({ ports }) => ports.has(port));
  send(port, { kind: "state", state: worstOf(own.map(({ state }) => state)) });
}

function endUnwatched(): void {
  for (const [key, { ports, controller }] of followed) {
    if (ports.size > 0) continue;
    controller.abort();
    followed.delete(key);
  }
}

/** Typed as for windows, a port is told apart from them by nothing. */
function send(port: MessagePort, message: LiveMessage): void {
  port.postMessage(message);
}
