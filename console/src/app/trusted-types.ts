/**
 * The page's only policy of Trusted Types. Markup is never made of text here: what passes is the text of a style sheet, which
 * Mantine sets as such, and the address of a script of this console.
 */
interface PolicyFactory {
  createPolicy(name: string, rules: Record<string, (text: string) => string>): unknown;
}

export function installTrustedTypes(): void {
  const factory = (globalThis as { trustedTypes?: PolicyFactory }).trustedTypes;
  factory?.createPolicy("default", {
    createHTML(text) {
      if (text.includes("<")) throw new TypeError("markup is not made of text here");
      return text;
    },
    createScriptURL(text) {
      const url = new URL(text, document.baseURI);
      if (url.origin !== location.origin || !url.pathname.startsWith(new URL("assets/", document.baseURI).pathname)) {
        throw new TypeError("scripts come from the console's own files only");
      }
      return url.href;
    },
  });
}
