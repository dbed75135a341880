import type { Answer, Ask, HttpClient, Reply } from "./http-client.ts";
import type { Fault } from "./faults.ts";
import type { Entry, History, Inflicted, Operation, Outcome } from "./history.ts";

/** Keeps book of a run. */
export interface Recorder {
  /** Milliseconds since the run began. */
  now(): number;
  /**
   * Sends a request and records it with what came of it; a request that reached nobody is not recorded.
   *
   * @param complete makes of a 2xx answer the operation with what it says
   * @param refused the same of an answer that says that nothing happened
   */
  perform(request: Recorded, complete?: Complete, refused?: Complete): Promise<Reply>;
  /** Sends a request that no check looks at; what no answer may be is noticed all the same. */
  ask(request: Sent): Promise<Reply>;
  /** Records what came of a request that is no question with one answer. */
  note(entry: Entry): void;
  /** Something that must not be, whatever else happened. */
  contradict(text: string): void;
  /** Notes that a fault begins or, with `over`, that it is mended. */
  fault(what: string, fault: Fault, over?: boolean): void;
  readonly entries: readonly Entry[];
  readonly faults: History["faults"];
  readonly contradictions: readonly string[];
  /** Requests sent, recorded or not. */
  readonly sent: number;
}

export type Complete = (answer: Answer) => Operation;

export interface Sent {
  readonly http: HttpClient;
  readonly client: number;
  readonly node: number;
  /** URL of the node at this moment. */
  readonly url: string;
  readonly ask: Ask;
}

export interface Recorded extends Sent {
  readonly operation: Operation;
}

/** More would only hide the first. */
const CONTRADICTIONS = 50;

/** Makes an empty book. @param onFault is told of each fault as it happens */
export function createRecorder(onFault: (at: number, what: string) => void): Recorder {
  const began = performance.now();
  const entries: Entry[] = [];
  const faults: Inflicted[] = [];
  const contradictions: string[] = [];
  let sent = 0;
  const now = (): number => performance.now() - began;

  function contradict(text: string): void {
    if (contradictions.length < CONTRADICTIONS) contradictions.push(text);
  }

  async function ask({ http, client, node, url, ask: asked }: Sent): Promise<Reply> {
    sent += 1;
    const reply = await http.send(url, asked);
    if (typeof reply === "string") return reply;
    const { status, text, retryAfter } = reply;
    const what = `client ${client} at ${now().toFixed(0)} ms, node ${node}: ${asked.method} ${asked.path}`;
    if (status >= 500 && status !== 503) contradict(`${what} was answered ${status}: ${text}`);
    // A 503 says when to retry, unless the outcome of a write is unknown: then the client has to look first.
    if (status === 503 && !retryAfter && !isUnknown(reply)) contradict(`${what}: 503 without Retry-After: ${text}`);
    return reply;
  }

  return {
    now,
    ask,
    note: (entry) => void entries.push(entry),
    contradict,
    fault(what, fault, over = false) {
      const at = now();
      faults.push({ at, what, kind: fault.kind, ...("node" in fault ? { node: fault.node } : {}), over });
      onFault(at, what);
    },
    async perform(request, complete, refused) {
      const { client, node, operation } = request;
      const invoked = now();
      const reply = await ask(request);
      if (reply === "unreached") return reply;
      const returned = reply === "none" ? undefined : now();
      const outcome = outcomeOf(reply);
      const answered = reply === "none" ? undefined : reply;
      const say = { done: complete, refused, unknown: undefined }[outcome];
      entries.push({
        client,
        node,
        invoked,
        returned,
        outcome,
        status: answered?.status ?? 0,
        ...(answered?.index === undefined ? {} : { index: answered.index }),
        operation: answered === undefined || say === undefined ? operation : say(answered),
      });
      return reply;
    },
    entries,
    faults,
    contradictions,
    get sent() {
      return sent;
    },
  };
}

/** Outcome of a write with this reply. */
export function outcomeOf(reply: Reply): Outcome {
  if (reply === "none") return "unknown";
  if (reply === "unreached") return "refused";
  if (reply.status >= 200 && reply.status < 300) return "done";
  if (reply.status < 500) return "refused";
  return reply.status === 503 && !isUnknown(reply) ? "refused" : "unknown";
}

function isUnknown({ text }: Answer): boolean {
  return /\bunknown\b/.test(text);
}
