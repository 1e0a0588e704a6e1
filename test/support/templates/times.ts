/* Times in the form in which the tables keep them. */

const msPerHour = 3_600_000;

export const hoursAgo = (hours: number) => new Date(Date.now() - hours * msPerHour).toISOString();
export const daysAgo = (days: number) => hoursAgo(24 * days);
export const daysFromNow = (days: number) => hoursAgo(-24 * days);

/** A time in the past. What is due at it is due now. */
export const pastTime = '2026-01-01T00:00:00.000Z';
