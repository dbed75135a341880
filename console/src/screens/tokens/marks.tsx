/** Badges that show the important facts of a token. */
import { Badge, Text } from "@mantine/core";
import { Time, useNow } from "../../kit/time.tsx";
import { ANONYMOUS, MANAGEMENT_POLICY, type TokenRow } from "./queries.ts";

/** Marks beside its name. */
export function TokenMarks({ token }: { token: Pick<TokenRow, "AccessorID" | "Policies" | "AuthMethod"> }) {
  return (
    <>
      {token.Policies?.some(({ ID }) => ID === MANAGEMENT_POLICY) === true && (
        <Badge c="var(--warning)" flex="none">
          management
        </Badge>
      )}
      {token.AccessorID === ANONYMOUS && <Badge flex="none">anonymous</Badge>}
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
        never
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
