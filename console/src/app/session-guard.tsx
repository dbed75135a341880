/** Watches the session. When it ends, the page stays as it is, with a sign-in form over it. */
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { askAs, onRefusal } from "../base/client.ts";
import { onOtherWindow, sessionQuery, type SessionState } from "../base/session.ts";
import { later } from "../kit/later.tsx";

const SignInAgain = later(async () => (await import("./session-dialogs.tsx")).SignInAgain);
const SomebodyElse = later(async () => (await import("./session-dialogs.tsx")).SomebodyElse);

/** Delay in ms before the sign-in form loads: the page's own code has loaded by then, even on a slow line. */
const AHEAD = 30_000;

/** The least time between two questions about the session, in ms: a screen may meet many refusals at once. */
const REST = 2000;

/** Asks again whether the session lives, whenever an answer looks as if it did not. */
export function SessionGuard({ session }: { session: SessionState }) {
  const queries = useQueryClient();
  const asked = useRef(0);
  useEffect(
    () =>
      onRefusal(() => {
        if (Date.now() - asked.current < REST) return;
        asked.current = Date.now();
        void queries.query({ ...sessionQuery, staleTime: 0 }).catch(() => undefined);
      }),
    [queries],
  );
  useEffect(
    () => onOtherWindow(() => void queries.query({ ...sessionQuery, staleTime: 0 }).catch(() => undefined)),
    [queries],
  );
  useEndOf(session);
  // Loads the form early: when a session ends, the server may already have another version of the console.
  useEffect(() => {
    const timer = setTimeout(() => void SignInAgain.preload(), AHEAD);
    return () => clearTimeout(timer);
  }, []);
  return (
    <>
      {!session.SignedIn && <SignInAgain session={session} />}
      <OtherSession session={session} />
    </>
  );
}

/** Asks as soon as the session should have ended by itself. */
function useEndOf(session: SessionState): void {
  const queries = useQueryClient();
  const at = session.SignedIn ? Math.min(Date.parse(session.Session.IdleUntil), Date.parse(session.Session.Ends)) : NaN;
  useEffect(() => {
    if (Number.isNaN(at)) return;
    const rest = Math.min(Math.max(at - Date.now() + 500, 1000), 2 ** 31 - 1);
    const timer = setTimeout(() => void queries.invalidateQueries({ queryKey: sessionQuery.queryKey }), rest);
    return () => clearTimeout(timer);
  }, [at, queries]);
}

/**
 * Dialog for a session of another token than the first one on this page. Requests of the page name the first token
 * until the user accepts the other one.
 */
function OtherSession({ session }: { session: SessionState }) {
  const accessor = session.SignedIn ? session.Token.AccessorID : undefined;
  const queries = useQueryClient();
  const [first, setFirst] = useState(accessor);
  useEffect(() => askAs(first), [first]);
  if (accessor === undefined || accessor === first) return null;
  if (first === undefined) {
    setFirst(accessor);
    return null;
  }
  const accept = () => {
    setFirst(accessor);
    askAs(accessor);
    void queries.invalidateQueries();
  };
  return <SomebodyElse session={session} accept={accept} />;
}
