/** Every screen and action by a few letters. Loaded when it is first asked for. */
import "@mantine/spotlight/styles.layer.css";
import { Spotlight, spotlight, type SpotlightActionGroupData } from "@mantine/spotlight";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { Icon } from "../kit/icons.tsx";
import { asLink, partsOf } from "../kit/link.tsx";
import { useMayAll } from "../kit/rights.ts";
import { SCREENS } from "../screens/all.ts";
import { inOrganization, inScope, whyPath } from "./address.ts";
import { findQuery } from "./find.ts";
import { useScreens } from "./navigation.tsx";
import { usePlaces } from "./places.ts";

/** As the server calls requests, in `X-Request-Id` of each answer. */
const REQUEST_ID = /^[0-9a-f]{12}-[0-9a-z]+$/;

/** The palette; open from the first. */
export function Palette() {
  useEffect(() => spotlight.open(), []);
  const [text, setText] = useState("");
  const navigate = useNavigate();
  const places = usePlaces();
  const screens = useScreens();
  const actions = useActions();
  const found = useQuery(findQuery(places, text));
  const go = (path: string) => () => void navigate(asLink(partsOf(path)));
  const request = REQUEST_ID.exec(text.trim())?.[0];
  const groups: SpotlightActionGroupData[] = [
    {
      group: "Found",
      // What was found is not narrowed again by the palette: its keywords are what was typed.
      actions: (found.data ?? []).map((each) => ({
        id: each.path,
        label: each.name,
        description: each.kind,
        keywords: [text],
        leftSection: <Icon name={each.icon} size={18} />,
        onClick: go(each.path),
      })),
    },
    {
      group: "Why",
      actions:
        request === undefined
          ? []
          : [
              {
                id: `why ${request}`,
                label: `Why was ${request} refused?`,
                keywords: [text],
                leftSection: <Icon name="why" size={18} />,
                onClick: go(whyPath(request)),
              },
            ],
    },
    {
      group: "Go to",
      actions: screens.map(({ screen, path }) => ({
        id: `screen ${screen.noun}`,
        label: screen.title,
        description: screen.summary,
        leftSection: <Icon name={screen.icon} size={18} />,
        onClick: go(path),
      })),
    },
    {
      group: "Do",
      actions: actions.map(({ title, path }) => ({
        id: `action ${path}`,
        label: title,
        leftSection: <Icon name="plus" size={18} />,
        onClick: go(path),
      })),
    },
  ];
  return (
    <Spotlight
      actions={groups}
      attributes={{ content: { "aria-label": "Search everything" } }}
      shortcut={["mod + K"]}
      query={text}
      onQueryChange={setText}
      highlightQuery
      scrollable
      maxHeight={420}
      limit={30}
      nothingFound={found.isFetching ? "Searching…" : "Nothing found"}
      searchProps={{
        leftSection: <Icon name="search" />,
        placeholder: "Where to, or what to do?",
        "aria-label": "Search everything",
      }}
    />
  );
}

function useActions(): readonly { title: string; path: string }[] {
  const { scope, organization } = usePlaces();
  const all = SCREENS.flatMap((screen) => (screen.actions ?? []).map((action) => ({ screen, action })));
  const may = useMayAll(
    all.map(({ action }) => action.right),
    scope,
  );
  return all.flatMap(({ screen, action }, index) => {
    const { title, path } = action;
    const [to = "", query] = path.split("?");
    const rest = query === undefined ? "" : `?${query}`;
    const parts = to.split("/");
    if (may[index] !== true) return [];
    if (screen.place === "top") return [{ title, path: `/${path}` }];
    if (screen.place === "scope") return [{ title, path: `${inScope(scope, ...parts)}${rest}` }];
    return organization === undefined ? [] : [{ title, path: `${inOrganization(organization, ...parts)}${rest}` }];
  });
}
