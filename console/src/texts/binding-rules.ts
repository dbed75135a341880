/** Texts of binding rules. */
// Kind and screens
export const about = "Binding rules decide which permissions an identity gets at login.";
export const emptyHint = "Logins get no permissions until you add a binding rule.";
export const createAbout = "Binding rules apply to new logins. Existing tokens do not change.";

// Bind types

// List
export const everyLogin = "every login";
export const withSelector = "with a selector";
export const methodName = "Name";

// Form
export const description = "Description";
export const descriptionMissing = "Enter a description";
export const descriptionHint = "Lists and audit records show this text.";
export const descriptionExample = "Deployments of the web service";
export const authMethod = "Auth method";
export const methodHint = "Logins with this auth method. Cannot be changed later.";
export const methodRequired = "Enter an auth method";
export const methodExample = "github-actions";
export const fixed = "Cannot be changed.";
export const selector = "Selector";
export const selectorHint = "Condition on the identity. Default: matches every login.";
export const selectorExample = 'value.repository == "example/web"';
export const bindType = "Bind type";
export const bindTypeHint = "Type of the grant.";
export const bindName = "Bind name";
export const bindNameHint = "Name or template, for example web-${value.team}.";
export const bindNameTemplatedHint = "Name of the templated policy.";
export const bindNameRequired = "Enter a name";
export const bindNameExample = "web-deployers";
export const variable = "Bind variable Name";
export const variableHint = "Value of Name in the templated policy, or a template.";
export const variableExample = "web";

// Page of a binding rule
export const matchTitle = "Match and grant";
export const selectorCopied = "selector";
export const grants = "Grants";
export const detailsTitle = "Details";
export const deleteWarning = "New logins no longer receive these permissions.";

// Change of selected rows
export const change = "Change";
export const changeNote = "The change applies to new logins. Existing tokens do not change.";
export const changeOf = "Change of the rules";
export const changeGrants = "Grants";
export const addCondition = "Condition";
export const condition = "Condition";
export const conditionHint = "Logins must also match this condition.";
export const alreadyChanged = "would not change";
export const changedLine = (title: string, what: string) => `${title}: ${what}`;
export const fromTo = (from: string, to: string) => `${from} → ${to}`;

// Delete of selected rows
export const deleteManyWarning =
  "New logins do not get the permissions of these rules. You can restore the rules from the trash for 7 days.";
