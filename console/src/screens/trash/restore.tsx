/** Restores a deleted object, and shows the consequences before. */
import { Alert, Button, Group, Modal, Stack, Text, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { usePlace } from "../../base/place.ts";
import { CodePanel } from "../../kit/code-panel.tsx";
import { Icon } from "../../kit/icons.tsx";
import { commandOf, send, type Plan } from "../../kit/plan.ts";
import { Refusal } from "../../kit/refusal.tsx";
import { SecretOnce } from "../../kit/secret.tsx";
import { entryQuery, titleOf, type TrashRow } from "./queries.ts";
import * as texts from "../../texts/trash.ts";

interface RestoreProps {
  readonly entry: TrashRow;
  close(): void;
}

/** Notes of kinds that do not come back whole. */
const NOTES: Readonly<Record<string, string>> = {
  token: texts.tokenNote,
  "auth-method": texts.methodNote,
  namespace: texts.namespaceNote,
};
const UNNAMED: ReadonlySet<string> = new Set(["token", "binding-rule"]);

/** The dialog that restores, and the new secret of a token. */
export function RestoreDialog({ entry, close }: RestoreProps) {
  const place = usePlace();
  const queries = useQueryClient();
  const [name, setName] = useState(entry.Name);
  const preview = useQuery(entryQuery(place, entry.ID));
  const isNamed = !UNNAMED.has(entry.Kind);
  const title = titleOf(entry);
  const plan = restorePlan(entry, isNamed && name !== entry.Name ? name : "");
  const restore = useMutation({
    mutationFn: async () => ((await send(plan, place)) as { SecretID?: string }).SecretID,
    gcTime: 0,
    onSuccess: (secret) => {
      notifications.show({ color: "teal", message: texts.restored(title) });
      if (secret === undefined) close();
      void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] === "v1" });
    },
  });
  const isTaken = preview.data?.NameTaken === true && name === entry.Name;
  return (
    <>
      <Modal opened={restore.data === undefined} onClose={close} title={texts.restoreTitle(title)} size="lg">
        <Stack gap="md">
          <Preview preview={preview.data} kind={entry.Kind} />
          {preview.isError && <Refusal error={preview.error} failed={texts.previewFailed} />}
          {isNamed && (
            <TextInput
              label={texts.newName}
              value={name}
              error={isTaken ? texts.nameTaken : undefined}
              onChange={(event) => setName(event.currentTarget.value)}
            />
          )}
          {restore.isError && <Refusal error={restore.error} isWrite failed={texts.restoreFailed(title)} />}
          <CodePanel plan={plan} />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" size="sm" onClick={close}>
              {texts.cancel}
            </Button>
            <Button
              size="sm"
              loading={restore.isPending}
              disabled={isNamed && name === ""}
              leftSection={<Icon name="refresh" size={14} />}
              onClick={() => restore.mutate()}
              data-autofocus
            >
              {texts.restore}
            </Button>
          </Group>
        </Stack>
      </Modal>
      <SecretOnce what={title} secret={restore.data} close={close} />
    </>
  );
}

/** The consequences of the restore, as far as they are known. */
function Preview({ preview, kind }: { preview: TrashRow | undefined; kind: string }) {
  const lost = preview?.LeftOut ?? [];
  const names = lost.map(({ Kind, Name, ID }) => `${texts.kinds[Kind] ?? Kind} ${Name === "" ? ID.slice(0, 8) : Name}`);
  const note = NOTES[kind];
  return (
    <>
      {note !== undefined && <Text size="sm">{note}</Text>}
      {lost.length > 0 && (
        <Alert color="yellow" variant="light" py={8} icon={<Icon name="alert" />}>
          {texts.leftOut}
          <b>{names.join(", ")}</b>
        </Alert>
      )}
      {preview !== undefined && lost.length === 0 && <Text size="sm">{texts.nothingLeftOut}</Text>}
    </>
  );
}

function restorePlan({ ID: id }: TrashRow, name: string): Plan {
  return {
    operation: "restoreFromTrash",
    path: { id },
    body: name === "" ? {} : { Name: name },
    command: commandOf(["trash", "restore"], [id], name === "" ? [] : ["--name", name]),
  };
}
