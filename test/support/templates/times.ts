/* Times as the tables hold them, counted from now. */

const hour = 3_600_000;

export const hoursAgo = (hours: number) => new Date(Date.now() - hours * hour).toISOString();
export const daysAgo = (days: number) => hoursAgo(24 * days);
export const daysFromNow = (days: number) => hoursAgo(-24 * days);
