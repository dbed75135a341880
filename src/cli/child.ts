/** One of the processes that share a port, as their parent sees it. */
import cluster from "node:cluster";
import { StartError } from "../storage/start-error.ts";
import {
  CHILD_VARIABLE,
  type ChildMessage,
  type Listening,
  type NumbersMessage,
  type ParentMessage,
} from "./messages.ts";

export interface Child {
  readonly pid: number | undefined;
  /** Fulfilled when it listens. Rejected with StartError when its start is refused, with Error when it ended before. */
  readonly listening: Promise<Listening>;
  /** Fulfilled when it has ended, with how, such as `SIGKILL` or `exit code 1`. */
  readonly ended: Promise<string>;
  isListening(): boolean;
  /** Lost when it is ending. */
  send(message: ParentMessage): void;
  signal(name: NodeJS.Signals): void;
}

/**
 * Starts a process with the arguments of this one; what it prints goes where this one prints.
 *
 * @param onNumbers told of its messages about numbers
 */
export function forkChild(onNumbers: (child: Child, message: NumbersMessage) => void): Child {
  const worker = cluster.fork({ [CHILD_VARIABLE]: "1" });
  const start = Promise.withResolvers<Listening>();
  const end = Promise.withResolvers<string>();
  // Whoever waits for it is told; it may be that nobody does any more.
  start.promise.catch(() => undefined);
  let state: "starting" | "listening" | "ended" = "starting";
  const ended = (how: string) => {
    state = "ended";
    start.reject(new Error(`a process ended before it listened: ${how}`));
    end.resolve(how);
  };
  const child: Child = {
    pid: worker.process.pid,
    listening: start.promise,
    ended: end.promise,
    isListening: () => state === "listening",
    send(message) {
      // With a callback, what cannot be sent is no error event, which would end this process.
      if (worker.isConnected()) worker.send(message, undefined, undefined, () => undefined);
    },
    signal(name) {
      if (state !== "ended") worker.process.kill(name);
    },
  };
  worker.on("message", (message: ChildMessage) => {
    if (message.type === "refused") start.reject(new StartError(message.message));
    else if (message.type !== "listening") onNumbers(child, message);
    else if (state === "starting") {
      state = "listening";
      start.resolve({ url: message.url, tokenFile: message.tokenFile });
    }
  });
  worker.on("exit", (code: number | null, signal: string | null) => ended(signal ?? `exit code ${code}`));
  worker.on("error", (error: Error) => {
    // The system had no room for one more process; there is none that could end.
    if (worker.process.pid === undefined) ended(error.message);
  });
  return child;
}
