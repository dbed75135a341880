/** Texts of the frame around all screens: navigation, search, help, sign-in and session. */
// Frame
export const documentTitle = (title: string) => `${title} · Tessera`;
export const starting = "Loading console";
export const skipToContent = "Skip to content";
export const openNavigation = "Open navigation";
export const closeNavigation = "Close navigation";
export const tesseraHome = "Tessera, home";
export const layers = "Menus and dialogs";
export const screens = "Screens";
export const close = "Close";
export const areas = "Areas";
export const areaTags = "Tags";
export const areaAccess = "Access";
export const settings = "Settings";
export const groupInsight = "Checks and audit";
export const pageMissing = "Page not found";
export const pageMissingHint = "No screen has this URL. Press Ctrl K to search.";
export const goHome = "Go to Home";

// Account
export const account = "Account";
export const tokenWithoutDescription = "Token without description";
export const allPermissions = "All permissions";
export const tokenScope = (partition: string, namespace: string) => `Partition ${partition}, namespace ${namespace}`;
export const showToken = "Show token";
export const showPermissions = "Show your permissions";
export const signOut = "Sign out";
export const signOutDeletesToken = "Also deletes the token of this login";
export const signOutFailed = "Could not sign out";

// Banners
export const offline = "You are offline. Showing the last loaded data; your input is kept.";
export const serverSilent = "The server does not respond. Retrying; your input is kept.";
export const outdated = "The server was upgraded. Save your input, then reload the console.";
export const reload = "Reload console";

// Color scheme
export const colorScheme = "Color scheme";
export const systemScheme = "System";
export const lightScheme = "Light";
export const darkScheme = "Dark";

// Kinds of objects
export const tag = "Tag";
export const workspace = "Workspace";
export const project = "Project";
export const reservedKey = "Reserved key";
export const webhook = "Webhook";
export const organization = "Organization";
export const token = "Token";
export const policy = "Policy";
export const role = "Role";
export const authMethod = "Auth method";
export const bindingRule = "Binding rule";
export const namespace = "Namespace";
export const partition = "Partition";
export const templatedPolicy = "Templated policy";

// Help
export const helpTooltip = "Help (?)";
export const help = "Help";
export const shortcutsTitle = "Keyboard shortcuts";
export const paletteKeys = "Ctrl K";
export const paletteAction = "Search screens, objects and commands";
export const helpAction = "Show this help";
export const searchAction = "Search the list";
export const editAction = "Edit the open object";
export const goToAction = "Open tags. With H: home, W: workspaces, K: tokens, P: policies, R: roles, A: audit log";
export const rowKeys = "↑ ↓  or  J K";
export const rowAction = "Move between rows, or from the search field to the rows";
export const endKeys = "Home End";
export const endAction = "First and last row";
export const openAction = "Open row";
export const selectKeys = "X  or  Space";
export const selectAction = "Select row";
export const selectManyKeys = "Shift ↑ ↓";
export const selectManyAction = "Select several rows";
export const bulkAction = "Go to the actions for the selected rows";
export const panelAction = "Show details in a side panel";
export const filterAction = "Filter by a value of the row";
export const saveKeys = "Ctrl Enter";
export const saveAction = "Save form";
export const closeAction = "Close dialog";
// Around the name of the command and a link to the API
export const otherClients = "All functions are also available in the command ";
export const tessera = "tessera";
export const otherClientsAnd = " and in the ";
export const api = "API";
export const otherClientsCode = ". Each form shows the equivalent code.";

