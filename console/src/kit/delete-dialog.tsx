/** Dialog that deletes an object and shows the consequences before. */
import { Button, Group, Modal, Stack, Text, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState, type ReactNode } from "react";
import { usePlace } from "../base/place.ts";
import { CodePanel } from "./code-panel.tsx";
import { Icon } from "./icons.tsx";
import { asLink, partsOf } from "./link.tsx";
import { send, type Plan } from "./plan.ts";
import { Refusal } from "./refusal.tsx";

interface DeleteDialogProps {
  /** Name of the object, such as `the token Deployments`. */
  readonly what: string;
  readonly plan: Plan;
  readonly isOpen: boolean;
  close(): void;
  /** Path to open after the delete. */
  readonly then: string;
  /** Text that the user must type to confirm, for a delete with consequences too large for one click. */
  readonly typed?: string | undefined;
  /** Consequences of the delete: objects that are deleted too, or that lose a reference. */
  readonly children?: ReactNode;
}

/** The dialog that deletes. */
export function DeleteDialog({ what, plan, isOpen, close, then, typed = "", children }: DeleteDialogProps) {
  const place = usePlace();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [text, setText] = useState("");
  const removal = useMutation({
    mutationFn: async () => send(plan, place),
    onSuccess: async () => {
      await navigate(asLink(partsOf(then)));
      notifications.show({ color: "teal", message: `Deleted ${what}` });
      void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] === "v1" || queryKey[0] === "v2" });
    },
  });
  return (
    <Modal opened={isOpen} onClose={close} title={`Delete ${what}?`} size="lg">
      <Stack gap="md">
        {children ?? <Text size="sm">This cannot be undone.</Text>}
        {typed !== "" && (
          <TextInput
            label={`Type ${typed} to go on`}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
        )}
        {removal.isError && <Refusal error={removal.error} isWrite />}
        <CodePanel plan={plan} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" size="sm" onClick={close} data-autofocus>
            Keep
          </Button>
          <Button
            color="red"
            size="sm"
            loading={removal.isPending}
            disabled={text !== typed}
            leftSection={<Icon name="trash" size={14} />}
            onClick={() => removal.mutate()}
          >
            Delete
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
