/** One for all windows of the browser: each place is followed by one stream, however many windows look at it. */
import { follow } from "./follow.ts";
import type { LiveMessage, LiveRequest, LiveState } from "./topics.ts";

interface Followed {
  readonly ports: Set<MessagePort>;
  readonly controller: AbortController;
  state: LiveState;
}

const followed = new Map<string, Followed>();

addEventListener("connect", (event) => {
  const [port] = (event as MessageEvent).ports;
  if (port === undefined) return;
  port.addEventListener("message", ({ data }: MessageEvent<LiveRequest>) => {
    leave(port);
    if (data.kind === "follow") enter(port, data);
  });
  port.start();
});

function enter(port: MessagePort, request: LiveRequest & { kind: "follow" }): void {
  const { address, partition, organization } = request;
  const key = JSON.stringify([address, partition, organization]);
  const known = followed.get(key);
  if (known !== undefined) {
    known.ports.add(port);
    send(port, { kind: "state", state: known.state });
    return;
  }
  const entry: Followed = { ports: new Set([port]), controller: new AbortController(), state: "starting" };
  followed.set(key, entry);
  const tellAll = (message: LiveMessage) => {
    for (const each of entry.ports) send(each, message);
  };
  void follow({
    address,
    partition,
    organization,
    signal: entry.controller.signal,
    tell: (event) => tellAll({ kind: "event", event }),
    state: (state) => {
      if (entry.state === state) return;
      entry.state = state;
      tellAll({ kind: "state", state });
    },
  });
}

function leave(port: MessagePort): void {
  for (const [key, entry] of followed) {
    if (!entry.ports.delete(port) || entry.ports.size > 0) continue;
    entry.controller.abort();
    followed.delete(key);
  }
}

/** Typed as for windows, a port is told apart from them by nothing. */
function send(port: MessagePort, message: LiveMessage): void {
  port.postMessage(message);
}
