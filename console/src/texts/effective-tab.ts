/** The title of the tab of effective permissions: pages have it before they load the tab. */
export const tab = "Effective permissions";
