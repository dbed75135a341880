/**
 * Finds the longest of many prefixes of a text, in a number of steps that grows
 * with the logarithm of their number, also when thousands contain each other.
 *
 * The prefixes lie sorted. The last one that is not behind the text either is a
 * prefix of it, or it begins with the one that is looked for: that one is then
 * among its containers. Each prefix knows the next shorter one that contains it
 * and, further up, one to which the search may jump.
 */
export class PrefixTable<T> {
  /** Sorted by code units. The first is the empty text, a container of all others. */
  readonly #prefixes: string[] = [""];
  readonly #values: (T | undefined)[] = [undefined];
  readonly #parent: Uint32Array;
  readonly #jump: Uint32Array;

  constructor(entries: Iterable<readonly [prefix: string, value: T]>) {
    for (const [prefix, value] of [...entries].sort(([a], [b]) => (a < b ? -1 : 1))) {
      if (prefix === "") this.#values[0] = value;
      else {
        this.#prefixes.push(prefix);
        this.#values.push(value);
      }
    }
    this.#parent = new Uint32Array(this.#prefixes.length);
    this.#jump = new Uint32Array(this.#prefixes.length);
    this.#linkContainers();
  }

  /** The value of the longest prefix that `text` begins with. */
  find(text: string): T | undefined {
    let at = this.#lastNotBehind(text);
    while (!text.startsWith(this.#prefixes[at] ?? "")) {
      const jump = this.#jump[at] ?? 0;
      at = text.startsWith(this.#prefixes[jump] ?? "") ? (this.#parent[at] ?? 0) : jump;
    }
    return this.#values[at];
  }

  /** All prefixes, in order. */
  *all(): Generator<readonly [prefix: string, value: T]> {
    const [first] = this.#values;
    if (first !== undefined) yield ["", first];
    yield* this.below("");
  }

  /** The prefixes that begin with `root` and are longer, in order. */
  *below(root: string): Generator<readonly [prefix: string, value: T]> {
    for (let at = this.#lastNotBehind(root) + 1; at < this.#prefixes.length; at++) {
      const prefix = this.#prefixes[at] ?? "";
      const value = this.#values[at];
      if (!prefix.startsWith(root)) return;
      if (value !== undefined) yield [prefix, value];
    }
  }

  /** Index of the greatest prefix that is not greater than `text`; the empty one is there for every text. */
  #lastNotBehind(text: string): number {
    let low = 0;
    let high = this.#prefixes.length;
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if ((this.#prefixes[middle] ?? "") <= text) low = middle;
      else high = middle;
    }
    return low;
  }

  #linkContainers(): void {
    const depth = new Uint32Array(this.#prefixes.length);
    for (let at = 1; at < this.#prefixes.length; at++) {
      const prefix = this.#prefixes[at] ?? "";
      let parent = at - 1;
      while (!prefix.startsWith(this.#prefixes[parent] ?? "")) parent = this.#parent[parent] ?? 0;
      const jump = this.#jump[parent] ?? 0;
      const next = this.#jump[jump] ?? 0;
      // Two jumps of one length make one of twice that length: so every container is a logarithm of jumps away.
      const equal = (depth[parent] ?? 0) - (depth[jump] ?? 0) === (depth[jump] ?? 0) - (depth[next] ?? 0);
      this.#parent[at] = parent;
      this.#jump[at] = equal ? next : parent;
      depth[at] = (depth[parent] ?? 0) + 1;
    }
  }
}
