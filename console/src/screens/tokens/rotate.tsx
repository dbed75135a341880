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
import * as texts from "../../texts/tokens.ts";

const OVERLAPS = [
  { value: "", label: texts.overlapNone },
  { value: "15m", label: texts.overlapQuarterHour },
  { value: "1h", label: texts.overlapHour },
  { value: "24h", label: texts.overlapDay },
  { value: "168h", label: texts.overlapWeek },
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
      <Modal opened={isOpen} onClose={close} title={texts.rotateTitle(title)} size="lg">
        <Stack gap="md">
          <Select
            label={texts.oldSecret}
            description={texts.overlapHint}
            data={OVERLAPS}
            allowDeselect={false}
            value={overlap}
            onChange={(value) => setOverlap(value ?? "")}
            data-autofocus
          />
          <Text size="sm">{texts.rotateKeeps}</Text>
          {rotation.isError && <Refusal error={rotation.error} isWrite />}
          <CodePanel plan={plan} />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" size="sm" onClick={close}>
              {texts.cancel}
            </Button>
            <Button
              size="sm"
              loading={rotation.isPending}
              leftSection={<Icon name="refresh" size={14} />}
              onClick={() => rotation.mutate()}
            >
              {texts.rotate}
            </Button>
          </Group>
        </Stack>
      </Modal>
      <SecretOnce what={title} secret={rotation.data} warning={texts.secretAgain} close={() => rotation.reset()} />
    </>
  );
}
