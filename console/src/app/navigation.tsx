/** The navigation at the side: Home, the switch between the two areas, and the entries of one of them. */
import { Link, useRouterState } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { Icon } from "../kit/icons.tsx";
import { asLink, partsOf } from "../kit/link.tsx";
import type { Screen } from "../kit/screen.ts";
import { AREAS, type AreaName } from "./areas.ts";
import classes from "./shell.module.css";
import { useArea, useCurrent, useEntries, type ShownEntry } from "./use-area.ts";
import * as texts from "../texts/app.ts";
import { screenNames } from "../texts/names.ts";

/** Titles of the groups of an area; the others have none. */
const GROUPS: Readonly<Partial<Record<Screen["group"], string>>> = { Insight: texts.groupInsight };

/** The navigation. */
export function Navigation() {
  const area = useArea();
  const entries = useEntries(area);
  const current = useCurrent(entries);
  const nav = useRef<HTMLElement>(null);
  const here = useRouterState({ select: ({ location }) => location.pathname });
  // Scrolls the current entry into view: on a small screen the list can be longer than the window.
  useEffect(() => {
    nav.current?.querySelector("[data-status=active]:not([data-area])")?.scrollIntoView({ block: "nearest" });
  }, [here, entries.length]);
  const groups = [...Map.groupBy(entries, ({ group }) => group)];
  return (
    <nav aria-label={texts.screens} ref={nav}>
      <Link to="/" className={classes.link} activeOptions={{ exact: true, includeSearch: false }}>
        <Icon name="home" />
        {screenNames.home.title}
      </Link>
      <Areas current={area} />
      {groups.map(([group, shown]) => (
        <div key={group} role="group" aria-label={GROUPS[group] ?? AREAS[area].title}>
          {GROUPS[group] !== undefined && <div className={classes.group}>{GROUPS[group]}</div>}
          {shown.map((entry) => (
            <EntryLink key={entry.path} entry={entry} isCurrent={entry === current} />
          ))}
        </div>
      ))}
    </nav>
  );
}

function EntryLink({ entry: { path, icon, title }, isCurrent }: { entry: ShownEntry; isCurrent: boolean }) {
  return (
    <Link
      {...asLink(partsOf(path))}
      className={classes.link}
      activeOptions={{ exact: true, includeSearch: true }}
      {...(isCurrent && { "aria-current": "page" as const, "data-status": "active" })}
    >
      <Icon name={icon} />
      {title}
    </Link>
  );
}

/** The switch between the areas. An area without entries for this token is not offered. */
function Areas({ current }: { current: AreaName }) {
  const tags = useEntries("tags");
  const access = useEntries("access");
  const offered = [
    { name: "tags", first: tags[0] },
    { name: "access", first: access[0] },
  ] as const;
  const shown = offered.flatMap(({ name, first }) => (first === undefined ? [] : [{ name, path: first.path }]));
  if (shown.length < 2) return null;
  return (
    <div className={classes.areas} role="group" aria-label={texts.areas}>
      {shown.map(({ name, path }) => (
        <Link
          key={name}
          {...asLink(partsOf(path))}
          className={classes.area}
          activeOptions={{ exact: true, includeSearch: true }}
          data-area={name === current}
          aria-current={name === current}
        >
          {AREAS[name].title}
        </Link>
      ))}
    </div>
  );
}
