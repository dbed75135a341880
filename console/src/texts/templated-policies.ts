/** Texts of templated policies. */
// Kind and screens
export const singular = "templated policy";
export const about = "Built-in policies with a name parameter, for tokens, roles and binding rules.";
export const emptyHint = "This server has no templated policies.";

// List
export const resources = "Resources";
export const variable = "Variable";
export const variableName = "Name";
export const variableNone = "none";

// Page of a templated policy
export const notFound = "Templated policy not found. Check the name in the URL.";
export const template = "Template";
export const templateCopied = "template";
export const previewTitle = "Preview";
export const name = "Name";
export const nameHint = "Value of the variable Name.";
export const nameExample = "web";
export const previewHint = "Enter a name to see the policy rules.";
export const rulesCopied = "policy rules";
