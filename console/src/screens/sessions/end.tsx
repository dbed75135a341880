/** Ends a session; one's own is ended by signing out. */
import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { ItemOf } from "@tessera-server/client";
import { placeOfObject, usePlace } from "../../base/place.ts";
import { scopedKey } from "../../base/queries.ts";
import { useSession } from "../../base/session.ts";
import { notifyRefusal } from "../../kit/notify-refusal.tsx";
import { useMay } from "../../kit/rights.ts";
import * as texts from "../../texts/sessions.ts";

/** The button; not there for who may not. */
export function EndSession({ session }: { session: ItemOf<"listSessions"> }) {
  const place = usePlace();
  const own = useSession();
  const queries = useQueryClient();
  const mayWrite = useMay({ resource: "acl", access: "write" });
  const end = useMutation({
    mutationFn: async () => placeOfObject(place, session).client.sessions.end({ id: session.ID }),
    onSuccess: async () => {
      notifications.show({ color: "teal", message: texts.revoked });
      await queries.invalidateQueries({ queryKey: scopedKey(place.scope, "console-sessions") });
    },
    onError: (error) => notifyRefusal(error, { title: texts.revokeFailed, isWrite: true }),
  });
  const isOwn = own?.SignedIn === true && own.Token.AccessorID === session.AccessorID;
  if (session.Current || (!mayWrite && !isOwn)) return null;
  return (
    <Button
      variant="default"
      size="compact-xs"
      loading={end.isPending}
      onClick={() => end.mutate()}
      aria-label={texts.revokeLabel(session.AccessorID.slice(0, 8), session.Address)}
    >
      {texts.revoke}
    </Button>
  );
}
