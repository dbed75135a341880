import { describe, expect, test } from "vitest";
import { shown } from "../../../test/support/shown.ts";
import { childOf, readXml, textOf, XmlError } from "./xml.ts";

const NAMESPACE = "https://example.com/";

function read(inside: string): string {
  return textOf(readXml(`<Answer xmlns="${NAMESPACE}">${inside}</Answer>`, "Answer", NAMESPACE), "Name");
}

describe("a document", () => {
  test("is read, whatever prefix its namespace has", () => {
    expect(read("\n <Name>a</Name>\n")).toBe("a");
    expect(read('<Name id="1">a &amp; &lt;b&gt; &#65;</Name>')).toBe("a & <b> A");
    const text = `<?xml version="1.0" encoding="UTF-8"?>\n<n:Answer xmlns:n="${NAMESPACE}"><n:Name/></n:Answer>\n`;
    expect(textOf(readXml(text, "Answer", NAMESPACE), "Name")).toBe("");
  });

  test.each(
    [
      "",
      "<Name>a</Name><Name>a</Name>",
      "<Name>a<Other/></Name>",
      "<name>a</name>",
      "<Inner><Name>a</Name></Inner>",
      '<Name xmlns="https://example.org/">a</Name>',
      '<x:Name xmlns:x="https://example.org/">a</x:Name>',
      "<y:Name>a</y:Name>",
      "<Name>a</Name><!-- comment -->",
      "<Name>a</Name><?target?>",
      "<Name><![CDATA[a]]></Name>",
      "<Name>&entity;</Name>",
      "<Name>a</Nam>",
      "<Name>a",
      "<Name>\u0000</Name>",
      "<Name a=1>a</Name>",
      "<a>".repeat(17) + "</a>".repeat(17) + "<Name>a</Name>",
      "<a/>".repeat(10_001) + "<Name>a</Name>",
    ].map((inside) => [shown(inside), inside] as const),
  )("is refused that holds %s", (_shown, inside) => {
    expect(() => read(inside)).toThrow(XmlError);
  });

  test.each([
    "",
    "   ",
    "{}",
    '{"Answer": {"Name": "a"}}',
    "<html><body>a</body></html>",
    "<Answer><Name>a</Name></Answer>",
    `<Other xmlns="${NAMESPACE}"><Answer><Name>a</Name></Answer></Other>`,
    `<Answer xmlns="${NAMESPACE}"><Name>a</Name></Answer><Answer xmlns="${NAMESPACE}"/>`,
    `<Answer xmlns="${NAMESPACE}"><Name>a</Name></Answer>{}`,
    `{}<Answer xmlns="${NAMESPACE}"><Name>a</Name></Answer>`,
    `<!DOCTYPE Answer><Answer xmlns="${NAMESPACE}"><Name>a</Name></Answer>`,
    `<!DOCTYPE Answer [<!ENTITY e "a">]><Answer xmlns="${NAMESPACE}"><Name>&e;</Name></Answer>`,
    `<!DOCTYPE Answer SYSTEM "file:///etc/passwd"><Answer xmlns="${NAMESPACE}"><Name>a</Name></Answer>`,
  ])("is refused: %j", (text) => {
    expect(() => readXml(text, "Answer", NAMESPACE)).toThrow(XmlError);
  });

  test("has only children that it has", () => {
    const document = readXml(`<Answer xmlns="${NAMESPACE}"/>`, "Answer", NAMESPACE);
    for (const name of ["constructor", "__proto__", "length"]) expect(() => childOf(document, name)).toThrow(XmlError);
  });
});
