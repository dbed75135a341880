import type { MetricNumbers, Numbers } from "../http/metrics/metrics.ts";
import type { Child } from "./child.ts";
import type { NumbersMessage } from "./messages.ts";

/** Below the time for which a child waits for the answer. */
const GATHER_MS = 800;

export interface NumbersDesk {
  /** A child has asked for the others' numbers, or told its own. */
  onMessage(child: Child, message: NumbersMessage): void;
  /** A child is gone. What it counted, as far as it is known, stays counted: sums that fall look like a restart. */
  forget(child: Child): void;
}

/**
 * Brings a child the numbers of the others. One that does not answer in time, because it is stuck, is represented by
 * what it had counted before.
 *
 * @param children all that there are at the moment
 * @param residentBytes memory of the parent, which is a process too
 */
export function createNumbersDesk(
  children: ReadonlySet<Child>,
  residentBytes: () => number = process.memoryUsage.rss,
): NumbersDesk {
  const counted = new Map<Child, Numbers>();
  const gatherings = new Map<number, (child: Child, numbers: Numbers) => void>();
  let gone: Numbers = [];
  let lastId = 0;

  async function gather(asker: Child): Promise<Numbers[]> {
    const others = [...children].filter((child) => child !== asker && child.isListening());
    const answers = new Map<Child, Numbers>();
    const { promise, resolve } = Promise.withResolvers<void>();
    lastId += 1;
    const id = lastId;
    gatherings.set(id, (child, numbers) => {
      answers.set(child, numbers);
      if (answers.size === others.length) resolve();
    });
    for (const child of others) child.send({ type: "tell-numbers", id });
    const timer = setTimeout(resolve, GATHER_MS);
    if (others.length > 0) await promise;
    clearTimeout(timer);
    gatherings.delete(id);
    return others.map((child) => answers.get(child) ?? counted.get(child) ?? []);
  }

  return {
    onMessage(child, { type, id, numbers }) {
      if (!children.has(child)) return;
      counted.set(child, numbers.filter(isCount));
      if (type === "my-numbers") {
        gatherings.get(id)?.(child, numbers);
        return;
      }
      void gather(child).then((others) =>
        child.send({ type: "others-numbers", id, numbers: [...others, gone, resident(residentBytes())] }),
      );
    },
    forget(child) {
      gone = addUp([gone, counted.get(child) ?? []]);
      counted.delete(child);
    },
  };
}

function isCount({ type }: MetricNumbers): boolean {
  return type === "counter" || type === "histogram";
}

/** Sums of counts by metric and labels, in the form of the counts. */
function addUp(all: readonly Numbers[]): Numbers {
  const sums = new Map<string, { metric: MetricNumbers; values: Map<string, MetricNumbers["values"][number]> }>();
  for (const metric of all.flat()) {
    const sum = sums.get(metric.name) ?? { metric, values: new Map() };
    sums.set(metric.name, sum);
    for (const value of metric.values) {
      const key = JSON.stringify([value.metricName, Object.entries(value.labels)]);
      sum.values.set(key, { ...value, value: value.value + (sum.values.get(key)?.value ?? 0) });
    }
  }
  return [...sums.values()].map(({ metric, values }) => ({ ...metric, values: [...values.values()] }));
}

/** The memory of this process, added to that of the children; what is said of it they say too. */
function resident(bytes: number): Numbers {
  const values = [{ value: bytes, labels: {} }];
  return [{ name: "tessera_resident_memory_bytes", help: "", type: "gauge", aggregator: "sum", values }];
}
