interface Variable {
  readonly name: string;
  /** Position of the name in the template's text, as an index. */
  readonly at: number;
  /** Whether the value is made a name: `${slug(name)}`. */
  readonly isSlug?: true;
}

/** Literal texts and variables, in their order. */
export interface Template {
  readonly text: string;
  readonly parts: readonly (string | Variable)[];
}

/** Whether the result depends on variables: a name that was computed may be trusted less than one that was written. */
export function isComputed({ parts }: Template): boolean {
  return parts.some((part) => typeof part !== "string");
}

/** A template that cannot be read, or that asks for a variable that there is not. */
export class TemplateError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "TemplateError";
  }
}

/** `line:column` of an index into a text; both count from 1, columns in characters. Only an error asks for it. */
function positionOf(text: string, at: number): string {
  const before = text.slice(0, at);
  const lineStart = before.lastIndexOf("\n") + 1;
  let line = 1;
  for (let end = before.indexOf("\n"); end >= 0; end = before.indexOf("\n", end + 1)) line++;
  return `${line}:${Array.from(before.slice(lineStart)).length + 1}`;
}

/** Longest template, in UTF-16 code units. */
const MAX_LENGTH = 8192;

/**
 * Reads a template: literal text and `${name}`. Once `${` occurs anywhere, `$$` is a literal `$`; else the text is taken as
 * it is. Render it as often as needed.
 * @throws {TemplateError}
 */
export function parseTemplate(text: string): Template {
  if (text.length > MAX_LENGTH) throw new TemplateError(`template is longer than ${MAX_LENGTH} characters`);
  if (!text.includes("${")) return { text, parts: [text] };
  return { text, parts: new Parser(text).parse() };
}

/** The one function that there is. */
const SLUG = "slug";

const TRUTH_VALUES: ReadonlySet<string> = new Set(["true", "false"]);
/** Text that an error quotes: a word or number, a quoted text as far as it goes, or one character. */
const TOKEN = /[\p{L}\p{Nd}_][\p{L}\p{Nd}_.-]*|"[^"\n]*"?|./suy;
const LONGEST_TOKEN = 40;

