/** Asks before a form that was filled in is left. */
import { Button, Group, Modal, Text } from "@mantine/core";

interface Blocker {
  readonly status: "blocked" | "idle";
  readonly proceed?: (() => void) | undefined;
  readonly reset?: (() => void) | undefined;
}

export function Leaving({ blocker }: { blocker: Blocker }) {
  const stay = () => blocker.reset?.();
  return (
    <Modal opened={blocker.status === "blocked"} onClose={stay} title="Leave without saving?" size="sm">
      <Text size="sm" mb="md">
        What you wrote here is lost then.
      </Text>
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={stay} data-autofocus>
          Stay
        </Button>
        <Button color="red" onClick={() => blocker.proceed?.()}>
          Leave
        </Button>
      </Group>
    </Modal>
  );
}
