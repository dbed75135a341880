/** Asks before a form that was filled in is left. */
import { Button, Group, Modal, Text } from "@mantine/core";
import * as texts from "../texts/kit-forms.ts";

interface Blocker {
  readonly status: "blocked" | "idle";
  readonly proceed?: (() => void) | undefined;
  readonly reset?: (() => void) | undefined;
}

export function Leaving({ blocker }: { blocker: Blocker }) {
  const stay = () => blocker.reset?.();
  return (
    <Modal opened={blocker.status === "blocked"} onClose={stay} title={texts.leaveTitle} size="sm">
      <Text size="sm" mb="md">
        {texts.leaveWarning}
      </Text>
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={stay} data-autofocus>
          {texts.stay}
        </Button>
        <Button color="red" onClick={() => blocker.proceed?.()}>
          {texts.leave}
        </Button>
      </Group>
    </Modal>
  );
}
