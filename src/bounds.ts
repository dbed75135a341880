/**
 * Bounds that work is in: a lane, or the turn of a writer. Work in one needs no place in turns: it would hold up all who wait
 * for the bound. For the same reason, a place that it has is given back before it waits for a bound.
 */
import { callerNow, type WorkCaller } from "./callers.ts";

interface Held {
  /** How many bounds its work is in. */
  bounds: number;
  /** Gives back its place in turns, where nothing of it is under way there. */
  leavePlace: (() => void) | undefined;
}

/** Each is gone with its caller. */
const all = new WeakMap<WorkCaller, Held>();

function heldBy(caller: WorkCaller): Held {
  let held = all.get(caller);
  if (held === undefined) all.set(caller, (held = { bounds: 0, leavePlace: undefined }));
  return held;
}

/** Whether work of the caller is in a bound. */
export function isBounded(caller: WorkCaller): boolean {
  return (all.get(caller)?.bounds ?? 0) > 0;
}

/** Work of the caller is in a bound from now on. @returns what ends that, to be called once */
export function enterBound(caller: WorkCaller | undefined = callerNow()): () => void {
  if (caller === undefined) return () => undefined;
  const held = heldBy(caller);
  held.bounds += 1;
  return () => void (held.bounds -= 1);
}

/** Notes how the caller's place in turns is given back. */
export function onLeave(caller: WorkCaller, leavePlace: () => void): void {
  heldBy(caller).leavePlace = leavePlace;
}

/** Gives back the place in turns that work of the caller may have: it waits for something else, or is over. */
export function leavePlaceOf(caller: WorkCaller | undefined = callerNow()): void {
  if (caller !== undefined) all.get(caller)?.leavePlace?.();
}
