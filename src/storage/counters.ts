/**
 * The rows whose lock makes writers serial. A write transaction's first
 * statement raises one of them.
 */
export type Counter =
  /** Guards what creates or removes organizations and partitions, and bootstrap. */
  | { kind: "root" }
  | { kind: "organization"; id: string }
  | { kind: "partition"; name: string }
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
    case "lease":
      return `lease/${counter.name}`;
  }
}
