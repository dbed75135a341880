/** Shows a token's secret once more, to who proves again who asks: a session alone is shown none. */
import { Button, Group, Modal, PasswordInput, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState, type SyntheticEvent } from "react";
import { usePlace } from "../../base/place.ts";
import { CodePanel } from "../../kit/code-panel.tsx";
import { Icon } from "../../kit/icons.tsx";
import type { Plan } from "../../kit/plan.ts";
import { Refusal } from "../../kit/refusal.tsx";
import { SecretOnce } from "../../kit/secret.tsx";
import type { Token } from "./queries.ts";
import * as texts from "../../texts/tokens.ts";

interface RevealProps {
  readonly accessor: string;
  readonly title: string;
  readonly isOpen: boolean;
  close(): void;
}

/** The dialog that asks for it, and the secret. What is typed and what is shown are kept nowhere. */
export function RevealDialog({ accessor, title, isOpen, close }: RevealProps) {
  const place = usePlace();
  const [own, setOwn] = useState("");
  const plan: Plan = { operation: "revealToken", path: { accessor }, command: ["token", "reveal", accessor] };
  const secret = useMutation({
    mutationFn: async () => {
      const headers = { authorization: `Bearer ${own.trim()}` };
      return (await place.client.request<Token>("revealToken", { path: { accessor }, headers })).body.SecretID;
    },
    gcTime: 0,
    onSuccess: () => leave(),
  });
  const leave = () => {
    setOwn("");
    close();
  };
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    secret.mutate();
  };
  return (
    <>
      <Modal opened={isOpen} onClose={leave} title={texts.revealTitle(title)} size="lg">
        <form onSubmit={submit}>
          <Stack gap="md">
            <Text size="sm">{texts.revealNote}</Text>
            <OwnSecret value={own} change={setOwn} />
            {secret.isError && <Refusal error={secret.error} />}
            <CodePanel plan={plan} />
            <Group justify="flex-end" gap="xs">
              <Button variant="default" size="sm" onClick={leave}>
                {texts.cancel}
              </Button>
              <Button
                type="submit"
                size="sm"
                disabled={!/^[\x21-\x7e]+$/.test(own.trim())}
                loading={secret.isPending}
                leftSection={<Icon name="eye" size={14} />}
              >
                {texts.reveal}
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
      <SecretOnce what={title} secret={secret.data} close={() => secret.reset()} warning={texts.revealedWarning} />
    </>
  );
}

function OwnSecret({ value, change }: { value: string; change: (value: string) => void }) {
  return (
    <PasswordInput
      label={texts.ownSecret}
      description={texts.ownSecretHint}
      autoComplete="off"
      value={value}
      onChange={(event) => change(event.currentTarget.value)}
      data-autofocus
    />
  );
}
