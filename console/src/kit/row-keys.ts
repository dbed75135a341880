/** The keys of a list: up and down, open, select. Letters work anywhere on the screen. */
import type { Virtualizer } from "@tanstack/react-virtual";
import { useCallback, useEffect, useRef, useState, type KeyboardEvent, type RefObject } from "react";
import { useScreenKeys } from "./screen-keys.ts";
import type { Selection } from "./selection.ts";

interface Keyed<Row> {
  readonly rows: readonly Row[];
  open(row: Row): void;
  readonly selection: Selection<Row> | undefined;
  readonly virtual: Virtualizer<HTMLDivElement, Element>;
  readonly frame: RefObject<HTMLDivElement | null>;
}

const STEPS: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  j: 1,
  ArrowUp: -1,
  k: -1,
  PageDown: 15,
  PageUp: -15,
  End: Infinity,
  Home: -Infinity,
};

/** Which row has the focus, and what keys do with it. Only one row is in the order of tabs. */
export function useRowKeys<Row>({ rows, open, selection, virtual, frame }: Keyed<Row>) {
  const [active, setActive] = useState(0);
  // Draws the table again when the row is the active one already.
  const [, setEntries] = useState(0);
  const wanted = useRef<number>(undefined);
  // A row that was far away is there only after the table was drawn around it.
  useEffect(() => {
    if (wanted.current === undefined) return;
    const row = frame.current?.querySelector<HTMLElement>(`[data-index="${wanted.current}"]`);
    if (row === null || row === undefined) return;
    wanted.current = undefined;
    row.focus({ preventScroll: true });
  });
  const onKeyDown = useCallback(
    (event: KeyboardEvent<HTMLDivElement>) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (isButton(event.target) && (event.key === " " || event.key === "Enter")) return;
      const step = STEPS[event.key];
      const row = rows[active];
      if (step !== undefined) {
        const next = Math.max(0, Math.min(rows.length - 1, active + step));
        wanted.current = next;
        setActive(next);
        virtual.scrollToIndex(next);
        if (event.shiftKey && rows[next] !== undefined && selection !== undefined) selection.extendTo(rows[next], rows);
      } else if (event.key === "Enter" && isRow(event.target) && row !== undefined) open(row);
      else if ((event.key === " " || event.key === "x") && row !== undefined && selection !== undefined)
        selection.toggle(row);
      else if (event.key !== "f" || !focusFilter(frame.current, active)) return;
      event.preventDefault();
    },
    [active, rows, open, selection, virtual, frame],
  );
  // From elsewhere the first key goes to the row that had the focus last, the next ones move from there.
  const enter = () => {
    if (rows.length === 0) return;
    wanted.current = Math.min(active, rows.length - 1);
    setActive(wanted.current);
    virtual.scrollToIndex(wanted.current);
    setEntries((entries) => entries + 1);
  };
  const select = () => {
    const row = rows[active];
    if (row !== undefined) selection?.toggle(row);
  };
  useScreenKeys({ j: enter, k: enter, x: select, f: () => focusFilter(frame.current, active) });
  return { active: Math.min(active, Math.max(0, rows.length - 1)), setActive, onKeyDown };
}

/** Moves the focus to the next filter button of a row, and returns whether there is one. */
function focusFilter(frame: HTMLElement | null, index: number): boolean {
  const buttons = frame?.querySelectorAll<HTMLElement>(`[data-index="${index}"] [data-cell-filter]`) ?? [];
  const all = [...buttons];
  const next = all[(all.findIndex((button) => button === document.activeElement) + 1) % all.length];
  next?.focus();
  return next !== undefined;
}

function isButton(target: EventTarget): boolean {
  return target instanceof HTMLButtonElement;
}

function isTyping(target: EventTarget): boolean {
  return target instanceof HTMLInputElement && target.type !== "checkbox";
}

function isRow(target: EventTarget): boolean {
  return target instanceof HTMLElement && target.getAttribute("role") === "row";
}
