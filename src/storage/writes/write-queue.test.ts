import { expect, onTestFinished, test, vi } from "vitest";
import { createWriteQueue } from "./write-queue.ts";

/** Work that lasts until the test ends it. */
function gate(): { work: () => Promise<void>; open: () => void } {
  let open = () => undefined as void;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { work: () => opened, open };
}

const turns = async () => {
  for (let i = 0; i < 10; i++) await Promise.resolve();
};

test("jobs of one counter run in the order in which they came", async () => {
  const queue = createWriteQueue(["only"], 1, 100);
  const order: number[] = [];
  await Promise.all(Array.from({ length: 20 }, (_, i) => queue.run("a", async () => void order.push(i))));
  expect(order).toEqual(Array.from({ length: 20 }, (_, i) => i));
  expect(queue.waiting()).toBe(0);
  expect(queue.busy()).toBe(0);
});

test("a busy counter does not starve one that asks later", async () => {
  const queue = createWriteQueue(["only"], 1, 1000);
  const order: string[] = [];
  const busy = Array.from({ length: 100 }, () => queue.run("busy", async () => void order.push("busy")));
  await queue.run("quiet", async () => void order.push("quiet"));
  expect(order.indexOf("quiet")).toBeLessThanOrEqual(2);
  await Promise.all(busy);
});

test("counters take turns", async () => {
  const queue = createWriteQueue(["only"], 1, 1000);
  const order: string[] = [];
  const hold = gate();
  const first = queue.run("start", hold.work);
  const jobs = ["a", "b", "c"].flatMap((counter) =>
    Array.from({ length: 3 }, () => queue.run(counter, async () => void order.push(counter))),
  );
  hold.open();
  await Promise.all([first, ...jobs]);
  expect(order.join("")).toBe("abcabcabc");
});

test("no more jobs of one counter run at once than allowed, however many slots are free", async () => {
  const queue = createWriteQueue([1, 2, 3, 4, 5, 6, 7, 8], 2, 1000);
  let running = 0;
  let most = 0;
  const work = async () => {
    running += 1;
    most = Math.max(most, running);
    await turns();
    running -= 1;
  };
  await Promise.all(Array.from({ length: 50 }, () => queue.run("a", work)));
  expect(most).toBe(2);
});

test("each slot runs one job at a time and all are used", async () => {
  const slots = [{ busy: false }, { busy: false }, { busy: false }];
  const queue = createWriteQueue(slots, 2, 1000);
  const used = new Set<object>();
  const work = async (slot: { busy: boolean }) => {
    expect(slot.busy).toBe(false);
    slot.busy = true;
    used.add(slot);
    await turns();
    slot.busy = false;
  };
  await Promise.all(Array.from({ length: 60 }, (_, i) => queue.run(`c${i % 6}`, work)));
  expect(used.size).toBe(3);
});

test("a job that fails frees its slot and fails for its caller only", async () => {
  const queue = createWriteQueue(["only"], 1, 100);
  const bad = queue.run("a", () => Promise.reject(new Error("bad")));
  const good = queue.run("a", () => Promise.resolve("good"));
  await expect(bad).rejects.toThrow("bad");
  expect(await good).toBe("good");
});

test("past the limit of those that wait a job is refused as unavailable, until one has left", async () => {
  const queue = createWriteQueue(["only"], 1, 2);
  const hold = gate();
  const running = queue.run("a", hold.work);
  const waiting = [queue.run("a", () => Promise.resolve()), queue.run("b", () => Promise.resolve())];
  await expect(queue.run("c", () => Promise.resolve())).rejects.toMatchObject({ code: "unavailable" });
  expect(queue.waiting()).toBe(2);
  hold.open();
  await Promise.all([running, ...waiting]);
  await queue.run("c", () => Promise.resolve());
});

test("a slot that is broken gets nothing while a usable one is free or at work", async () => {
  const slots = [1, 2, 3].map((id) => ({ id, broken: id === 3 }));
  const queue = createWriteQueue(slots, 2, 1000, (slot) => !slot.broken);
  const work = async (slot: { broken: boolean }) => {
    if (slot.broken) throw new Error("broken");
    await turns();
  };
  await Promise.all(Array.from({ length: 30 }, (_, i) => queue.run(`c${i % 5}`, work)));
  expect([queue.waiting(), queue.busy()]).toEqual([0, 0]);
});

