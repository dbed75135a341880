/** Permissions of the signed-in token. */
import { useSession } from "../../base/session.ts";
import { PageHead } from "../../kit/page-head.tsx";
import { EffectivePermissions } from "./effective.tsx";
import { screenNames } from "../../texts/names.ts";

/** The screen. It needs no permission to read tokens. */
export function OwnPermissions() {
  const session = useSession();
  const description = session?.SignedIn === true ? session.Token.Description : undefined;
  return (
    <section aria-label={screenNames.effective.own}>
      <PageHead title={screenNames.effective.own} about={description} />
      <EffectivePermissions of={{ accessor: "self" }} />
    </section>
  );
}
