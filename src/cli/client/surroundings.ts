/** All that a command has of the world around it, in one place, so that a test can give it another one. */
import process from "node:process";

/** Why a command is aborted: a signal ended it. */
export class SignalError extends Error {
  override readonly name = "SignalError";
  readonly signal: "SIGINT" | "SIGTERM";

  constructor(signal: "SIGINT" | "SIGTERM") {
    super(signal === "SIGTERM" ? "terminated" : "interrupted");
    this.signal = signal;
  }
}

/** Destination of text. */
export interface TextSink {
  /** Resolves when there is room for more. */
  write(text: string | Uint8Array): Promise<void>;
  /** Whether somebody looks at it. */
  readonly isTerminal: boolean;
  /** How wide it is; undefined where it is no terminal. */
  readonly columns: number | undefined;
}

/** Environment in which a command runs. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: AsyncIterable<Uint8Array> & { readonly isTTY?: boolean };
  readonly stdout: TextSink;
  readonly stderr: TextSink;
  /** Aborted when the user ends the command; its reason is a `SignalError` where a signal did. */
  readonly signal: AbortSignal;
  /** In place of the client's own requests. */
  readonly fetch?: typeof fetch;
  now(): number;
}

/** The process's own. SIGINT and SIGTERM abort `signal`. */
export function processSurroundings(): Surroundings {
  const ended = new AbortController();
  let isReading = false;
  const end = (signal: NodeJS.Signals) => {
    ended.abort(new SignalError(signal === "SIGTERM" ? signal : "SIGINT"));
    // A question that waits for its answer would keep the command.
    if (isReading) process.stdin.destroy();
  };
  process.once("SIGINT", end);
  process.once("SIGTERM", end);
  return {
    env: process.env,
    // Made only when it is read: it would be opened, and a terminal's mode looked at, for every command.
    get stdin() {
      isReading = true;
      return process.stdin;
    },
    stdout: sinkOf(process.stdout),
    stderr: sinkOf(process.stderr),
    signal: ended.signal,
    now: Date.now,
  };
}

function sinkOf(stream: NodeJS.WriteStream): TextSink {
  const events = stream === process.stdout ? ["drain", "close"] : ["drain", "close", "error"];
  return {
    isTerminal: stream.isTTY,
    get columns() {
      return stream.isTTY ? stream.columns : undefined;
    },
    write(text) {
      if (stream.destroyed || stream.write(text)) return Promise.resolve();
      return new Promise((resolve) => {
        // One that nobody reads any more is never drained; of standard output that is the end, which `endWithOutput` makes.
        const go = () => {
          for (const event of events) stream.off(event, go);
          resolve();
        };
        for (const event of events) stream.on(event, go);
      });
    },
  };
}
