/** The mark and the name. */
import { Text } from "@mantine/core";
import * as texts from "../texts/kit-objects.ts";

/** Four tiles, one of which is round. */
export function Brand({ size = 20, hasName = true }: { size?: number; hasName?: boolean }) {
  return (
    <span style={{ display: "inline-flex", alignItems: "center", gap: size * 0.4 }}>
      <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
        <rect x="2" y="2" width="13" height="13" rx="3" fill="#14747a" />
        <rect x="17" y="2" width="13" height="13" rx="3" fill="#5db0b3" />
        <rect x="2" y="17" width="13" height="13" rx="3" fill="#82c2c4" />
        <rect x="17" y="17" width="13" height="13" rx="6.5" fill="#e8a33d" />
      </svg>
      {hasName && (
        <Text span fw={680} fz={size * 0.8} style={{ letterSpacing: "-0.01em" }}>
          {texts.product}
        </Text>
      )}
    </span>
  );
}
