import { describe, expect, it } from "vitest";
import type { Numbers } from "../http/metrics/metrics.ts";
import type { Child } from "./child.ts";
import type { ParentMessage } from "./messages.ts";
import { createNumbersDesk } from "./process-numbers.ts";

/** A process that has counted so many requests and waits for so many things. */
function numbersOf(requests: number, waiting: number): Numbers {
  return [
    {
      name: "requests_total",
      help: "Requests",
      type: "counter",
      aggregator: "sum",
      values: [{ value: requests, labels: { route: "/a" } }],
    },
    { name: "waiting", help: "Waits", type: "gauge", aggregator: "sum", values: [{ value: waiting, labels: {} }] },
  ];
}

/** Children that answer with `answers`, or not at all; `asked` does what a scrape of a child does. */
function setUp() {
  const children = new Set<Child>();
  const desk = createNumbersDesk(children, () => 1000);
  function add(answer: () => Numbers | undefined) {
    const waiting = new Map<number, (numbers: readonly Numbers[]) => void>();
    const child: Child = {
      pid: undefined,
      listening: Promise.resolve({ url: "", tokenFile: undefined }),
      ended: new Promise(() => undefined),
      isListening: () => true,
      signal: () => undefined,
      send(message: ParentMessage) {
        if (message.type === "others-numbers") waiting.get(message.id)?.(message.numbers);
        else if (message.type === "tell-numbers") {
          const numbers = answer();
          if (numbers !== undefined) desk.onMessage(child, { type: "my-numbers", id: message.id, numbers });
        }
      },
    };
    children.add(child);
    let id = 0;
    const ask = (numbers: Numbers): Promise<readonly Numbers[]> => {
      id += 1;
      return new Promise((resolve) => {
        waiting.set(id, resolve);
        desk.onMessage(child, { type: "ask-others", id, numbers });
      });
    };
    const end = () => {
      children.delete(child);
      desk.forget(child);
    };
    return { child, ask, end };
  }
  return { desk, add };
}

/** The sum of a metric's values. */
function sum(all: readonly Numbers[], name: string): number {
  return all
    .flat()
    .filter((metric) => metric.name === name)
    .flatMap(({ values }) => values)
    .reduce((total, { value }) => total + value, 0);
}

describe("the numbers of the other processes", () => {
  it("are those of each, and the parent's memory", async () => {
    const { add } = setUp();
    const asker = add(() => undefined);
    add(() => numbersOf(10, 1));
    add(() => numbersOf(20, 2));
    const others = await asker.ask(numbersOf(5, 5));
    expect([sum(others, "requests_total"), sum(others, "waiting")]).toEqual([30, 3]);
    expect(sum(others, "tessera_resident_memory_bytes")).toBe(1000);
  });

  it("hold what a process counted that does not answer or has ended, and nothing else of it", async () => {
    const { desk, add } = setUp();
    const asker = add(() => undefined);
    let numbers: Numbers | undefined = numbersOf(10, 1);
    const stuck = add(() => numbers);
    await asker.ask(numbersOf(5, 5));
    numbers = undefined;
    let others = await asker.ask(numbersOf(5, 5));
    expect([sum(others, "requests_total"), sum(others, "waiting")]).toEqual([10, 0]);
    stuck.end();
    const next = add(() => numbersOf(3, 3));
    others = await asker.ask(numbersOf(5, 5));
    expect([sum(others, "requests_total"), sum(others, "waiting")]).toEqual([13, 3]);
    next.end();
    // A message that arrives after the end belongs to no existing process.
    desk.onMessage(next.child, { type: "my-numbers", id: 0, numbers: numbersOf(100, 100) });
    others = await asker.ask(numbersOf(5, 5));
    expect([sum(others, "requests_total"), sum(others, "waiting")]).toEqual([13, 0]);
  });
});
