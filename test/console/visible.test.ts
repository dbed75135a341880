/** Which characters are made visible. */
import { expect, it } from "vitest";
import { visible } from "../../console/src/kit/visible.ts";

it.each([
  ["a\u202eb", "a‹U+202E›b"],
  ["\u0000\u007f\u009f\u00ad\u200b\ufeff", "‹U+0000›‹U+007F›‹U+009F›‹U+00AD›‹U+200B›‹U+FEFF›"],
  ["\u2066x\u2069", "‹U+2066›x‹U+2069›"],
  // Lines and tabs, right-to-left script, joined emoji and letters with marks are what they are.
  ["a\tb\nc", "a\tb\nc"],
  ["שלום 👩‍🔧 é", "שלום 👩‍🔧 é"],
])("%j is shown as %j", (text, shown) => {
  expect(visible(text)).toBe(shown);
});
