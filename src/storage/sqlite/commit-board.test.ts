import { once } from "node:events";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { MessagePort, Worker } from "node:worker_threads";
import { expect, it, vi } from "vitest";
import type { FollowingReport, FollowingWork } from "../../../test/support/following-thread.ts";
import { sized } from "../../../test/support/length.ts";
import type { FeedEvent } from "../feed/feed.ts";
import { createCommitBoard, MOST_UNREAD } from "./commit-board.ts";
import { followCommits } from "./commit-follower.ts";

const THREAD = join(import.meta.dirname, "../../../test/support/following-thread.ts");
const COMMITS = sized(10_000, 100_000);

function event(index: number): FeedEvent {
  return { table: "policies", namespace: "default", partition: "default", key: `k${index}`, index };
}

function newBoard() {
  return createCommitBoard(() => undefined);
}

type Board = ReturnType<typeof newBoard>;

/** A follower in this thread, and what it hears. */
function follow(board: Board) {
  const { following, leave } = board.follow(() => undefined);
  const heard: (FeedEvent | "commit")[] = [];
  const follower = followCommits(following, {
    onCommit: () => void heard.push("commit"),
    onEvents: (events) => void heard.push(...events),
    lostError: () => new Error("the disk is gone"),
  });
  return Object.assign(follower, { heard, leave, end: () => (follower.close(), leave()) });
}

/** A commit that is told to nobody yet. */
function commit(board: Board, index: number): void {
  board.begin();
  board.note([event(index)]);
}

it("threads hear of each commit once and in order, and never know less than an answer has shown, under load", async () => {
  const board = newBoard();
  const words = new Int32Array(new SharedArrayBuffer(8));
  const threads = [1, 2, 3].map(() => {
    const { following, leave } = board.follow(() => undefined);
    const workerData: FollowingWork = { following, words };
    const worker = new Worker(THREAD, { workerData, transferList: [following.port] });
    return { worker, begun: once(worker, "message"), leave };
  });
  await Promise.all(threads.map(({ begun }) => begun));
  const reports = threads.map(({ worker }) => once(worker, "message"));
  for (let index = 1; index <= COMMITS; index++) {
    commit(board, index);
    // Some are synced together.
    if (index % 3 === 0 && index < COMMITS) continue;
    board.settle(board.begun());
    Atomics.store(words, 0, index);
    if (index % 20 === 0) await turn();
  }
  Atomics.store(words, 1, 1);
  const expected = Array.from({ length: COMMITS }, (_, place) => place + 1);
  for (const [{ heard, stale, looks }] of (await Promise.all(reports)) as [FollowingReport][]) {
    expect([stale, heard.length, heard.every((index, place) => index === expected[place])]).toEqual([0, COMMITS, true]);
    expect(looks).toBeGreaterThan(1);
  }
  for (const { leave } of threads) leave();
});

it("what became durable is known in the same turn, by who asks; what did not is not told", async () => {
  const board = newBoard();
  const follower = follow(board);
  follower.catchUp();
  follower.heard.length = 0;
  commit(board, 1);
  follower.catchUp();
  expect(follower.heard).toEqual([]);
  board.settle(board.begun());
  follower.catchUp();
  expect(follower.heard.filter((each) => each !== "commit")).toEqual([event(1)]);
  // It comes by itself too, and then once.
  commit(board, 2);
  board.settle(board.begun());
  await expect.poll(() => follower.heard.filter((each) => each !== "commit")).toEqual([event(1), event(2)]);
  follower.catchUp();
  expect(follower.heard.filter((each) => each !== "commit")).toEqual([event(1), event(2)]);
  follower.end();
});

it("who looks while threads are being told misses nothing of it by that", () => {
  const board = newBoard();
  const follower = follow(board);
  follower.catchUp();
  const post = vi.spyOn(MessagePort.prototype, "postMessage");
  post.mockImplementation(function (this: MessagePort, ...given) {
    follower.catchUp();
    post.mockRestore();
    this.postMessage(...given);
    follower.catchUp();
  });
  commit(board, 1);
  board.settle(board.begun());
  follower.catchUp();
  expect(follower.heard.filter((each) => each !== "commit")).toEqual([event(1)]);
  follower.end();
});

it("a commit that has nothing to tell ends what is being read all the same", () => {
  const board = newBoard();
  const follower = follow(board);
  follower.catchUp();
  follower.heard.length = 0;
  board.begin();
  board.note([]);
  board.settle(board.begun());
  follower.catchUp();
  expect(follower.heard).toEqual(["commit"]);
  follower.catchUp();
  expect(follower.heard).toEqual(["commit"]);
  follower.end();
});

it("nothing counts as durable from the moment at which a commit begins until it is on disk", async () => {
  const board = newBoard();
  const follower = follow(board);
  const told: string[] = [];
  follower.whenDurable(() => told.push("before"));
  expect(told).toEqual(["before"]);
  board.begin();
  const first = board.begun();
  follower.whenDurable(() => told.push("first"));
  board.begin();
  follower.whenDurable(() => told.push("second"));
  await turn();
  expect(told).toEqual(["before"]);
  board.settle(first);
  await expect.poll(() => told).toEqual(["before", "first"]);
  board.settle(board.begun());
  await expect.poll(() => told).toEqual(["before", "first", "second"]);
  follower.end();
});

it("who waits is told when the disk is gone, and so is who comes later", async () => {
  const board = newBoard();
  const follower = follow(board);
  const told: unknown[] = [];
  board.begin();
  follower.whenDurable((error) => told.push(error?.message));
  // Also when it is gone before the wait has begun.
  board.lose();
  await expect.poll(() => told).toEqual(["the disk is gone"]);
  follower.whenDurable((error) => told.push(error?.message));
  expect(told).toEqual(["the disk is gone", "the disk is gone"]);
  follower.end();
});

it("the numbers may go round", () => {
  const board = newBoard();
  const { following, leave } = board.follow(() => undefined);
  for (const place of following.cells.keys()) if (place !== 3) Atomics.store(following.cells, place, 2 ** 31 - 2);
  Atomics.store(following.heard, 0, 2 ** 31 - 2);
  const heard: FeedEvent[] = [];
  const follower = followCommits(following, {
    onCommit: () => undefined,
    onEvents: (events) => heard.push(...events),
    lostError: () => new Error("lost"),
  });
  for (let index = 1; index <= 5; index++) {
    commit(board, index);
    let isDurable = false;
    follower.whenDurable(() => (isDurable = true));
    expect(isDurable).toBe(false);
    board.settle(board.begun());
    follower.whenDurable(() => (isDurable = true));
    expect(isDurable).toBe(true);
    follower.catchUp();
    expect(heard).toHaveLength(index);
  }
  follower.close();
  leave();
});

it("a thread that does not listen is told no more after so many messages, and that is said once", () => {
  const board = newBoard();
  let stuck = 0;
  const { following, leave } = board.follow(() => (stuck += 1));
  // As if it had been sent all of these.
  Atomics.store(following.heard, 0, -MOST_UNREAD);
  for (let index = 1; index <= 3; index++) {
    commit(board, index);
    board.settle(board.begun());
  }
  expect(stuck).toBe(1);
  leave();
});

it("a thread that is not told what it should have been does not go on as if nothing had been said", () => {
  const board = newBoard();
  const follower = follow(board);
  const { following } = board.follow(() => undefined);
  Atomics.add(following.cells, 2, 1);
  for (const _ of [1, 2]) expect(() => follower.catchUp()).toThrow("did not send a change");
  follower.end();
});
