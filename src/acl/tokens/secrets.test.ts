import { expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { useV1 } from "../../../test/support/v1.ts";
import { openSecret, sealSecret } from "./secrets.ts";
import { tokenStore, type Token } from "./store.ts";

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);

  async function tokenOf(accessor: string): Promise<Token> {
    return (await tokenStore.anywhere(v1.db, accessor)) ?? expect.fail();
  }

  test("a secret is sealed for its token alone: beside the accessor of another it does not open", async () => {
    const [mine, other] = [await v1.token(), await v1.token()];
    const [row, otherRow] = [await tokenOf(mine.accessor), await tokenOf(other.accessor)];
    expect(await openSecret(v1.db, row)).toBe(mine.secret);
    const exchanged = { ...row, secretSealed: otherRow.secretSealed };
    await expect(openSecret(v1.db, exchanged)).rejects.toThrow("storage is corrupted");
    const sealed = await sealSecret(v1.db, other.accessor, mine.secret);
    await expect(openSecret(v1.db, { ...row, ...sealed })).rejects.toThrow("storage is corrupted");
  });
});
