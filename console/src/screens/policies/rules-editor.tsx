/** Editor of policy rules. It is larger than the rest of the console, so it loads only where it is shown. */
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, foldGutter, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, lintKeymap, setDiagnostics, type Diagnostic } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { Compartment, EditorSelection, EditorState, type Text } from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  placeholder,
} from "@codemirror/view";
import { useEffect, useLayoutEffect, useRef } from "react";
import classes from "./editor.module.css";
import { inPlaceOf, wordAt } from "./mend.ts";
import type { LineMark } from "../unused/mark.tsx";
import type { PolicyFinding, Findings } from "./queries.ts";
import { lineMarks, showMarks } from "./line-marks.ts";
import { completions, RULES, RULES_COLOURS, type Names } from "./rules-language.ts";
import * as texts from "../../texts/policies.ts";

export interface RulesEditorProps {
  readonly value: string;
  onChange(text: string): void;
  readonly findings?: Findings | undefined;
  readonly names: Names;
  readonly isReadOnly?: boolean;
  /** Whether the editor gets the focus when it appears, unless a field has it already. */
  readonly isFocused?: boolean;
  /** Notes at the ends of lines. */
  readonly marks?: readonly LineMark[];
  /** Finding selected in the list below. The cursor moves to it. */
  readonly goTo?: { readonly line: number; readonly column: number } | undefined;
}

/** The editor. */
export function RulesEditor(props: RulesEditorProps) {
  const { value, findings, goTo, marks, isReadOnly = false } = props;
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const latest = useRef(props);
  // After each drawing, so that what the editor calls later is of this one.
  useLayoutEffect(() => {
    latest.current = props;
  });
  const known = useRef(value);
  const access = useRef(new Compartment());
  useEffect(() => {
    const parent = host.current;
    if (parent === null) return;
    const { value: doc, isReadOnly: readOnly = false, isFocused = false } = latest.current;
    const made = new EditorView({
      parent,
      state: EditorState.create({
        doc,
        extensions: [extensionsOf(latest, known), access.current.of(accessOf(readOnly))],
      }),
    });
    view.current = made;
    if (isFocused && document.activeElement?.matches("input, textarea, [contenteditable]") !== true) made.focus();
    return () => {
      made.destroy();
      view.current = null;
    };
  }, []);
  useEffect(() => view.current?.dispatch({ effects: access.current.reconfigure(accessOf(isReadOnly)) }), [isReadOnly]);
  useEffect(() => {
    // Text typed here comes back as the value. Only a different text replaces the contents of the editor.
    if (view.current === null || value === known.current) return;
    known.current = value;
    view.current.dispatch({ changes: { from: 0, to: view.current.state.doc.length, insert: value } });
  }, [value]);
  useEffect(() => {
    if (view.current !== null && marks !== undefined) showMarks(view.current, marks);
  }, [marks]);
  useEffect(() => {
    const { current } = view;
    if (current === null || findings === undefined) return;
    current.dispatch(setDiagnostics(current.state, diagnosticsOf(findings, current.state.doc)));
  }, [findings]);
  useEffect(() => {
    const { current } = view;
    if (current === null || goTo === undefined) return;
    const at = placeOf(current.state.doc, goTo.line, goTo.column);
    current.dispatch({
      selection: EditorSelection.cursor(at),
      effects: EditorView.scrollIntoView(at, { y: "center" }),
    });
    current.focus();
  }, [goTo]);
  return <div ref={host} className={classes.editor} data-read-only={isReadOnly} />;
}

function accessOf(isReadOnly: boolean) {
  return [EditorState.readOnly.of(isReadOnly), EditorView.editable.of(!isReadOnly)];
}

const TYPED = { userEvent: "input.type", scrollIntoView: true };

/** After the last key, before the form hears of it: a long text is not made into one for each letter. */
const PAUSE = 30;

