/** The list of sessions of the console. */
import { Badge, Group, Text } from "@mantine/core";
import type { ItemOf } from "@tessera-server/client";
import { placeOfObject } from "../../base/place.ts";
import { namespaceColumn, textColumn } from "../../kit/cells.tsx";
import { choicesOf } from "../../kit/filter.ts";
import { A } from "../../kit/link.tsx";
import { localOf } from "../../kit/kind.ts";
import { wholeSource } from "../../kit/list-source.ts";
import type { List } from "../../kit/list.ts";
import { Time } from "../../kit/time.tsx";
import { EndSession } from "./end.tsx";

/** Maximum number of sessions that the server lists: the most recently used ones. */
const MOST_LISTED = 1000;

export type SessionRow = ItemOf<"listSessions">;

export const SESSION_LIST: List<SessionRow> = {
  noun: "console-sessions",
  singular: "session",
  plural: "Sessions",
  about:
    "Who is signed in to the console: you, and with acl:read everybody of the namespace: the 1,000 that were used last.",
  belongsTo: "scope",
  source: (place) =>
    wholeSource(
      place.client,
      "listSessions",
      localOf<SessionRow>("AccessorID", "Address", "UserAgent", "LastActive", "CreateTime"),
      MOST_LISTED,
    ),
  id: ({ ID }) => ID,
  name: ({ Address, UserAgent }) => `${browserOf(UserAgent)} at ${Address}`,
  columns: [
    {
      id: "browser",
      title: "Browser",
      width: "minmax(110px, 1.2fr)",
      sort: "UserAgent",
      isNarrow: true,
      cell: ({ UserAgent, Current }) => (
        <Group gap={6} wrap="nowrap">
          <Text span inherit fw={550} truncate title={UserAgent}>
            {browserOf(UserAgent)}
          </Text>
          {Current && <Badge flex="none">this one</Badge>}
        </Group>
      ),
    },
    {
      id: "token",
      title: "Token",
      width: "100px",
      isNarrow: true,
      cell: (row, place) => (
        <A to={placeOfObject(place, row).path("tokens", row.AccessorID)} className="mono">
          {row.AccessorID.slice(0, 8)}
        </A>
      ),
    },
    textColumn<SessionRow>("Address", ({ Address }) => Address, { width: "minmax(110px, 0.8fr)" }),
    textColumn<SessionRow>("By", ({ MadeByLogin }) => (MadeByLogin ? "a login" : "a token"), { width: "90px" }),
    {
      id: "active",
      title: "Last active",
      sort: "LastActive",
      width: "130px",
      cell: ({ LastActive }) => <Time value={LastActive} />,
    },
    {
      id: "created",
      title: "Began",
      sort: "CreateTime",
      width: "130px",
      cell: ({ CreateTime }) => <Time value={CreateTime} />,
    },
    namespaceColumn<SessionRow>(),
    {
      id: "end",
      title: "End",
      width: "90px",
      align: "end",
      isNarrow: true,
      cell: (row) => <EndSession session={row} />,
    },
  ],
  filters: [
    {
      name: "whose",
      title: "Whose",
      choices: choicesOf({ mine: "of my token", others: "of other tokens" }),
      fits: ({ AccessorID }, whose, all) =>
        all.some((row) => row.Current && row.AccessorID === AccessorID) === (whose === "mine"),
    },
    {
      name: "by",
      title: "Began by",
      choices: choicesOf({ login: "a login", token: "a token" }),
      fits: ({ MadeByLogin }, by) => MadeByLogin === (by === "login"),
    },
  ],
  empty: "Nobody is signed in.",
};

/** Returns the common name of a browser. The page shows the whole text on hover. */
export function browserOf(agent: string): string {
  const found = /(Edg|OPR|Firefox|Chrome|Version)\/(\d+)/.exec(agent);
  const name = { Edg: "Edge", OPR: "Opera", Version: "Safari", Firefox: "Firefox", Chrome: "Chrome" }[found?.[1] ?? ""];
  const system = /(Windows|Android|iPhone|iPad|Mac OS X|CrOS|Linux)/.exec(agent)?.[1];
  if (name === undefined) return agent === "" ? "Unknown" : agent.slice(0, 60);
  return `${name} ${found?.[2] ?? ""}${system === undefined ? "" : `, ${system === "Mac OS X" ? "macOS" : system}`}`;
}
