import { type Login, makeAccount } from '../../../tools/host/rest';
import { Person } from '../browser/person';
import { stage } from './stage';

const describeFailure = async (executionId: string): Promise<string> =>
	await stage.describeFailure(executionId);

/** Logs in the owner of the stage's n8n. */
export const logInOwner = async (): Promise<Person> =>
	await Person.logIn(stage.n8n.url, stage.n8n.login, describeFailure);

/**
 * Logs a person in to the stage's n8n. The first time, it makes an account, as a person does who
 * follows an invitation.
 */
export async function invitePerson(email: string): Promise<Person> {
	const login: Login = { email, password: 'Screening-1' };
	if (!stage.invited.has(email)) await makeAccount(stage.rest, login);
	stage.invited.add(email);
	return await Person.logIn(stage.n8n.url, login, describeFailure);
}
