/** Notes at the ends of lines of the editor: on how many days a policy rule was used. */
import { StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView, WidgetType, type DecorationSet } from "@codemirror/view";
import type { LineMark } from "../unused/mark.tsx";
import classes from "./editor.module.css";

const setMarks = StateEffect.define<DecorationSet>();

/** Extension that shows the marks. */
export const lineMarks = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(shown, transaction) {
    const next = transaction.effects.find((effect) => effect.is(setMarks));
    return next === undefined ? shown.map(transaction.changes) : next.value;
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** Shows these marks instead of those before. A line has one. */
export function showMarks(view: EditorView, marks: readonly LineMark[]): void {
  const { doc } = view.state;
  const byLine = new Map(marks.map((mark) => [mark.line, mark]));
  const widgets = [...byLine.values()]
    .filter(({ line }) => line >= 1 && line <= doc.lines)
    .map((mark) => Decoration.widget({ widget: new MarkWidget(mark), side: 1 }).range(doc.line(mark.line).to));
  view.dispatch({ effects: setMarks.of(Decoration.set(widgets, true)) });
}

class MarkWidget extends WidgetType {
  readonly #mark: LineMark;

  constructor(mark: LineMark) {
    super();
    this.#mark = mark;
  }

  override eq(other: MarkWidget): boolean {
    return other.#mark.text === this.#mark.text;
  }

  override toDOM(): HTMLElement {
    const element = document.createElement("span");
    element.className = classes["use"] ?? "";
    element.dataset["unused"] = String(this.#mark.isUnused);
    element.textContent = this.#mark.text;
    return element;
  }
}
