/** Credentials of each kind: how they are made, used and ended. */
import { bodyOf, doneAnswer, type Asked, type Caller } from "./caller.ts";
import type { Answer, Reply } from "./http-client.ts";
import type { Credential } from "./history.ts";
import { METHOD } from "./identity.ts";
import type { Stage } from "./stage.ts";

/** The address at which the nodes believe that their console is reached. */
export const CONSOLE = "https://console.example";

export interface Held {
  readonly of: Credential;
  /** Names it in the history. */
  readonly name: string;
  /** How a request presents it. */
  readonly presented: Pick<Asked, "token" | "headers">;
  /** A request that ends it. */
  readonly end: Asked;
  /** Its successor, by the answer to that. */
  next?(answer: Answer): Held;
}

interface MadeToken {
  readonly AccessorID: string;
  readonly SecretID: string;
}

const CHANGE_MS = 2000;
/** Headers that the page of the console sends. */
const PAGE = { "x-tessera-console": "1", "sec-fetch-site": "same-origin", origin: CONSOLE };

/** Makes one that counts from the answer on; undefined when that is not known. */
export async function makeCredential(caller: Caller, of: Credential, stage: Stage): Promise<Held | undefined> {
  if (of === "login") return logIn(caller, stage);
  const body = { Description: `of client ${caller.client}`, Policies: [{ Name: stage.reader }] };
  const made = doneAnswer(await caller.ask({ method: "PUT", path: "/v1/acl/token", body, milliseconds: CHANGE_MS }));
  if (made === undefined) return undefined;
  const token = bodyOf<MadeToken>(made);
  if (of === "session") return signIn(caller, token);
  return of === "secret" ? secretOf(token, 1) : tokenOf(token);
}

function tokenOf({ AccessorID, SecretID }: MadeToken): Held {
  const end = { method: "DELETE", path: `/v1/acl/token/${AccessorID}`, milliseconds: CHANGE_MS } as const;
  return { of: "token", name: AccessorID, presented: { token: SecretID }, end };
}

/** One of the secrets of a token, which the next rotation ends. */
function secretOf({ AccessorID, SecretID }: MadeToken, number: number): Held {
  return {
    of: "secret",
    name: `${AccessorID} by secret ${number}`,
    presented: { token: SecretID },
    end: { method: "POST", path: `/v1/acl/token/${AccessorID}/rotate`, milliseconds: CHANGE_MS },
    next: (answer) => secretOf({ AccessorID, SecretID: bodyOf<MadeToken>(answer).SecretID }, number + 1),
  };
}

async function logIn(caller: Caller, { bearer }: Stage): Promise<Held | undefined> {
  const operation = { kind: "begin", of: "login" } as const;
  const body = { AuthMethod: METHOD, BearerToken: bearer(`client-${caller.client}`) };
  const asked = { method: "POST", path: "/v1/acl/login", body, token: "", milliseconds: CHANGE_MS } as const;
  const made = doneAnswer(
    await caller.perform(operation, asked, (answer) => ({ ...operation, token: bodyOf<MadeToken>(answer).AccessorID })),
  );
  if (made === undefined) return undefined;
  const { AccessorID: name, SecretID: token } = bodyOf<MadeToken>(made);
  const end = { method: "POST", path: "/v1/acl/logout", token, milliseconds: CHANGE_MS } as const;
  return { of: "login", name, presented: { token }, end };
}

async function signIn(caller: Caller, { AccessorID, SecretID }: MadeToken): Promise<Held | undefined> {
  const operation = { kind: "begin", of: "session" } as const;
  const body = { SecretID };
  const asked = {
    method: "POST",
    path: "/ui/session",
    body,
    token: "",
    headers: PAGE,
    milliseconds: CHANGE_MS,
  } as const;
  const begun = doneAnswer(await caller.perform(operation, asked, (answer) => ({ ...operation, token: idIn(answer) })));
  if (begun?.cookie === undefined) return undefined;
  const path = caller.random.chance(0.5) ? `/v1/acl/session/${idIn(begun)}` : `/v1/acl/token/${AccessorID}`;
  return {
    of: "session",
    name: idIn(begun),
    presented: { token: "", headers: { ...PAGE, cookie: begun.cookie } },
    end: { method: "DELETE", path, milliseconds: CHANGE_MS },
  };
}

function idIn(answer: Answer): string {
  return bodyOf<{ Session: { ID: string } }>(answer).Session.ID;
}

/** Whether a request was refused as its token is unknown. */
export function isNoToken(reply: Reply): boolean {
  return typeof reply !== "string" && reply.status === 403 && reply.text.includes("ACL not found");
}
