/** Keys that work anywhere on a screen, unless the user types text or a dialog or menu is open. */
import { useEffect, useRef } from "react";

/** Actions by key. An action that returns false leaves the key to others. */
type Actions = Readonly<Record<string, () => boolean | void>>;

/** Elements that use letters themselves, and layers above the screen. */
const TAKES_LETTERS = [
  "input:not([type=checkbox], [type=radio])",
  "textarea",
  "select",
  "[contenteditable=true]",
  "[role=menu]",
  "[role=listbox]",
  "[role=dialog]",
].join();

/**
 * Runs an action for a key, as long as the calling component is shown.
 *
 * @param actions by `KeyboardEvent.key`; keys with Ctrl, Alt or Meta, and keys that an element handled, are ignored
 */
export function useScreenKeys(actions: Actions): void {
  const latest = useRef(actions);
  useEffect(() => {
    latest.current = actions;
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.target instanceof Element && event.target.matches(`:is(${TAKES_LETTERS}) *, ${TAKES_LETTERS}`)) return;
      if (document.querySelector("[role=dialog]") !== null) return;
      const act = Object.hasOwn(latest.current, event.key) ? latest.current[event.key] : undefined;
      if (act === undefined || act() === false) return;
      event.preventDefault();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
}
