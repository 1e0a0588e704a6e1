import type { Entries } from '../browser/form';
import { stage } from './stage';
import { type FormPage, type Person } from '../browser/person';

export type CaseAnswer =
	| 'True match'
	| 'False positive'
	| 'Licence'
	| 'Record the report to the authority'
	| 'Record that it is unfrozen'
	| 'Open the case again';

/** Publishes the form in which two people answer a case. */
export async function publishCaseForm(): Promise<void> {
	await stage.publishTemplate('answer-a-case-record');
	await stage.publishTemplate('answer-a-case', {
		'When a Person Opens the Page': { webhookId: 'answer-a-case' },
	});
}

/** Opens the form of a case by the link in its mails. `id` is the ID of its row. */
export const openCase = async (person: Person, id: unknown): Promise<FormPage> =>
	await (await person.open('answer-a-case', `case=${Number(id)}`)).send();

/**
 * Chooses an answer on the first page of a case, whose question depends on what the case waits for.
 *
 * @returns the page that asks for the details of this answer
 */
export async function chooseAnswer(form: FormPage, answer: CaseAnswer): Promise<FormPage> {
	const question = ['Your answer', 'What do you want to do?'].find((label) => form.asks(label));
	return await form.send({ [question!]: answer });
}

/** What a person enters for each answer, by the beginnings of the labels. */
export const answerDetails: Readonly<Record<CaseAnswer, Entries>> = {
	'True match': {
		'Date of your report': '2026-11-20',
		'Authority that you': 'OFAC',
		'Reference number of your report': 'B-77',
		'Why is it a true match?': 'The name and the wallet are theirs',
	},
	'False positive': {
		'What differs?': 'The list names another wallet',
		'Where do you keep the proof?': 'ticket T-6',
	},
	Licence: {
		'Licence number': 'L-9',
		'Last day on which': '2099-12-31',
		'Does the hit have to be reported': 'Yes, or it has been reported already',
		'Who issued the licence': 'It covers this payment',
	},
	'Record the report to the authority': {
		'Date of your report': '2026-11-20',
		'Authority that you': 'OFAC',
		'Reference number of your report': 'B-77',
		'What did you report?': 'The blocked payment',
	},
	'Open the case again': { 'What has changed?': 'OFAC has granted a licence' },
	'Record that it is unfrozen': {
		'Day on which it was unfrozen': '2026-11-20',
		'Who unfroze it': 'Cara, in the payment system',
	},
};

/** What the second person enters on the page of an answer. */
export const confirmation = (
	verdict: 'Confirm it' | 'Send it back' = 'Confirm it',
	reason = 'I compared both',
): Entries => ({ 'Is the answer right?': verdict, 'What did you check?': reason });
