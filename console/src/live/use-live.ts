/** Keeps what is on the page as the server has it. */
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useSyncExternalStore } from "react";
import { SERVER_ADDRESS } from "../base/address.ts";
import { takeEventStart } from "../base/event-start.ts";
import { usePlaces } from "../kit/places.ts";
import { follow, sourcesOf } from "./follow.ts";
import { applyEvents, worstOf, type LiveEvent, type LiveMessage, type LiveRequest, type LiveState } from "./topics.ts";

let state: LiveState = "starting";
const listeners = new Set<() => void>();

function setState(next: LiveState): void {
  if (state === next) return;
  state = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether events come in. */
export function useLiveState(): LiveState {
  return useSyncExternalStore(subscribe, () => state);
}

/** Events come in bursts: what was changed by a thousand of them is read once. */
const GATHER = 250;
/** For so long as reading takes, so many times nothing is read. */
const IDLE = 2;
/** A read that never comes to its end, such as one without a network, holds up no others. */
const LONGEST = 10_000;

/** Follows the place of the address while somebody is signed in. */
export function useLive(isSignedIn: boolean): void {
  const queries = useQueryClient();
  const { scope, organization } = usePlaces();
  const { partition } = scope;
  useEffect(() => {
    if (!isSignedIn) return;
    let gathered: LiveEvent[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isStopped = false;
    const take = (event: LiveEvent) => {
      gathered.push(event);
      timer ??= setTimeout(() => void apply(), GATHER);
    };
    const apply = async () => {
      const events = gathered;
      gathered = [];
      const began = performance.now();
      await Promise.race([applyEvents(queries, events), new Promise((resolve) => setTimeout(resolve, LONGEST))]);
      // A list of which hundreds of pages were read is not read all the time.
      const rest = Math.max(GATHER, (performance.now() - began) * IDLE);
      timer = isStopped
        ? undefined
        : setTimeout(() => (gathered.length > 0 ? void apply() : (timer = undefined)), rest);
    };
    const after = takeEventStart({ partition, organization });
    const stop = start({ kind: "follow", address: SERVER_ADDRESS, partition, organization, after }, (message) =>
      message.kind === "event" ? take(message.event) : setState(message.state),
    );
    return () => {
      stop();
      isStopped = true;
      clearTimeout(timer);
    };
  }, [isSignedIn, partition, organization, queries]);
}

function start(request: LiveRequest & { kind: "follow" }, tell: (message: LiveMessage) => void): () => void {
  if (typeof SharedWorker === "undefined") return startHere(request, tell);
  const worker = new SharedWorker(new URL("./worker.ts", import.meta.url), { type: "module", name: "tessera-live" });
  worker.port.addEventListener("message", ({ data }: MessageEvent<LiveMessage>) => tell(data));
  worker.port.start();
  worker.port.postMessage(request);
  const leave = () => worker.port.postMessage({ kind: "leave" } satisfies LiveRequest);
  // A worker is not told when a window closes.
  addEventListener("pagehide", leave);
  return () => {
    removeEventListener("pagehide", leave);
    leave();
    worker.port.close();
  };
}

/** A browser without shared workers: this window follows by itself. */
function startHere(request: LiveRequest & { kind: "follow" }, tell: (message: LiveMessage) => void): () => void {
  const controller = new AbortController();
  const sources = sourcesOf(request);
  const states = sources.map((): LiveState => "starting");
  for (const [index, source] of sources.entries()) {
    void follow({
      address: request.address,
      source,
      signal: controller.signal,
      tell: (event) => tell({ kind: "event", event }),
      state: (next) => {
        states[index] = next;
        tell({ kind: "state", state: worstOf(states) });
      },
    });
  }
  return () => controller.abort();
}
