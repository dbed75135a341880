/** Badges that show the important facts of a token. */
import { Badge, Text } from "@mantine/core";
import { ANONYMOUS } from "../../kit/actor.tsx";
import { Time, useNow } from "../../kit/time.tsx";
import { MANAGEMENT_POLICY, type TokenRow } from "./queries.ts";
import * as texts from "../../texts/tokens.ts";

/** Marks beside its name. */
export function TokenMarks({
  token,
}: {
  token: Pick<TokenRow, "AccessorID" | "Policies" | "AuthMethod" | "DisabledTime">;
}) {
  return (
    <>
      {token.DisabledTime !== undefined && (
        <Badge c="var(--mantine-color-error)" flex="none">
          {texts.disabled}
        </Badge>
      )}
      {token.Policies?.some(({ ID }) => ID === MANAGEMENT_POLICY) === true && (
        <Badge c="var(--warning)" flex="none">
          {texts.management}
        </Badge>
      )}
      {token.AccessorID === ANONYMOUS && <Badge flex="none">{texts.anonymous}</Badge>}
      {token.AuthMethod !== undefined && token.AuthMethod !== "" && <Badge flex="none">{token.AuthMethod}</Badge>}
    </>
  );
}

/** When it ends. What ends within a day stands out. */
export function Expiry({ token }: { token: Pick<TokenRow, "ExpirationTime"> }) {
  const now = useNow();
  const { ExpirationTime } = token;
  if (ExpirationTime === undefined) {
    return (
      <Text span inherit c="dimmed">
        {texts.never}
      </Text>
    );
  }
  const isSoon = Date.parse(ExpirationTime) - now < 86_400_000;
  return (
    <Text span inherit fw={isSoon ? 600 : 400} c={isSoon ? "var(--mantine-color-error)" : ""}>
      <Time value={ExpirationTime} />
    </Text>
  );
}
