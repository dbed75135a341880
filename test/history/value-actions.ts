import { bodyOf, doneAnswer, type Action, type Asked, type Caller } from "./caller.ts";
import type { Answer } from "./http-client.ts";
import type { Operation } from "./history.ts";
import type { Stage } from "./stage.ts";

/** A workspace takes ten keys: so many clients have jobs, whose keys all workspaces get. */
const JOBBERS = 3;
/** States that a job does not leave. */
export const ENDED: ReadonlySet<string> = new Set(["done", "failed", "cancelled"]);

interface Binding {
  readonly attributes: { readonly key: string; readonly value: string };
}

/** Gives keys of workspaces values, itself and by jobs, and reads what they have. @param clients how many there are */
export function valueActions(caller: Caller, { values }: Stage, nodes: number, clients: number): readonly Action[] {
  const { client, random, recorder } = caller;
  const { organization, workspaces } = values;
  let assigned = 0;
  /** The one that is under way. */
  let job: string | undefined;

  const own = (of: number): { workspace: string; key: string } => ({
    workspace: workspaces[of % workspaces.length] ?? "",
    key: `own-${of}`,
  });

  function nextValue(): string {
    assigned += 1;
    return `${client}.${assigned}`;
  }

  async function assign(): Promise<void> {
    const { workspace, key } = own(client);
    const value = nextValue();
    const operation: Operation = { kind: "assign", key: nameOf(workspace, key), value };
    const body = { data: [{ type: "tag-bindings", attributes: { key, value } }] };
    await caller.perform(operation, { method: "PATCH", path: pathOf(workspace), body });
    // At once and anywhere: what was answered has to be there.
    if (random.chance(0.6)) await read(workspace, key, random.below(nodes));
  }

  async function read(workspace: string, key: string, node?: number): Promise<void> {
    const operation: Operation = { kind: "value", key: nameOf(workspace, key) };
    const asked: Asked = { method: "GET", path: pathOf(workspace), ...(node === undefined ? {} : { node }) };
    await caller.perform(operation, asked, (answer) => ({ ...operation, value: valueIn(answer, key) }));
  }

  async function readAny(): Promise<void> {
    const of = random.below(clients);
    if (random.chance(0.6)) return read(own(of).workspace, own(of).key);
    await read(random.pick(workspaces), `job-${of % JOBBERS}`);
  }

  async function work(): Promise<void> {
    if (client >= JOBBERS) return readAny();
    if (job !== undefined) return look(job);
    const [key, value] = [`job-${client}`, nextValue()];
    const keys = workspaces.map((workspace) => nameOf(workspace, key));
    const operation: Operation = { kind: "job", keys, value };
    const attributes = { action: "add", tags: [{ name: key, value }], filter: { workspaces: {} } };
    const path = `/api/v2/organizations/${organization}/tag-jobs`;
    const body = { data: { type: "tag-jobs", attributes } };
    const reply = await caller.perform(operation, { method: "POST", path, body }, (answer) => ({
      ...operation,
      job: jobIn(answer).id,
    }));
    const answer = doneAnswer(reply);
    if (answer === undefined) return;
    job = jobIn(answer).id;
    if (random.chance(0.5)) await look(job);
  }

  async function look(id: string): Promise<void> {
    const operation = { kind: "progress", job: id } as const;
    const reply = await caller.perform(operation, { method: "GET", path: `/api/v2/tag-jobs/${id}` }, (answer) => ({
      ...operation,
      status: jobIn(answer).attributes.status,
    }));
    const answer = doneAnswer(reply);
    const status = answer && jobIn(answer).attributes.status;
    if (answer === undefined || status === undefined || !ENDED.has(status)) return;
    job = undefined;
    if (status !== "done") recorder.contradict(`the job ${id} is ${status}: ${answer.text}`);
  }

  return [
    { weight: 6, run: assign },
    { weight: 6, run: readAny },
    { weight: 8, run: work },
  ];
}

function pathOf(workspace: string): string {
  return `/api/v2/workspaces/${workspace}/tag-bindings`;
}

function nameOf(workspace: string, key: string): string {
  return `${workspace}/${key}`;
}

function valueIn(answer: Answer, key: string): string | null {
  const found = bodyOf<{ data: Binding[] }>(answer).data.find(({ attributes }) => attributes.key === key);
  return found?.attributes.value ?? null;
}

function jobIn(answer: Answer) {
  return bodyOf<{ data: { id: string; attributes: { status: string } } }>(answer).data;
}