test("with every slot broken each job is told so at once, and one that is mended is used again", async () => {
  const slots = [{ broken: true }, { broken: true }];
  const queue = createWriteQueue(slots, 2, 1000, (slot) => !slot.broken);
  const work = (slot: { broken: boolean }) => (slot.broken ? Promise.reject(new Error("broken")) : Promise.resolve());
  const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => queue.run("a", work)));
  expect(outcomes.every((outcome) => outcome.status === "rejected")).toBe(true);
  for (const slot of slots) {
    slot.broken = false;
    await Promise.all(Array.from({ length: 10 }, () => queue.run("a", work)));
  }
});

test("one counter fills no more than half of the places, so others get in", async () => {
  const queue = createWriteQueue(["only"], 1, 10);
  const hold = gate();
  const running = queue.run("hot", hold.work);
  const hot = Array.from({ length: 5 }, () => queue.run("hot", () => Promise.resolve()));
  await expect(queue.run("hot", () => Promise.resolve())).rejects.toMatchObject({ code: "unavailable" });
  const other = Array.from({ length: 5 }, (_, i) => queue.run(`c${i}`, () => Promise.resolve()));
  await expect(queue.run("late", () => Promise.resolve())).rejects.toMatchObject({ code: "unavailable" });
  hold.open();
  await Promise.all([running, ...hot, ...other]);
});

test("work of the store itself is let in when the queue is full", async () => {
  const queue = createWriteQueue(["only"], 1, 0);
  await expect(queue.run("a", () => Promise.resolve())).rejects.toMatchObject({ code: "unavailable" });
  expect(await queue.run("checkpoint", () => Promise.resolve("done"), { beyondLimit: true })).toBe("done");
});

test("at its widest, with many counters and failures, every job ends and nothing is left over", async () => {
  const queue = createWriteQueue([1, 2, 3, 4, 5, 6, 7, 8], 2, 5000);
  const jobs = Array.from({ length: 3000 }, (_, i) =>
    queue.run(`c${i % 37}`, async () => {
      for (let turn = 0; turn < i % 5; turn++) await Promise.resolve();
      if (i % 11 === 0) throw new Error("bad");
    }),
  );
  const outcomes = await Promise.allSettled(jobs);
  expect(outcomes.filter((outcome) => outcome.status === "rejected").length).toBe(Math.ceil(3000 / 11));
  expect([queue.waiting(), queue.busy()]).toEqual([0, 0]);
});

test("what waits too long for its turn is refused, and nothing of it is run later", async () => {
  const queue = createWriteQueue(["only"], 1, 100, () => true, 60);
  const hold = gate();
  const ran: string[] = [];
  const first = queue.run("a", hold.work);
  const late = ["a", "a", "b"].map((counter) => queue.run(counter, async () => void ran.push(counter)));
  const own = queue.run("own", async () => void ran.push("own"), { beyondLimit: true });
  const outcomes = await Promise.allSettled(late);
  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
  expect(queue.waiting()).toBe(1);
  hold.open();
  await Promise.all([first, own]);
  await queue.run("a", async () => void ran.push("again"));
  expect(ran).toEqual(["own", "again"]);
});

test("what waits for the store's own work is refused after four times as long", async () => {
  vi.useFakeTimers({ toFake: ["performance", "setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const waitFor = async (beyondLimit: boolean, milliseconds: number) => {
    const queue = createWriteQueue(["only"], 1, 100);
    const hold = gate();
    const first = queue.run("first", hold.work, { beyondLimit });
    let outcome = "waits";
    const waiting = queue
      .run("next", () => Promise.resolve())
      .then(
        () => (outcome = "ran"),
        () => (outcome = "refused"),
      );
    vi.advanceTimersByTime(milliseconds);
    await turns();
    const then = outcome;
    hold.open();
    await Promise.all([first, waiting]);
    return then;
  };
  expect(await waitFor(false, 4000)).toBe("waits");
  expect(await waitFor(false, 6000)).toBe("refused");
  expect(await waitFor(true, 19_000)).toBe("waits");
  expect(await waitFor(true, 21_000)).toBe("refused");
});
