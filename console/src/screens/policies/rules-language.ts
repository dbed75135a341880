/** How rules look in the editor: words, texts and remarks of either spelling, and what can be typed where. */
import { StreamLanguage, HighlightStyle, type StreamParser } from "@codemirror/language";
import type { CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import { tags } from "@lezer/highlight";
import { accessesOf, ALL_KINDS, SCALAR_KINDS } from "./rule-kinds.ts";

const KINDS: ReadonlySet<string> = new Set(ALL_KINDS);
const FIELDS: ReadonlySet<string> = new Set(["policy", "intentions"]);

interface State {
  /** Within a remark of several lines. */
  isRemark: boolean;
}

const parser: StreamParser<State> = {
  name: "rules",
  startState: () => ({ isRemark: false }),
  token(stream, state) {
    if (state.isRemark) {
      if (stream.skipTo("*/")) {
        stream.match("*/");
        state.isRemark = false;
      } else stream.skipToEnd();
      return "comment";
    }
    if (stream.eatSpace()) return null;
    if (stream.match("#") || stream.match("//")) {
      stream.skipToEnd();
      return "comment";
    }
    if (stream.match("/*")) {
      state.isRemark = true;
      return "comment";
    }
    const text = stream.match(/^"(?:[^"\\]|\\.)*"?/);
    if (text !== null && typeof text !== "boolean") return tokenOfText(text[0], stream.string.slice(stream.pos));
    const word = stream.match(/^[\w-]+/);
    if (word !== null && typeof word !== "boolean") return tokenOfWord(word[0]);
    return /[{}[\]=:,]/.test(stream.next() ?? "") ? "punctuation" : null;
  },
  languageData: {
    commentTokens: { line: "#", block: { open: "/*", close: "*/" } },
    closeBrackets: { brackets: ["{", '"', "["] },
  },
};

/** In JSON and in HCL alike a text can be a kind or an access. */
function tokenOfText(text: string, after: string): string {
  const inside = text.replaceAll('"', "");
  if (/^\s*[:=]/.test(after)) return tokenOfWord(inside) ?? "string";
  if (inside === "deny") return "invalid";
  return ["read", "write", "list"].includes(inside) ? "atom" : "string";
}

function tokenOfWord(word: string): string | null {
  if (KINDS.has(word.toLowerCase())) return "keyword";
  return FIELDS.has(word.toLowerCase()) ? "propertyName" : null;
}

/** The language. */
export const RULES = StreamLanguage.define(parser);

/** Its colours; each can be read on either scheme's ground. */
export const RULES_COLOURS = HighlightStyle.define([
  { tag: tags.keyword, color: "var(--rule-kind)", fontWeight: "600" },
  { tag: tags.propertyName, color: "var(--rule-field)" },
  { tag: tags.string, color: "var(--rule-name)" },
  { tag: tags.atom, color: "var(--rule-access)", fontWeight: "600" },
  { tag: tags.invalid, color: "var(--mantine-color-error)", fontWeight: "600" },
  { tag: tags.comment, color: "var(--mantine-color-dimmed)", fontStyle: "italic" },
]);

/** Names that the server has of a kind, by how they begin. */
export type Names = (kind: string, begin: string) => Promise<readonly string[]>;

/** Returns completions for the position of the cursor: kinds, names of existing objects, accesses. */
export function completions(names: Names) {
  return async (context: CompletionContext): Promise<CompletionResult | null> => {
    const line = context.state.doc.lineAt(context.pos);
    const before = line.text.slice(0, context.pos - line.from);
    const access = /(?:"?(policy|intentions|acl|keyring|mesh|operator|peering)"?)\s*[=:]\s*"(\w*)$/.exec(before);
    if (access !== null) {
      const [, field = "", begun = ""] = access;
      const kind = SCALAR_KINDS.includes(field) ? field : kindAround(context);
      return { from: context.pos - begun.length, options: accessesOf(kind).map((label) => ({ label, type: "enum" })) };
    }
    const name = /"?(\w+?)(?:_prefix)?"?\s*(?:\{\s*)?"([^"]*)$/.exec(before);
    if (name !== null && KINDS.has((name[1] ?? "").toLowerCase())) {
      const [, kind = "", begun = ""] = name;
      const found = await names(kind, begun);
      return {
        from: context.pos - begun.length,
        options: found.map((label) => ({ label, type: "text" })),
        filter: false,
      };
    }
    const word = context.matchBefore(/\w+/);
    if (/^\s*\w*$/.test(before) && (word !== null || context.explicit)) {
      const options = [
        ...ALL_KINDS.map((label) => ({ label, type: "keyword", apply: skeletonOf(label) })),
        ...[...FIELDS].map((label) => ({ label, type: "property", apply: `${label} = "` })),
      ];
      return { from: word?.from ?? context.pos, options, validFor: /^\w*$/ };
    }
    return null;
  };
}

/** A rule is begun with what always follows. */
function skeletonOf(kind: string): string {
  return SCALAR_KINDS.includes(kind) ? `${kind} = "` : `${kind} "`;
}

/** How far above the cursor a block may begin: one that begins further away is completed as any other. */
const ABOVE = 2000;

function kindAround({ state, pos }: CompletionContext): string {
  const text = state.sliceDoc(Math.max(0, pos - ABOVE), pos);
  return [...text.matchAll(/\b(\w+)\b\s*"[^"\n]*"\s*\{/g)].at(-1)?.[1]?.toLowerCase() ?? "";
}
