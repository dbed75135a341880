import { createLane, type LaneBounds } from "../limits/lane.ts";
import { OutboundError, type Ask } from "./outbound.ts";

const BOUNDS: LaneBounds = { running: 32, waiting: 1000, milliseconds: 10_000 };

/**
 * The same, with so many requests at a time: who wants to log in is nobody yet, and must not be able to open thousands of
 * connections to a server that does not answer. Others wait, in the order in which they came.
 */
export function boundedAsk(ask: Ask, bounds: LaneBounds = BOUNDS): Ask {
  const lane = createLane(bounds, {
    full: () => new OutboundError("too many requests to this server wait already"),
    late: () =>
      new OutboundError(`other requests to this server have not ended within ${bounds.milliseconds / 1000} s`),
  });
  return (request) => lane.run(() => ask(request));
}
