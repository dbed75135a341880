/** A secret that is shown once. */
import { Alert, Group, Modal, Text, Button } from "@mantine/core";
import { CopyButton } from "./copy.tsx";
import { Icon } from "./icons.tsx";
import * as texts from "../texts/kit-objects.ts";

interface SecretProps {
  readonly what: string;
  readonly secret: string | undefined;
  /** Warning for a secret that can be shown again. Default: the secret is shown once. */
  readonly warning?: string;
  close(): void;
}

/** Shows it over the page until it is put away. It is kept nowhere. */
export function SecretOnce({ what, secret, warning = texts.secretWarning, close }: SecretProps) {
  return (
    <Modal
      opened={secret !== undefined}
      onClose={close}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
      title={texts.secretTitle(what)}
      size="lg"
    >
      <Alert variant="light" color="yellow" icon={<Icon name="key" size={18} />} mb="md">
        {warning}
      </Alert>
      <Group gap="xs" wrap="nowrap" mb="lg">
        <Text className="mono" size="sm" style={{ overflowWrap: "anywhere" }} data-secret>
          {secret}
        </Text>
        <CopyButton value={secret ?? ""} what={texts.secretCopied} isWide />
      </Group>
      <Group justify="flex-end">
        <Button onClick={close}>{texts.secretDone}</Button>
      </Group>
    </Modal>
  );
}
