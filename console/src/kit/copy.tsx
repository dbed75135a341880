/** Copies a text. */
import { ActionIcon, Button, Tooltip } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import { Icon } from "./icons.tsx";

interface CopyProps {
  readonly value: string;
  /** Name of the copied value, such as `the ID`. */
  readonly what: string;
  /** Whether the button has a label. */
  readonly isWide?: boolean;
}

/** Button that copies a text. It announces the result to screen readers too. */
export function CopyButton({ value, what, isWide = false }: CopyProps) {
  const { copied, copy, error } = useClipboard({ timeout: 1500 });
  const label = error !== null ? "This browser does not allow it" : copied ? "Copied" : `Copy ${what}`;
  const icon = <Icon name={copied ? "check" : "copy"} size={14} />;
  if (isWide) {
    return (
      <Button variant="default" leftSection={icon} onClick={() => copy(value)} aria-live="polite">
        {copied ? "Copied" : "Copy"}
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
