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
      <Modal opened={isOpen} onClose={leave} title={`Show the secret of ${title}?`} size="lg">
        <form onSubmit={submit}>
          <Stack gap="md">
            <Text size="sm">
              It is put on record that you were shown it. Who signed in without a token can give this one another secret
              instead.
            </Text>
            <OwnSecret value={own} change={setOwn} />
            {secret.isError && <Refusal error={secret.error} />}
            <CodePanel plan={plan} />
            <Group justify="flex-end" gap="xs">
              <Button variant="default" size="sm" onClick={leave}>
                Cancel
              </Button>
              <Button
                type="submit"
                size="sm"
                disabled={!/^[\x21-\x7e]+$/.test(own.trim())}
                loading={secret.isPending}
                leftSection={<Icon name="eye" size={14} />}
              >
                Show it
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
      <SecretOnce
        what={title}
        secret={secret.data}
        close={() => secret.reset()}
        warning="It is not shown again without being asked for, and on record as shown to you."
      />
    </>
  );
}

function OwnSecret({ value, change }: { value: string; change: (value: string) => void }) {
  return (
    <PasswordInput
      label="Your own token’s secret"
      description="This page does not have it: no secret that is stored is shown by the session alone."
      autoComplete="off"
      value={value}
      onChange={(event) => change(event.currentTarget.value)}
      data-autofocus
    />
  );
}
