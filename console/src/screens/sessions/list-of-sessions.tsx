/** The list of sessions of the console. */
import { Badge, Group, Text } from "@mantine/core";
import type { ItemOf } from "@tessera-server/client";
import { Actor } from "../../kit/actor.tsx";
import { namespaceColumn, textColumn } from "../../kit/cells.tsx";
import { choicesOf } from "../../kit/filter.ts";
import { localOf } from "../../kit/kind.ts";
import { wholeSource } from "../../kit/list-source.ts";
import type { List } from "../../kit/list.ts";
import { Time } from "../../kit/time.tsx";
import { EndSession } from "./end.tsx";
import * as texts from "../../texts/sessions.ts";
import { screenNames } from "../../texts/names.ts";

/** Maximum number of sessions that the server lists: the most recently used ones. */
const MOST_LISTED = 1000;

export type SessionRow = ItemOf<"listSessions">;

export const SESSION_LIST: List<SessionRow> = {
  noun: "console-sessions",
  singular: texts.singular,
  plural: screenNames.sessions.plural,
  about: texts.about,
  belongsTo: "scope",
  source: (place) =>
    wholeSource(
      place.client,
      "listSessions",
      localOf<SessionRow>("AccessorID", "Address", "UserAgent", "LastActive", "CreateTime"),
      MOST_LISTED,
    ),
  id: ({ ID }) => ID,
  name: ({ Address, UserAgent }) => texts.named(browserOf(UserAgent), Address),
  columns: [
    {
      id: "browser",
      title: texts.browser,
      width: "minmax(110px, 1.2fr)",
      sort: "UserAgent",
      isNarrow: true,
      cell: ({ UserAgent, Current }) => (
        <Group gap={6} wrap="nowrap">
          <Text span inherit fw={550} truncate title={UserAgent}>
            {browserOf(UserAgent)}
          </Text>
          {Current && <Badge flex="none">{texts.current}</Badge>}
        </Group>
      ),
    },
    {
      id: "token",
      title: texts.token,
      width: "minmax(100px, 1fr)",
      isNarrow: true,
      cell: ({ AccessorID }) => (
        <Text span inherit truncate>
          <Actor actor={{ AccessorID }} />
        </Text>
      ),
    },
    textColumn<SessionRow>(texts.address, ({ Address }) => Address, { width: "minmax(110px, 0.8fr)" }),
    textColumn<SessionRow>(texts.signIn, ({ MadeByLogin }) => (MadeByLogin ? texts.withLogin : texts.withToken), {
      id: "by",
      filter: { by: "by", values: ({ MadeByLogin }) => [{ value: MadeByLogin ? "login" : "token" }] },
      width: "110px",
    }),
    {
      id: "active",
      title: texts.lastActive,
      sort: "LastActive",
      width: "130px",
      cell: ({ LastActive }) => <Time value={LastActive} />,
    },
    {
      id: "created",
      title: texts.started,
      sort: "CreateTime",
      width: "130px",
      cell: ({ CreateTime }) => <Time value={CreateTime} />,
    },
    namespaceColumn<SessionRow>(),
    {
      id: "end",
      title: texts.revoke,
      width: "90px",
      align: "end",
      isNarrow: true,
      cell: (row) => <EndSession session={row} />,
    },
  ],
  filters: [
    {
      name: "whose",
      title: texts.owner,
      choices: choicesOf({ mine: texts.ownerSelf, others: texts.ownerOthers }),
      fits: ({ AccessorID }, whose, all) =>
        all.some((row) => row.Current && row.AccessorID === AccessorID) === (whose === "mine"),
    },
    {
      name: "by",
      title: texts.signIn,
      choices: choicesOf({ login: texts.withLogin, token: texts.withToken }),
      fits: ({ MadeByLogin }, by) => MadeByLogin === (by === "login"),
    },
  ],
  empty: texts.emptyHint,
};

/** Returns the common name of a browser. The page shows the whole text on hover. */
export function browserOf(agent: string): string {
  const found = /(Edg|OPR|Firefox|Chrome|Version)\/(\d+)/.exec(agent);
  const name = { Edg: "Edge", OPR: "Opera", Version: "Safari", Firefox: "Firefox", Chrome: "Chrome" }[found?.[1] ?? ""];
  const system = /(Windows|Android|iPhone|iPad|Mac OS X|CrOS|Linux)/.exec(agent)?.[1];
  if (name === undefined) return agent === "" ? texts.unknownBrowser : agent.slice(0, 60);
  return `${name} ${found?.[2] ?? ""}${system === undefined ? "" : `, ${system === "Mac OS X" ? "macOS" : system}`}`;
}
