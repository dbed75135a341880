import { SaxesParser, type SaxesTagNS } from "saxes";

/** An element of a document whose elements all lie in one namespace. */
export interface XmlElement {
  readonly name: string;
  readonly children: readonly XmlElement[];
  /** Text in the element outside of its children. */
  readonly text: string;
}

/** The document is not the one that was expected. Says nothing of what it is. */
export class XmlError extends Error {}

interface OpenElement extends XmlElement {
  children: OpenElement[];
  text: string;
}

const MAX_DEPTH = 16;
const MAX_ELEMENTS = 10_000;

/**
 * Reads a document strictly: one root of that name, all elements in that namespace, no comments, no processing
 * instructions, no document type and hence no entities but the five of XML.
 *
 * @param namespace a URI
 * @throws XmlError
 */
export function readXml(text: string, root: string, namespace: string): XmlElement {
  const parser = new SaxesParser({ xmlns: true, position: false });
  const document: OpenElement = { name: "", children: [], text: "" };
  const open = [document];
  let elements = 0;
  const refuse = (): never => {
    throw new XmlError();
  };
  for (const event of ["error", "doctype", "processinginstruction", "comment", "cdata"] as const) {
    parser.on(event, refuse);
  }
  parser.on("opentag", (tag: SaxesTagNS) => {
    elements += 1;
    if (tag.uri !== namespace || open.length > MAX_DEPTH || elements > MAX_ELEMENTS) refuse();
    const element: OpenElement = { name: tag.local, children: [], text: "" };
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  parser.on("text", (piece) => {
    const element = open.at(-1) ?? refuse();
    element.text += piece;
  });
  parser.on("closetag", () => void open.pop());
  parser.write(text).close();
  const [only] = document.children;
  return only?.name === root ? only : refuse();
}

/**
 * The only child of that name.
 *
 * @throws XmlError when there is none, or more than one
 */
export function childOf(element: XmlElement, name: string): XmlElement {
  const [only, ...others] = element.children.filter((child) => child.name === name);
  if (only === undefined || others.length > 0) throw new XmlError();
  return only;
}

/**
 * The text of the only child of that name.
 *
 * @throws XmlError when there is none, or more than one, or when it has children itself
 */
export function textOf(element: XmlElement, name: string): string {
  const child = childOf(element, name);
  if (child.children.length > 0) throw new XmlError();
  return child.text;
}