// Palette
export const searchEverything = "Search everything";
export const paletteShortcut = (modifier: string) => `${modifier} K`;
export const ctrl = "Ctrl";
export const palettePlaceholder = "Search or run a command";
export const searchFailed = (nouns: string, cause: string) => `Could not search ${nouns}: ${cause}. `;
export const retry = "Retry";
export const searching = "Searching…";
export const typeMore = "Type one more letter to search objects.";
export const noResults = "No results";
export const explainRequest = (request: string) => `Explain denied request ${request}`;
export const groupAccessChecks = "Access checks";
export const groupHere = "This page";
export const groupGoTo = "Go to";
export const groupActions = "Actions";
export const groupSwitch = "Switch to";
export const groupConsole = "Console";
export const groupObjects = "Objects";
export const switchTo = (place: string) => `Switch to ${place}`;
export const colorSchemeEntry = (scheme: string) => `Color scheme: ${scheme}`;
export const colorSchemeKeywords = "color theme mode";
export const helpEntry = "Help and keyboard shortcuts";
export const ownTokenEntry = "Show your token";
export const ownTokenKeywords = "account my own this signed in";
export const signOutKeywords = "log out logout leave";

// Scope and organization
export const scopeLabel = "Partition and namespace: ";
export const organizationLabel = "Organization: ";
export const chooseOrganization = "Choose organization";
export const allOrganizations = "All organizations";
export const manageNamespaces = "Manage namespaces";
export const managePartitions = "Manage partitions";
export const namespaces = "Namespaces";
export const organizations = "Organizations";
export const allNamespaces = "all namespaces";
export const allNamespacesChoice = "All namespaces";
export const find = (kind: string) => `Find ${kind}`;
export const choicesFailed = (plural: string) => `Could not load ${plural}.`;
export const nothingFound = "No matches that your token can read.";
export const moreFound = (count: number) => `${count} more. Type to find them.`;

// Session that has ended, or that another window replaced
export const sessionEnded = "Your session has ended";
export const sessionEndedHint = "Sign in to continue. With a token or JWT, the page keeps your input.";
export const otherTokenTitle = "Different token signed in";
export const otherTokenWarning = (description: string) =>
  description === ""
    ? "Another window of this browser signed in with a different token. Further changes on this page use that token."
    : `Another window of this browser signed in with the token "${description}". Further changes on this page use that token.`;
export const continueWithToken = "Continue with this token";
export const reloadPage = "Reload page";

// Sign-in
export const signIn = "Sign in";
export const signInSubtitle = "Tags, workspaces and access control";
export const signInWith = (method: string) => `Sign in with ${method}`;
export const or = "or";
export const orStay = "or stay on this page";
export const secretIdHint = "SecretID of the token. The browser does not store the SecretID.";
export const jwt = "JWT";
export const jwtExample = "eyJ…";
export const otherMethod = "Another method";
export const methodName = "Auth method name";
export const methodType = "Auth method type";
export const signInWithMethod = "Sign in with method";
export const leavesForm = "Sign-in leaves this page. Your input is restored, except secrets.";
export const leavesPage = "Sign-in leaves this page. Unsaved changes are lost.";
export const version = (version: string) => `Tessera ${version}`;
export const apiReference = "API reference";

// First sign-in
export const welcome = "Welcome to Tessera";
export const welcomeSubtitle = "No user has signed in to this server yet.";
export const firstToken = "Find the management token";
export const firstTokenHint =
  "The server created a management token at its first start. The server log shows the location. Sign in with this token, then create tokens with fewer permissions for other users.";

// Sign-in that is not possible over plain HTTP
export const insecureTitle = "Insecure connection";
export const insecureReason =
  "This page uses plain HTTP. Others on the network could read your token, so sign-in is disabled.";
// Around addresses and options
export const insecureOpen = "If the server has TLS, open ";
export const httpsAddress = (host: string, path: string) => `https://${host}${path}`;
export const insecureLocal = ". On the server itself, open ";
export const localAddress = "http://127.0.0.1";
export const insecureEnable = ". To enable TLS, set ";
export const tlsCert = "--tls-cert";
export const insecureAnd = " and ";
export const tlsKey = "--tls-key";
export const insecureProxy = ". Behind a proxy with TLS, set ";
export const publicUrl = "--public-url";
export const insecureEnd = ".";
