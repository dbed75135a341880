/** Locks a workspace with a reason, and takes the lock away, that of somebody else only when that was asked for. */
import { Alert, Button, Group, Modal, Stack, Text, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import { TesseraError } from "@tessera-server/client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { usePlace } from "../../base/place.ts";
import { organizationKey } from "../../base/queries.ts";
import { useCommands } from "../../kit/commands.ts";
import { CodePanel } from "../../kit/code-panel.tsx";
import { Icon } from "../../kit/icons.tsx";
import { send, type Plan } from "../../kit/plan.ts";
import { Refusal } from "../../kit/refusal.tsx";
import type { WorkspaceRow } from "./queries.ts";
import * as texts from "../../texts/workspaces.ts";

/** The button and its dialog. */
export function Lock({ workspace }: { workspace: WorkspaceRow }) {
  const [isOpen, { open, close }] = useDisclosure(false);
  const { locked, name } = workspace.attributes;
  const word = locked ? texts.unlock : texts.lock;
  useCommands([{ title: locked ? texts.unlockCommand(name) : texts.lockCommand(name), icon: "lock", act: open }]);
  return (
    <>
      <Button variant="default" leftSection={<Icon name="lock" size={14} />} onClick={open}>
        {word}
      </Button>
      {isOpen && <Dialog workspace={workspace} close={close} />}
    </>
  );
}

function Dialog({ workspace: { id, attributes }, close }: { workspace: WorkspaceRow; close: () => void }) {
  const place = usePlace();
  const queries = useQueryClient();
  // As it was when the dialog was opened: what others do meanwhile turns no click into its opposite.
  const [isLocked] = useState(attributes.locked);
  const [reason, setReason] = useState("");
  const [isForced, setForced] = useState(false);
  const plan = isLocked ? unlockPlan(id, isForced) : lockPlan(id, reason.trim());
  const act = useMutation({
    mutationFn: async () => send(plan, place),
    onSuccess: async () => {
      close();
      notifications.show({ color: "teal", message: (isLocked ? texts.unlocked : texts.locked)(attributes.name) });
      await queries.invalidateQueries({ queryKey: organizationKey(place.organization ?? "", "workspaces") });
    },
  });
  const isOfOthers = isLocked && !isForced && act.error instanceof TesseraError && act.error.status === 409;
  const title = isLocked ? texts.unlockTitle(attributes.name) : texts.lockTitle(attributes.name);
  return (
    <Modal opened onClose={close} title={title} size="lg">
      <Stack gap="md">
        {isLocked ? (
          <Text size="sm">{attributes["locked-reason"] || texts.lockedWithoutReason}</Text>
        ) : (
          <Reason reason={reason} change={setReason} />
        )}
        {act.isError && <Refusal error={act.error} isWrite />}
        {isForced && (
          <Alert color="yellow" variant="outline" py={8}>
            {texts.forceUnlockWarning}
          </Alert>
        )}
        <CodePanel plan={plan} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" size="sm" onClick={close}>
            {texts.cancel}
          </Button>
          {isOfOthers && attributes.permissions["can-force-unlock"] ? (
            <Button
              size="sm"
              color="red"
              onClick={() => {
                setForced(true);
                act.reset();
              }}
            >
              {texts.forceUnlock}
            </Button>
          ) : (
            <Button size="sm" loading={act.isPending} onClick={() => act.mutate()}>
              {isLocked ? texts.unlock : texts.lock}
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  );
}

function Reason({ reason, change }: { reason: string; change: (reason: string) => void }) {
  return (
    <TextInput
      label={texts.lockReason}
      description={texts.lockReasonHint}
      placeholder={texts.lockReasonExample}
      value={reason}
      onChange={(event) => change(event.currentTarget.value)}
      data-autofocus
    />
  );
}

function lockPlan(id: string, reason: string): Plan {
  return {
    operation: "lockWorkspace",
    path: { workspace_id: id },
    body: reason === "" ? {} : { reason },
    command: ["workspace", "lock", id, ...(reason === "" ? [] : ["--reason", reason])],
  };
}

function unlockPlan(id: string, isForced: boolean): Plan {
  return {
    operation: isForced ? "forceUnlockWorkspace" : "unlockWorkspace",
    path: { workspace_id: id },
    command: ["workspace", "unlock", id, ...(isForced ? ["--force", "--yes"] : [])],
  };
}
