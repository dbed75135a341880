/** Disables a token, or enables it again. */
import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { usePlace } from "../../base/place.ts";
import { scopedKey } from "../../base/queries.ts";
import { CodePanel } from "../../kit/code-panel.tsx";
import { send, type Plan } from "../../kit/plan.ts";
import { Refusal } from "../../kit/refusal.tsx";
import { titleOf, type Token } from "./queries.ts";
import * as texts from "../../texts/tokens.ts";

interface DisableProps {
  readonly token: Token;
  readonly isOpen: boolean;
  close(): void;
}

/** The dialog, for what the token is not now. */
export function DisableDialog({ token, isOpen, close }: DisableProps) {
  const place = usePlace();
  const queries = useQueryClient();
  const isDisabled = token.DisabledTime !== undefined;
  const plan = isDisabled ? enablePlan(token.AccessorID) : disablePlan(token.AccessorID);
  const change = useMutation({
    mutationFn: async () => send(plan, place),
    onSuccess: async () => {
      close();
      await queries.invalidateQueries({ queryKey: scopedKey(place.scope, "tokens") });
    },
  });
  const name = titleOf(token);
  return (
    <Modal
      opened={isOpen}
      onClose={close}
      title={isDisabled ? texts.enableTitle(name) : texts.disableTitle(name)}
      size="lg"
    >
      <Stack gap="md">
        <Text size="sm">{isDisabled ? texts.enableNote : texts.disableNote}</Text>
        {change.isError && <Refusal error={change.error} isWrite />}
        <CodePanel plan={plan} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" size="sm" onClick={close} data-autofocus>
            {texts.cancel}
          </Button>
          <Button size="sm" loading={change.isPending} onClick={() => change.mutate()}>
            {isDisabled ? texts.enable : texts.disable}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

/** Returns the write that enables a token. */
export function enablePlan(accessor: string): Plan {
  return { operation: "enableToken", path: { accessor }, command: ["token", "enable", accessor] };
}

/** Returns the write that disables a token. */
export function disablePlan(accessor: string): Plan {
  return { operation: "disableToken", path: { accessor }, command: ["token", "disable", accessor, "--yes"] };
}
