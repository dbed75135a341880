/** Clicks on a row: for the row, or for an element in it. */
import type { MouseEvent } from "react";

/** Checks for a click without modifier keys on the link of a row to its own page. */
export function isPlainLink(event: MouseEvent, path: string | undefined): boolean {
  if (path === undefined || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return false;
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  return link !== null && link.pathname.endsWith(path);
}

/**
 * Checks whether a click is not for the row: its target handles clicks itself, or the user has just selected text to
 * copy.
 */
export function isOwnTarget({ target, currentTarget }: MouseEvent): boolean {
  if (!(target instanceof Element)) return false;
  const own = target.closest("a, button, input, label");
  if (own !== null && currentTarget.contains(own)) return true;
  return (getSelection()?.toString() ?? "") !== "";
}