function extensionsOf(latest: { readonly current: RulesEditorProps }, known: { current: string }) {
  let waiting: ReturnType<typeof setTimeout> | undefined;
  const tell = (view: EditorView) => {
    clearTimeout(waiting);
    waiting = undefined;
    const text = view.state.doc.toString();
    if (text === known.current) return;
    known.current = text;
    latest.current.onChange(text);
  };
  return [
    EditorView.cspNonce.of(document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ""),
    lineNumbers(),
    foldGutter(),
    lintGutter(),
    history(),
    drawSelection(),
    // Makes characters visible that change the direction of text or are invisible: users read rules before they trust
    // them.
    highlightSpecialChars({ addSpecialChars: /[\u202a-\u202c\u2060-\u2068]/ }),
    indentOnInput(),
    indentUnit.of("  "),
    bracketMatching(),
    closeBrackets(),
    highlightActiveLine(),
    highlightSelectionMatches(),
    autocompletion({ override: [completions(async (kind, begin) => latest.current.names(kind, begin))], icons: false }),
    RULES,
    syntaxHighlighting(RULES_COLOURS),
    placeholder(texts.rulesExample),
    EditorView.lineWrapping,
    lineMarks,
    EditorView.contentAttributes.of({ "aria-label": texts.rules, spellcheck: "false", tabindex: "0" }),
    EditorView.domEventHandlers({ blur: (_event, view) => tell(view), beforeinput: replaceSelected }),
    EditorView.updateListener.of(({ docChanged, view }) => {
      if (!docChanged) return;
      clearTimeout(waiting);
      waiting = setTimeout(() => tell(view), PAUSE);
    }),
    // Mod-Enter saves, everywhere; Tab indents, and Escape Tab leaves.
    keymap.of([
      { key: "Mod-Enter", run: (view) => save(view, tell) },
      ...closeBracketsKeymap,
      ...defaultKeymap.filter(({ key }) => key !== "Mod-Enter"),
      ...searchKeymap,
      ...historyKeymap,
      ...completionKeymap,
      ...lintKeymap,
      indentWithTab,
    ]),
  ];
}

/**
 * Typing over what is selected, done here: the browser gives what is typed the look of what was there by styles in
 * attributes, at which the policy of contents stops it.
 */
function replaceSelected(event: InputEvent, view: EditorView): boolean {
  const { from, to, empty } = view.state.selection.main;
  const { inputType, data } = event;
  if (inputType !== "insertText" || data === null || empty || view.composing) return false;
  event.preventDefault();
  const replace = () => view.state.update(view.state.replaceSelection(data), TYPED);
  // Such as a bracket, which closes around what is selected.
  const isHandled = view.state.facet(EditorView.inputHandler).some((handle) => handle(view, from, to, data, replace));
  if (!isHandled) view.dispatch(replace());
  return true;
}

function save(view: EditorView, tell: (view: EditorView) => void): boolean {
  tell(view);
  const form = view.dom.closest("form");
  // After the form has the text.
  if (form !== null) setTimeout(() => form.requestSubmit());
  return form !== null;
}

function placeOf(doc: Text, line: number, column: number): number {
  const found = doc.line(Math.min(Math.max(line, 1), doc.lines));
  // The server counts characters, the editor halves of them.
  const offset = Array.from(found.text)
    .slice(0, column - 1)
    .join("").length;
  return Math.min(found.from + offset, found.to);
}

function diagnosticsOf({ Errors, Warnings }: Findings, doc: Text): readonly Diagnostic[] {
  const one = (finding: PolicyFinding, severity: "error" | "warning"): Diagnostic => {
    const from = placeOf(doc, finding.Line ?? 1, finding.Column ?? 1);
    const word = wordAt(doc.sliceString(from, Math.min(doc.length, from + 80)));
    const { DidYouMean: better } = finding;
    return {
      from,
      to: Math.min(doc.length, from + Math.max(1, word.length)),
      severity,
      message: better === undefined ? finding.Message : texts.withSuggestion(finding.Message, better),
      actions:
        better === undefined || word === ""
          ? []
          : [
              {
                name: texts.replaceWith(better),
                apply: (view, start, end) =>
                  view.dispatch({
                    changes: { from: start, to: end, insert: inPlaceOf(word, better) },
                  }),
              },
            ],
    };
  };
  return [...Errors.map((each) => one(each, "error")), ...Warnings.map((each) => one(each, "warning"))].sort(
    (a, b) => a.from - b.from,
  );
}
