/** Text of a field whose value is in the address. */
import { useDebouncedCallback } from "@mantine/hooks";
import { useState } from "react";

/**
 * The text of the field, and what takes the next one. It goes into the address when typing rests.
 *
 * It comes back from there when more was typed already: only what others put there is taken over.
 */
export function useTyped(value: string, change: (text: string) => void, rest: number) {
  const [text, setText] = useState(value);
  const [{ seen, sent }, setKnown] = useState<{ seen: string; sent: readonly string[] }>({ seen: value, sent: [] });
  if (value !== seen) {
    const own = sent.indexOf(value);
    setKnown({ seen: value, sent: own < 0 ? [] : sent.slice(own + 1) });
    if (own < 0) setText(value);
  }
  const send = useDebouncedCallback((next: string) => {
    setKnown((known) => ({ ...known, sent: [...known.sent, next.trim()] }));
    change(next.trim());
  }, rest);
  const type = (next: string) => {
    setText(next);
    send(next);
  };
  return { text, type };
}
