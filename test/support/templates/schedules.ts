/** A schedule that does not run by itself during a test: the test runs the workflow. */
export const yearlySchedule = {
	parameters: { rule: { interval: [{ field: 'months', monthsInterval: 12 }] } },
};

/** A schedule under which runs overlap: a run may last longer than five seconds. */
export const everyFiveSeconds = {
	parameters: { rule: { interval: [{ field: 'seconds', secondsInterval: 5 }] } },
};
