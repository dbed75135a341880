/** The licences of the libraries that are in the bundle, which have to go with it. */
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");

interface Library {
  name: string;
  version: string;
  license?: string;
  author?: string | { name: string };
}

/**
 * Gives the text of `THIRD-PARTY-LICENSES`.
 *
 * @param folders of the libraries, from the root of the checkout
 * @throws Error when a library names no licence, or one that this package cannot go with
 */
export function licencesOf(folders: Iterable<string>): string {
  const libraries = [...folders].map((folder) => {
    const library = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8")) as Library;
    const { name, version, license = "none" } = library;
    if (!PERMISSIVE.has(license)) throw new Error(`${name}@${version} has the licence ${license}`);
    return { title: `${name} ${version} (${license})`, text: textIn(join(root, folder)) ?? standardText(library) };
  });
  libraries.sort((one, other) => (one.title < other.title ? -1 : 1));
  const parts = libraries.map(({ title, text }) => `${"=".repeat(80)}\n${title}\n\n${text.trim()}\n`);
  return `dist/ holds, besides the program itself, these libraries.\n\n${parts.join("\n")}`;
}

/** Those that ask for no more than to be told. */
const PERMISSIVE: ReadonlySet<string> = new Set([
  "0BSD",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "BlueOak-1.0.0",
  "ISC",
  "MIT",
]);

/** What a library's folder holds of licences and notices; undefined when there is none. */
function textIn(folder: string): string | undefined {
  const names = readdirSync(folder).filter((name) => /^(licen[cs]e|copying|notice)/i.test(name));
  const texts = names.toSorted().map((name) => readFileSync(join(folder, name), "utf8"));
  return texts.length > 0 ? texts.join("\n") : undefined;
}

/** The words of a licence that the library names in its manifest alone. @throws Error for one whose words are not here */
function standardText({ name, license = "", author = name }: Library): string {
  const words = WORDS[license];
  if (words === undefined) throw new Error(`${name} holds no text of its licence ${license}`);
  return `Copyright (c) ${typeof author === "string" ? author : author.name}\n\n${words}`;
}

const WORDS: Readonly<Record<string, string>> = {
  ISC: `Permission to use, copy, modify, and/or distribute this software for any purpose with or
without fee is hereby granted, provided that the above copyright notice and this permission
notice appear in all copies.

THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH REGARD TO
THIS SOFTWARE INCLUDING ALL IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS. IN NO EVENT
SHALL THE AUTHOR BE LIABLE FOR ANY SPECIAL, DIRECT, INDIRECT, OR CONSEQUENTIAL DAMAGES OR ANY
DAMAGES WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS, WHETHER IN AN ACTION OF
CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR
PERFORMANCE OF THIS SOFTWARE.`,
  MIT: `Permission is hereby granted, free of charge, to any person obtaining a copy of this
software and associated documentation files (the "Software"), to deal in the Software without
restriction, including without limitation the rights to use, copy, modify, merge, publish,
distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the
Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or
substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING
BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND
NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM,
DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`,
};
