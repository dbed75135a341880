/** Disables the selected tokens, or enables them again. */
import { useSession } from "../../base/session.ts";
import { ANONYMOUS } from "../../kit/actor.tsx";
import { BulkWrite, type BulkWords, type BulkWork } from "../../kit/bulk-write.tsx";
import type { Selection } from "../../kit/selection.ts";
import { disablePlan, enablePlan } from "./disable.tsx";
import { titleOf, type TokenRow } from "./queries.ts";
import * as texts from "../../texts/tokens.ts";

const WORDS = {
  disable: {
    button: texts.disable,
    title: (count) => texts.disableMany(count, true),
    confirm: (count) => texts.disableMany(count),
    names: texts.toDisable,
    left: texts.notDisabled,
    done: texts.disabledMany,
    failed: texts.disableFailed,
  },
  enable: {
    button: texts.enable,
    title: (count) => texts.enableMany(count, true),
    confirm: (count) => texts.enableMany(count),
    names: texts.toEnable,
    left: texts.notEnabled,
    done: texts.enabledMany,
    failed: texts.enableFailed,
  },
} as const satisfies Record<string, BulkWords>;

const COMMON = { noun: "tokens", write: { resource: "acl", access: "write" }, icon: "lock", title: titleOf } as const;

const ENABLING: BulkWork<TokenRow> = {
  ...COMMON,
  words: WORDS.enable,
  note: texts.enableManyNote,
  plan: ({ AccessorID }) => enablePlan(AccessorID),
  keeps: ({ DisabledTime }) => (DisabledTime === undefined ? texts.notDisabledReason : undefined),
};

/** Both buttons and their dialogs. */
export function BulkDisableTokens({ selection }: { selection: Selection<TokenRow> }) {
  const session = useSession();
  const own = session?.SignedIn === true ? session.Token.AccessorID : undefined;
  const disabling: BulkWork<TokenRow> = {
    ...COMMON,
    words: WORDS.disable,
    note: texts.disableManyNote,
    plan: ({ AccessorID }) => disablePlan(AccessorID),
    keeps: (row) => keptBy(row, own),
  };
  return (
    <>
      <BulkWrite selection={selection} work={disabling} />
      <BulkWrite selection={selection} work={ENABLING} />
    </>
  );
}

/** Returns why a token is not disabled; the server would reject the first two. */
function keptBy({ AccessorID, DisabledTime }: TokenRow, own: string | undefined): string | undefined {
  if (AccessorID === own) return texts.ownToken;
  if (AccessorID === ANONYMOUS) return texts.anonymous;
  return DisabledTime === undefined ? undefined : texts.alreadyDisabled;
}
