import { AppError } from "../../errors.ts";

/** Text of rules that cannot be taken. `line` and `column` (in characters) count from 1. */
export class RulesError extends AppError {
  readonly line: number;
  readonly column: number;

  private constructor(message: string, line: number, column: number) {
    super("invalid", message);
    this.name = "RulesError";
    this.line = line;
    this.column = column;
  }

  /** The text is not in the rule language. @param at where, as an index into `text` */
  static syntax(text: string, at: number, detail: string): RulesError {
    const { line, column } = positionOf(text, at);
    return new RulesError(`Failed to parse ACL rules: line ${line}, column ${column}: ${detail}`, line, column);
  }

  /** A rule has a permission that its kind does not have. @param message in the words that clients know */
  static invalid(text: string, at: number, message: string): RulesError {
    const { line, column } = positionOf(text, at);
    return new RulesError(message, line, column);
  }
}

/** Only a refusal asks for a position, so the parsers carry plain indexes. */
function positionOf(text: string, at: number): { line: number; column: number } {
  const before = text.slice(0, at);
  const lineStart = before.lastIndexOf("\n") + 1;
  let line = 1;
  for (let end = before.indexOf("\n"); end >= 0; end = before.indexOf("\n", end + 1)) line++;
  return { line, column: Array.from(before.slice(lineStart)).length + 1 };
}
