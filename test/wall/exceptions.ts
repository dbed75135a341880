/**
 * Exceptions: facts that a caller may learn about objects that it may not see, and why. A difference that is not listed
 * here fails `test/wall/wall.test.ts`.
 */
import type { Attacker } from "./attackers.ts";
import { isList } from "./requests.ts";

/** An answer with its headers, as far as they are compared. */
export interface Told {
  status: number;
  text: string;
  headers: Record<string, unknown>;
}

export interface Exception {
  reason: string;
  /** Whom it is for. */
  attackers: readonly Attacker[];
  /** On which routes, by their names in the API's document. */
  on: (route: string) => boolean;
  /** Takes out what may differ. */
  without: (told: Told) => Told;
}

const ALL: readonly Attacker[] = [
  "anonymous",
  "rightless",
  "namespace tenant",
  "partition tenant",
  "organization tenant",
  "workspaces tenant",
];

export const EXCEPTIONS: readonly Exception[] = [
  {
    reason:
      "the header that tells that entries were left out is part of the interface, for the anonymous token too; it says that there are some, never which or how many",
    attackers: ALL,
    on: isList,
    without: ({ headers, ...told }) => ({ ...told, headers: dropped(headers, /results-filtered-by-acls$/) }),
  },
  {
    reason:
      "CreateIndex, ModifyIndex and with them the index of the caller's own tables come from the counter of the partition, and who may see some of its namespaces is told the index of their list: a partition is the wall for its write rate",
    attackers: ["namespace tenant"],
    on: (route) => / \/v1\//.test(route),
    // A refusal has no index of its own.
    without: (told) =>
      told.status === 403
        ? told
        : {
            ...told,
            text: told.text.replaceAll(/"(CreateIndex|ModifyIndex)":(\d+|\[\d+,\d+\])/g, '"$1":0'),
            headers: dropped(told.headers, /-index$|^content-length$/),
          },
  },
  {
    reason:
      "IDs of tokens are unique over the whole server, and who manages a partition may choose them, so it learns whether one that it knows is taken",
    attackers: ["partition tenant"],
    on: (route) => route === "PUT /v1/acl/token",
    without: ({ headers }) => ({ status: 0, text: "", headers: dropped(headers, /^content-|^connection$/) }),
  },
  {
    reason:
      "whoever logs in has no rights yet and names an auth method, so it is told what is wrong with what it sent; names of auth methods are no secrets",
    attackers: ALL,
    on: (route) => ["login", "oidc/auth-url", "oidc/callback"].some((path) => route === `POST /v1/acl/${path}`),
    without: ({ headers }) => ({ status: 0, text: "", headers: dropped(headers, /^content-/) }),
  },
];

function dropped(headers: Told["headers"], pattern: RegExp): Told["headers"] {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !pattern.test(name)));
}
