/**
 * A thread that follows a commit board, for commit-board.test.ts. It works off what it is told by its queue, and asks in
 * between as requests do, without an end; at the end it says what it has heard and what was wrong.
 */
import { parentPort, workerData } from "node:worker_threads";
import type { FollowingThread } from "../../src/storage/database.ts";
import { followCommits } from "../../src/storage/sqlite/commit-follower.ts";

export interface FollowingWork {
  following: FollowingThread;
  /** Two numbers: the last event of which an answer has left, and whether the thread is to end. */
  words: Int32Array<SharedArrayBuffer>;
}

export interface FollowingReport {
  heard: number[];
  /** Times that it knew less than an answer had shown. */
  stale: number;
  looks: number;
}

const { following, words } = workerData as FollowingWork;
const report: FollowingReport = { heard: [], stale: 0, looks: 0 };
const follower = followCommits(following, {
  onCommit: () => undefined,
  onEvents: (events) => report.heard.push(...events.map((event) => ("index" in event ? event.index : -1))),
  lostError: () => new Error("lost"),
});

function look(): void {
  const answered = Atomics.load(words, 0);
  const isOver = Atomics.load(words, 1) === 1;
  follower.catchUp();
  report.looks += 1;
  if ((report.heard.at(-1) ?? 0) < answered) report.stale += 1;
  // Now and then it leaves the messages to the event loop.
  if (!isOver) return void (report.looks % 50 === 0 ? setTimeout(look, 1) : setImmediate(look));
  follower.close();
  parentPort?.postMessage(report);
}

look();
parentPort?.postMessage("looks");
