/** Name of an actor, everywhere: the identity of a login, or the description of a token. The AccessorID is its title. */
import { useQuery } from "@tanstack/react-query";
import { inScope } from "../base/address.ts";
import { actorQuery, type NamedToken } from "./actor-names.ts";
import type { AuditRecord } from "./audit-record.ts";
import { A } from "./link.tsx";
import { visible } from "./visible.ts";
import * as texts from "../texts/kit-objects.ts";

/** AccessorID of the anonymous token, for requests without a token. */
export const ANONYMOUS = "00000000-0000-0000-0000-000000000002";

/** Longest name; the rest of a longer one is in the title. */
const LONGEST = 60;

interface ActorProps {
  /** As audit records have it; `{ AccessorID }` for a token. */
  readonly actor: AuditRecord["Actor"];
  /** Inside of a button or another link there is no place for a link. */
  readonly isPlain?: boolean;
}

/** Name of an actor, with a link to its token where the caller may read that. */
export function Actor({ actor, isPlain = false }: ActorProps) {
  const { AccessorID: accessor = "", Identity: identity = "" } = actor;
  const { data } = useQuery({ ...actorQuery(accessor), enabled: accessor !== "" });
  const token = data ?? undefined;
  const name = nameOf(actor, token);
  const title = titleOf(name, accessor, identity);
  const shown = visible(shortened(name));
  if (isPlain || token === undefined) {
    return (
      <bdi title={title} data-actor={accessor}>
        {shown}
      </bdi>
    );
  }
  return (
    <bdi title={title} data-actor={accessor}>
      <A to={pathOf(token)} underline="always">
        {shown}
      </A>
    </bdi>
  );
}

function nameOf({ AccessorID = "", AuthMethod = "", Identity = "" }: AuditRecord["Actor"], token?: NamedToken): string {
  if (Identity !== "") return Identity;
  if (token !== undefined && token.Description !== "") return token.Description;
  if (AccessorID === ANONYMOUS) return texts.actorAnonymous;
  if (AccessorID !== "") return texts.actorToken(AccessorID.slice(0, 8));
  return AuthMethod === "" ? texts.actorServer : texts.actorUnknown(AuthMethod);
}

function shortened(name: string): string {
  return name.length > LONGEST ? `${name.slice(0, LONGEST - 1)}…` : name;
}

/** The AccessorID, after the whole of a name that is shown in part. */
function titleOf(name: string, accessor: string, identity: string): string | undefined {
  const whole = name.length > LONGEST || identity !== "" ? visible(name) : "";
  const title = [whole, accessor].filter((each) => each !== "").join(" · ");
  return title === "" ? undefined : title;
}

/** The path of a token in its own namespace, which may be another one than that of the page. */
function pathOf({ AccessorID, Partition = "default", Namespace = "default" }: NamedToken): string {
  return inScope({ partition: Partition, namespace: Namespace }, "tokens", AccessorID);
}
