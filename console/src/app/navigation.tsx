/** The screens, of this place; what the token may not read is not offered. */
import { useQuery } from "@tanstack/react-query";
import { Link, useParams, useRouterState } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { Icon } from "../kit/icons.tsx";
import { ofOrganization, useMayIn, type Right } from "../kit/rights.ts";
import { SCREENS } from "../screens/all.ts";
import { clientOf } from "../base/client.ts";
import { MOST_NAMED, organizationsQuery } from "../base/place-queries.ts";
import { usePlaces, pathOfScreen, type Places } from "../kit/places.ts";
import type { Screen } from "../kit/screen.ts";
import classes from "./shell.module.css";

const GROUPS = ["", "Tags", "Access", "Insight"] as const;

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

/** The navigation at the side. */
export function Navigation() {
  const screens = useScreens();
  const nav = useRef<HTMLElement>(null);
  const here = useRouterState({ select: ({ location }) => location.pathname });
  // Scrolls the current entry into view: the list can be longer than the window.
  useEffect(() => {
    nav.current?.querySelector("[data-status=active]")?.scrollIntoView({ block: "nearest" });
  }, [here, screens.length]);
  return (
    <nav aria-label="Screens" ref={nav}>
      {GROUPS.map((group) => {
        const those = screens.filter(({ screen }) => screen.group === group);
        if (those.length === 0) return null;
        return (
          <div key={group} role="group" aria-label={group === "" ? "Start" : group}>
            {group !== "" && <div className={classes.group}>{group}</div>}
            {those.map(({ screen, path }) => (
              <Link
                key={screen.noun}
                to={path}
                className={classes.link}
                activeOptions={{ exact: path === "/", includeSearch: false }}
              >
                <Icon name={screen.icon} />
                {screen.title}
              </Link>
            ))}
          </div>
        );
      })}
    </nav>
  );
}
