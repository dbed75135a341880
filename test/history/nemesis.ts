import { setTimeout as sleep } from "node:timers/promises";
import type { Cluster } from "./cluster.ts";
import type { Fault } from "./faults.ts";
import type { Nodes } from "./nodes.ts";
import type { Recorder } from "./recorder.ts";

/** At most so many faults at a time. */
const AT_ONCE = 2;
/** By how much a clock jumps. */
const JUMP_MS = 15 * 60_000;

/**
 * Carries out the plan, two faults at a time at most and a fail-over alone, and resolves when all of them have ended.
 * Faults that would begin at `end` or later, as one before took longer, are left out.
 */
export async function torment(
  faults: readonly Fault[],
  end: number,
  cluster: Cluster,
  nodes: Nodes,
  recorder: Recorder,
): Promise<void> {
  const under = new Set<Promise<void>>();
  /** Nodes, and the replica, to which something is being done. */
  const busy = new Set<number | "replica">();
  const failures: unknown[] = [];

  function begin(fault: Fault, place: number | "replica"): void {
    busy.add(place);
    const done = inflict(fault, cluster, nodes, recorder)
      .catch((error: unknown) => void failures.push(error))
      .finally(() => {
        busy.delete(place);
        under.delete(done);
      });
    under.add(done);
  }

  /** Delay of the plan. Later faults are delayed too, or they would all begin at once. */
  let late = 0;
  for (const fault of faults) {
    await sleep(Math.max(0, fault.at + late - recorder.now()));
    const most = fault.kind === "fail-over" ? 0 : AT_ONCE - 1;
    const place = "node" in fault ? fault.node : "replica";
    // One fault at a time in one place. A fault that has to wait comes later: if it were left out, a run might lack its
    // kind.
    while (under.size > most || busy.has(place)) await Promise.race(under);
    if (recorder.now() >= end || failures.length > 0) break;
    late = Math.max(late, recorder.now() - fault.at);
    begin(fault, place);
    if (fault.kind === "fail-over") await Promise.all(under);
  }
  await Promise.all(under);
  if (failures.length > 0) throw failures[0];
}

async function inflict(fault: Fault, cluster: Cluster, nodes: Nodes, recorder: Recorder): Promise<void> {
  switch (fault.kind) {
    case "kill":
      recorder.fault(`node ${fault.node} is killed`, fault);
      await nodes.kill(fault.node);
      await sleep(fault.milliseconds);
      await nodes.restart(fault.node);
      return recorder.fault(`node ${fault.node} is there again`, fault, true);
    case "pause":
      recorder.fault(`node ${fault.node} stands still for ${fault.milliseconds} ms`, fault);
      nodes.pause(fault.node);
      await sleep(fault.milliseconds);
      nodes.resume(fault.node);
      return recorder.fault(`node ${fault.node} goes on`, fault, true);
    case "clock":
      // In turn ahead and back. Sessions end half an hour after they were used last.
      recorder.fault(`the clock of node ${fault.node} jumps`, fault);
      nodes.setClock(fault.node, (fault.milliseconds % 2 === 0 ? 1 : -1) * JUMP_MS);
      await sleep(fault.milliseconds);
      nodes.setClock(fault.node, 0);
      return recorder.fault(`the clock of node ${fault.node} is right again`, fault, true);
    case "cut":
      recorder.fault(`the database connections of node ${fault.node} are cut`, fault);
      return cluster.cut(fault.node);
    case "swallow":
      recorder.fault(`what node ${fault.node} and its database say is lost for ${fault.milliseconds} ms`, fault);
      await cluster.swallow(fault.node, fault.milliseconds);
      return recorder.fault(`the database connections of node ${fault.node} pass things on again`, fault, true);
    case "delay-replica":
      recorder.fault(`the standby replays nothing for ${fault.milliseconds} ms`, fault);
      await cluster.delayReplica(fault.milliseconds);
      return recorder.fault("the standby replays again", fault, true);
    case "fail-over":
      recorder.fault("the primary is killed and the standby promoted", fault);
      await cluster.failOver();
      return recorder.fault("a standby follows the new primary", fault, true);
  }
}