class Parser {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  parse(): (string | Variable)[] {
    const parts: (string | Variable)[] = [];
    let literal = "";
    for (;;) {
      const dollar = this.#text.indexOf("$", this.#at);
      const end = dollar < 0 ? this.#text.length : dollar;
      literal += this.#text.slice(this.#at, end);
      this.#at = end;
      if (dollar < 0) break;
      if (this.#take("${")) {
        if (literal !== "") parts.push(literal);
        literal = "";
        parts.push(this.#variable());
      } else {
        literal += "$";
        if (!this.#take("$$")) this.#at++;
      }
    }
    if (literal !== "") parts.push(literal);
    return parts;
  }

  /** Parses the text between `${` and `}`, and the `}`. */
  #variable(): Variable {
    const opened = this.#at;
    this.#skipSpace();
    // An expression that is missing is missed right behind `${`.
    if (this.#next === "}") throw this.#error(`expected expression but found "}"`, opened);
    if (this.#next === "") throw this.#error("expected expression but found end of string");
    const start = this.#at;
    let name = this.#name();
    const isSlug = name === SLUG && this.#take("(");
    if (isSlug) name = this.#argument();
    if (name === "" || TRUTH_VALUES.has(name)) {
      throw this.#error(`expected variable name but found ${this.#tokenAt(start)}`, start);
    }
    this.#skipSpace();
    if (isSlug && !this.#take(")")) throw this.#error(`expected ")" but found ${this.#tokenAt(this.#at)}`);
    if (isSlug) this.#skipSpace();
    if (this.#next === "(") {
      throw new TemplateError(`${positionOf(this.#text, start)}: unknown function called: ${name}`);
    }
    if (!this.#take("}")) throw this.#error(`expected "}" but found ${this.#tokenAt(this.#at)}`);
    return { name, at: start, ...(isSlug && { isSlug }) };
  }

  #argument(): string {
    this.#skipSpace();
    return this.#name();
  }

  #name(): string {
    const start = this.#at;
    if (!isNameStart(this.#next)) return "";
    while (isNamePart(this.#next)) this.#at += this.#next.length;
    return this.#text.slice(start, this.#at);
  }

  #skipSpace(): void {
    while (this.#next !== "" && " \t\r\n".includes(this.#next)) this.#at++;
  }

  #take(literal: string): boolean {
    if (!this.#text.startsWith(literal, this.#at)) return false;
    this.#at += literal.length;
    return true;
  }

  /** The next character, as one or two code units; empty at the end. */
  get #next(): string {
    const point = this.#text.codePointAt(this.#at);
    return point === undefined ? "" : String.fromCodePoint(point);
  }

  #tokenAt(at: number): string {
    // The pattern is a shared constant: its state is set here each time.
    TOKEN.lastIndex = at;
    const token = TOKEN.exec(this.#text)?.[0];
    return token === undefined ? "end of string" : JSON.stringify(token.slice(0, LONGEST_TOKEN));
  }

  #error(detail: string, at = this.#at): TemplateError {
    return new TemplateError(`parse error at ${positionOf(this.#text, at)}: ${detail}`);
  }
}

function isNameStart(character: string): boolean {
  return /^[\p{L}_]$/u.test(character);
}

function isNamePart(character: string): boolean {
  return /^[\p{L}\p{Nd}_.-]$/u.test(character);
}

/** Left out, it would make the name of another: `éadmin` is not `admin`. */
const FOREIGN_LETTER = /(?![a-zA-Z0-9])[\p{L}\p{M}\p{N}]/u;

/** Longest result, in UTF-16 code units: far more than any name may have, and little enough to make. */
const MAX_RESULT_LENGTH = 8192;

/**
 * Puts the variables' values into a template. Values are lower-cased, ASCII letters only: what another alphabet's letters
 * become is no name that anybody wrote. Literal text keeps its case. Of `slug(name)` everything between ASCII letters, digits
 * and `_` becomes one `-`, and nothing at the ends; other letters than those have none in their place.
 * @param variables by their whole names, such as `value.team`
 * @throws {TemplateError} for a variable that is not among them, for a letter that `slug` has none for, and for a result that is too long
 */
export function renderTemplate({ text, parts }: Template, variables: ReadonlyMap<string, string>): string {
  let result = "";
  for (const part of parts) {
    if (typeof part === "string") {
      result += part;
      continue;
    }
    const value = variables.get(part.name);
    if (value === undefined) {
      throw new TemplateError(`${positionOf(text, part.at)}: unknown variable accessed: ${part.name}`);
    }
    if (result.length + value.length > MAX_RESULT_LENGTH) {
      throw new TemplateError(`result is longer than ${MAX_RESULT_LENGTH} characters`);
    }
    if (part.isSlug === true && FOREIGN_LETTER.test(value)) {
      throw new TemplateError(`${positionOf(text, part.at)}: slug supports only the letters a to z: ${part.name}`);
    }
    result += part.isSlug === true ? slug(value) : lowerAscii(value);
  }
  return result;
}

/** Values that stand in the result otherwise than the variables have them, each once. */
export function changedValues({ parts }: Template, variables: ReadonlyMap<string, string>): string[] {
  const changed = parts.flatMap((part) => {
    const value = typeof part === "string" ? undefined : variables.get(part.name);
    if (typeof part === "string" || value === undefined) return [];
    return (part.isSlug === true ? slug(value) : lowerAscii(value)) === value ? [] : [value];
  });
  return [...new Set(changed)];
}

function slug(value: string): string {
  return lowerAscii(value)
    .replaceAll(/[^a-z0-9_]+/g, "-")
    .replaceAll(/^-|-$/g, "");
}

function lowerAscii(value: string): string {
  return value.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
