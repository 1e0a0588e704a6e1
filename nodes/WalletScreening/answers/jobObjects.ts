import { isInList, isWithin, type Place, selfAndAncestors, withAncestors } from './places';

/*
 * Which objects of an answer are about the job: those outside of elements. The only element of a
 * list may be the job or a result, and the first row that fits decides which. An only element that
 * holds a list of results does not count as one that has a result.
 *
 *     it has                                     it is about
 *     a result, and another object has the ID    that result
 *     the ID of the job                          the job
 *     a result                                   that result
 *     none of these                              the job
 *
 * In this answer, the elements of `jobs` and of `sums` are about the job, and that of `results` is
 * about A:
 *
 *     { "jobs": [{
 *         "job_id": "j",
 *         "sums": [{ "total": 9 }],
 *         "results": [{ "report": { "address": "A", … }, "error": 503 }]
 *     }] }
 */

/**
 * Finds the objects that are about the job.
 *
 * @param outerObjects the objects outside of elements, of reports and of the past
 * @param withId those of them that have the ID of the job
 * @param results the places of the results
 */
export function findJobObjects(outerObjects: Place[], withId: Place[], results: Place[]): Place[] {
	// The innermost element around each result. One further out holds a list of results.
	const elementsOfResults = new Set(
		results.flatMap((place) => selfAndAncestors(place).find(isInList) ?? []),
	);
	// Row 1: a result may repeat the ID of its job. If only results have the ID, row 2 applies.
	const withIdOutsideResults = withId.filter((place) => !isWithin(place, elementsOfResults));
	const jobs = withIdOutsideResults.length > 0 ? withIdOutsideResults : withId;
	const aroundJobs = withAncestors(jobs);
	// Rows 2 to 4.
	const isAboutJob = (one: Place) => aroundJobs.has(one) || !elementsOfResults.has(one);
	return outerObjects.filter((place) =>
		selfAndAncestors(place)
			.filter(({ kind }) => kind === 'onlyElement')
			.every(isAboutJob),
	);
}
