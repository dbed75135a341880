/** Shortcuts of the frame: `e` edits the open object, and `g` with a second key opens a screen. */
import { useNavigate } from "@tanstack/react-router";
import { useRef } from "react";
import { commandsHere } from "../kit/commands.ts";
import { asLink, partsOf } from "../kit/link.tsx";
import { useScreenKeys } from "../kit/screen-keys.ts";
import { useScreens } from "./screens.ts";

/** Screens by the key behind `g`. */
export const GO_TO: Readonly<Record<string, string>> = {
  h: "home",
  t: "tags",
  w: "workspaces",
  k: "tokens",
  p: "policies",
  r: "roles",
  a: "audit",
};

/** Time between `g` and the next key, in milliseconds. */
const MOST_BETWEEN = 1500;

/** Offers the shortcuts on every screen. Screens that the token cannot open have none. */
export function useShortcuts(): void {
  const navigate = useNavigate();
  const screens = useScreens();
  const goUntil = useRef(0);
  const open = (path: string) => void navigate(asLink(partsOf(path)));
  const edit = () => {
    const command = commandsHere().find(({ icon }) => icon === "edit");
    if (typeof command?.act === "string") open(command.act);
    else command?.act();
  };
  const goTo = (noun: string) => () => {
    const isGoing = Date.now() < goUntil.current;
    goUntil.current = 0;
    const path = isGoing ? screens.find(({ screen }) => screen.noun === noun)?.path : undefined;
    if (path === undefined) return false;
    open(path);
    return true;
  };
  useScreenKeys({
    g: () => void (goUntil.current = Date.now() + MOST_BETWEEN),
    e: edit,
    ...Object.fromEntries(Object.entries(GO_TO).map(([key, noun]) => [key, goTo(noun)])),
  });
}
