/** Routes of the lane, and the requests that they are given. */
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { RouteRecord } from "../route-table.ts";
import type { LaneCaller } from "./caller.ts";

/** Answers in 200 that are whole, and short enough that nobody counts their bytes. */
export interface LaneResult {
  readonly type: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A route that the lane may answer, as its family offers it. */
export interface LaneRoute {
  readonly record: RouteRecord;
  /** The instance of its family, for the members that requests have by it. */
  readonly family: FastifyInstance;
  /**
   * Gives the answer, in the same turn where it can.
   *
   * @returns undefined where Node has to answer; nothing was noted then
   */
  answer(request: LaneRequest): Promise<LaneResult | undefined> | LaneResult | undefined;
}

/** A request of the lane, with the members of a request of Fastify that reads and questions look at. */
export type LaneRequest = FastifyRequest & {
  readonly bytes: Buffer | undefined;
  readonly asker: LaneCaller;
  /** Run once it is certain that the request is answered here. */
  readonly onAnswer: (() => void)[];
};
