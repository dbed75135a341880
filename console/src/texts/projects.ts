/** Texts of projects. */
// Kind and navigation
export const projectTitle = "Project";

// List and choice
export const listHint = "A project groups workspaces, which inherit its tag keys.";
export const emptyHint = "Create a project to group workspaces, for example by team.";
export const name = "Name";
export const description = "Description";
export const workspaces = "Workspaces";
export const created = "Created";
export const withTagKey = "With tag key";
export const anyProject = "Any";

// One project
export const newWorkspace = "New workspace";
export const details = "Details";
export const executionMode = "Execution mode";
export const executionModeHint = "Stored for Terraform clients. This server does not run Terraform.";
export const inheritedMode = (mode: string) => `${mode} (organization default)`;
export const destroyAfter = "Destroy after inactivity";
export const workspacesCount = (count: number | undefined) =>
  count === undefined ? "Workspaces" : `Workspaces (${count.toLocaleString()})`;
export const viewAll = "View all";
export const noWorkspaces = "No workspaces that your token can read.";
export const hasWorkspaces = (count: number) =>
  count === 1
    ? "The project has 1 workspace. Move or delete this workspace first."
    : `The project has ${count.toLocaleString()} workspaces. Move or delete the workspaces first.`;
export const isDefault = "The default project is deleted only with its organization.";

// Form
export const createHint = "Workspaces inherit the tag keys of their project.";
export const nameExample = "Payments";
export const nameInvalid = "Enter 3 to 40 letters, digits, spaces, - or _.";
export const descriptionExample = "Cards and ledgers";
export const organizationDefault = "organization default";
export const remote = "remote";
export const local = "local";
export const inactivityHint = "Hours or days. Stored for API clients, no effect on this server.";
export const inactivityExample = "14d";
export const inactivityInvalid = "Enter hours or days, for example 36h or 14d.";
