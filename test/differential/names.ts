/** Ids, secrets and times differ between any two servers; here they get names that both sides have in common. */

const ID =
  /\b(?:(?:org|prj|ws|tag|tb|rtk|wh|tpol|tj|ti|del)-[1-9A-HJ-NP-Za-km-z]{16}|etb-[1-9A-HJ-NP-Za-km-z]{16,48})\b/;
const UUID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/i;
/** Digests of content that holds ids, in two spellings of Base64. */
const DIGEST = /(?<![\w+/-])(?:[A-Za-z0-9+/]{43}=|[\w-]{43}(?![\w-]))/;
const REQUEST = /\b[0-9a-f]{12}-[0-9a-z]+\b/;
const MADE = new RegExp([ID, UUID, DIGEST, REQUEST].map(({ source }) => source).join("|"), "gi");
/** Each server stamps what it writes by a clock of its own storage. */
const TIME = /\b20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;

/** Which id of one side is which of the other. */
export class Names {
  readonly #toRight = new Map<string, string>();
  readonly #toLeft = new Map<string, string>();

  /** Notes that two texts mean the same. @returns false where either is known to mean another */
  link(left: string, right: string): boolean {
    const [known, back] = [this.#toRight.get(left), this.#toLeft.get(right)];
    if (known === undefined && back === undefined) {
      if (left !== right && (left.length === 0 || right.length === 0)) return false;
      this.#toRight.set(left, right);
      this.#toLeft.set(right, left);
      return true;
    }
    return known === right && back === left;
  }

  /** A text of the left side with the ids of the right. */
  forRight(text: string): string {
    return text.replaceAll(MADE, (id) => this.#toRight.get(id) ?? id);
  }

  /**
   * A text of each side by names that are common, so that they are equal when they mean the same. Ids at the same place
   * that are new on both sides become one pair; ids that are known as two different things stay as they are.
   */
  common(left: string, right: string): [left: string, right: string] {
    const [ours, theirs] = [left.match(MADE) ?? [], right.match(MADE) ?? []];
    if (ours.length === theirs.length) for (const [at, id] of ours.entries()) this.link(id, theirs[at] ?? "");
    const translated = right.replaceAll(MADE, (id) => this.#toLeft.get(id) ?? id);
    return [left.replaceAll(TIME, "<time>"), translated.replaceAll(TIME, "<time>")];
  }
}
