/** The screens that the token can open from here. */
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { clientOf } from "../base/client.ts";
import { MOST_NAMED, organizationsQuery } from "../base/place-queries.ts";
import { pathOfScreen, usePlaces, type Places } from "../kit/places.ts";
import { ofOrganization, useMayIn, type Right } from "../kit/rights.ts";
import type { Screen } from "../kit/screen.ts";
import { SCREENS } from "../screens/all.ts";

/** Returns the screens that are reachable from here. */
export function useScreens(): readonly { screen: Screen; path: string }[] {
  const places = useSeenPlaces();
  const offered = SCREENS.filter(({ isHidden }) => isHidden !== true);
  const may = useMayIn(
    places.scope,
    offered.map((screen) => rightOn(screen, screen.right, places)),
  );
  return offered.flatMap((screen, index) => {
    const path = pathOfScreen(screen, places);
    return path === undefined || may[index] !== true ? [] : [{ screen, path }];
  });
}

/**
 * Returns the places without the last organization when the token does not see it: it can be deleted, or hidden from
 * this token.
 */
function useSeenPlaces(): Places {
  const places = usePlaces();
  const { organization: here } = useParams({ strict: false }) as { organization?: string };
  const isKept = here === undefined && places.organization !== undefined;
  const { data } = useQuery({ ...organizationsQuery(clientOf(undefined)), enabled: isKept });
  const isKnown = isKept && data !== undefined && data.length < MOST_NAMED;
  const isSeen = !isKnown || data.some(({ id }) => id === places.organization);
  return isSeen ? places : { ...places, organization: undefined };
}

/**
 * Returns the permission that a screen requires: for a screen of an organization, the permission on the current one.
 */
export function rightOn({ place }: Screen, right: Right | undefined, { organization }: Places): Right | undefined {
  return right && place === "organization" ? ofOrganization(right, organization) : right;
}
