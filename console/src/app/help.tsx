/** `?`: the keys, and where to read more. */
import { ActionIcon, Tooltip } from "@mantine/core";
import { useDisclosure, useHotkeys } from "@mantine/hooks";
import { Icon } from "../kit/icons.tsx";
import { later } from "../kit/later.tsx";
import * as texts from "../texts/app.ts";

const HelpDialog = later(async () => (await import("./help-dialog.tsx")).HelpDialog);

/** The help, and the button for it. */
export function Help() {
  const [isOpen, { open, close }] = useDisclosure(false);
  useHotkeys([
    ["shift + ?", open],
    ["?", open],
  ]);
  return (
    <>
      <Tooltip label={texts.helpTooltip}>
        <ActionIcon size="lg" onClick={open} aria-label={texts.help} visibleFrom="xs">
          <Icon name="help" />
        </ActionIcon>
      </Tooltip>
      {isOpen && <HelpDialog close={close} />}
    </>
  );
}
