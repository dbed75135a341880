/** Ctrl-K, and a button for it: they load the palette when it is first asked for. */
import { Kbd, UnstyledButton, VisuallyHidden } from "@mantine/core";
import { useHotkeys, useOs } from "@mantine/hooks";
import { useState } from "react";
import { Icon } from "../kit/icons.tsx";
import classes from "./shell.module.css";
import { later } from "../kit/later.tsx";
import * as texts from "../texts/app.ts";

const Palette = later(async () => (await import("./palette.tsx")).Palette);

/** Opens the palette, and says by which keys. */
export function PaletteButton() {
  const os = useOs();
  const isMac = os === "macos" || os === "ios";
  const [asked, setAsked] = useState(0);
  const open = () => setAsked((before) => before + 1);
  // Also while something is written.
  useHotkeys([["mod + K", open]], [], true);
  return (
    <>
      <UnstyledButton className={classes.paletteButton} onClick={open}>
        <Icon name="search" size={14} />
        <VisuallyHidden>{texts.searchEverything}</VisuallyHidden>
        <Kbd size="xs" visibleFrom="sm" aria-hidden>
          {texts.paletteShortcut(isMac ? "⌘" : texts.ctrl)}
        </Kbd>
      </UnstyledButton>
      {asked > 0 && <Palette asked={asked} />}
    </>
  );
}
