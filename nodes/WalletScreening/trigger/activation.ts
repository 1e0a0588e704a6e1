import { type IHookFunctions, NodeOperationError } from 'n8n-workflow';
import { type Credential, credentialType } from '../n8n/credential';
import { own } from '../service/errors';
import { faultOfCredential } from './verification';
import { settingsOf, signingOf } from './settings';

/** Throws if the trigger could accept no delivery, or could do nothing with it. */
export async function activate(context: IHookFunctions): Promise<void> {
	const credential = await context.getCredentials<Credential>(credentialType);
	try {
		const { fault } = settingsOf(context);
		const unusable = faultOfCredential(credential, signingOf(context).scheme) ?? fault;
		if (unusable) throw unusable;
	} catch (error) {
		const { message, description, known } = own(error);
		// n8n shows only the message when the trigger of a published workflow does not start.
		const label = `'${known.parameter}'`;
		const isNamed = known.parameter === undefined || message.includes(label);
		const named = isNamed ? message : `${message} (see ${label})`;
		throw new NodeOperationError(context.getNode(), named, { description });
	}
}
