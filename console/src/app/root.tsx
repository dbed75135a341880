/** Either the page to sign in, or the console around the screen of the address. */
import { Center, Loader } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { HeadContent, Outlet, useRouter, useRouterState } from "@tanstack/react-router";
import { useEffect } from "react";
import { Refusal } from "../kit/refusal.tsx";
import { useLive } from "../live/use-live.ts";
import { SessionGuard } from "./session-guard.tsx";
import { sessionQuery } from "../base/session.ts";
import { Shell } from "./shell.tsx";
import { later } from "../kit/later.tsx";
import { useHasBeenSignedIn } from "../base/was-signed-in.ts";
import * as texts from "../texts/app.ts";

// Most pages are opened with a session.
const SignInPage = later(async () => (await import("./sign-in-page.tsx")).SignInPage);

/** The root of all routes. */
export function Root() {
  const session = useQuery(sessionQuery);
  const hasBeen = useHasBeenSignedIn(session.data);
  const isCallback = useRouterState({ select: ({ location }) => location.pathname.endsWith("/oidc/callback") });
  const router = useRouter();
  const accessor = session.data?.SignedIn === true ? session.data.Session.ID : undefined;
  // The loaders asked for nothing as long as nobody was signed in.
  useEffect(() => {
    if (accessor !== undefined) void router.invalidate();
  }, [accessor, router]);
  useLive(session.data?.SignedIn === true);
  if (session.data === undefined) {
    return (
      <Center h="100dvh" p="md">
        {session.isError ? (
          <Refusal error={session.error} retry={() => void session.refetch()} />
        ) : (
          <Loader role="img" aria-label={texts.starting} data-late />
        )}
      </Center>
    );
  }
  if (isCallback) return <Outlet />;
  if (!session.data.SignedIn && !hasBeen) return <SignInPage session={session.data} />;
  return (
    <>
      <HeadContent />
      <Shell>
        <Outlet />
      </Shell>
      <SessionGuard session={session.data} />
    </>
  );
}
