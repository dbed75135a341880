import { useState } from "react";
import type { SessionState } from "./session.ts";

/** Whether somebody was signed in on this page: then what is on it stays, when the session ends. */
export function useHasBeenSignedIn(session: SessionState | undefined): boolean {
  const [has, setHas] = useState(false);
  if (session?.SignedIn === true && !has) setHas(true);
  return has;
}

/** Set when somebody signs out on purpose: then nothing stays. */
export function forgetPage(): void {
  location.assign(document.baseURI);
}
