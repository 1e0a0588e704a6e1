import { getAdditionalKeys } from 'n8n-core';
import {
	type ICredentialDataDecryptedObject,
	type ICredentialsExpressionResolveValues,
	type ICredentialsHelper,
	type ICredentialType,
	type IExecuteData,
	type IHttpRequestOptions,
	type INodeCredentialsDetails,
	type INodeParameters,
	type IWorkflowExecuteAdditionalData,
	NodeHelpers,
	type WorkflowExecuteMode,
} from 'n8n-workflow';

import type { Credential } from '../workflow';

/**
 * Credentials as users saved them, kept in memory: the methods of n8n's {@link ICredentialsHelper}
 * that the engine calls.
 */
export class SavedCredentials {
	constructor(
		private readonly saved: readonly Credential[],
		private readonly types: Record<string, ICredentialType>,
	) {}

	/** Every value of a field that is shown as a password, without the white space around it. */
	secrets(): string[] {
		return this.saved.flatMap(({ type, data }) =>
			this.getCredentialsProperties(type)
				.filter((property) => property.typeOptions?.password)
				.map((property) => String(data[property.name] ?? '').trim())
				.filter((value) => value !== ''),
		);
	}

	/**
	 * Reads a credential as n8n does: with the defaults of unchanged fields, and the values of its
	 * expressions for the item.
	 */
	async getDecrypted(
		additionalData: IWorkflowExecuteAdditionalData,
		{ name }: INodeCredentialsDetails,
		type: string,
		mode: WorkflowExecuteMode,
		executeData?: IExecuteData,
		_raw?: boolean,
		item?: ICredentialsExpressionResolveValues,
	): Promise<ICredentialDataDecryptedObject> {
		const credential = this.saved.find((one) => one.name === name);
		if (credential?.type !== type) throw new Error(`No credential "${name}" of type "${type}"`);
		if (!item) throw new Error('A credential is read in an execution');
		const given = structuredClone(credential.data) as INodeParameters;
		const properties = this.getCredentialsProperties(type);
		const data = NodeHelpers.getNodeParameters(properties, given, true, false, null, null) ?? {};
		return item.workflow.expression.getParameterValue(
			data,
			item.runExecutionData,
			item.runIndex,
			item.itemIndex,
			item.node.name,
			item.connectionInputData,
			mode,
			getAdditionalKeys(additionalData, mode, item.runExecutionData),
			executeData,
			false,
			data,
		) as ICredentialDataDecryptedObject;
	}

	/** Signs a request with the code of the credential's type. */
	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		type: string,
		request: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		const { authenticate } = this.types[type]!;
		if (typeof authenticate === 'function') return await authenticate(credentials, request);
		throw new Error(`Credential type "${type}" does not authenticate with a function`);
	}

	getCredentialsProperties(type: string) {
		return this.types[type]!.properties;
	}

	getParentTypes(): string[] {
		return [];
	}

	isCredentialUsableByNode(): boolean {
		return true;
	}

	async preAuthentication() {}

	async runPreAuthentication() {}
}
