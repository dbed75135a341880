import { AppError, notFound } from "../../errors.ts";

/** The rows whose lock makes writers serial. A write transaction's first statement raises one of them. */
export type Counter =
  /** Guards what creates or removes organizations and partitions, and bootstrap. */
  | { kind: "root" }
  | { kind: "organization"; id: string }
  /** With `afterRoot` also serial with the writers of `root`, for what must hold over all partitions. */
  | { kind: "partition"; name: string; afterRoot?: boolean }
  /**
   * Guards the chain of what was refused there, such as of `partition/default` or `reads/organization/org-1`. No index, and
   * nobody is told that it was raised. Its row is made by the first to need it.
   */
  | { kind: "refusals"; of: string }
  /** One by the name of its row, whatever it counts: of records of refusals, or of an owner that is gone. */
  | { kind: "chain"; name: string }
  /** Work that one node does alone: not a counter but its lease, which must still be this node's. See `lease.ts`. */
  | { kind: "lease"; name: string; holder: string; fence: number };

/** Key of a counter's row in the table `counters`; of a lease, the name of its queue. */
export function counterName(counter: Counter): string {
  switch (counter.kind) {
    case "root":
      return "root";
    case "organization":
      return `organization/${counter.id}`;
    case "partition":
      return `partition/${counter.name}`;
    case "refusals":
      return `refusals/${counter.of}`;
    case "chain":
      return counter.name;
    case "lease":
      return `lease/${counter.name}`;
  }
}

/** Whether whoever follows the counters is told when it is raised. */
export function isTold({ kind }: Counter): boolean {
  return kind !== "lease" && kind !== "refusals";
}

const ENDED = "ended/";

/** Name of a counter after the deletion of its owner. Nothing raises it from then on. */
export function endedCounter(name: string): string {
  return `${ENDED}${name}`;
}

/** Returns the chain of audit records whose head is in this row. The chain of a deleted owner keeps its name. */
export function chainOf(name: string): string {
  return name.startsWith(ENDED) ? name.slice(ENDED.length) : name;
}

/** Why a transaction cannot begin whose counter has no row. */
export function missingCounter(counter: Counter): AppError {
  switch (counter.kind) {
    case "lease":
      return new AppError("conflict", "Another server took over this work");
    case "partition":
      return new AppError("invalid", `Partition ${JSON.stringify(counter.name)} does not exist`);
    default:
      return notFound("organization");
  }
}
