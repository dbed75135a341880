/** Gives a token another secret; the old one may count beside it for a while. */
import { Button, Group, Modal, Select, Stack, Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { usePlace } from "../../base/place.ts";
import { scopedKey } from "../../base/queries.ts";
import { CodePanel } from "../../kit/code-panel.tsx";
import { Icon } from "../../kit/icons.tsx";
import { send, type Plan } from "../../kit/plan.ts";
import { Refusal } from "../../kit/refusal.tsx";
import { SecretOnce } from "../../kit/secret.tsx";
import type { Token } from "./queries.ts";

const OVERLAPS = [
  { value: "", label: "stops at once" },
  { value: "15m", label: "counts for 15 minutes" },
  { value: "1h", label: "counts for an hour" },
  { value: "24h", label: "counts for a day" },
  { value: "168h", label: "counts for a week" },
];

interface RotateProps {
  readonly accessor: string;
  readonly title: string;
  readonly isOpen: boolean;
  close(): void;
}

/** The dialog that rotates, and the new secret. */
export function RotateDialog({ accessor, title, isOpen, close }: RotateProps) {
  const place = usePlace();
  const queries = useQueryClient();
  const [overlap, setOverlap] = useState("1h");
  const plan: Plan = {
    operation: "rotateToken",
    path: { accessor },
    body: overlap === "" ? {} : { Overlap: overlap },
    command: ["token", "rotate", accessor, ...(overlap === "" ? [] : ["--overlap", overlap])],
  };
  const rotation = useMutation({
    mutationFn: async () => ((await send(plan, place)) as Token).SecretID,
    gcTime: 0,
    onSuccess: async () => {
      close();
      await queries.invalidateQueries({ queryKey: scopedKey(place.scope, "tokens") });
    },
  });
  return (
    <>
      <Modal opened={isOpen} onClose={close} title={`Give ${title} another secret?`} size="lg">
        <Stack gap="md">
          <Select
            label="The old secret"
            description="Time to hand out the new one: until then both are good."
            data={OVERLAPS}
            allowDeselect={false}
            value={overlap}
            onChange={(value) => setOverlap(value ?? "")}
            data-autofocus
          />
          <Text size="sm">Its rights, its AccessorID and its history stay.</Text>
          {rotation.isError && <Refusal error={rotation.error} isWrite />}
          <CodePanel plan={plan} />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" size="sm" onClick={close}>
              Cancel
            </Button>
            <Button
              size="sm"
              loading={rotation.isPending}
              leftSection={<Icon name="refresh" size={14} />}
              onClick={() => rotation.mutate()}
            >
              Rotate
            </Button>
          </Group>
        </Stack>
      </Modal>
      <SecretOnce what={title} secret={rotation.data} close={() => rotation.reset()} />
    </>
  );
}
