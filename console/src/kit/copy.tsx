/** Copies a text. */
import { ActionIcon, Button, Tooltip } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import { Icon } from "./icons.tsx";
import * as texts from "../texts/kit-lists.ts";

interface CopyProps {
  readonly value: string;
  /** Name of the copied value, such as `ID`. */
  readonly what: string;
  /** Whether the button has a label. */
  readonly isWide?: boolean;
  /** Label of a button that has one. Default: Copy. */
  readonly label?: string;
}

/** Button that copies a text. It announces the result to screen readers too. */
export function CopyButton({ value, what, isWide = false, label: says = texts.copy }: CopyProps) {
  const { copied, copy, error } = useClipboard({ timeout: 1500 });
  const label = error !== null ? texts.copyBlocked : copied ? texts.copied : texts.copyValue(what);
  const icon = <Icon name={copied ? "check" : "copy"} size={14} />;
  if (isWide) {
    return (
      <Button variant="default" leftSection={icon} onClick={() => copy(value)} aria-live="polite">
        {copied ? texts.copied : says}
      </Button>
    );
  }
  return (
    <Tooltip label={label}>
      <ActionIcon
        size="sm"
        aria-label={label}
        aria-live="polite"
        onClick={(event) => {
          event.stopPropagation();
          copy(value);
        }}
      >
        {icon}
      </ActionIcon>
    </Tooltip>
  );
}
