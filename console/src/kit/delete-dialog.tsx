/** Dialog that deletes an object and shows the consequences before. */
import { Button, Group, Modal, Stack, Text, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useRouterState } from "@tanstack/react-router";
import { useState, type ReactNode } from "react";
import { usePlace } from "../base/place.ts";
import { ReasonRequests, useChangeReason } from "./change-reason.tsx";
import { CodePanel } from "./code-panel.tsx";
import { noteDeleted } from "./deleted.ts";
import { Icon } from "./icons.tsx";
import { asLink, partsOf } from "./link.tsx";
import { send, withReason, type Plan } from "./plan.ts";
import { Refusal } from "./refusal.tsx";
import { notifyTrashed, type Trashed } from "./undo.tsx";
import * as texts from "../texts/kit-objects.ts";

interface DeleteDialogProps {
  /** Name of the object, such as `token Deployments`. */
  readonly what: string;
  readonly plan: Plan;
  readonly isOpen: boolean;
  close(): void;
  /** Path to open after the delete. */
  readonly then: string;
  /** Text that the user must type to confirm, for a delete with consequences too large for one click. */
  readonly typed?: string | undefined;
  /** Set when the object goes to the trash. */
  readonly trashed?: Trashed | undefined;
  /** Consequences of the delete: objects that are deleted too, or that lose a reference. */
  readonly children?: ReactNode;
}

/** The dialog that deletes. */
export function DeleteDialog({ what, plan, isOpen, close, then, typed = "", trashed, children }: DeleteDialogProps) {
  const place = usePlace();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const here = useRouterState({ select: ({ location }) => location.pathname });
  const [text, setText] = useState("");
  const { reason, ...ask } = useChangeReason();
  const removal = useMutation({
    mutationFn: async () => send(withReason(plan, reason), place),
    onSuccess: async () => {
      noteDeleted(here);
      // "Back" leads to where the user came from, and not to the object that is gone.
      await navigate({ ...asLink(partsOf(then)), replace: true });
      if (trashed === undefined) notifications.show({ color: "teal", message: texts.deleted(what) });
      else notifyTrashed(what, trashed, place, queries);
      void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] === "v1" || queryKey[0] === "v2" });
    },
  });
  return (
    <Modal opened={isOpen} onClose={close} title={texts.deleteTitle(what)} size="lg">
      <Stack gap="md">
        <ReasonRequests request={ask.request}>
          {children ?? (trashed === undefined && <Text size="sm">{texts.deleteWarning}</Text>)}
        </ReasonRequests>
        {trashed !== undefined && <Text size="sm">{texts.trashNote}</Text>}
        {ask.input}
        {typed !== "" && (
          <TextInput
            label={texts.deleteConfirmation(typed)}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
        )}
        {removal.isError && <Refusal error={removal.error} isWrite failed={texts.deleteFailed(what)} />}
        <CodePanel plan={withReason(plan, reason)} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" size="sm" onClick={close} data-autofocus>
            {texts.cancel}
          </Button>
          <Button
            color="red"
            size="sm"
            loading={removal.isPending || ask.isWaiting}
            disabled={text !== typed}
            leftSection={<Icon name="trash" size={14} />}
            onClick={() => ask.confirm(() => removal.mutate())}
          >
            {texts.deleteLabel}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
