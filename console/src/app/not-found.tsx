import { Stack, Text, Title } from "@mantine/core";
import { LinkButton } from "../kit/link.tsx";

/** An address that no screen has. */
export function NotFound() {
  return (
    <Stack align="flex-start" gap="sm" py="xl">
      <Title order={1}>No such page</Title>
      <Text size="sm" c="dimmed">
        The console has nothing at this address. Press Ctrl K to look for what you want.
      </Text>
      <LinkButton to="/" variant="default">
        Go to the start
      </LinkButton>
    </Stack>
  );
}
