/** The page of the reference, and what it is made of beside Redoc. */

/** By relative paths: it may lie behind a proxy, below another path. */
export const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Tessera API</title>
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="docs/page.css" />
  </head>
  <body>
    <noscript>This page needs JavaScript. The document that it shows is <a href="openapi.yaml">openapi.yaml</a>.</noscript>
    <main id="reference"></main>
    <script src="docs/redoc.js"></script>
    <script src="docs/page.js"></script>
  </body>
</html>
`;

export const STYLE = `body { margin: 0; }
noscript { display: block; margin: 2rem; font-family: system-ui, sans-serif; }
`;

/**
 * Redoc sends no request to an operation: there is nothing on the page to try one with.
 */
export const START = `const font = "system-ui, sans-serif";
const mono = "ui-monospace, monospace";
const start = async () => {
  const answer = await fetch("openapi.json");
  const described = await answer.json();
  Redoc.init(
    described,
    {
      expandResponses: "200,201",
      jsonSampleExpandLevel: 3,
      requiredPropsFirst: true,
      theme: { typography: { fontFamily: font, headings: { fontFamily: font }, code: { fontFamily: mono } } },
    },
    document.getElementById("reference"),
  );
};
start().catch((error) => {
  document.getElementById("reference").textContent = "The document openapi.json could not be shown: " + error.message;
});
`;
