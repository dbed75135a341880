/** Posts a document without events to a webhook's target, and shows what came back. */
import { Alert, Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useMutation } from "@tanstack/react-query";
import { TesseraError } from "@tessera-server/client";
import { usePlace } from "../../base/place.ts";
import { CodePanel } from "../../kit/code-panel.tsx";
import { Icon } from "../../kit/icons.tsx";
import { send, type Plan } from "../../kit/plan.ts";
import { Refusal } from "../../kit/refusal.tsx";
import * as texts from "../../texts/tag-webhooks.ts";

/** The button and its dialog. */
export function TestDelivery({ id, url }: { id: string; url: string }) {
  const place = usePlace();
  const [isOpen, { open, close }] = useDisclosure(false);
  const plan: Plan = {
    operation: "verifyTagWebhook",
    path: { webhook_id: id },
    command: ["webhook", "verify", id],
  };
  const test = useMutation({
    mutationFn: async () => ((await send(plan, place)) as { meta: { status: string } }).meta.status,
  });
  const leave = () => {
    close();
    test.reset();
  };
  return (
    <>
      <Button variant="default" leftSection={<Icon name="out" size={14} />} onClick={open}>
        {texts.test}
      </Button>
      <Modal opened={isOpen} onClose={leave} title={texts.testTitle} size="lg">
        <Stack gap="md">
          <Text size="sm" style={{ overflowWrap: "anywhere" }}>
            {texts.testHint(url)}
          </Text>
          <div role="status">
            {test.isSuccess && (
              <Alert color="teal" variant="outline" py={8} icon={<Icon name="check" />}>
                {texts.delivered(test.data)}
              </Alert>
            )}
          </div>
          {test.isError && (
            <Refusal error={test.error} isWrite says={isUndelivered(test.error) ? { title: texts.notDelivered } : {}} />
          )}
          <CodePanel plan={plan} />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" size="sm" onClick={leave}>
              {texts.close}
            </Button>
            <Button size="sm" loading={test.isPending} onClick={() => test.mutate()} data-autofocus>
              {test.isIdle ? texts.sendTest : texts.sendAgain}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}

/** Whether it is the target that did not take it: nothing was to be saved. */
function isUndelivered(error: Error): boolean {
  return error instanceof TesseraError && error.status === 422;
}
