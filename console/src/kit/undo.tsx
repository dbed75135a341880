/** Tells that an object is in the trash, with the way back. */
import { Anchor, Button, Group, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import type { QueryClient } from "@tanstack/react-query";
import { BASE_PATH } from "../base/address.ts";
import { placeOf, type Place } from "../base/place.ts";
import { notifyRefusal } from "./notify-refusal.tsx";
import * as texts from "../texts/kit-objects.ts";

/** Object that a delete puts into the trash. */
export interface Trashed {
  /** Kind in audit records and in the trash. */
  readonly kind: string;
  /** ID, or the name of an object whose ID is not shown. */
  readonly id: string;
}

/** Kinds that the trash keeps. */
const KEPT: ReadonlySet<string> = new Set(["policy", "role", "binding-rule", "auth-method", "namespace"]);

/** Returns an object as the trash keeps it; undefined for other kinds. */
export function trashedOf(kind: string, id: string): Trashed | undefined {
  return KEPT.has(kind) ? { kind, id } : undefined;
}

/** A message with a button stays for so many ms. */
const STAYS = 15_000;

/** Shows it. A token is restored on the screen of the trash, which shows the new secret. */
export function notifyTrashed(what: string, trashed: Trashed, place: Place, queries: QueryClient): void {
  const { partition, namespace } = place.scope;
  const at = trashed.kind === "namespace" ? placeOf({ partition, namespace: "default" }) : place;
  const id = `trashed-${trashed.kind}-${trashed.id}-${namespace}`;
  const undo = async () => {
    notifications.hide(id);
    try {
      await restore(at, trashed);
      notifications.show({ color: "teal", message: texts.restored(what) });
      await queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] === "v1" });
    } catch (error) {
      notifyRefusal(error, { title: texts.restoreFailed(what), isWrite: true });
    }
  };
  notifications.show({
    id,
    color: "teal",
    autoClose: STAYS,
    message: (
      <Group gap="xs" justify="space-between">
        <Text size="sm">{texts.movedToTrash(what)}</Text>
        {/* Messages lie outside of the router. */}
        {trashed.kind === "token" ? (
          <Anchor size="sm" href={`${BASE_PATH}${at.path("trash").slice(1)}`}>
            {texts.showTrash}
          </Anchor>
        ) : (
          <Button variant="default" size="compact-sm" onClick={() => void undo()}>
            {texts.undo}
          </Button>
        )}
      </Group>
    ),
  });
}

/** Restores the latest deletion of an object. @throws TesseraError when it cannot be restored */
async function restore({ client }: Place, { kind, id }: Trashed): Promise<void> {
  const { body } = await client.request<readonly Entry[]>("listTrash", {});
  const entry = body.find((each) => each.Kind === kind && (each.ObjectID ?? each.Name) === id);
  if (entry === undefined) throw new Error(texts.notInTrash);
  await client.request("restoreFromTrash", { path: { id: entry.ID }, body: {} });
}

interface Entry {
  readonly ID: string;
  readonly Kind: string;
  readonly ObjectID?: string;
  readonly Name: string;
}
