/** One of the processes that share a port, as their parent sees it. */
import { fork } from "node:child_process";
import type { Socket } from "node:net";
import { StartError } from "../storage/start-error.ts";
import {
  CHILD_VARIABLE,
  type ChildMessage,
  type Listening,
  type NumbersMessage,
  type ParentMessage,
  type PortMessage,
} from "./messages.ts";

export interface Child {
  readonly pid: number | undefined;
  /** Fulfilled when it serves. Rejected with StartError when its start is refused, with Error when it ended before. */
  readonly listening: Promise<Listening>;
  /** Fulfilled when it has ended, with how, such as `SIGKILL` or `exit code 1`. */
  readonly ended: Promise<string>;
  isListening(): boolean;
  /** Lost when it is ending. @param socket goes with the message, and stays open here */
  send(message: ParentMessage, socket?: Socket): void;
  signal(name: NodeJS.Signals): void;
}

/**
 * Starts a process with the arguments of this one; what it prints goes where this one prints.
 *
 * @param onMessage told of its messages about numbers and about the port
 */
export function forkChild(onMessage: (child: Child, message: NumbersMessage | PortMessage) => void): Child {
  const worker = fork(process.argv[1] ?? "", process.argv.slice(2), {
    env: { ...process.env, [CHILD_VARIABLE]: "1" },
  });
  const start = Promise.withResolvers<Listening>();
  const end = Promise.withResolvers<string>();
  // A caller that waits gets the error. The error is also handled when no caller waits any longer.
  start.promise.catch(() => undefined);
  let state: "starting" | "listening" | "ended" = "starting";
  const ended = (how: string) => {
    state = "ended";
    start.reject(new Error(`a process exited before it was listening: ${how}`));
    end.resolve(how);
  };
  const child: Child = {
    pid: worker.pid,
    listening: start.promise,
    ended: end.promise,
    isListening: () => state === "listening",
    send(message, socket) {
      // With a callback, what cannot be sent is no error event, which would end this process.
      if (worker.connected) worker.send(message, socket, { keepOpen: true }, () => undefined);
    },
    signal(name) {
      if (state !== "ended") worker.kill(name);
    },
  };
  worker.on("message", (message: ChildMessage) => {
    if (message.type === "refused") start.reject(new StartError(message.message));
    else if (message.type !== "listening") onMessage(child, message);
    else if (state === "starting") {
      state = "listening";
      start.resolve({ url: message.url, tokenFile: message.tokenFile });
    }
  });
  worker.on("exit", (code, signal) => ended(signal ?? `exit code ${code}`));
  worker.on("error", (error) => {
    // The system had no room for one more process; there is none that could end.
    if (worker.pid === undefined) ended(error.message);
  });
  return child;
}
