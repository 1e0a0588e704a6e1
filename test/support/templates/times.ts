/* Times in the form of the tables, counted from now. */

const msPerHour = 3_600_000;

export const hoursAgo = (hours: number) => new Date(Date.now() - hours * msPerHour).toISOString();
export const daysAgo = (days: number) => hoursAgo(24 * days);
export const daysFromNow = (days: number) => hoursAgo(-24 * days);
