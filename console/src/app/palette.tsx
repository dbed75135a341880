/** Every screen, object and action by a few letters. Loaded when it is first asked for. */
import "@mantine/spotlight/styles.layer.css";
import { Anchor } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { createSpotlight, Spotlight } from "@mantine/spotlight";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { commandsHere } from "../kit/commands.ts";
import { Icon } from "../kit/icons.tsx";
import { asLink, partsOf } from "../kit/link.tsx";
import { wordsOf } from "../kit/refusal-words.ts";
import { SCREENS } from "../screens/all.ts";
import { whyPath } from "../base/address.ts";
import { useFinding, type SearchResult } from "./find.ts";
import { HelpDialog } from "./help-dialog.tsx";
import { useScreens } from "./screens.ts";
import { matches, useActions, useConsoleEntries, useSwitches, type Entry } from "./palette-entries.ts";
import { usePlaces } from "../kit/places.ts";
import * as texts from "../texts/app.ts";

/** As the server calls requests, in `X-Request-Id` of each answer. */
const REQUEST_ID = /^[0-9a-f]{12}-[0-9a-z]+$/;
const LIST = "palette-entries";
/** By then the palette has given the focus back, and what opens a dialog gives it there in its turn. */
const FOCUS_IS_BACK_MS = 50;

const [store, palette] = createSpotlight();

interface Group {
  readonly title: string;
  readonly entries: readonly Entry[];
}

/** The palette; opens each time that it is asked for once more. */
export function Palette({ asked }: { asked: number }) {
  useEffect(() => palette.open(), [asked]);
  const [text, setText] = useState("");
  const [isHelping, { open: help, close }] = useDisclosure(false);
  return (
    <>
      <Spotlight.Root
        store={store}
        attributes={{ content: { "aria-label": texts.searchEverything } }}
        shortcut={null}
        // From a fixed top edge: results that come and go do not move the field.
        centered={false}
        yOffset="12dvh"
        query={text}
        onQueryChange={setText}
        scrollable
        maxHeight={420}
      >
        <Contents text={text} help={help} />
      </Spotlight.Root>
      {isHelping && <HelpDialog close={close} />}
    </>
  );
}

/** There while it is open. */
function Contents({ text, help }: { text: string; help: () => void }) {
  const navigate = useNavigate();
  const finding = useFound(text);
  const groups = useGroups(text, help, finding).filter(({ entries }) => entries.length > 0);
  useSelected(text, groups.flatMap(({ entries }) => entries.map(({ id }) => id)).join("\n"));
  const choose = ({ act }: Entry) => {
    if (typeof act === "string") void navigate(asLink(partsOf(act)));
    else setTimeout(act, FOCUS_IS_BACK_MS);
  };
  return (
    <>
      <Spotlight.Search
        leftSection={<Icon name="search" />}
        placeholder={texts.palettePlaceholder}
        aria-label={texts.searchEverything}
      />
      {groups.length > 0 && (
        <Spotlight.ActionsList id={LIST}>
          {groups.map(({ title, entries }) => (
            <Spotlight.ActionsGroup key={title} label={title}>
              {entries.map((entry) => (
                <Spotlight.Action
                  key={entry.id}
                  label={entry.title}
                  description={entry.about ?? ""}
                  leftSection={<Icon name={entry.icon} size={18} />}
                  highlightQuery
                  onClick={() => choose(entry)}
                />
              ))}
            </Spotlight.ActionsGroup>
          ))}
        </Spotlight.ActionsList>
      )}
      <Outcome finding={finding} isEmpty={groups.length === 0} text={text} />
    </>
  );
}

/** How the search went: what failed is no "nothing". */
function Outcome({ finding, isEmpty, text }: { finding: SearchResult; isEmpty: boolean; text: string }) {
  const { failed, isSearching, again } = finding;
  const [first] = failed;
  if (first !== undefined && !isSearching) {
    const nouns = failed.map(({ kind }) => titleOf(kind.noun).toLowerCase());
    return (
      <Spotlight.Footer role="alert">
        {texts.searchFailed(nouns.join(", "), wordsOf(first.error).title)}
        <Anchor component="button" type="button" inherit onClick={again}>
          {texts.retry}
        </Anchor>
      </Spotlight.Footer>
    );
  }
  if (!isEmpty && !isSearching) return null;
  const isShort = text.trim().length < 2;
  const words = isSearching ? texts.searching : isShort ? texts.typeMore : texts.noResults;
  return isEmpty ? (
    <Spotlight.Empty role="status">{words}</Spotlight.Empty>
  ) : (
    <Spotlight.Footer role="status">{words}</Spotlight.Footer>
  );
}

function useFound(text: string): SearchResult {
  const places = usePlaces();
  const nouns = new Set(useScreens().map(({ screen }) => screen.noun));
  return useFinding(places, text, nouns);
}

/** Groups of the palette. Search results come last: late results do not move the entries above them. */
function useGroups(text: string, help: () => void, { found }: SearchResult): readonly Group[] {
  const screens = useScreens();
  const request = REQUEST_ID.exec(text.trim())?.[0];
  const why: Entry[] =
    request === undefined
      ? []
      : [{ id: `why ${request}`, title: texts.explainRequest(request), icon: "why", act: whyPath(request) }];
  const here = commandsHere().map((command): Entry => ({ id: `here ${command.title}`, ...command }));
  const go = screens.map(({ screen: { noun, title, summary, icon }, path }): Entry => {
    return { id: `screen ${noun}`, title, about: summary, icon, act: path };
  });
  const fixed: Group[] = [
    { title: texts.groupHere, entries: here },
    { title: texts.groupGoTo, entries: go },
    { title: texts.groupActions, entries: useActions() },
    { title: texts.groupSwitch, entries: useSwitches(text) },
    { title: texts.groupConsole, entries: useConsoleEntries(help) },
  ];
  const wanted = text.trim();
  return [
    { title: texts.groupAccessChecks, entries: why },
    ...fixed.map(({ title, entries }) => ({ title, entries: entries.filter((entry) => matches(entry, wanted)) })),
    {
      title: texts.groupObjects,
      entries: found.map(({ name, path, kind: { noun, singular } }) => {
        const icon = SCREENS.find((screen) => screen.noun === noun)?.icon ?? "search";
        return { id: path, title: name, about: singular, icon, act: path };
      }),
    },
  ];
}

function titleOf(noun: string): string {
  return SCREENS.find((screen) => screen.noun === noun)?.title ?? noun;
}

/** Keeps the selected entry while more results arrive. Without one, it selects the first entry for a typed text. */
function useSelected(text: string, ids: string): void {
  useEffect(() => {
    const entries = [...document.querySelectorAll(`#${LIST} [data-action]`)];
    const at = entries.findIndex((entry) => entry.hasAttribute("data-selected"));
    if (at < 0 && text !== "") entries[0]?.setAttribute("data-selected", "true");
    store.updateState((state) => ({ ...state, selected: at < 0 && text !== "" ? 0 : at }));
  }, [text, ids]);
}
