import type { IDataObject } from 'n8n-workflow';
import { stage } from './stage';
import { type FormPage, type Person } from '../browser/person';

export const allowGreen = 'Allow it if its level is green, else review it';

/** Publishes the form in which a person writes a draft of the policy. */
export const publishDraftForm = async () =>
	await stage.publishTemplate('change-the-policy', {
		'When a Person Opens the Page': { webhookId: 'screening-policy' },
	});

/**
 * Publishes the two forms through which a policy changes: one person writes a draft, another one
 * publishes it.
 */
export async function publishPolicyForms(): Promise<void> {
	await publishDraftForm();
	await stage.publishTemplate('publish-a-policy', {
		'When a Person Opens the Page': { webhookId: 'publish-a-policy' },
	});
}

/** What a person writes in the form of the policy: a sentence on each line. */
interface PolicyText {
	rules: string;
	otherwise?: string;
	lists?: string;
	exceptions?: string;
	reason: string;
}

/** Opens the page on which a person writes a policy. */
export const openPolicyForm = async (person: Person): Promise<FormPage> =>
	await (await person.open('screening-policy')).send();

/** Tries a policy of these sentences on the log. @returns the page with its preview */
export const previewPolicy = async (form: FormPage, policy: PolicyText): Promise<FormPage> =>
	await form.send({
		Rules: policy.rules,
		'If no rule matches a wallet': policy.otherwise ?? allowGreen,
		'Your own lists': policy.lists ?? '',
		Exceptions: policy.exceptions ?? '',
		'For experts: the whole policy as JSON': '',
		'Reason for the change': policy.reason,
	});

/** Makes a draft of the policy in a preview. @returns the last page */
export const keepDraft = async (preview: FormPage): Promise<FormPage> =>
	await preview.send({ 'What do you want to do with this draft?': 'Send it to a second approver' });

/** Goes back from a preview. @returns the page with the sentences */
export const changeAgain = async (preview: FormPage): Promise<FormPage> =>
	await preview.send({ 'What do you want to do with this draft?': 'Change it again' });

/** Opens the page on which a person publishes or refuses the draft in this row. */
export const openDraft = async (person: Person, { id }: IDataObject): Promise<FormPage> =>
	await (await person.open('publish-a-policy', `draft=${Number(id)}`)).send();

/** What a person enters to publish a draft, or to refuse it. */
export const decisionOnDraft = (answer: 'Publish it' | 'Refuse it') => ({
	'Publish this policy?': answer,
	'What did you check?': 'I read each change',
});
