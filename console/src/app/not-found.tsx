import { Stack, Text, Title } from "@mantine/core";
import { LinkButton } from "../kit/link.tsx";
import * as texts from "../texts/app.ts";

/** An address that no screen has. */
export function NotFound() {
  return (
    <Stack align="flex-start" gap="sm" py="xl">
      <Title order={1}>{texts.pageMissing}</Title>
      <Text size="sm" c="dimmed">
        {texts.pageMissingHint}
      </Text>
      <LinkButton to="/" variant="default">
        {texts.goHome}
      </LinkButton>
    </Stack>
  );
}
