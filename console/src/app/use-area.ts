/** The area in which one is, and its entries. */
import { useRouterState } from "@tanstack/react-router";
import { useEffect } from "react";
import { inOrganization, inScope } from "../base/address.ts";
import type { IconName } from "../kit/icons.tsx";
import { keep, kept } from "../base/kept-places.ts";
import { usePlaces, type Places } from "../kit/places.ts";
import type { Screen } from "../kit/screen.ts";
import { areaOfPath, AREAS, type AreaEntry, type AreaName } from "./areas.ts";
import { useScreens } from "./screens.ts";

const AREA = "tessera-area";

/** Returns the area of the address. On a page of neither area it is the one where the user was last. */
export function useArea(): AreaName {
  const here = areaOfPath(useRouterState({ select: ({ location }) => location.pathname }));
  useEffect(() => {
    if (here !== undefined) keep(AREA, here);
  }, [here]);
  return here ?? (kept(AREA) === "access" ? "access" : "tags");
}

/** Entry that the token can open from here. */
export interface ShownEntry {
  readonly title: string;
  readonly icon: IconName;
  readonly group: Screen["group"];
  readonly path: string;
}

/** Returns the entries of an area. Without an organization, the area of tags has only the list of organizations. */
export function useEntries(area: AreaName): readonly ShownEntry[] {
  const screens = useScreens();
  const places = usePlaces();
  const found = (entries: readonly AreaEntry[]) =>
    entries.flatMap(({ noun, path, title, icon }): ShownEntry[] => {
      const known = screens.find(({ screen }) => screen.noun === noun);
      if (known === undefined) return [];
      const { screen } = known;
      const to = path === undefined ? known.path : below(screen, path, places);
      return [{ title: title ?? screen.title, icon: icon ?? screen.icon, group: screen.group, path: to }];
    });
  const entries = found(AREAS[area].entries);
  return entries.length > 0 || area === "access" ? entries : found([{ noun: "organizations" }]);
}

function below({ place }: Screen, path: string, { scope, organization = "" }: Places): string {
  const [parts = "", query] = path.split("?", 2);
  const to =
    place === "scope" ? inScope(scope, ...parts.split("/")) : inOrganization(organization, ...parts.split("/"));
  return query === undefined ? to : `${to}?${query}`;
}

/** Returns the entry of the current page: the longest path that it begins with, and the same tab. */
export function useCurrent(entries: readonly ShownEntry[]): ShownEntry | undefined {
  const here = useRouterState({ select: ({ location }) => location.pathname });
  const tab = useRouterState({ select: ({ location }) => (location.search as { tab?: string }).tab });
  const fitting = entries.flatMap((entry) => {
    const [path = "", query = ""] = entry.path.split("?", 2);
    const wanted = new URLSearchParams(query).get("tab");
    const isBelow = here === path || here.startsWith(`${path}/`);
    if (!isBelow || (wanted !== null && wanted !== tab)) return [];
    return [{ entry, weight: path.length + (wanted === null ? 0 : 1) }];
  });
  return fitting.toSorted((one, other) => other.weight - one.weight)[0]?.entry;
}
