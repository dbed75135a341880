/**
 * Events from which the streams of a page go on: the last ones before the page read anything. Without them, a page does not know
 * what changed between its first reads and the begin of a stream, and reads everything again.
 */

/** Partition and organization whose changes a page follows. */
export interface FollowedPlaces {
  readonly partition: string;
  readonly organization: string | undefined;
}

/** IDs of events, as the server answers them with the session. Absent where the token sees no events. */
export interface EventStart {
  readonly Partition?: string;
  readonly Organization?: string;
}

let start: (FollowedPlaces & { readonly events: EventStart }) | undefined;
let isKnown = false;

/** Whether the page has asked for them: later ones are younger than what it has read. */
export function hasEventStart(): boolean {
  return isKnown;
}

/** Keeps them until the page follows its places. */
export function keepEventStart(places: FollowedPlaces, events: EventStart): void {
  isKnown = true;
  start = { ...places, events };
}

/** Returns them once, for the places that they are of. */
export function takeEventStart({ partition, organization }: FollowedPlaces): EventStart {
  const taken = start;
  start = undefined;
  if (taken === undefined) return {};
  const { Partition, Organization } = taken.events;
  return {
    ...(Partition !== undefined && taken.partition === partition && { Partition }),
    ...(Organization !== undefined && taken.organization === organization && { Organization }),
  };
}
