/** Makes a server what a plan says: in its order, some at a time, and nothing over what somebody else has written since. */
import { TesseraError } from "@tessera-server/client";
import type { PlannedChange } from "./change.ts";
import { OwnershipMoved, writeOwnership } from "./owned.ts";
import type { DeclaredPlan } from "./plan.ts";
import type { SecretSources } from "./secrets.ts";
import { inParallel, type Server } from "./server.ts";
import { makeChange, ChangedSincePlan } from "./write.ts";

export interface Applied {
  readonly done: readonly PlannedChange[];
  /** Changes that were not started, and changes that failed. */
  readonly left: readonly PlannedChange[];
  /** Why it ended early; undefined when all is done. */
  readonly failure: { readonly error: unknown; readonly change: PlannedChange | undefined } | undefined;
}

export interface ApplyOptions {
  readonly secrets: SecretSources;
  readonly partition: string;
  /** Called with each change that the server refuses as it is. Without it, such a refusal ends the apply. */
  readonly onRefused?: (change: PlannedChange, error: TesseraError) => void;
  /** Called for each change that was made. */
  readonly onDone?: (change: PlannedChange, done: number, of: number) => void;
}

/**
 * Makes the changes of a plan. Never throws for what becomes of them: what is done is done, and the next run goes on from there.
 * When the server's signal is aborted, what is under way is ended and nothing more begun.
 */
export async function applyPlan(server: Server, plan: DeclaredPlan, options: ApplyOptions): Promise<Applied> {
  const { changes, owner, owns } = plan;
  const { partition, secrets, onDone, onRefused } = options;
  const done: PlannedChange[] = [];
  let ownership = plan.ownership;
  const claim = async (objects: readonly string[]): Promise<void> => {
    if (owner === undefined || ownership === undefined) return;
    ownership = await writeOwnership(server, owner, partition, { ownership, objects });
  };
  // Requests that are running are not cut off: otherwise the result would be unknown.
  const uncut: Server = { ...server, signal: undefined };
  const ended = (error: unknown, change?: PlannedChange): Applied => {
    const made = new Set(done);
    return { done, left: changes.filter((each) => !made.has(each)), failure: { error, change } };
  };
  try {
    // Before anything is made: a run that is cut off leaves nothing of which nobody knows whose it is.
    if (owns !== undefined) await claim(owns.during);
  } catch (error) {
    return ended(error);
  }
  let failed: PlannedChange | undefined;
  try {
    for (const stage of stagesOf(changes)) {
      await inParallel(uncut, stage, async (change) => {
        server.signal?.throwIfAborted();
        try {
          await makeChange(uncut, change, secrets);
        } catch (error) {
          const refusal = refusalIn(error);
          if (onRefused !== undefined && refusal !== undefined) {
            onRefused(change, refusal);
            return;
          }
          failed ??= change;
          throw error;
        }
        done.push(change);
        onDone?.(change, done.length, changes.length);
      });
    }
    if (owns !== undefined) await claim(owns.after);
  } catch (error) {
    return ended(error, failed);
  }
  const made = new Set(done);
  return { done, left: changes.filter((each) => !made.has(each)), failure: undefined };
}

/**
 * Returns the server's refusal of an object that it would accept from no caller, for example because the name or the
 * secret is taken.
 */
function refusalIn(error: unknown): TesseraError | undefined {
  const said = error instanceof ChangedSincePlan ? error.cause : error;
  return said instanceof TesseraError && (said.status === 400 || said.status === 422) ? said : undefined;
}

function stagesOf(changes: readonly PlannedChange[]): PlannedChange[][] {
  const stages = new Map<number, PlannedChange[]>();
  for (const change of changes) {
    const stage = stages.get(change.stage) ?? [];
    stage.push(change);
    stages.set(change.stage, stage);
  }
  return [...stages.entries()].toSorted(([a], [b]) => a - b).map(([, all]) => all);
}

/** Whether it ended since somebody else was at work. */
export function isConflict(error: unknown): boolean {
  return error instanceof ChangedSincePlan || error instanceof OwnershipMoved;
}
